//! The one entrance to the parser of TypeScript and JavaScript.

use std::fmt;

use oxc_allocator::Allocator;
use oxc_parser::config::{NoTokensParserConfig, ParserConfig, TokensParserConfig};
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::SourceType;

use super::depth::scan_script_depth;
use crate::stack::on_fitting_stack;

/// Why no tree of a text was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unparsed<E> {
    /// It nests deeper than anything is analysed; the byte offset where.
    TooDeep(usize),
    /// The system gives no stack for a text that nests so deeply.
    NoStack,
    /// What was said of the tree of each grammar, in their order.
    Rejected(Vec<E>),
}

/// Whether brackets around an expression or a type are nodes of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brackets {
    AsNodes,
    LeftOut,
}

/// One tree: where it is kept, the grammar it was read with, and what the parser says.
pub struct ScriptTree<'a> {
    pub allocator: &'a Allocator,
    pub grammar: SourceType,
    pub parsed: ParserReturn<'a>,
}

impl fmt::Debug for ScriptTree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptTree").field("grammar", &self.grammar).finish_non_exhaustive()
    }
}

/// Parses a text with each grammar until `read` accepts the tree, on a stack that fits its nesting. A byte-order mark is for
/// the caller to leave out.
///
/// # Errors
/// Why no tree was accepted.
pub fn parse_script<T: Send, E: Send>(
    text: &str,
    grammars: &[SourceType],
    brackets: Brackets,
    read: impl for<'a> FnMut(ScriptTree<'a>) -> Result<T, E> + Send,
) -> Result<T, Unparsed<E>> {
    parse_script_as::<NoTokensParserConfig, T, E>(text, grammars, brackets, read)
}

/// As [`parse_script`], and the parser hands out the tokens as well.
///
/// # Errors
/// Why no tree was accepted.
pub fn parse_script_with_tokens<T: Send, E: Send>(
    text: &str,
    grammars: &[SourceType],
    read: impl for<'a> FnMut(ScriptTree<'a>) -> Result<T, E> + Send,
) -> Result<T, Unparsed<E>> {
    parse_script_as::<TokensParserConfig, T, E>(text, grammars, Brackets::LeftOut, read)
}

fn parse_script_as<C: ParserConfig, T: Send, E: Send>(
    text: &str,
    grammars: &[SourceType],
    brackets: Brackets,
    mut read: impl for<'a> FnMut(ScriptTree<'a>) -> Result<T, E> + Send,
) -> Result<T, Unparsed<E>> {
    let depth = scan_script_depth(text);
    if let Some(offset) = depth.excess_at {
        return Err(Unparsed::TooDeep(offset));
    }
    let options = ParseOptions { preserve_parens: brackets == Brackets::AsNodes, ..ParseOptions::default() };
    let parse = || {
        let mut rejected = Vec::new();
        for &grammar in grammars {
            let allocator = Allocator::default();
            let parser = Parser::new(&allocator, text, grammar).with_options(options);
            let parsed = parser.with_config(C::default()).parse();
            match read(ScriptTree { allocator: &allocator, grammar, parsed }) {
                Ok(accepted) => return Ok(accepted),
                Err(said) => rejected.push(said),
            }
        }
        Err(Unparsed::Rejected(rejected))
    };
    on_fitting_stack(depth.stack_bytes(text.len()), parse).unwrap_or(Err(Unparsed::NoStack))
}

#[cfg(test)]
mod tests {
    use super::super::dialect::candidate_source_types;
    use super::*;

    fn statements(path: &str, text: &str) -> Result<usize, Unparsed<bool>> {
        parse_script(text, &candidate_source_types(path), Brackets::LeftOut, |tree| {
            let fits = !tree.parsed.panicked && !tree.parsed.diagnostics.has_errors();
            if fits { Ok(tree.parsed.program.body.len()) } else { Err(tree.parsed.panicked) }
        })
    }

    #[test]
    fn the_first_grammar_that_fits_reads_the_text() {
        assert_eq!(statements("a.js", "return; a()"), Ok(2));
        assert_eq!(statements("a.js", "x = <p>{y}</p>"), Ok(1));
        assert_eq!(statements("a.ts", "x = <string>y"), Ok(1));
        assert!(matches!(statements("a.ts", "x = ;"), Err(Unparsed::Rejected(said)) if said.len() == 2));
    }

    #[test]
    fn deep_texts_are_read_and_deeper_ones_are_not() {
        let nested = |times: usize| format!("x = {}1{}", "(".repeat(times), ")".repeat(times));
        assert_eq!(statements("a.js", &nested(1_000)), Ok(1));
        assert_eq!(statements("a.js", &nested(1_001)), Err(Unparsed::TooDeep(4 + 1_001)));
        assert_eq!(statements("a.js", &format!("x = {}1", "!".repeat(15_000))), Ok(1));
    }

    #[test]
    fn brackets_are_nodes_only_where_they_are_wanted() {
        use oxc_ast::ast::{Expression, Statement};
        let bracketed = |brackets| {
            parse_script("(a)", &[SourceType::mjs()], brackets, |tree| match tree.parsed.program.body.first() {
                Some(Statement::ExpressionStatement(it)) => {
                    Ok(matches!(it.expression, Expression::ParenthesizedExpression(_)))
                }
                _ => Err(()),
            })
        };
        assert_eq!((bracketed(Brackets::AsNodes), bracketed(Brackets::LeftOut)), (Ok(true), Ok(false)));
    }
}

//! The types of doc comments as TypeScript reads them.

use oxc_allocator::Allocator;
use oxc_ast::ast::{Statement, TSType};
use oxc_parser::Parser;
use oxc_span::SourceType;

use tapps_syntax::script::depth;

/// Brackets and operators of one type that may be nested; nothing that people write comes near.
const MAX_LEVELS: usize = 60;

/// What makes a type nest without a bracket.
const OPERATORS: [&str; 7] = ["=>", "keyof", "readonly", "unique", "infer", "extends", "!"];

/// Each text as a type. All are read at once; when one of them is no type, each for itself.
pub(super) fn parse_jsdoc_types<'a>(allocator: &'a Allocator, texts: &[String]) -> Vec<Option<&'a TSType<'a>>> {
    let fits: Vec<bool> = texts.iter().map(|text| is_shallow(text)).collect();
    let shallow: Vec<&str> =
        texts.iter().zip(&fits).filter(|(_, fits)| **fits).map(|(text, _)| text.as_str()).collect();
    let found = match parse_types_together(allocator, &shallow) {
        Some(found) => found.into_iter().map(Some).collect(),
        None => {
            shallow.iter().map(|text| parse_types_together(allocator, &[text])?.first().copied()).collect::<Vec<_>>()
        }
    };
    let mut found = found.into_iter();
    fits.into_iter().map(|fits| if fits { found.next().flatten() } else { None }).collect()
}

/// The parser recurses, and comments do not count when the stack for a file is chosen.
fn is_shallow(text: &str) -> bool {
    let operators: usize = OPERATORS.iter().map(|operator| text.matches(operator).count()).sum();
    let questions = text.matches('?').count() - text.matches("?:").count();
    operators + questions <= MAX_LEVELS && (depth::scan_script_depth(text).levels as usize) <= MAX_LEVELS
}

fn parse_types_together<'a>(allocator: &'a Allocator, texts: &[&str]) -> Option<Vec<&'a TSType<'a>>> {
    let source: String = texts.iter().map(|text| format!("type _ =\n{text}\n;\n")).collect();
    let parsed = Parser::new(allocator, allocator.alloc_str(&source), SourceType::ts()).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let program = &*allocator.alloc(parsed.program);
    let found: Option<Vec<&TSType<'_>>> = program
        .body
        .iter()
        .map(|statement| match statement {
            Statement::TSTypeAliasDeclaration(alias) => Some(&alias.type_annotation),
            _ => None,
        })
        .collect();
    found.filter(|found| found.len() == texts.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_no_type_spoils_no_other() {
        let allocator = Allocator::default();
        let deep = ["[".repeat(5_000), "]".repeat(5_000)].concat();
        let texts = ["A", "function(string): B", &deep, "{ a: B // said\n}", "?C", "x;\ntype y = z"].map(str::to_owned);
        let found: Vec<bool> = parse_jsdoc_types(&allocator, &texts).iter().map(Option::is_some).collect();
        assert_eq!(found, [true, false, false, true, true, false]);
        assert!(parse_jsdoc_types(&allocator, &["keyof ".repeat(5_000) + "A"])[0].is_none());
        assert_eq!(parse_jsdoc_types(&allocator, &texts[..1]).len(), 1);
    }
}

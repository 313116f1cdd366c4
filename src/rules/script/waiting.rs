//! Where a script can wait: `await` is possible in asynchronous functions.

use oxc_ast::AstKind;
use oxc_semantic::SemanticBuilder;
use oxc_span::{GetSpan as _, Span};

use tapps_base::source::Source;
use tapps_syntax::script::dialect::candidate_source_types;
use tapps_syntax::script::parse::{Brackets, ScriptTree, parse_script};

/// True for an asynchronous function; none for what is no function.
pub(super) fn is_async(kind: AstKind<'_>) -> Option<bool> {
    match kind {
        AstKind::Function(function) => Some(function.r#async),
        AstKind::ArrowFunctionExpression(arrow) => Some(arrow.r#async),
        _ => None,
    }
}

/// The functions of a file, each with whether it is asynchronous; none where the file does not parse.
#[derive(Debug, Default)]
pub struct Functions(Vec<(Span, bool)>);

impl Functions {
    /// Reads the file once.
    #[must_use]
    pub fn of(source: &Source) -> Self {
        let Some(text) = source.text() else { return Self::default() };
        let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mark = u32::try_from(text.len() - plain.len()).unwrap_or_default();
        let read = parse_script(plain, &candidate_source_types(source.path()), Brackets::LeftOut, |tree| {
            let ScriptTree { allocator, parsed, .. } = tree;
            if parsed.panicked || parsed.diagnostics.has_errors() {
                return Err(());
            }
            let built = SemanticBuilder::new().with_build_nodes(true).build(allocator.alloc(parsed.program));
            let kinds = built.semantic.nodes().iter().map(oxc_semantic::AstNode::kind);
            Ok(kinds.filter_map(|kind| Some((kind.span().move_right(mark), is_async(kind)?))).collect())
        });
        Self(read.unwrap_or_default())
    }

    /// True when the function around a byte of the file is asynchronous.
    #[must_use]
    pub fn can_wait_at(&self, offset: usize) -> bool {
        let around = self.0.iter().filter(|(span, _)| (span.start as usize..span.end as usize).contains(&offset));
        // Of functions within each other the innermost is the smallest.
        around.min_by_key(|(span, _)| span.size()).is_some_and(|(_, asynchronous)| *asynchronous)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_function_decides() {
        for (text, expected) in [
            ("HERE", false),
            ("async function f() { HERE }", true),
            ("async function f() { return () => { HERE } }", false),
            ("function f() { return async () => HERE }", true),
            ("class A { async m() { HERE } n() {} }", true),
            ("class A { async m() {} n() { HERE } }", false),
            ("\u{feff}async function f() { HERE }", true),
            ("async function f() { HERE", false),
        ] {
            let source = Source::new("a.ts", text.as_bytes());
            assert_eq!(Functions::of(&source).can_wait_at(text.find("HERE").unwrap()), expected, "{text}");
        }
    }
}

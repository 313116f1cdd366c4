//! Where a script can wait: `await` is possible in asynchronous functions.

use oxc_ast::AstKind;
use oxc_semantic::SemanticBuilder;
use oxc_span::GetSpan as _;

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

/// True when the function around a byte of a file is asynchronous.
#[must_use]
pub fn is_in_async_function(source: &Source, offset: usize) -> bool {
    let Some(text) = source.text() else { return false };
    let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(offset) = u32::try_from(offset.saturating_sub(text.len() - plain.len())) else { return false };
    let read = parse_script(plain, &candidate_source_types(source.path()), Brackets::LeftOut, |tree| {
        let ScriptTree { allocator, parsed, .. } = tree;
        if parsed.panicked || parsed.diagnostics.has_errors() {
            return Err(());
        }
        let built = SemanticBuilder::new().with_build_nodes(true).build(allocator.alloc(parsed.program));
        let around = built.semantic.nodes().iter().filter(|node| {
            let span = node.kind().span();
            span.start <= offset && offset < span.end
        });
        // Of functions within each other the innermost is the smallest.
        let functions = around.filter_map(|node| Some((node.kind().span().size(), is_async(node.kind())?)));
        Ok(functions.min_by_key(|(size, _)| *size).is_some_and(|(_, asynchronous)| asynchronous))
    });
    read.unwrap_or(false)
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
            assert_eq!(is_in_async_function(&source, text.find("HERE").unwrap()), expected, "{text}");
        }
    }
}

//! Whether two texts are the same program, however they are written.

use oxc_span::ContentEq as _;

use super::dialect::candidate_source_types;
use super::parse::{Brackets, parse_script};

/// True when both texts parse with one grammar of the path, and their trees are equal but for places: comments, white
/// space, line breaks, semicolons, quotes and brackets without meaning do not count.
#[must_use]
pub fn is_same_script(path: &str, a: &str, b: &str) -> bool {
    let same = parse_script(a, &candidate_source_types(path), Brackets::LeftOut, |first| {
        if first.parsed.panicked || first.parsed.diagnostics.has_errors() {
            return Err(());
        }
        let program = &first.parsed.program;
        let second = oxc_parser::Parser::new(first.allocator, b, first.grammar)
            .with_options(oxc_parser::ParseOptions { preserve_parens: false, ..Default::default() })
            .parse();
        let fits = !second.panicked && !second.diagnostics.has_errors();
        Ok(fits
            && program.directives.content_eq(&second.program.directives)
            && program.body.content_eq(&second.program.body))
    });
    same.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_does_not_count_and_everything_else_does() {
        let text = "export function f(a: number) { return ('x' + a); }\n";
        let same = "// why\nexport function f(\n  a: number,\n) {\n  return \"x\" + a\n}\n";
        assert!(is_same_script("a.ts", text, same));
        for other in
            ["export function g(a: number) { return 'x' + a; }", "function f(a: number) { return 'x' + a }", "("]
        {
            assert!(!is_same_script("a.ts", text, other), "{other}");
        }
    }
}

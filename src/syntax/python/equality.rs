//! Whether two texts are the same program, however they are written.

use ruff_python_ast::PythonVersion;
use ruff_python_ast::comparable::ComparableStmt;

use super::parse::parse_python;

/// True when both texts parse, and their trees are equal but for places: comments, white space, line breaks, quotes and
/// brackets without meaning do not count. Docstrings do.
#[must_use]
pub fn is_same_module(a: &str, b: &str) -> bool {
    let target = PythonVersion::latest();
    let same = parse_python(a, target, |first| {
        parse_python(b, target, |second| {
            first.has_valid_syntax()
                && second.has_valid_syntax()
                && first.suite().len() == second.suite().len()
                && first
                    .suite()
                    .iter()
                    .zip(second.suite())
                    .all(|(a, b)| ComparableStmt::from(a) == ComparableStmt::from(b))
        })
    });
    matches!(same, Ok(Ok(true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_does_not_count_and_everything_else_does() {
        let text = "def f(a, b=1):\n    return 'x' + (a)\n";
        for same in
            ["def f(\n    a,\n    b=1,\n):  # why\n\treturn \"x\" + a\n", "# top\n\n\ndef f(a, b = 1): return 'x'+a"]
        {
            assert!(is_same_module(text, same), "{same}");
        }
        for other in ["def g(a, b=1):\n    return 'x' + a\n", "def f(a, b=1):\n    return 'y' + a\n", "", "def f(:\n"] {
            assert!(!is_same_module(text, other), "{other}");
        }
        assert!(!is_same_module("def f(:\n", "def f(:\n"), "what does not parse is not compared");
    }
}

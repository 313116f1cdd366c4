//! All four metrics of one text.

use ruff_python_ast::token::Tokens;
use ruff_python_ast::{PythonVersion, Stmt};

use super::complexity::{Complexity, measure_complexity};
use super::halstead::{Halstead, measure_halstead};
use super::maintainability::maintainability_index;
use super::raw::{RawLineCounts, count_raw_lines};
use crate::python::lines::SourceLines;
use crate::python::syntax;
use tapps_base::{Error, Result};
use tapps_syntax::python::parse::parse_python;

/// What radon would say about one module.
#[derive(Debug, Clone, PartialEq)]
pub struct RadonMetrics {
    pub complexity: Complexity,
    pub halstead: Halstead,
    pub raw: RawLineCounts,
    /// 0–100.
    pub maintainability_index: f64,
}

/// Measures a text, read as the newest Python there is; a byte-order mark is left out of account.
///
/// # Errors
/// `invalid_argument` with line and reason when the text does not parse or nests too deeply.
pub fn measure_radon_metrics(text: &str) -> Result<RadonMetrics> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = SourceLines::new(text);
    let unreadable = |finding: &tapps_base::finding::Finding| {
        Error::invalid(format!("line {} is not Python: {}", finding.line, finding.message))
            .hint("only a text that parses can be measured")
    };
    let measured = parse_python(text, PythonVersion::latest(), |parsed| {
        let errors = syntax::syntax_error_findings(&lines, parsed);
        match errors.into_iter().next() {
            None => Ok(measure_parsed(text, parsed.suite(), parsed.tokens())),
            Some(error) => Err(Box::new(error)),
        }
    });
    match measured {
        Ok(Ok(metrics)) => Ok(metrics),
        Ok(Err(error)) => Err(unreadable(&error)),
        Err(why) => Err(unreadable(&syntax::unparsed_finding(&lines, why))),
    }
}

/// Measures a parsed module; `text` is what it was parsed from.
#[must_use]
pub fn measure_parsed(text: &str, body: &[Stmt], tokens: &Tokens) -> RadonMetrics {
    let complexity = measure_complexity(text, body);
    let halstead = measure_halstead(text, body);
    let raw = count_raw_lines(text, tokens);
    let maintainability_index = maintainability_index(halstead, complexity.total, &raw);
    RadonMetrics { complexity, halstead, raw, maintainability_index }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_measured_or_says_where_it_breaks() {
        let metrics = measure_radon_metrics("\u{feff}def f(a):\n    return a + 1  # why\n").unwrap();
        assert_eq!((metrics.complexity.total, metrics.raw.lloc, metrics.halstead.n2), (1, 2, 2));
        let error = measure_radon_metrics("x = 1\ny = = 2\n").unwrap_err();
        assert!(error.message().contains("line 2"), "{error}");
        let error = measure_radon_metrics(&format!("x = {}1", "-".repeat(20_000))).unwrap_err();
        assert!(error.message().contains("links"), "{error}");
    }
}

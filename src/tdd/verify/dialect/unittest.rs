//! Python's own unittest.

use std::sync::LazyLock;

use regex::Regex;

use super::python::{Cause, cause_of_exception};
use crate::verify::judge::{CommandOutput, Judgement, compile_regex};
use crate::verify::symbol::Symbols;

static RAN: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^Ran (\d+) tests? in \d+\.\d+s$"));

pub(super) fn judge_unittest_output(output: &CommandOutput, symbols: &Symbols) -> Option<Judgement> {
    static FAILED: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^FAILED \((.*)\)$"));
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(failures|errors)=(\d+)"));
    let ran: u64 = RAN.captures_iter(&output.text).last()?.get(1)?.as_str().parse().ok()?;
    if let Some(judgement) = judge_imports(output, symbols) {
        return Some(judgement);
    }
    let failed: u64 = FAILED
        .captures_iter(&output.text)
        .last()
        .map_or(0, |found| NUMBER.captures_iter(&found[1]).filter_map(|number| number[2].parse::<u64>().ok()).sum());
    Some(Judgement::of_counts(output, ran.saturating_sub(failed), failed))
}

/// Test modules that could not be imported stand among the tests as failed ones.
fn judge_imports(output: &CommandOutput, symbols: &Symbols) -> Option<Judgement> {
    static EXCEPTION: LazyLock<Regex> =
        LazyLock::new(|| compile_regex(r"(?m)^([A-Za-z_][\w.]*(?:Error|Exception): .*)$"));
    let mut missing = None;
    for section in output.text.split("ImportError: Failed to import test module").skip(1) {
        let section = section.split("\n======").next().unwrap_or_default();
        let exception = EXCEPTION.captures_iter(section).last().and_then(|found| found.get(1));
        match exception.map(|exception| cause_of_exception(exception.as_str(), symbols)) {
            Some(Cause::MissingSymbol(what)) => missing = Some(what),
            Some(Cause::Fault(why)) => {
                return Some(Judgement::broken(format!("a test module could not be imported: {why}")));
            }
            None => return Some(Judgement::broken("a test module could not be imported")),
        }
    }
    missing.map(|what| Judgement::red(format!("the test asks for what is not written yet: {what}")))
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::judge_unittest_output;

    #[test]
    fn results_of_unittest() {
        let import = |exception: &str| {
            format!(
                "E\n======\nERROR: test_calc (unittest.loader._FailedTest.test_calc)\n------\nImportError: Failed to import test \
                 module: test_calc\nTraceback (most recent call last):\n  File \"t.py\", line 1\n{exception}\n\n\n------\nRan 1 \
                 test in 0.000s\n\nFAILED (errors=1)\n"
            )
        };
        let cases = [
            (0, "..\n------\nRan 2 tests in 0.001s\n\nOK\n".to_owned(), "green"),
            (1, "F.\n------\nRan 2 tests in 0.001s\n\nFAILED (failures=1)\n".to_owned(), "red"),
            (1, "E.\n------\nRan 2 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n".to_owned(), "red"),
            (5, "------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n".to_owned(), "broken"),
            (1, import("ModuleNotFoundError: No module named 'calc'"), "red"),
            (1, import("ModuleNotFoundError: No module named 'other'"), "broken"),
            (1, import("SyntaxError: invalid syntax"), "broken"),
        ];
        for (code, text, expected) in cases {
            let (verdict, reason) = check(judge_unittest_output, code, &text, &["calc.py"]).unwrap();
            assert_eq!(verdict, expected, "{reason}: {text}");
        }
        assert_eq!(check(judge_unittest_output, 0, "Ran all tests", &[]), None);
    }
}

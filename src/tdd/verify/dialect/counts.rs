//! Runners that tell nothing but numbers: Maven, Gradle, .NET, RSpec, PHPUnit, and the Test Anything Protocol.

use std::sync::LazyLock;

use regex::Regex;

use super::number_in_group;
use crate::verify::judge::{CommandOutput, Judgement, compile_regex};
use crate::verify::symbol::Symbols;

/// Each names `total` or `passed`, and `failed`; `errors` are tests that could not be run.
static CLOSINGS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"(?m)Tests run: (?P<total>\d+), Failures: (?P<failed>\d+), Errors: (?P<errors>\d+)",
        r"(?m)^(?P<total>\d+) tests? completed, (?P<failed>\d+) failed",
        r"(?m)Failed:\s+(?P<failed>\d+), Passed:\s+(?P<passed>\d+)",
        r"(?m)^(?P<total>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<errors>\d+) errors? occurred)?",
        r"(?m)^OK \((?P<total>\d+) tests?",
        r"(?m)^Tests: (?P<total>\d+), Assertions: \d+(?:, Errors: (?P<errors>\d+))?(?:, Failures: (?P<failed>\d+))?",
    ]
    .map(compile_regex)
    .into()
});

pub(super) fn judge_test_counts(output: &CommandOutput, _: &Symbols) -> Option<Judgement> {
    static POINT: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^(?P<not>not )?ok \d+\b(?P<rest>.*)$"));
    if let Some(found) = CLOSINGS.iter().find_map(|closing| closing.captures_iter(&output.text).last()) {
        let (failed, errors) = (number_in_group(&found, "failed"), number_in_group(&found, "errors"));
        if errors > 0 {
            return Some(Judgement::broken(format!("{errors} tests could not be run")));
        }
        let passed = number_in_group(&found, "passed").max(number_in_group(&found, "total").saturating_sub(failed));
        return Some(Judgement::of_counts(output, passed, failed));
    }
    let points: Vec<regex::Captures<'_>> = POINT
        .captures_iter(&output.text)
        .filter(|point| {
            let rest = point["rest"].to_ascii_uppercase();
            !rest.contains("# TODO") && !rest.contains("# SKIP")
        })
        .collect();
    if points.is_empty() {
        return None;
    }
    let failed = points.iter().filter(|point| point.name("not").is_some()).count() as u64;
    Some(Judgement::of_counts(output, points.len() as u64 - failed, failed))
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::judge_test_counts;

    #[test]
    fn numbers_are_enough() {
        let cases = [
            (0, "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0", "green"),
            (1, "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0", "red"),
            (1, "[ERROR] Tests run: 3, Failures: 0, Errors: 2, Skipped: 0", "broken"),
            (1, "3 tests completed, 1 failed", "red"),
            (1, "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3", "red"),
            (0, "2 examples, 0 failures", "green"),
            (1, "0 examples, 0 failures, 1 error occurred outside of examples", "broken"),
            (0, "OK (3 tests, 4 assertions)", "green"),
            (1, "Tests: 3, Assertions: 3, Failures: 1.", "red"),
            (2, "Tests: 1, Assertions: 0, Errors: 1.", "broken"),
            (1, "1..2\nok 1 - a\nnot ok 2 - b\n", "red"),
            (0, "1..2\nok 1 - a\nnot ok 2 - b # TODO later\n", "green"),
        ];
        for (code, text, expected) in cases {
            let (verdict, reason) = check(judge_test_counts, code, text, &[]).unwrap();
            assert_eq!(verdict, expected, "{reason}: {text}");
        }
        assert_eq!(check(judge_test_counts, 0, "ok then", &[]), None);
    }
}

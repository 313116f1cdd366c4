//! pytest.

use std::sync::LazyLock;

use regex::Regex;

use super::number_in_group;
use super::python::{Cause, cause_of_exception};
use crate::verify::judge::{CommandOutput, Judgement, compile_regex};
use crate::verify::symbol::Symbols;

/// The closing line, with or without its frame: `1 failed, 2 passed in 0.03s`.
static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
    compile_regex(r"(?m)^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests (?:ran|collected)[^=\n]*?) in \d+(?:\.\d+)?s\b")
});

pub(super) fn judge_pytest_output(output: &CommandOutput, symbols: &Symbols) -> Option<Judgement> {
    let closing = CLOSING.captures_iter(&output.text).last()?;
    let counted = closing.get(1)?.as_str();
    let count = |words: &[&str]| {
        static COUNT: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?P<n>\d+) (?P<what>[a-z]+)"));
        COUNT
            .captures_iter(counted)
            .filter(|found| words.contains(&found.name("what").map_or("", |what| what.as_str())))
            .map(|found| number_in_group(&found, "n"))
            .sum::<u64>()
    };
    let (passed, failed) = (count(&["passed"]), count(&["failed"]));
    if count(&["error", "errors"]) > 0 {
        return Some(judge_errors(output, symbols));
    }
    if passed + failed == 0 {
        return Some(Judgement::broken(nothing_ran(output, counted)));
    }
    let judgement = Judgement::of_counts(output, passed, failed);
    match only_undefined_names(output, failed) {
        Some(name) => Some(Judgement {
            verdict: crate::verify::TestVerdict::Broken,
            reason: format!("the test uses a name that it does not import: {name}"),
            ..judgement
        }),
        None => Some(judgement),
    }
}

fn nothing_ran(output: &CommandOutput, counted: &str) -> String {
    let error = output.text.lines().find(|line| line.starts_with("ERROR: "));
    error.map_or_else(|| format!("no test ran ({counted})"), |line| line.chars().take(200).collect())
}

/// Modules that could not be collected and tests that could not be set up.
fn judge_errors(output: &CommandOutput, symbols: &Symbols) -> Judgement {
    static SECTION: LazyLock<Regex> =
        LazyLock::new(|| compile_regex(r"(?m)^_+ ERROR (collecting|at setup of|at teardown of) (.+?) _+$"));
    static EXCEPTION: LazyLock<Regex> =
        LazyLock::new(|| compile_regex(r"(?m)^E +([A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit)?: .*)$"));
    static SUMMARY: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^ERROR \S+ - (.*)$"));
    let starts: Vec<(usize, String)> = SECTION
        .captures_iter(&output.text)
        .filter_map(|found| Some((found.get(0)?.start(), format!("{} {}", &found[1], &found[2]))))
        .collect();
    let mut causes = Vec::new();
    for (index, (start, what)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(output.text.len(), |(next, _)| *next);
        let section = output.text.get(*start..end).unwrap_or_default();
        // The summary that follows on the last section has lines of its own.
        let section = section.split("\n=").next().unwrap_or_default();
        let exception = EXCEPTION.captures_iter(section).last().and_then(|found| found.get(1));
        causes.push(match exception {
            Some(exception) => cause_of_exception(exception.as_str(), symbols),
            None => Cause::Fault(format!("error {what}")),
        });
    }
    if causes.is_empty() {
        causes.extend(
            SUMMARY
                .captures_iter(&output.text)
                .filter_map(|found| Some(cause_of_exception(found.get(1)?.as_str(), symbols))),
        );
    }
    let fault = causes.iter().find_map(|cause| match cause {
        Cause::Fault(why) => Some(why),
        Cause::MissingSymbol(_) => None,
    });
    match (fault, causes.first()) {
        (None, Some(Cause::MissingSymbol(what))) if !output.succeeded() => {
            Judgement::red(format!("the test asks for what is not written yet: {what}"))
        }
        (Some(why), _) => Judgement::broken(format!("the tests could not be collected or set up: {why}")),
        _ => Judgement::broken("the tests could not be collected or set up"),
    }
}

/// When every failure is a name that the test module does not define, writing the implementation cannot help.
fn only_undefined_names(output: &CommandOutput, failed: u64) -> Option<String> {
    static FAILURE: LazyLock<Regex> =
        LazyLock::new(|| compile_regex(r"(?m)^FAILED \S.*? - (NameError: name '[^']+' is not defined.*)$"));
    let names: Vec<&str> =
        FAILURE.captures_iter(&output.text).filter_map(|found| Some(found.get(1)?.as_str())).collect();
    (failed > 0 && names.len() as u64 == failed).then(|| names.first().map_or(String::new(), |&name| name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::judge_pytest_output;

    fn verdict(code: i32, text: &str) -> (String, String) {
        check(judge_pytest_output, code, text, &["calc.py"]).unwrap()
    }

    #[test]
    fn counts_decide() {
        assert_eq!(verdict(0, "===== 3 passed in 0.02s =====").0, "green");
        assert_eq!(verdict(0, "3 passed, 1 skipped, 2 warnings in 1.02s").0, "green");
        assert_eq!(verdict(1, "= 1 failed, 2 passed in 61.00s (0:01:01) =").0, "red");
        assert_eq!(verdict(5, "no tests ran in 0.00s").0, "broken");
        assert_eq!(verdict(0, "== 2 skipped in 0.00s ==").0, "broken");
        assert_eq!(verdict(1, "== 3 passed in 0.1s ==").0, "broken");
        let missing = "ERROR: file or directory not found: tests/x.py\n\n=== no tests ran in 0.00s ===";
        assert_eq!(verdict(4, missing), ("broken".into(), "ERROR: file or directory not found: tests/x.py".into()));
        assert_eq!(check(judge_pytest_output, 1, "finished in 3s", &[]), None);
    }

    fn collecting(exception: &str) -> String {
        format!(
            "==== ERRORS ====\n____ ERROR collecting tests/test_calc.py ____\ntests/test_calc.py:1: in <module>\n    from calc \
             import add\nE   {exception}\n==== short test summary info ====\nERROR tests/test_calc.py\n!!! Interrupted: 1 error \
             during collection !!!\n==== 1 error in 0.05s ====\n"
        )
    }

    #[test]
    fn a_missing_implementation_is_red_and_a_broken_collection_is_not() {
        let red = verdict(2, &collecting("ModuleNotFoundError: No module named 'calc'"));
        assert_eq!(red.0, "red", "{}", red.1);
        for exception in
            ["ModuleNotFoundError: No module named 'nump'", "SyntaxError: invalid syntax", "IndentationError: x"]
        {
            let broken = verdict(2, &collecting(exception));
            assert_eq!(broken.0, "broken");
            assert!(broken.1.contains(exception), "{}", broken.1);
        }
        let both = collecting("ModuleNotFoundError: No module named 'calc'")
            .replace("==== ERRORS ====", "==== ERRORS ====\n____ ERROR collecting tests/b.py ____\nE   SyntaxError: x");
        assert_eq!(verdict(2, &both).0, "broken");
    }

    #[test]
    fn a_missing_fixture_is_broken() {
        let text = "____ ERROR at setup of test_a ____\nfile t.py, line 1\nE       fixture 'clint' not found\n==== 1 error in 0.01s ====";
        assert_eq!(verdict(1, text).0, "broken");
    }

    #[test]
    fn a_forgotten_import_is_broken_unless_something_else_failed_too() {
        let one = "FAILED t.py::test_a - NameError: name 'add' is not defined\n== 1 failed in 0.01s ==";
        assert_eq!(verdict(1, one).0, "broken");
        let two = "FAILED t.py::test_a - NameError: name 'add' is not defined\nFAILED t.py::test_b - assert 1 == 2\n== 2 failed in 0.01s ==";
        assert_eq!(verdict(1, two).0, "red");
    }
}

//! cargo test and cargo-nextest.

use std::sync::LazyLock;

use regex::Regex;

use super::number_in_group;
use crate::verify::judge::{CommandOutput, Judgement, compile_regex};
use crate::verify::symbol::Symbols;

/// Compiler errors that say that the test uses what is not there (or not visible, or not that far) yet. Sorted.
const MISSING: [&str; 21] = [
    "E0061", // too few or too many arguments
    "E0277", // a bound that the type does not meet
    "E0369", // an operator that the type does not have
    "E0405", "E0412", "E0422", "E0423", "E0425", "E0432", "E0433", "E0531", "E0532", "E0559", "E0560", "E0574",
    "E0583", "E0599", "E0603", "E0609", "E0616", "E0624",
];

static RESULT: LazyLock<Regex> = LazyLock::new(|| {
    compile_regex(r"(?m)^test result: (?:ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed")
});
static NEXTEST: LazyLock<Regex> = LazyLock::new(|| {
    compile_regex(
        r"(?m)^\s*Summary \[.*?\] .*?tests? run: (?P<passed>\d+) passed(?: \([^)]*\))?(?:, (?P<failed>\d+) failed)?",
    )
});

pub(super) fn judge_cargo_output(output: &CommandOutput, symbols: &Symbols) -> Option<Judgement> {
    if let Some(judgement) = judge_compilation(output, symbols) {
        return Some(judgement);
    }
    let mut results = RESULT.captures_iter(&output.text).chain(NEXTEST.captures_iter(&output.text)).peekable();
    results.peek()?;
    let (passed, failed) = results.fold((0, 0), |(passed, failed), result| {
        (passed + number_in_group(&result, "passed"), failed + number_in_group(&result, "failed"))
    });
    Some(Judgement::of_counts(output, passed, failed))
}

fn judge_compilation(output: &CommandOutput, symbols: &Symbols) -> Option<Judgement> {
    static ERROR: LazyLock<Regex> =
        LazyLock::new(|| compile_regex(r"(?m)^error(?:\[(?P<code>E\d{4})\])?: (?P<text>.*)$"));
    static CRATE: LazyLock<Regex> =
        LazyLock::new(|| compile_regex(r"(?:unlinked crate|undeclared crate or module|unresolved import) `(\w+)`"));
    if output.succeeded() || !output.text.contains("could not compile") {
        return None;
    }
    let mut missing = None;
    for error in ERROR.captures_iter(&output.text) {
        let text = error.name("text").map_or("", |text| text.as_str());
        let shown: String = text.chars().take(200).collect();
        let Some(code) = error.name("code").map(|code| code.as_str()) else {
            if is_epilogue(text) {
                continue;
            }
            return Some(Judgement::broken(format!("the code does not compile: {shown}")));
        };
        let foreign = CRATE.captures(text).is_some_and(|found| !symbols.has_module(&found[1]));
        let is_crate = text.contains("crate `") && text.contains("unlinked") || text.contains("undeclared crate");
        if MISSING.binary_search(&code).is_err() || (is_crate && foreign) {
            return Some(Judgement::broken(format!("the code does not compile: {code}, {shown}")));
        }
        missing.get_or_insert(format!("{code}, {shown}"));
    }
    Some(missing.map_or_else(
        || Judgement::broken("the code does not compile"),
        |what| Judgement::red(format!("the test asks for what is not written yet: {what}")),
    ))
}

/// What follows on errors and says nothing of its own.
fn is_epilogue(text: &str) -> bool {
    ["could not compile", "aborting due to", "test failed", "doctest failed", "build failed"]
        .iter()
        .any(|start| text.starts_with(start))
        || text.ends_with("previous errors")
        || text.contains("targets failed")
        || text.contains("target failed")
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::{MISSING, judge_cargo_output};

    #[test]
    fn codes_are_sorted() {
        assert!(MISSING.is_sorted());
    }

    #[test]
    fn results_of_cargo() {
        let compile = |error: &str| {
            format!(
                "error{error}\n --> src/lib.rs:9:20\n\nerror: could not compile `calc` (lib test) due to 1 previous error\n"
            )
        };
        let result = |word: &str, passed, failed| {
            format!(
                "test result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
            )
        };
        let cases = [
            (0, result("ok", 2, 0) + &result("ok", 0, 0), "green"),
            (
                101,
                result("ok", 2, 0) + &result("FAILED", 1, 1) + "\nerror: test failed, to rerun pass `--lib`\n",
                "red",
            ),
            (0, result("ok", 0, 0), "broken"),
            (101, compile("[E0425]: cannot find function `add` in this scope"), "red"),
            (101, compile("[E0432]: unresolved import `calc::add`"), "red"),
            (101, compile("[E0308]: mismatched types"), "broken"),
            (101, compile(": expected one of `!` or `::`, found `let`"), "broken"),
            (101, compile("[E0433]: failed to resolve: use of unresolved module or unlinked crate `serde`"), "broken"),
            (100, "     Summary [   0.005s] 3 tests run: 2 passed, 1 failed, 0 skipped\n".to_owned(), "red"),
            (0, "     Summary [   0.005s] 3 tests run: 3 passed (1 slow), 0 skipped\n".to_owned(), "green"),
        ];
        for (code, text, expected) in cases {
            let (verdict, reason) = check(judge_cargo_output, code, &text, &["src/lib.rs"]).unwrap();
            assert_eq!(verdict, expected, "{reason}: {text}");
        }
        assert_eq!(check(judge_cargo_output, 101, "error: no such command: `tst`\n", &[]), None);
    }
}

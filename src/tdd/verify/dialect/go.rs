//! go test.

use std::sync::LazyLock;

use regex::Regex;

use crate::verify::judge::{CommandOutput, Judgement, compile_regex};
use crate::verify::symbol::Symbols;

static PACKAGE: LazyLock<Regex> = LazyLock::new(|| {
    compile_regex(
        r"(?m)^(?P<word>ok|FAIL)\s+\S+\s+(?:\d+\.\d+s|\(cached\)|\[(?P<why>build|setup) failed\])(?P<rest>.*)$",
    )
});

pub(super) fn judge_go_output(output: &CommandOutput, _: &Symbols) -> Option<Judgement> {
    static TEST: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^\s*--- (PASS|FAIL): "));
    let packages: Vec<regex::Captures<'_>> = PACKAGE.captures_iter(&output.text).collect();
    if packages.is_empty() {
        return None;
    }
    if packages.iter().any(|package| package.name("why").is_some()) {
        return Some(judge_compilation(output));
    }
    let count = |word: &str| TEST.captures_iter(&output.text).filter(|test| &test[1] == word).count() as u64;
    let ran = packages
        .iter()
        .filter(|package| &package["word"] == "ok" && !package["rest"].contains("[no tests to run]"))
        .count() as u64;
    // Without -v, tests that pass are not named: a package that is ok stands for at least one.
    Some(Judgement::of_counts(output, count("PASS").max(ran), count("FAIL")))
}

fn judge_compilation(output: &CommandOutput) -> Judgement {
    static ERROR: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^\S+\.go:\d+:\d+: (?P<text>.*)$"));
    let mut missing = None;
    for error in ERROR.captures_iter(&output.text) {
        let text: String = error["text"].chars().take(200).collect();
        let is_missing = text.contains("undefined: ")
            || text.contains("(type ") && text.contains("has no field or method")
            || text.contains("undefined (type")
            || text.contains("not enough arguments in call")
            || text.contains("too many arguments in call");
        if !is_missing {
            return Judgement::broken(format!("the code does not compile: {text}"));
        }
        missing.get_or_insert(text);
    }
    missing.map_or_else(
        || Judgement::broken("the tests could not be built"),
        |what| Judgement::red(format!("the test asks for what is not written yet: {what}")),
    )
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::judge_go_output;

    #[test]
    fn results_of_go() {
        let cases = [
            (0, "ok  \tcalc\t0.002s\n", "green"),
            (0, "ok  \tcalc\t(cached)\n", "green"),
            (0, "testing: warning: no tests to run\nPASS\nok  \tcalc\t0.002s [no tests to run]\n", "broken"),
            (1, "--- FAIL: TestAdd (0.00s)\n    calc_test.go:7: got 0\nFAIL\nFAIL\tcalc\t0.002s\nFAIL\n", "red"),
            (1, "# calc [calc.test]\n./calc_test.go:6:5: undefined: Add\nFAIL\tcalc [build failed]\nFAIL\n", "red"),
            (1, "# calc\n./calc_test.go:6:5: syntax error: unexpected }\nFAIL\tcalc [build failed]\nFAIL\n", "broken"),
            (1, "FAIL\tcalc [setup failed]\nFAIL\n", "broken"),
        ];
        for (code, text, expected) in cases {
            let (verdict, reason) = check(judge_go_output, code, text, &[]).unwrap();
            assert_eq!(verdict, expected, "{reason}: {text}");
        }
        assert_eq!(check(judge_go_output, 1, "FAIL: something else", &[]), None);
    }
}

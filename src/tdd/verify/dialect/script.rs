//! Jest, Vitest, Mocha and Node's own test runner.

use std::sync::LazyLock;

use regex::Regex;

use super::number_in_group;
use crate::verify::judge::{CommandOutput, Judgement, compile_regex};
use crate::verify::symbol::Symbols;

/// Jest's `Tests:       1 failed, 2 passed, 3 total`.
static JEST: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^Tests:\s+(?P<counts>.*\d+ total)$"));
/// Vitest's `      Tests  1 failed | 2 passed (3)`, or `no tests`.
static VITEST: LazyLock<Regex> =
    LazyLock::new(|| compile_regex(r"(?m)^\s*Tests\s{2}(?P<counts>(?:\d+ \w+(?: \| )?)+ \(\d+\)|no tests)\s*$"));
/// Node's `# pass 1` (TAP) or `ℹ pass 1`.
static NODE_PASS: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^(?:#|ℹ) pass (?P<n>\d+)$"));
static NODE_FAIL: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^(?:#|ℹ) fail (?P<n>\d+)$"));
/// Mocha's `  2 passing (5ms)`.
static MOCHA_PASS: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^\s+(?P<n>\d+) passing \("));
static MOCHA_FAIL: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?m)^\s+(?P<n>\d+) failing$"));

pub(super) fn judge_script_output(output: &CommandOutput, symbols: &Symbols) -> Option<Judgement> {
    let text = &output.text;
    let counts = [&*JEST, &*VITEST].iter().find_map(|pattern| pattern.captures_iter(text).last());
    let numbers = match counts {
        Some(counts) => Some((counted(&counts["counts"], "passed"), counted(&counts["counts"], "failed"))),
        None => last_pass_fail_counts(text, &NODE_PASS, &NODE_FAIL)
            .or_else(|| last_pass_fail_counts(text, &MOCHA_PASS, &MOCHA_FAIL)),
    };
    if let Some(judgement) = judge_loading(output, symbols, numbers.is_some()) {
        return Some(judgement);
    }
    let (passed, failed) = numbers?;
    Some(Judgement::of_counts(output, passed, failed))
}

fn last_pass_fail_counts(text: &str, pass: &Regex, fail: &Regex) -> Option<(u64, u64)> {
    let last = |pattern: &Regex| pattern.captures_iter(text).last().map(|found| number_in_group(&found, "n"));
    match (last(pass), last(fail)) {
        (None, None) => None,
        (passed, failed) => Some((passed.unwrap_or(0), failed.unwrap_or(0))),
    }
}

fn counted(counts: &str, word: &str) -> u64 {
    static COUNT: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"(?P<n>\d+) (?P<word>\w+)"));
    COUNT.captures_iter(counts).filter(|count| &count["word"] == word).map(|count| number_in_group(&count, "n")).sum()
}

/// Test files that could not be loaded.
fn judge_loading(output: &CommandOutput, symbols: &Symbols, known: bool) -> Option<Judgement> {
    static MODULE: LazyLock<Regex> = LazyLock::new(|| {
        compile_regex(
            r#"(?:Cannot find module|Failed to resolve import|Failed to load url|Does the file exist\? |Cannot find package) ['"]?([^'"\s]+)['"]?"#,
        )
    });
    static EXPORT: LazyLock<Regex> =
        LazyLock::new(|| compile_regex(r"The requested module '([^']+)' does not provide an export named '\w+'"));
    static SYNTAX: LazyLock<Regex> =
        LazyLock::new(|| compile_regex(r"(?m)(?:SyntaxError|Transform failed|Parse failure)\b.*$"));
    if output.succeeded() {
        return None;
    }
    let loading = !known
        || output.text.contains("Test suite failed to run")
        || output.text.contains("Failed Suites")
        || EXPORT.is_match(&output.text)
        || output.text.contains("ERR_MODULE_NOT_FOUND")
        || output.text.contains("MODULE_NOT_FOUND")
        || output.text.contains("SyntaxError: ");
    if !loading {
        return None;
    }
    let found: Vec<regex::Captures<'_>> =
        EXPORT.captures_iter(&output.text).chain(MODULE.captures_iter(&output.text)).collect();
    if let Some(foreign) = found.iter().find(|found| !symbols.has_specifier(&found[1])) {
        return Some(Judgement::broken(format!(
            "a test file could not be loaded: {} (not one of the session's implementation files)",
            shown(&foreign[0])
        )));
    }
    if let Some(missing) = found.first() {
        return Some(Judgement::red(format!("the test asks for what is not written yet: {}", shown(&missing[0]))));
    }
    let syntax = SYNTAX.find(&output.text);
    if known && (syntax.is_some() || output.text.contains("failed to run") || output.text.contains("Failed Suites")) {
        let why = syntax.map_or("a test file could not be loaded", |found| found.as_str());
        return Some(Judgement::broken(format!("the tests could not be loaded: {}", shown(why))));
    }
    None
}

fn shown(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::judge_script_output;

    #[test]
    fn results_of_script_runners() {
        let suite = |why: &str| {
            format!(
                "FAIL ./calc.test.js\n  ● Test suite failed to run\n\n    {why}\n\nTest Suites: 1 failed, 1 total\nTests:       0 total\n"
            )
        };
        let cases = [
            (0, "Test Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\n".to_owned(), "green"),
            (1, "Tests:       1 failed, 2 passed, 3 total\n".to_owned(), "red"),
            (1, suite("Cannot find module './calc' from 'calc.test.js'"), "red"),
            (1, suite("Cannot find module 'lodahs' from 'calc.test.js'"), "broken"),
            (1, suite("SyntaxError: Unexpected token (3:4)"), "broken"),
            (1, suite("ReferenceError: x is not defined"), "broken"),
            (0, " Test Files  1 passed (1)\n      Tests  2 passed (2)\n".to_owned(), "green"),
            (1, "      Tests  1 failed | 2 passed (3)\n".to_owned(), "red"),
            (1, " Failed Suites 1\nError: Failed to resolve import \"./calc\" from \"calc.test.ts\". Does the file exist?\n      Tests  no tests\n".to_owned(), "red"),
            (0, "ℹ tests 2\nℹ pass 2\nℹ fail 0\n".to_owned(), "green"),
            (1, "# tests 2\n# pass 1\n# fail 1\n".to_owned(), "red"),
            (1, "SyntaxError: The requested module './calc.mjs' does not provide an export named 'add'\n# pass 0\n# fail 1\n".to_owned(), "red"),
            (1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/p/calc.mjs' imported from /p/t.mjs\n# pass 0\n# fail 1\n".to_owned(), "red"),
            (1, "SyntaxError: Unexpected end of input\n# pass 0\n# fail 1\n".to_owned(), "broken"),
            (1, "  1 passing (4ms)\n  1 failing\n".to_owned(), "red"),
            (1, "Error: Cannot find module './calc'\n".to_owned(), "red"),
        ];
        for (code, text, expected) in cases {
            let (verdict, reason) = check(judge_script_output, code, &text, &["calc.mjs"]).unwrap();
            assert_eq!(verdict, expected, "{reason}: {text}");
        }
        assert_eq!(check(judge_script_output, 1, "Tests were run\n", &[]), None);
    }
}

//! Settings by which tests have less to reach, fewer of them run, or less code is looked at. Other settings are told; these
//! block, as a test that is deleted does.

use std::collections::{BTreeMap, BTreeSet};

use globset::GlobBuilder;
use regex::Regex;
use serde_json::Value;
use tapps_project::reach::is_test_code;
use tapps_project::settings_values::read_settings;

/// Both sides of a file of settings.
pub(super) struct SettingsPair<'p> {
    pub(super) path: &'p str,
    pub(super) base: Option<&'p str>,
    pub(super) head: Option<&'p str>,
}

/// A value of settings: its path, and what it holds as texts.
type Values = BTreeMap<String, Vec<String>>;

/// Runners of tests and measures of coverage, by a part of the path of a setting or the name of its file.
const RUNNERS: &[&str] = &["pytest", "coverage", "vitest", "jest", "mocha", "playwright", "nyc", "c8"];
/// Keys whose entries are left out of a run.
const LEFT_OUT: &[&str] = &[
    "exclude",
    "testpathignorepatterns",
    "testignore",
    "norecursedirs",
    "collect_ignore",
    "--ignore",
    "--ignore-glob",
    "--deselect",
];
/// Keys whose entries are what is run.
const RUN: &[&str] = &["include", "testpaths", "testmatch"];
/// Keys whose entries are left out of coverage.
const NOT_COVERED: &[&str] = &["omit", "coveragepathignorepatterns"];
/// Largest number of files that a text names.
const MOST: usize = 3;

/// What the settings of a change take from its tests, by file. `tracked` are the files of the base, `changed` those of the
/// change, from the repository's top.
pub(super) fn weaker_settings(
    pairs: &[SettingsPair<'_>],
    tracked: &[String],
    changed: &BTreeSet<String>,
) -> Vec<(String, String)> {
    let read = |path: &str, text: Option<&str>| {
        text.and_then(|text| read_settings(path, text)).map_or_else(Values::new, |value| values_of(path, &value))
    };
    let sides: Vec<(&str, Values, Values)> =
        pairs.iter().map(|pair| (pair.path, read(pair.path, pair.base), read(pair.path, pair.head))).collect();
    // Settings move between files.
    let elsewhere = |key: &str| {
        let values = sides.iter().flat_map(|(_, _, after)| after.iter());
        values
            .filter(|(path, _)| last_key(path) == key && is_limit(path))
            .filter_map(|(_, held)| number(held))
            .reduce(f64::max)
    };
    let mut told = Vec::new();
    for (file, before, after) in &sides {
        for (path, held) in before.iter().filter(|(path, _)| is_limit(path)) {
            let Some(was) = number(held) else { continue };
            let is = after.get(path).and_then(|held| number(held)).or_else(|| elsewhere(last_key(path)));
            if is.is_none_or(|is| is < was) {
                let now = is.map_or_else(|| "unset".to_owned(), |is| is.to_string());
                told.push(((*file).to_owned(), format!("{path}: {was} → {now}, so tests have less to reach")));
            }
        }
        for (path, held) in after.iter().filter(|(path, _)| is_of_runner(file, path)) {
            let known = before.get(path);
            let new = held.iter().filter(|entry| known.is_none_or(|known| !known.contains(entry)));
            let key = last_key(path).to_ascii_lowercase();
            let of_coverage = NOT_COVERED.contains(&key.as_str())
                || key == "exclude" && path.to_ascii_lowercase().split('.').any(|part| part == "coverage");
            if of_coverage {
                for entry in new {
                    let lost = changed.iter().filter(|path| !is_test_code(path) && matches_file(entry, path));
                    told.extend(say_files(file, path, entry, lost, "is left out of coverage"));
                }
            } else if LEFT_OUT.contains(&key.as_str()) {
                for entry in new {
                    let lost = tracked.iter().filter(|path| is_test_code(path) && matches_file(entry, path));
                    told.extend(say_files(file, path, entry, lost, "is not run any more"));
                }
            } else if let (true, Some(known)) = (RUN.contains(&key.as_str()), known) {
                let runs = |entries: &[String], path: &str| entries.iter().any(|entry| matches_file(entry, path));
                let lost = tracked.iter().filter(|path| is_test_code(path) && runs(known, path) && !runs(held, path));
                told.extend(say_files(file, path, &held.join(", "), lost, "is not run any more"));
            }
        }
    }
    told
}

fn say_files<'f>(
    file: &str,
    path: &str,
    entry: &str,
    lost: impl Iterator<Item = &'f String>,
    what: &str,
) -> Option<(String, String)> {
    let lost: Vec<&str> = lost.map(String::as_str).collect();
    let names = lost.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    let more = if lost.len() > MOST { format!(" and {} more", lost.len() - MOST) } else { String::new() };
    (!lost.is_empty()).then(|| (file.to_owned(), format!("{path} has `{entry}`, by which {names}{more} {what}")))
}

fn last_key(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// A number that coverage has to reach.
fn is_limit(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    matches!(last_key(&lower), "fail_under" | "fail-under" | "--cov-fail-under") || lower.contains("threshold")
}

fn is_of_runner(file: &str, path: &str) -> bool {
    let text = format!("{file}.{path}").to_ascii_lowercase();
    RUNNERS.iter().any(|runner| text.contains(runner))
}

fn number(held: &[String]) -> Option<f64> {
    match held {
        [one] => one.parse().ok(),
        _ => None,
    }
}

/// Whether a pattern, a folder or an expression means a file; which of them it is differs between runners.
fn matches_file(entry: &str, file: &str) -> bool {
    let entry = entry.trim().trim_start_matches("./").trim_start_matches("<rootDir>/");
    let place = entry.split("::").next().unwrap_or(entry).trim_end_matches('/');
    if place.is_empty() {
        return false;
    }
    let is_below = file == place || file.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'));
    let by_glob = || {
        let glob = GlobBuilder::new(entry).literal_separator(true).build();
        glob.is_ok_and(|glob| glob.compile_matcher().is_match(file))
    };
    let by_expression = || {
        let is_one = entry.contains(['\\', '$', '^', '|']) || entry.contains(".*");
        is_one && Regex::new(entry).is_ok_and(|expression| expression.is_match(file))
    };
    is_below || by_glob() || by_expression()
}

/// Every value by its dotted path, the options of `addopts` as values of their own.
fn values_of(file: &str, settings: &Value) -> Values {
    let mut values = Values::new();
    let mut open: Vec<(String, &Value)> = vec![(String::new(), settings)];
    while let Some((path, value)) = open.pop() {
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        match value {
            Value::Object(entries) => open.extend(entries.iter().map(|(name, value)| (below(name), value))),
            Value::Array(items) => {
                let texts = items.iter().filter_map(|item| match item {
                    Value::Object(_) => None,
                    Value::String(text) => Some(text.clone()),
                    other => Some(other.to_string()),
                });
                values.entry(path.clone()).or_default().extend(texts);
            }
            Value::String(text) if is_ini(file) && text.contains('\n') => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                values.entry(path).or_default().extend(lines.map(str::to_owned));
            }
            Value::String(text) => values.entry(path).or_default().push(text.clone()),
            other => values.entry(path).or_default().push(other.to_string()),
        }
    }
    let given: Vec<(String, Vec<String>)> = values
        .iter()
        .filter(|(path, _)| last_key(path) == "addopts")
        .flat_map(|(path, held)| options_of(path, held))
        .collect();
    for (path, held) in given {
        values.entry(path).or_default().extend(held);
    }
    values
}

fn is_ini(file: &str) -> bool {
    [".ini", ".cfg", "rc"].iter().any(|ending| file.ends_with(ending))
}

/// `--ignore=tests/a.py --deselect tests/b.py` as values.
fn options_of(path: &str, held: &[String]) -> Vec<(String, Vec<String>)> {
    let mut words = held.iter().flat_map(|text| text.split_whitespace());
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None if word.starts_with("--ignore") || word == "--deselect" || word == "--cov-fail-under" => {
                (word, words.next())
            }
            None => continue,
        };
        if let Some(value) = value.filter(|_| option.starts_with("--")) {
            found.push((format!("{path}.{option}"), vec![value.trim_matches(['"', '\'']).to_owned()]));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weaker(path: &str, base: &str, head: &str) -> Vec<String> {
        let pair = SettingsPair { path, base: Some(base), head: Some(head) };
        let tracked = ["tests/test_a.py", "tests/test_b.py", "test/orders.test.ts", "shop/a.py", "src/orders.ts"];
        let changed = BTreeSet::from(["shop/a.py".to_owned()]);
        let told = weaker_settings(&[pair], &tracked.map(str::to_owned), &changed);
        told.into_iter().map(|(_, text)| text).collect()
    }

    #[rstest::rstest]
    #[case("pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n", "[tool.coverage.report]\nfail_under = 45\n",
        &["tool.coverage.report.fail_under: 90 → 45, so tests have less to reach"])]
    #[case("pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n", "[tool.coverage.report]\nfail_under = 95\n", &[])]
    #[case("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'\n", "[tool.pytest.ini_options]\naddopts = '-q --ignore=tests/test_b.py'\n",
        &["tool.pytest.ini_options.addopts.--ignore has `tests/test_b.py`, by which tests/test_b.py is not run any more"])]
    #[case("pytest.ini", "[pytest]\naddopts = --cov-fail-under=80\n", "[pytest]\naddopts = --cov-fail-under=10\n",
        &["pytest.addopts.--cov-fail-under: 80 → 10, so tests have less to reach"])]
    #[case(".coveragerc", "[run]\nbranch = true\n", "[run]\nbranch = true\nomit =\n    shop/a.py\n    other/*\n",
        &["run.omit has `shop/a.py`, by which shop/a.py is left out of coverage"])]
    #[case("vitest.config.ts", "export default { test: { coverage: { thresholds: { lines: 90 } } } };", "export default { test: { exclude: ['**/node_modules/**', 'test/ord*.test.ts'], coverage: { thresholds: { lines: 90 } } } };",
        &["test.exclude has `test/ord*.test.ts`, by which test/orders.test.ts is not run any more"])]
    #[case("vitest.config.ts", "export default { test: { include: ['test/**/*.test.ts'] } };", "export default { test: { include: ['test/new/*.test.ts'] } };",
        &["test.include has `test/new/*.test.ts`, by which test/orders.test.ts is not run any more"])]
    #[case("jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 80 } } };", "module.exports = { testPathIgnorePatterns: ['orders\\\\.test'] };",
        &["coverageThreshold.global.lines: 80 → unset, so tests have less to reach", "testPathIgnorePatterns has `orders\\.test`, by which test/orders.test.ts is not run any more"])]
    fn settings_that_ask_less_of_tests(
        #[case] path: &str,
        #[case] base: &str,
        #[case] head: &str,
        #[case] expected: &[&str],
    ) {
        assert_eq!(weaker(path, base, head), expected, "{path}");
    }

    #[test]
    fn a_limit_may_move_to_another_file() {
        let pairs = [
            SettingsPair { path: ".coveragerc", base: Some("[report]\nfail_under = 90\n"), head: None },
            SettingsPair {
                path: "pyproject.toml",
                base: Some(""),
                head: Some("[tool.coverage.report]\nfail_under = 90\n"),
            },
        ];
        assert_eq!(weaker_settings(&pairs, &[], &BTreeSet::new()), Vec::new());
    }
}

//! What a change does to settings, compared as values: another order, another comment or another dependency is none.

use std::collections::BTreeMap;

use serde_json::Value;
use tapps_project::settings_values::read_settings;

use super::callers::weaker_calls;
use super::files::PolicyFile;
use crate::baseline::Baseline;

/// Most differences of one file that are named.
const MOST: usize = 8;
/// Longest value that is shown, in characters.
const LONGEST: usize = 80;

/// Tables of `pyproject.toml` that belong to checkers.
const TABLES: &[&str] = &[
    "tapps-mcp",
    "ruff",
    "mypy",
    "bandit",
    "coverage",
    "pytest",
    "pylint",
    "pyright",
    "ty",
    "pyrefly",
    "flake8",
    "isort",
    "tox",
    "nox",
    "poe",
    "hatch",
    "importlinter",
];

/// Keys of `package.json` that belong to checkers.
const KEYS: &[&str] = &["eslintConfig", "jest", "vitest", "c8", "nyc", "lint-staged", "husky", "oxlint", "biome"];

/// Sections of `setup.cfg` that belong to checkers, by their beginning.
const SECTIONS: &[&str] = &["mypy", "flake8", "coverage", "tool:pytest", "bandit", "pylint", "isort", "tox"];

/// What is different, one text a setting; empty when nothing that decides is.
pub(super) fn policy_difference(kind: PolicyFile, path: &str, base: Option<&str>, head: Option<&str>) -> Vec<String> {
    if base == head {
        return Vec::new();
    }
    let compare = |values: fn(&str) -> Option<BTreeMap<String, String>>| compare_values(base, head, values);
    match kind {
        PolicyFile::Own => compare(|text| toml_values(text, |_| true)),
        PolicyFile::Pyproject => compare(|text| {
            toml_values(text, |path| TABLES.iter().any(|table| is_below(path, &format!("tool.{table}"))))
        }),
        PolicyFile::PackageJson => compare(|text| {
            let value: Value = serde_json::from_str(text).ok()?;
            let of_scripts = |path: &str, value: &str| path.starts_with("scripts.") && value.contains("tapps-mcp");
            let all = flatten(&value).into_iter();
            Some(
                all.filter(|(path, value)| of_scripts(path, value) || KEYS.iter().any(|key| is_below(path, key)))
                    .collect(),
            )
        }),
        PolicyFile::Sections => compare(|text| Some(sections_of_checkers(text))),
        PolicyFile::Rules => {
            let readable = |text: Option<&str>| text.is_none_or(|text| read_settings(path, text).is_some());
            match (base, head) {
                (Some(_), Some(_)) if readable(base) && readable(head) => {
                    compare_values(base, head, |text| read_settings(path, text).map(|value| flatten(&value)))
                }
                _ => vec![said_of_file(base, head).to_owned()],
            }
        }
        PolicyFile::OwnTools => vec![said_of_file(base, head).to_owned()],
        PolicyFile::Caller => {
            weaker_calls(path, base.unwrap_or_default(), head.unwrap_or_default()).into_iter().take(MOST).collect()
        }
        PolicyFile::Baseline => baseline_difference(base, head),
    }
}

/// How many findings more and fewer a baseline forgives; another order of its lines is no difference.
fn baseline_difference(base: Option<&str>, head: Option<&str>) -> Vec<String> {
    let read = |text: Option<&str>| text.map_or_else(|| Ok(Baseline::default()), Baseline::parse);
    let (Ok(before), Ok(after)) = (read(base), read(head)) else {
        return vec!["changed, and cannot be read".to_owned()];
    };
    let (more, fewer) = (after.forgives_beyond(&before), before.forgives_beyond(&after));
    let said = |count: u32, word: &str| {
        let findings = if count == 1 { "finding is" } else { "findings are" };
        (count > 0).then(|| format!("{count} {findings} {word}"))
    };
    [said(more, "forgiven that the base does not forgive"), said(fewer, "no longer forgiven")]
        .into_iter()
        .flatten()
        .collect()
}

const fn said_of_file(base: Option<&str>, head: Option<&str>) -> &'static str {
    match (base, head) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    }
}

fn is_below(path: &str, table: &str) -> bool {
    path.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn compare_values(
    base: Option<&str>,
    head: Option<&str>,
    values: impl Fn(&str) -> Option<BTreeMap<String, String>>,
) -> Vec<String> {
    let read = |text: Option<&str>| text.map_or_else(|| Some(BTreeMap::new()), &values);
    let (Some(before), Some(after)) = (read(base), read(head)) else {
        return vec!["changed, and cannot be read".to_owned()];
    };
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut told: Vec<String> = names
        .into_iter()
        .filter(|name| before.get(*name) != after.get(*name))
        .map(|name| match (before.get(name), after.get(name)) {
            (Some(was), Some(is)) => format!("{name}: {was} → {is}"),
            (Some(was), None) => format!("{name}: {was} → unset"),
            (None, is) => format!("{name}: unset → {}", is.map_or("", String::as_str)),
        })
        .collect();
    if told.len() > MOST {
        let more = told.len() - MOST;
        told.truncate(MOST);
        told.push(format!("and {more} more"));
    }
    told
}

fn toml_values(text: &str, wanted: impl Fn(&str) -> bool) -> Option<BTreeMap<String, String>> {
    if tapps_base::toml_text::excess_nesting(text).is_some() {
        return None;
    }
    let table: toml::Table = text.parse().ok()?;
    let value = serde_json::to_value(table).ok()?;
    Some(flatten(&value).into_iter().filter(|(path, _)| wanted(path)).collect())
}

/// Values by their dotted path; lists are values.
fn flatten(value: &Value) -> BTreeMap<String, String> {
    let mut flat = BTreeMap::new();
    let mut open: Vec<(String, &Value)> = vec![(String::new(), value)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Object(map) if !map.is_empty() || path.is_empty() => {
                let below = |name: &String| if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                open.extend(map.iter().map(|(name, value)| (below(name), value)));
            }
            other => drop(flat.insert(path, shorten(&other.to_string()))),
        }
    }
    flat
}

/// The lines of the sections that belong to checkers, by section.
fn sections_of_checkers(text: &str) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut section = None;
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            section = SECTIONS.iter().any(|known| name.starts_with(known)).then(|| name.to_owned());
        } else if let Some(name) = &section {
            let (key, value) = line.split_once(['=', ':']).unwrap_or((line, ""));
            found.insert(format!("{name}.{}", key.trim()), shorten(value.trim()));
        }
    }
    found
}

/// The beginning of a text that is too long to show.
pub(super) fn shorten(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_compared_as_values() {
        let own = |base, head| policy_difference(PolicyFile::Own, "tapps-mcp.toml", base, head);
        assert_eq!(own(Some("preset = 'strict'\n"), Some("# a remark\npreset = \"strict\"\n")), Vec::<String>::new());
        assert_eq!(own(Some("preset = 'strict'\n"), Some("preset = 'light'\n")), ["preset: \"strict\" → \"light\""]);
        assert_eq!(own(None, Some("exclude = ['a']\n")), ["exclude: unset → [\"a\"]"]);
        assert_eq!(own(Some("preset = 'strict'\n"), Some("preset = \n")), ["changed, and cannot be read"]);
    }

    #[test]
    fn rules_of_other_tools_are_compared_as_values() {
        let of =
            |head: &str| policy_difference(PolicyFile::Rules, "tsconfig.json", Some("{\"strict\": true}"), Some(head));
        assert_eq!(of("{\n  // the same\n  \"strict\": true,\n}"), Vec::<String>::new());
        assert_eq!(of("{}"), ["strict: true → unset"]);
        assert_eq!(policy_difference(PolicyFile::Rules, "pytest.ini", None, Some("[pytest]\n")), ["added"]);
    }

    #[test]
    fn a_dependency_in_the_same_file_is_no_setting() {
        let base = "[project]\ndependencies = ['a']\n[tool.ruff.lint]\nselect = ['E']\n";
        let of = |head: &str| policy_difference(PolicyFile::Pyproject, "pyproject.toml", Some(base), Some(head));
        assert_eq!(of(&base.replace("['a']", "['a', 'b']")), Vec::<String>::new());
        assert_eq!(of(&base.replace("['E']", "[]")), ["tool.ruff.lint.select: [\"E\"] → []"]);
    }
}

//! Jobs and hooks that call the gate: what is called, and what decides whether it runs and whether its failure counts.

use std::collections::BTreeMap;

use serde_json::Value;
use tapps_project::settings_values::read_settings;

use super::difference::shorten;

/// Keys around a call that decide whether it runs, for what, and whether its failure counts: those of GitHub, GitLab,
/// pre-commit and the clients' hooks.
const DECIDING: &[&str] = &[
    "allow_failure",
    "allowed_failures",
    "always_run",
    "continue-on-error",
    "disabled",
    "enabled",
    "except",
    "exclude",
    "files",
    "if",
    "matcher",
    "on",
    "only",
    "pull_request",
    "rules",
    "skip",
    "stages",
    "types",
    "types_or",
    "when",
];

/// By the text of a call, the conditions of each place where it stands.
type GateCalls = BTreeMap<String, Vec<BTreeMap<String, String>>>;

/// The calls that are gone, and those whose conditions are others, one text each.
pub(super) fn weaker_calls(path: &str, base: &str, head: &str) -> Vec<String> {
    let (before, after) = (read_calls(path, base), read_calls(path, head));
    let mut told = Vec::new();
    for (call, places) in &before {
        let now = after.get(call).map_or(&[][..], Vec::as_slice);
        if now.len() < places.len() {
            told.push(format!("gone: {}", shorten(call)));
        }
        for (was, is) in places.iter().zip(now) {
            let keys: std::collections::BTreeSet<&String> = was.keys().chain(is.keys()).collect();
            let value =
                |values: &BTreeMap<String, String>, key| values.get(key).map_or("unset".to_owned(), Clone::clone);
            told.extend(
                keys.into_iter()
                    .filter(|key| was.get(*key) != is.get(*key))
                    .map(|key| format!("{}: {key}: {} → {}", shorten(call), value(was, key), value(is, key))),
            );
        }
    }
    told
}

fn calls_the_gate(line: &str) -> bool {
    line.contains("tapps-mcp")
}

fn read_calls(path: &str, text: &str) -> GateCalls {
    let mut calls = GateCalls::new();
    match read_settings(path, text) {
        Some(settings) => collect(&settings, &BTreeMap::new(), "", &mut calls),
        None => {
            for line in text.lines().map(str::trim).filter(|line| calls_the_gate(line)) {
                calls.entry(line.to_owned()).or_default().push(BTreeMap::new());
            }
        }
    }
    calls
}

fn collect(value: &Value, around: &BTreeMap<String, String>, path: &str, calls: &mut GateCalls) {
    match value {
        Value::String(text) => {
            for line in text.lines().map(str::trim).filter(|line| calls_the_gate(line)) {
                calls.entry(line.to_owned()).or_default().push(around.clone());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, around, path, calls)),
        Value::Object(entries) => {
            let mut around = around.clone();
            let deciding = entries.iter().filter(|(key, _)| DECIDING.contains(&key.as_str()));
            around.extend(deciding.map(|(key, value)| (format!("{path}{key}"), shorten(&value.to_string()))));
            for (key, value) in entries {
                collect(value, &around, &format!("{path}{key}."), calls);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: &str = "on: [push]\njobs:\n  gate:\n    runs-on: a\n    steps:\n      - run: pytest\n      - run: tapps-mcp gate --changed origin/main\n";

    #[test]
    fn a_job_that_calls_the_gate_no_more_is_told() {
        let of = |head: &str| weaker_calls(".github/workflows/a.yml", JOB, head);
        assert_eq!(
            of(&JOB.replace("origin/main", "origin/main || true")),
            ["gone: tapps-mcp gate --changed origin/main"]
        );
        assert_eq!(of(&JOB.replace("pytest", "pytest -q")), Vec::<String>::new());
        assert_eq!(weaker_calls("a.yml", "jobs: {}\n", ""), Vec::<String>::new());
    }

    #[test]
    fn a_job_that_may_fail_or_seldom_runs_is_told() {
        let of = |head: &str| weaker_calls(".github/workflows/a.yml", JOB, head);
        assert_eq!(
            of(&JOB.replace("    runs-on: a\n", "    runs-on: a\n    continue-on-error: true\n")),
            ["tapps-mcp gate --changed origin/main: jobs.gate.continue-on-error: unset → true"]
        );
        assert_eq!(
            of(&JOB.replace("[push]", "[workflow_dispatch]")),
            ["tapps-mcp gate --changed origin/main: on: [\"push\"] → [\"workflow_dispatch\"]"]
        );
        assert_eq!(of(&JOB.replace("runs-on: a", "runs-on: b")), Vec::<String>::new());
    }

    #[test]
    fn a_hook_that_matches_nothing_is_told() {
        let hook =
            r#"{"hooks": {"PostToolUse": [{"matcher": "Edit|Write", "hooks": [{"command": "tapps-mcp hook edit"}]}]}}"#;
        assert_eq!(
            weaker_calls(".claude/settings.json", hook, &hook.replace("Edit|Write", "None")),
            ["tapps-mcp hook edit: hooks.PostToolUse.matcher: \"Edit|Write\" → \"None\""]
        );
    }
}

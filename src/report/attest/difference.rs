//! The first thing in which two statements differ, by a name that a reader knows.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::statement::{Statement, Subject};
use tapps_base::Result;

/// One thing that is not as it was attested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// For example `input shop/prices.py`, `git:commit`, `configuration`, `toolchain.tools`, `shop/prices.py security.score`.
    pub name: String,
    /// What the attestation says; none where it says nothing.
    pub attested: Option<String>,
    /// What there is now; none where there is nothing.
    pub found: Option<String>,
}

impl Difference {
    pub(super) fn new(name: impl Into<String>, attested: Option<String>, found: Option<String>) -> Self {
        Self { name: name.into(), attested, found }
    }

    /// The path of the input that differs.
    pub(super) fn into_input_name(self) -> String {
        self.name.strip_prefix(INPUT).map(str::to_owned).unwrap_or(self.name)
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        write!(f, "{}: attested {}, found {}", self.name, shown(&self.attested), shown(&self.found))
    }
}

/// How the name of a differing input begins.
const INPUT: &str = "input ";

/// The interpreter stands beside the toolchain, in every result as well.
const INTERPRETER: &str = "interpreter";

/// Compares what a verdict was to come from, but for the interpreter and for files that were not judged: judged files,
/// request, configuration, toolchain.
///
/// # Errors
/// `internal` when a part has no JSON form, which cannot happen.
pub(super) fn first_cause(attested: &Statement, found: &Statement) -> Result<Option<Difference>> {
    if let Some(difference) = inputs(&attested.subject, &found.subject) {
        return Ok(Some(difference));
    }
    let (old, new) = (&attested.predicate, &found.predicate);
    let parts = [
        ("request", to_json_value(&old.request)?, to_json_value(&new.request)?),
        ("configuration", to_json_value(&old.configuration)?, to_json_value(&new.configuration)?),
    ];
    // The tree of the head holds what was not judged as well; the judged files have been compared.
    let of_part = parts.iter().find_map(|(name, old, new)| differing_leaf(name, old, new, &["head"]));
    let toolchain = differing_toolchain(&to_json_value(&old.toolchain)?, &to_json_value(&new.toolchain)?);
    Ok(of_part.or(toolchain))
}

/// Compares what came of it: findings, scores, the verdict.
pub(super) fn first_effect(attested: &Statement, found: &Statement) -> Option<Difference> {
    differing_verdict(&attested.predicate.verdict, &found.predicate.verdict)
}

/// What differs of the toolchain but for the interpreter and what goes with it: the unpacked files are others for another
/// Python version, though they come from the same lock.
fn differing_toolchain(old: &Value, new: &Value) -> Option<Difference> {
    let of = |keys: &[&str]| {
        keys.iter().find_map(|key| differing_leaf(&format!("toolchain.{key}"), &old[*key], &new[*key], &[]))
    };
    if old["lock"] != new["lock"]
        && let Some(difference) = of(&["engine", "rules", "versions", "lock"])
    {
        return Some(difference);
    }
    of(&["engine", "rules"]).or_else(|| {
        let differs = old["fingerprint"] != new["fingerprint"] || old["verified"] != new["verified"];
        differs.then(|| of(&["tools", "verified", "fingerprint"])).flatten()
    })
}

/// How the interpreters differ on which a verdict depends.
///
/// # Errors
/// `internal` when one has no JSON form, which cannot happen.
pub(super) fn differing_interpreter(attested: &Statement, found: &Statement) -> Result<Option<Difference>> {
    let of = |statement: &Statement| to_json_value(&statement.predicate.toolchain.interpreter);
    let (old, new) = (of(attested)?, of(found)?);
    // The version says more than the digest, which comes before it in the alphabet.
    let name = "toolchain.interpreter";
    Ok(differing_leaf(name, &old, &new, &["digest"]).or_else(|| differing_leaf(name, &old, &new, &[])))
}

/// The inputs besides the judged files that are not as they were, by path.
pub(super) fn changed_inputs(attested: &Statement, found: &Statement) -> Vec<Difference> {
    let by_name = |statement: &Statement| -> BTreeMap<String, String> {
        let inputs = statement.predicate.inputs.iter();
        inputs.map(|input| (input.name.clone(), input.digest.value().to_owned())).collect()
    };
    differing_names(INPUT, &by_name(attested), &by_name(found))
}

/// True when the verdicts agree in everything but the toolchain's fingerprint.
pub(super) fn same_verdict(attested: &Statement, found: &Statement) -> bool {
    let (old, new) = (&attested.predicate.verdict, &found.predicate.verdict);
    differing_leaf("verdict", old, new, &["toolchain", "tool_versions"]).is_none()
}

/// The first file whose bytes differ, or that only one of them has; then another commit. Where the files lie in no
/// repository, or not as committed, nothing can be said of that.
fn inputs(attested: &[Subject], found: &[Subject]) -> Option<Difference> {
    let by_name = |subjects: &[Subject], files: bool| -> BTreeMap<String, String> {
        let wanted = subjects.iter().filter(|subject| subject.is_file() == files);
        wanted.map(|subject| (subject.name.clone(), subject.digest.value().to_owned())).collect()
    };
    let files = differing_names(INPUT, &by_name(attested, true), &by_name(found, true));
    let (old, new) = (by_name(attested, false), by_name(found, false));
    let both = !old.is_empty() && !new.is_empty();
    let commits = if both { differing_names("", &old, &new) } else { Vec::new() };
    files.into_iter().chain(commits).next()
}

fn differing_names(what: &str, old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Difference> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differing = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
    differing
        .map(|name| Difference::new(format!("{what}{name}"), old.get(name).cloned(), new.get(name).cloned()))
        .collect()
}

/// The first difference of two verdicts: findings before scores, file by file.
fn differing_verdict(old: &Value, new: &Value) -> Option<Difference> {
    let (old_files, new_files) = (files(old), files(new));
    for (old, new) in old_files.iter().zip(new_files) {
        let file = text_of_key(old, "file");
        let difference = differing_finding(&file, old, new)
            .or_else(|| {
                differing_leaf(&file, &old["result"]["categories"], &new["result"]["categories"], &[INTERPRETER])
            })
            .or_else(|| differing_leaf(&file, &old["result"], &new["result"], &[INTERPRETER]))
            .or_else(|| differing_leaf(&file, old, new, &[INTERPRETER]));
        if difference.is_some() {
            return difference;
        }
    }
    differing_leaf("verdict", old, new, &[INTERPRETER])
}

fn files(verdict: &Value) -> &[Value] {
    verdict["files"].as_array().map_or(&[], Vec::as_slice)
}

/// The first finding that only one of them has.
fn differing_finding(file: &str, old: &Value, new: &Value) -> Option<Difference> {
    let told = |value: &Value| -> Vec<(u64, String)> {
        // Of a change they stand in the file itself.
        let list = value.get("result").unwrap_or(value)["findings"].as_array().map_or(&[][..], Vec::as_slice);
        list.iter().map(|finding| (finding["line"].as_u64().unwrap_or(0), text_of_key(finding, "rule"))).collect()
    };
    let (old, new) = (told(old), told(new));
    let gone = old.iter().find(|finding| !new.contains(finding));
    let added = new.iter().find(|finding| !old.contains(finding));
    let (line, rule) = gone.or(added)?;
    let message = Some("a finding".to_owned());
    let name = format!("{file}:{line} {rule}");
    Some(if gone.is_some() { Difference::new(name, message, None) } else { Difference::new(name, None, message) })
}

/// The first leaf in which two values differ; keys named in `leave` are passed over.
fn differing_leaf(name: &str, old: &Value, new: &Value, leave: &[&str]) -> Option<Difference> {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
            keys.sort();
            keys.dedup();
            keys.into_iter().filter(|key| !leave.contains(&key.as_str())).find_map(|key| {
                let (old, new) = (old.get(key).unwrap_or(&Value::Null), new.get(key).unwrap_or(&Value::Null));
                differing_leaf(&format!("{name}.{key}"), old, new, leave)
            })
        }
        (Value::Array(old), Value::Array(new)) => (0..old.len().max(new.len())).find_map(|index| {
            let (old, new) = (old.get(index).unwrap_or(&Value::Null), new.get(index).unwrap_or(&Value::Null));
            differing_leaf(&format!("{name}[{index}]"), old, new, leave)
        }),
        _ if old == new => None,
        _ => Some(Difference::new(name, value_as_text(old), value_as_text(new))),
    }
}

fn value_as_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn text_of_key(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn to_json_value(value: &impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|e| tapps_base::Error::internal(format!("a part has no JSON form: {e}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::statement::Digest;
    use super::*;

    fn report(findings: &Value, score: f64, passed: bool) -> Value {
        json!({"passed": passed, "files": [{"file": "a.py", "passed": passed, "result": {
            "findings": findings,
            "categories": {"security": {"score": score}},
            "toolchain": {"fingerprint": "f"},
        }}]})
    }

    #[test]
    fn findings_come_before_the_scores_they_make() {
        let finding = json!([{"line": 3, "rule": "ruff:F401"}]);
        for (old, new, name) in [
            (report(&finding, 7.0, true), report(&json!([]), 9.0, true), "a.py:3 ruff:F401"),
            (report(&json!([]), 9.0, true), report(&finding, 7.0, false), "a.py:3 ruff:F401"),
            (report(&finding, 7.0, true), report(&finding, 6.5, false), "a.py.security.score"),
            (report(&finding, 7.0, true), report(&finding, 7.0, false), "a.py.passed"),
        ] {
            assert_eq!(differing_verdict(&old, &new).unwrap().name, name);
            assert_eq!(differing_verdict(&old, &old), None);
        }
    }

    #[test]
    fn inputs_are_named_by_their_path() {
        let subject = |name: &str, sha256: &str| Subject::new(name, sha256);
        let old = [subject("a.py", "1"), subject("b.py", "2")];
        for (new, name) in [
            (vec![subject("a.py", "1"), subject("b.py", "3")], "input b.py"),
            (vec![subject("b.py", "2")], "input a.py"),
            (vec![subject("a.py", "1"), subject("aa.py", "5"), subject("b.py", "3")], "input aa.py"),
        ] {
            assert_eq!(inputs(&old, &new).unwrap().name, name);
        }
        assert_eq!(inputs(&old, &old), None);
    }

    #[test]
    fn a_commit_counts_where_both_name_one() {
        let commit = |name: &str| Subject {
            name: "git:commit".to_owned(),
            digest: Digest { git_commit: Some(name.to_owned()), ..Digest::default() },
        };
        let file = Subject::new("a.py", "1");
        let (old, new) = ([file.clone(), commit("c")], [file.clone(), commit("d")]);
        assert_eq!(inputs(&old, &new).unwrap().to_string(), "git:commit: attested c, found d");
        assert_eq!(inputs(&old, std::slice::from_ref(&file)), None);
        assert_eq!(inputs(std::slice::from_ref(&file), &new), None);
    }

    #[test]
    fn causes_are_told_before_the_fingerprint() {
        let of = |lock: &str, version: &str, tools: &str, fingerprint: &str| {
            json!({"lock": lock, "versions": {"ruff": version}, "tools": tools, "fingerprint": fingerprint,
                "rules": "1", "engine": "1", "verified": true})
        };
        let old = of("l", "1", "x", "a");
        for (new, told) in [
            (of("m", "2", "y", "b"), "toolchain.versions.ruff: attested 1, found 2"),
            (of("m", "1", "y", "b"), "toolchain.lock: attested l, found m"),
            (of("l", "1", "y", "b"), "toolchain.tools: attested x, found y"),
            (of("l", "1", "x", "b"), "toolchain.fingerprint: attested a, found b"),
        ] {
            assert_eq!(differing_toolchain(&old, &new).unwrap().to_string(), told);
        }
        assert_eq!(differing_toolchain(&old, &of("l", "1", "y", "a")), None, "another Python version");
    }
}

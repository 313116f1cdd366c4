//! SARIF 2.1.0: one run, its rules, one result per finding.

use std::collections::BTreeMap;
use tapps_base::program;

use serde_json::{Map, Value, json};

use crate::document::QualityReport;
use super::escape::{strip_unprintable, percent_encode_path};
use super::identity::findings_with_fingerprints;
use super::json;
use super::{Form, Readers};
use tapps_base::Result;
use tapps_base::finding::{Finding, Severity};
use tapps_quality::change::report::{FileChange, FindingState, SuppressionState};
use tapps_quality::rules;

/// The format.
pub(super) const FORM: Form =
    Form { ending: "sarif", media_type: "application/sarif+json", readers: Readers::Platforms, render: render_sarif };

/// The address by which readers know the format; nothing is fetched from it.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The base of all paths: the root of the project, wherever that is.
const ROOT: &str = "SRCROOT";

/// Under which a finding's name is filed; the number is raised when names are made another way.
const IDENTITY: &str = "tappsFinding/v1";

/// Renders the report.
fn render_sarif(report: &QualityReport) -> Result<String> {
    let rules = rules_with_worst_finding(report);
    let numbers: BTreeMap<&str, usize> = rules.keys().enumerate().map(|(number, name)| (*name, number)).collect();
    let results: Vec<Value> = findings_with_fingerprints(report)
        .into_iter()
        .map(|(finding, name)| {
            let mut result = sarif_result(finding, &name, numbers.get(finding.rule.as_str()));
            if let Some(state) = report.state_of(finding) {
                result["baselineState"] = baseline_state(state).into();
            }
            result
        })
        .collect();
    let mended = report.change.iter().flat_map(|change| &change.files).flat_map(|file| file.findings_in(FindingState::Mended));
    let gone = mended.map(|one| {
        let mut result = sarif_result(&one.finding, &one.finding.fingerprint, numbers.get(one.finding.rule.as_str()));
        result["baselineState"] = baseline_state(one.state).into();
        result
    });
    let hidden = report.change.iter().flat_map(|change| &change.files).flat_map(hidden_results);
    let results: Vec<Value> = results.into_iter().chain(gone).chain(hidden).collect();
    let driver = json!({
        "name": program::NAME,
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules.values().map(|finding| rule_descriptor(finding)).collect::<Vec<_>>(),
    });
    let mut run = json!({
        "tool": { "driver": driver },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": { ROOT: { "description": { "text": "the root of the project" } } },
        "invocations": [{ "executionSuccessful": true }],
        "results": results,
        "properties": {
            "passed": report.passed,
            "preset": report.preset,
            "mean": report.summary.mean,
            "toolchain": report.toolchain,
            "toolVersions": report.tool_versions,
            "configDigest": report.config_digest,
        },
    });
    if let Some(provenance) = version_control(report) {
        run["versionControlProvenance"] = provenance;
    }
    json::render_json(&json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] }))
}

/// What comments of a file hide: results that are suppressed in the source.
fn hidden_results(file: &FileChange) -> impl Iterator<Item = Value> {
    let entries = file.suppressions.iter().flat_map(|one| one.hides.iter().map(move |hidden| (one, hidden)));
    entries.map(|(one, hidden)| {
        let mut suppression = json!({ "kind": "inSource" });
        suppression["status"] = if one.refused.is_none() { "accepted" } else { "rejected" }.into();
        if let Some(reason) = &one.suppression.reason {
            suppression["justification"] = strip_unprintable(reason).into();
        }
        let place = json!({ "artifactLocation": { "uri": percent_encode_path(&file.file), "uriBaseId": ROOT },
            "region": { "startLine": hidden.line.max(1) } });
        json!({ "ruleId": hidden.rule, "level": level(hidden.severity), "message": { "text": strip_unprintable(&hidden.message) },
            "locations": [{ "physicalLocation": place }], "suppressions": [suppression],
            "baselineState": if one.state == SuppressionState::New { "new" } else { "unchanged" } })
    })
}

/// SARIF's words for what became of a finding since the base.
const fn baseline_state(state: FindingState) -> &'static str {
    match state {
        FindingState::New => "new",
        FindingState::Worsened => "updated",
        FindingState::Existing => "unchanged",
        FindingState::Mended => "absent",
    }
}

/// The commit of the head, where it is one, as code hosts file it.
fn version_control(report: &QualityReport) -> Option<Value> {
    let change = report.change.as_ref()?;
    let revision = change.head.commit.as_ref().unwrap_or(&change.head.tree);
    Some(json!([{ "repositoryUri": "file:///", "revisionId": revision, "mappedTo": { "uriBaseId": ROOT },
        "properties": { "base": change.base, "head": change.head } }]))
}

/// Every rule that speaks, with the worst finding it makes.
fn rules_with_worst_finding(report: &QualityReport) -> BTreeMap<&str, &Finding> {
    let mut rules: BTreeMap<&str, &Finding> = BTreeMap::new();
    let mended = report.change.iter().flat_map(|change| &change.files).flat_map(|file| file.findings_in(FindingState::Mended));
    for finding in report.findings().chain(mended.map(|one| &one.finding)) {
        let known = rules.entry(&finding.rule).or_insert(finding);
        if finding.severity > known.severity {
            *known = finding;
        }
    }
    rules
}

fn rule_descriptor(finding: &Finding) -> Value {
    let tags: Vec<String> = std::iter::once(finding.category.as_str().to_owned())
        .chain(std::iter::once(finding.tool.as_str().to_owned()))
        .chain(finding.cwe.iter().map(|cwe| format!("external/cwe/{}", cwe.to_lowercase())))
        .collect();
    let mut properties = json!({ "tags": tags, "problem.severity": problem_severity(finding.severity) });
    if finding.category == tapps_base::finding::Category::Security {
        properties["security-severity"] = security_severity(finding.severity).into();
    }
    let mut rule = json!({
        "id": finding.rule,
        "shortDescription": { "text": finding.rule },
        "defaultConfiguration": { "level": level(finding.severity) },
        "properties": properties,
    });
    if let Some(declared) = rules::of_finding(finding) {
        rule["shortDescription"] = json!({ "text": strip_unprintable(declared.summary) });
        rule["fullDescription"] = json!({ "text": strip_unprintable(declared.explanation) });
        let help = [declared.help, declared.explanation].into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        rule["help"] = json!({ "text": strip_unprintable(help), "markdown": rules::document::explain_rule(declared) });
        if let Some(address) = declared.address() {
            rule["helpUri"] = address.into();
        }
    } else if let Some(help) = &finding.help {
        rule["help"] = json!({ "text": strip_unprintable(help) });
    }
    rule
}

fn sarif_result(finding: &Finding, name: &str, rule: Option<&usize>) -> Value {
    let mut place = json!({ "artifactLocation": { "uri": percent_encode_path(&finding.file), "uriBaseId": ROOT } });
    if let Some(region) = region(finding) {
        place["region"] = region;
    }
    json!({
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": level(finding.severity),
        "message": { "text": strip_unprintable(&finding.message) },
        "locations": [{ "physicalLocation": place }],
        "partialFingerprints": { IDENTITY: name, "primaryLocationLineHash": format!("{}:1", finding.fingerprint) },
        "properties": {
            "category": finding.category,
            "severity": finding.severity,
            "confidence": finding.confidence,
            "points": finding.points,
        },
    })
}

/// The lines of a finding; none when it is about the file as a whole.
fn region(finding: &Finding) -> Option<Value> {
    let mut region = Map::new();
    region.insert("startLine".into(), std::num::NonZero::new(finding.line)?.get().into());
    region.insert("endLine".into(), finding.end_line.max(finding.line).into());
    if finding.column > 0 {
        region.insert("startColumn".into(), finding.column.into());
    }
    Some(Value::Object(region))
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    }
}

const fn problem_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "recommendation",
    }
}

/// The number by which code scanning sorts security findings: the middle of the CVSS range of the same name.
const fn security_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "9.5",
        Severity::High => "8.0",
        Severity::Medium => "5.5",
        Severity::Low => "2.0",
        Severity::Info => "0.0",
    }
}

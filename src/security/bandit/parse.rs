//! bandit's JSON answer, turned into findings per file.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::report::{BanditFileReport, ReportedIssue, make_file_report};
use tapps_base::finding::Severity;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};

#[derive(Deserialize)]
struct BanditOutput {
    errors: Vec<BanditFileError>,
    metrics: BTreeMap<String, serde::de::IgnoredAny>,
    results: Vec<BanditResultItem>,
}

#[derive(Deserialize)]
struct BanditFileError {
    filename: String,
    reason: String,
}

#[derive(Deserialize)]
struct BanditResultItem {
    filename: String,
    test_id: String,
    issue_severity: String,
    issue_confidence: String,
    issue_text: String,
    #[serde(default)]
    issue_cwe: Cwe,
    line_number: u32,
    #[serde(default)]
    line_range: Vec<u32>,
    #[serde(default)]
    col_offset: i64,
}

#[derive(Deserialize, Default)]
struct Cwe {
    id: Option<u32>,
}

/// Reads bandit's JSON answer about `sources`.
///
/// Every source has an entry, under its path: the findings, or the reason why bandit could not judge the file, which means
/// that the file is not scored by bandit. A source that bandit never opened counts among the latter.
///
/// # Errors
/// `corrupted_data` when the answer is empty, is not bandit's JSON, or speaks of a file that is not among the sources.
pub fn parse_bandit_output(
    json: &[u8],
    sources: &[Source],
) -> Result<BTreeMap<String, Result<BanditFileReport, String>>> {
    let answers = parse_reported_issues(json, sources)?;
    let by_path: BTreeMap<&str, &Source> = sources.iter().map(|source| (source.path(), source)).collect();
    let report = |path: &str, issues: &[ReportedIssue]| {
        by_path.get(path).map(|source| make_file_report(issues, source)).unwrap_or_default()
    };
    Ok(answers
        .into_iter()
        .map(|(path, answer)| {
            let answer = answer.map(|issues| report(&path, &issues));
            (path, answer)
        })
        .collect())
}

/// The same before it becomes findings.
///
/// # Errors
/// As [`parse_bandit_output`].
pub fn parse_reported_issues(
    json: &[u8],
    sources: &[Source],
) -> Result<BTreeMap<String, Result<Vec<ReportedIssue>, String>>> {
    let output: BanditOutput = serde_json::from_slice(json).map_err(|e| unusable_answer_error(&e.to_string()))?;
    let names =
        output.metrics.keys().map(String::as_str).chain(output.results.iter().map(|item| item.filename.as_str()));
    let seen: BTreeSet<&str> = names.map(strip_dot_slash).collect();
    let unopened = || Err("bandit did not open the file".to_owned());
    let mut answer: BTreeMap<String, Result<Vec<ReportedIssue>, String>> = sources
        .iter()
        .map(Source::path)
        .map(|path| (path.to_owned(), if seen.contains(path) { Ok(Vec::new()) } else { unopened() }))
        .collect();
    for item in &output.results {
        let path = strip_dot_slash(&item.filename);
        let Some(entry) = answer.get_mut(path) else {
            return Err(unusable_answer_error(&format!("it speaks of {path}, which was not asked about")));
        };
        if let Ok(issues) = entry {
            issues.push(item.reported_issue());
        }
    }
    for failure in output.errors {
        answer.insert(strip_dot_slash(&failure.filename).to_owned(), Err(format!("bandit: {}", failure.reason)));
    }
    Ok(answer)
}

fn unusable_answer_error(why: &str) -> Error {
    Error::new(ErrorCode::CorruptedData, format!("bandit's answer cannot be used: {why}"))
        .tool("bandit")
        .hint("run `tapps-mcp doctor` to see whether the locked bandit starts")
}

/// bandit puts `./` before every relative path.
fn strip_dot_slash(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

impl BanditResultItem {
    fn reported_issue(&self) -> ReportedIssue {
        let first = self.line_range.iter().copied().min().unwrap_or(self.line_number);
        let last = self.line_range.iter().copied().max().unwrap_or(self.line_number);
        ReportedIssue {
            test: self.test_id.clone(),
            severity: severity(&self.issue_severity),
            confidence: severity(&self.issue_confidence),
            text: self.issue_text.clone(),
            cwe: self.issue_cwe.id,
            line: self.line_number,
            column: u32::try_from(self.col_offset).unwrap_or(0),
            lines: (first, last),
        }
    }
}

/// bandit's words; anything else, such as `UNDEFINED`, carries no weight.
fn severity(word: &str) -> Severity {
    match word {
        "HIGH" => Severity::High,
        "MEDIUM" => Severity::Medium,
        "LOW" => Severity::Low,
        _ => Severity::Info,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::finding::Confidence;

    fn item(test: &str, severity: &str, confidence: &str, line: u32, column: u32) -> serde_json::Value {
        serde_json::json!({
            "code": "…", "col_offset": column, "end_col_offset": column, "filename": "./pkg/a.py",
            "issue_confidence": confidence, "issue_severity": severity, "issue_text": format!("text of {test}"),
            "issue_cwe": {"id": 78, "link": "…"}, "line_number": line, "line_range": [line, line + 1],
            "more_info": "…", "test_id": test, "test_name": "…",
        })
    }

    fn answer(items: &[serde_json::Value], errors: &[serde_json::Value]) -> Vec<u8> {
        serde_json::json!({
            "errors": errors, "generated_at": "2026-01-01T00:00:00Z",
            "metrics": {"./pkg/a.py": {"loc": 3}, "_totals": {"loc": 3}}, "results": items,
        })
        .to_string()
        .into_bytes()
    }

    fn sources() -> Vec<Source> {
        let text = "é = eval(x); return mark_safe(x)\nassert x\n";
        vec![Source::new("pkg/a.py", text.as_bytes()), Source::new("pkg/b.py", &b""[..])]
    }

    #[test]
    fn several_rules_on_one_line_cost_once_and_columns_count_characters() {
        let items = [
            item("B703", "MEDIUM", "HIGH", 1, 22),
            item("B308", "MEDIUM", "HIGH", 1, 22),
            item("B602", "HIGH", "LOW", 2, 0),
            item("B605", "HIGH", "MEDIUM", 2, 7),
        ];
        let parsed = parse_bandit_output(&answer(&items, &[]), &sources()).unwrap();
        let report = parsed["pkg/a.py"].as_ref().unwrap();
        let seen: Vec<_> = report.findings.iter().map(|f| (f.rule.as_str(), f.line, f.column, f.cost)).collect();
        assert_eq!(
            seen,
            [
                ("bandit:B308", 1, 22, 1000),
                ("bandit:B703", 1, 22, 0),
                ("bandit:B602", 2, 1, 0),
                ("bandit:B605", 2, 8, 3000),
            ]
        );
        let first = &report.findings[0];
        assert_eq!((first.end_line, first.cwe.as_deref(), first.fingerprint.len()), (2, Some("CWE-78"), 16));
        assert_eq!(first.owasp.as_ref().and_then(|o| o.y2025.as_deref()), Some("A05:2025 Injection"));
        assert!(first.help.as_deref().is_some_and(|help| help.contains("format_html")));
        assert_eq!(report.issues[3].confidence, Severity::Medium);
    }

    #[test]
    fn confidence_lowers_the_cost() {
        for (severity, confidence, cost) in [
            ("HIGH", "HIGH", 3000),
            ("HIGH", "MEDIUM", 3000),
            ("HIGH", "LOW", 1000),
            ("MEDIUM", "HIGH", 1000),
            ("MEDIUM", "LOW", 300),
            ("LOW", "HIGH", 0),
            ("UNDEFINED", "HIGH", 0),
        ] {
            let parsed =
                parse_bandit_output(&answer(&[item("B602", severity, confidence, 1, 0)], &[]), &sources()).unwrap();
            let found = &parsed["pkg/a.py"].as_ref().unwrap().findings[0];
            let expected = if confidence == "LOW" { Confidence::Low } else { Confidence::High };
            assert_eq!((found.cost, found.confidence), (cost, expected), "{severity}/{confidence}");
        }
    }

    #[test]
    fn a_file_with_an_error_or_never_opened_is_not_scored() {
        let error = serde_json::json!({"filename": "./pkg/a.py", "reason": "syntax error while parsing AST from file"});
        let parsed = parse_bandit_output(&answer(&[], &[error]), &sources()).unwrap();
        assert_eq!(parsed["pkg/a.py"], Err("bandit: syntax error while parsing AST from file".to_owned()));
        assert_eq!(parsed["pkg/b.py"], Err("bandit did not open the file".to_owned()));
    }

    #[test]
    fn garbage_is_an_error_and_never_a_clean_file() {
        for garbage in [&b""[..], b"{}", b"Traceback (most recent call last):", b"[]", b"{\"results\": []}"] {
            let error = parse_bandit_output(garbage, &sources()).unwrap_err();
            assert_eq!((error.code(), error.body().tool.as_deref()), (ErrorCode::CorruptedData, Some("bandit")));
        }
        let stranger = parse_bandit_output(&answer(&[item("B602", "LOW", "LOW", 1, 0)], &[]), &[]).unwrap_err();
        assert!(stranger.message().contains("pkg/a.py"), "{stranger}");
    }

    #[test]
    fn quoted_passwords_do_not_reach_the_message() {
        let mut quoting = item("B105", "LOW", "MEDIUM", 1, 0);
        quoting["issue_text"] = "Possible hardcoded password: 'correct horse'".into();
        let parsed = parse_bandit_output(&answer(&[quoting], &[]), &sources()).unwrap();
        let report = parsed["pkg/a.py"].as_ref().unwrap();
        assert!(!format!("{report:?}").contains("horse"));
    }

    #[test]
    fn places_in_memory_do_not_reach_the_message() {
        let mut placed = item("B202", "MEDIUM", "MEDIUM", 1, 0);
        placed["issue_text"] = "members {'Other': <ast.List object at 0x7fa21ccf0b20>}".into();
        let parsed = parse_bandit_output(&answer(&[placed], &[]), &sources()).unwrap();
        let report = parsed["pkg/a.py"].as_ref().unwrap();
        assert_eq!(report.findings[0].message, "members {'Other': <ast.List object>}");
    }
}

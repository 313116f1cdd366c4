//! The findings of one file, and the catalogue of rules.

use super::allow::{Allowance, Allowances};
use super::secret::SecretHit;
use super::{engine, file::SecretFileFacts};
use crate::bandit::rules;
use crate::owasp;
use tapps_base::finding::Finding;
use tapps_base::source::Source;

/// How far into a file a zero byte makes it binary.
const PROBE: usize = 8192;

/// The secrets in a file of any language, sorted by place; nothing in a binary file.
///
/// No part of a value reaches the finding. Findings of high and critical severity are meant to block.
#[must_use]
pub fn scan_for_secrets(source: &Source) -> Vec<Finding> {
    let bytes = source.bytes();
    if bytes.iter().take(PROBE).any(|&byte| byte == 0) {
        return Vec::new();
    }
    let hits = engine::detect_secrets(bytes, SecretFileFacts::of_path(source.path()));
    if hits.is_empty() {
        return Vec::new();
    }
    let allowances = Allowances::from_source(source);
    let mut findings: Vec<Finding> = hits.iter().filter_map(|hit| finding_for_hit(source, hit, &allowances)).collect();
    findings.sort_by(Finding::order);
    findings
}

fn finding_for_hit(source: &Source, hit: &SecretHit, allowances: &Allowances) -> Option<Finding> {
    let (line, column) = source.position(hit.span.start);
    let (end_line, _) = source.position(hit.span.end.saturating_sub(1).max(hit.span.start));
    let allowance = allowances.on_line(line);
    if allowance == Some(Allowance::Reasoned) {
        return None;
    }
    let bare = if allowance == Some(Allowance::Bare) { "; the comment that allows it gives no reason" } else { "" };
    let message = format!("{}{} is written here{bare}", hit.secret.what, hit.note);
    let mut finding = hit.secret.rule.finding(message).at(line, column, end_line).costing(rules::cost(hit.severity));
    finding.severity = hit.severity;
    finding.owasp = hit.secret.rule.cwe.and_then(owasp::of_cwe_name);
    source.path().clone_into(&mut finding.file);
    finding.seal_in(source);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::finding::{Category, Severity, Tool};

    fn findings(path: &str, text: &str) -> Vec<Finding> {
        scan_for_secrets(&Source::new(path, text.as_bytes()))
    }

    #[test]
    fn a_finding_says_where_and_what_and_never_the_value() {
        let value = ["q8ZrT2vLx0", "WbN4kYp6Hd"].concat();
        let found = findings("app/é.py", &format!("# é\né = 1; CLIENT_SECRET = \"{value}\"\n"));
        assert_eq!(found.len(), 1);
        let finding = &found[0];
        assert_eq!((finding.line, finding.column, finding.end_line), (2, 25, 2));
        assert_eq!(
            (finding.rule.as_str(), finding.severity, finding.cost),
            ("secrets:hard-coded-secret", Severity::High, 3000)
        );
        assert_eq!(finding.cwe.as_deref(), Some("CWE-798"));
        assert!(!serde_json::to_string(finding).unwrap().contains(&value[..6]));
    }

    #[test]
    fn many_secrets_on_one_long_line_are_found() {
        let id = ["AKIA", "QX7NRZ2LWV5TKB3M"].concat();
        let found = findings("a.cfg", &format!("\u{e9} {id}").repeat(5_000));
        assert_eq!(found.len(), 5_000);
        assert_eq!((found[0].column, found[4_999].column), (3, 4_999 * 22 + 3));
    }

    #[test]
    fn an_access_key_with_its_secret_is_critical() {
        let id = ["AKIA", "QX7NRZ2LWV5TKB3M"].concat();
        let secret = ["bW9kZWwvY2xv", "dWQrZ2F0ZTk3", "Qx7Lm2Zt8Vk4Rp0N"].concat();
        let found = findings("a.cfg", &format!("x = {id}\ny = {secret}\n"));
        let seen: Vec<_> = found.iter().map(|f| (f.rule.as_str(), f.severity)).collect();
        assert_eq!(seen, [("secrets:aws-access-key", Severity::Critical), ("secrets:aws-secret-key", Severity::High)]);
        assert_eq!(findings("a.cfg", &format!("x = {id}\n"))[0].severity, Severity::High);
    }

    #[test]
    fn allowed_with_a_reason_only() {
        let line = "password = 'Tr0ub4dor&3'";
        assert!(findings("a.py", &format!("{line}  # tapps: allow-secret sandbox account\n")).is_empty());
        assert!(findings("a.py", &format!("# tapps: allow-secret sandbox account\n{line}\n")).is_empty());
        let bare = findings("a.py", &format!("{line}  # tapps: allow-secret\n"));
        assert!(bare[0].message.ends_with("gives no reason"), "{}", bare[0].message);
    }

    #[test]
    fn binary_and_empty_files_hold_nothing() {
        assert!(findings("a.bin", "\0password = 'Tr0ub4dor&3'").is_empty());
        assert!(findings("a.py", "").is_empty());
        assert!(!scan_for_secrets(&Source::new("a.py", &b"\xff password = 'Tr0ub4dor&3'"[..])).is_empty());
    }

    #[test]
    fn rules_are_unique_and_well_formed() {
        let mut codes = std::collections::BTreeSet::new();
        for rule in crate::secrets::rules() {
            assert!(codes.insert(rule.code), "{}", rule.code);
            let security = rule.tool == Tool::Secrets && rule.category == Category::Security;
            assert!(security && rule.cost == rules::cost(rule.severity), "{}", rule.code);
            assert!(
                rule.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
                "{}",
                rule.code
            );
            for example in rule.examples {
                assert_eq!(findings(example.path, example.good), [], "{}", rule.code);
            }
        }
        assert!(codes.len() > 80, "{}", codes.len());
    }
}

//! Names of findings for platforms that follow them from one run to the next.

use std::collections::{HashMap, HashSet};

use crate::document::{FileReport, QualityReport};
use tapps_base::digest;
use tapps_base::finding::{Category, Finding};

/// Each finding with a name that no other finding of the report has. It stays while the code moves within its file: it
/// is made of the path, the finding's own fingerprint, and a number among equals.
///
/// What is said of the project as a whole, and so of each of its files, comes once, with the first of them.
pub(super) fn findings_with_fingerprints(report: &QualityReport) -> Vec<(&Finding, String)> {
    let mut said: HashSet<(&str, &str)> = HashSet::new();
    let mut named: Vec<(&Finding, String)> = report.files.iter().flat_map(named_in).collect();
    named.retain(|(finding, _)| !is_about_project(finding) || said.insert((&finding.rule, &finding.message)));
    named
}

fn is_about_project(finding: &Finding) -> bool {
    finding.line == 0 && matches!(finding.category, Category::Structure | Category::Devex)
}

/// As [`findings_with_fingerprints`], for one file.
fn named_in(file: &FileReport) -> Vec<(&Finding, String)> {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let mut named = Vec::with_capacity(file.findings.len());
    for finding in &file.findings {
        let count = seen.entry(&finding.fingerprint).or_default();
        *count += 1;
        let mut name = digest::sha256(format!("{}\0{}\0{count}", file.file, finding.fingerprint).as_bytes());
        name.truncate(32);
        named.push((finding, name));
    }
    named
}

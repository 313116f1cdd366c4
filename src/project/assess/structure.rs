//! Structure: is there a project around the file, with tests, and does the file stand where its language looks for it.

use super::{Assessment, about_project, file_level_finding};
use crate::Snapshot;
use crate::facts::Fact;
use crate::reach::is_test_code;
use crate::rules::{missing_package_init, no_license, no_project_root, no_readme, no_tests};
use tapps_base::source::Source;

/// Judges the structure around a file.
#[must_use]
pub fn assess_structure(project: &Snapshot, source: &Source) -> Assessment {
    let (facts, path, language) = (project.facts(), source.path(), source.language());
    let mut findings = Vec::new();
    let mut shown: Vec<&str> = Vec::new();
    match facts.evidence(Fact::Root, path, language) {
        Some(root) => {
            shown.push(root);
            match facts.evidence(Fact::Readme, path, language) {
                Some(readme) => shown.push(readme),
                None => findings.push(about_project(&no_readme::RULE, source, "no readme")),
            }
            match facts.evidence(Fact::License, path, language) {
                Some(license) => shown.push(license),
                None => findings.push(about_project(&no_license::RULE, source, "no licence")),
            }
        }
        // Loose scripts need neither a readme nor a licence of their own.
        None => findings.push(about_project(&no_project_root::RULE, source, "no manifest")),
    }
    match facts.test() {
        Some(test) => shown.push(test),
        None => findings.push(about_project(&no_tests::RULE, source, "no test with an assertion")),
    }
    if let Some(folder) = facts.missing_init(path).filter(|_| !is_test_code(path)) {
        let message = format!("the folder {folder} lies in a package and has no __init__.py");
        findings.push(file_level_finding(&missing_package_init::RULE, source, message, folder));
    }
    findings.sort_by(tapps_base::finding::Finding::order);
    Assessment { details: details(&shown), findings, coverage_percent: None, origin: "project facts".to_owned() }
}

/// The evidence as one sentence.
pub(super) fn details(shown: &[&str]) -> String {
    if shown.is_empty() { "nothing found around the file".to_owned() } else { format!("found {}", shown.join(", ")) }
}

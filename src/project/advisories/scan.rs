//! Locked packages held against a database.

use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::database::Database;
use super::osv::{Advisory, Affected};
use super::{severity, version};
use crate::files::ProjectFiles;
use crate::packages::{Ecosystem, LockedPackage, Packages};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_sandbox::Boundary;

/// How bad a vulnerability is, from least to most; unknown stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VulnerabilitySeverity {
    Unknown,
    Low,
    Medium,
    High,
    Critical,
}

/// What a scan came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DependencyScan {
    /// True when no locked version is known to be vulnerable. What is not locked is not known: see `unlocked`.
    pub passed: bool,
    /// Packages at one version that were looked up.
    pub packages: usize,
    /// The worst first.
    pub vulnerable: Vec<Vulnerable>,
    /// What manifests ask for without any lock file that fixes it, so that no version could be looked up.
    pub unlocked: Vec<String>,
    /// Manifests and lock files that could not be read, with why.
    pub unread: Vec<String>,
    pub database: AdvisoryDatabaseInfo,
}

/// The database that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AdvisoryDatabaseInfo {
    pub advisories: usize,
    pub sha256: String,
    /// When its newest advisory was changed.
    pub newest: String,
    /// Files in it without an advisory.
    pub unread: usize,
}

/// One vulnerability of one package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Vulnerable {
    pub id: String,
    pub aliases: Vec<String>,
    pub level: VulnerabilitySeverity,
    /// Base score of CVSS 3, where the advisory has its vector.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<f64>,
    pub ecosystem: Ecosystem,
    pub package: String,
    pub version: String,
    /// Lock files that hold it.
    pub files: Vec<String>,
    pub summary: String,
    /// The first versions after it that are mended.
    pub fixed_in: Vec<String>,
}

/// Looks every locked version of a project up.
///
/// # Errors
/// When the project cannot be listed; `cancelled` and `timeout`.
pub fn scan_dependencies(boundary: &Arc<Boundary>, database: &Database, call: &Call) -> Result<DependencyScan> {
    let files = ProjectFiles::new(Arc::clone(boundary));
    let entries = files.list()?;
    let paths: Vec<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
    let packages = Packages::from_files(&files, &paths);
    let mut vulnerable: Vec<Vulnerable> = Vec::new();
    let mut seen: BTreeSet<(Ecosystem, &str, &str)> = BTreeSet::new();
    for locked in &packages.locked {
        call.check()?;
        if !seen.insert((locked.ecosystem, &locked.name, &locked.version)) {
            continue;
        }
        let holds = |other: &&LockedPackage| {
            (other.ecosystem, &other.name, &other.version) == (locked.ecosystem, &locked.name, &locked.version)
        };
        let holders: Vec<String> = packages.locked.iter().filter(holds).map(|other| other.file.clone()).collect();
        for advisory in database.advisories_for(locked.ecosystem, &locked.name) {
            vulnerable.extend(match_advisory(advisory, locked, &holders));
        }
    }
    vulnerable.sort_by(|a, b| {
        b.level.cmp(&a.level).then_with(|| (&a.package, &a.version, &a.id).cmp(&(&b.package, &b.version, &b.id)))
    });
    let unlocked: BTreeSet<String> = packages
        .declared
        .iter()
        .filter(|declared| packages.version_of(declared).is_none())
        .map(|declared| format!("{}:{} ({})", declared.ecosystem.as_str(), declared.name, declared.file))
        .collect();
    Ok(DependencyScan {
        passed: vulnerable.is_empty(),
        packages: seen.len(),
        vulnerable,
        unlocked: unlocked.into_iter().collect(),
        unread: packages.unread.iter().map(|(path, why)| format!("{path}: {why}")).collect(),
        database: AdvisoryDatabaseInfo {
            advisories: database.len(),
            sha256: database.sha256(),
            newest: database.newest().to_owned(),
            unread: database.unread().len(),
        },
    })
}

fn match_advisory(advisory: &Advisory, locked: &LockedPackage, holders: &[String]) -> Option<Vulnerable> {
    let concerns = |affected: &&Affected| {
        affected.package.as_ref().is_some_and(|package| {
            Ecosystem::of_word(&package.ecosystem) == Some(locked.ecosystem)
                && locked.ecosystem.normalize_name(&package.name) == locked.name
        })
    };
    let mut hit: Option<&Affected> = None;
    let mut fixed_in = BTreeSet::new();
    for affected in advisory.affected.iter().filter(concerns) {
        let named = affected.versions.iter().any(|version| {
            version == &locked.version
                || version::compare_versions(locked.ecosystem, version, &locked.version)
                    .is_some_and(std::cmp::Ordering::is_eq)
        });
        let mut inside = named;
        for range in affected.ranges.iter().filter(|range| range.kind != "GIT") {
            if let Some((within, fix)) = version::check_affected_range(locked.ecosystem, &locked.version, range) {
                inside |= within;
                if within || named {
                    fixed_in.extend(fix);
                }
            }
        }
        if inside {
            hit = Some(affected);
        }
    }
    let scores = hit?.severity.iter().chain(&advisory.severity);
    let score = scores.filter(|score| score.kind == "CVSS_V3").find_map(|score| severity::base_score(&score.score));
    Some(Vulnerable {
        id: advisory.id.clone(),
        aliases: advisory.aliases.clone(),
        level: advisory_severity(advisory, score),
        score,
        ecosystem: locked.ecosystem,
        package: locked.name.clone(),
        version: locked.version.clone(),
        files: holders.to_vec(),
        summary: advisory.summary.clone(),
        fixed_in: fixed_in.into_iter().collect(),
    })
}

/// By the score, else by the word the database uses.
fn advisory_severity(advisory: &Advisory, score: Option<f64>) -> VulnerabilitySeverity {
    let word = advisory.database_specific.severity.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
    match score {
        Some(score) if score >= 9.0 => VulnerabilitySeverity::Critical,
        Some(score) if score >= 7.0 => VulnerabilitySeverity::High,
        Some(score) if score >= 4.0 => VulnerabilitySeverity::Medium,
        Some(_) => VulnerabilitySeverity::Low,
        None => match word.to_ascii_uppercase().as_str() {
            "CRITICAL" => VulnerabilitySeverity::Critical,
            "HIGH" => VulnerabilitySeverity::High,
            "MODERATE" | "MEDIUM" => VulnerabilitySeverity::Medium,
            "LOW" => VulnerabilitySeverity::Low,
            _ => VulnerabilitySeverity::Unknown,
        },
    }
}

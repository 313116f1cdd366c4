//! What kind of project this is, each statement with the file that shows it.

mod build;
mod deployment;
mod entry_points;
mod known;
mod languages;
mod libraries;
mod security;
mod surroundings;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::designs::ProjectDesign;
pub use build::build_project_profile;
pub use languages::LanguageShare;
pub use libraries::ProjectLibrary;
pub(crate) use libraries::is_aside;

/// A word about the project, and the file that shows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct ProfileEvidence {
    pub name: String,
    /// The exact version, where a lock file has it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    pub evidence: String,
}

impl ProfileEvidence {
    fn new(name: impl Into<String>, evidence: impl Into<String>) -> Self {
        Self { name: name.into(), version: None, evidence: evidence.into() }
    }
}

/// A judgement, and the files that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    pub value: String,
    pub evidence: Vec<String>,
}

/// The profile of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectProfile {
    /// The one with the most lines first.
    pub languages: Vec<LanguageShare>,
    pub frameworks: Vec<ProfileEvidence>,
    /// The first of `test_frameworks`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub test_framework: Option<String>,
    pub test_frameworks: Vec<ProfileEvidence>,
    /// The first of `package_managers`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub package_manager: Option<String>,
    pub package_managers: Vec<ProfileEvidence>,
    /// Members of a workspace or monorepo, by the manifest that lists them.
    pub workspaces: Vec<ProfileEvidence>,
    pub has_ci: bool,
    pub ci: Vec<ProfileEvidence>,
    pub has_docker: bool,
    pub docker: Vec<ProfileEvidence>,
    /// `container`, `kubernetes`, `serverless`, `cloud`, `package` or `none`.
    pub deployment_type: Judged,
    /// `high`, `standard` or `basic`: how much an attack could gain.
    pub security_level: Judged,
    /// What the manifests ask for, with the exact versions of the lock files.
    pub libraries: Vec<ProjectLibrary>,
    /// Packages in lock files, those of packages included.
    pub locked_packages: usize,
    pub entry_points: Vec<ProfileEvidence>,
    /// Designs whose pitfalls are their own, as Python code follows them: retrieval for language models, several agents, decisions
    /// by weighted sums.
    #[serde(default)]
    pub designs: Vec<ProjectDesign>,
    /// Files that may follow a design and were not looked at, because there are too many.
    #[serde(skip_serializing_if = "tapps_base::is_default", default)]
    pub designs_not_looked_at: usize,
    pub quality_config: QualityConfig,
    /// Manifests and lock files that could not be read, with why.
    pub unread: Vec<String>,
}

/// What good enough means here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualityConfig {
    pub preset: String,
    pub min_score: f64,
    pub security_min: f64,
    pub test_coverage_min: f64,
    /// Linters, formatters, type checkers and hooks that are configured.
    pub tools: Vec<ProfileEvidence>,
}

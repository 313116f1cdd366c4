//! One advisory in OSV's format, as far as it is needed.

use serde::Deserialize;

/// One advisory.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Advisory {
    pub(super) id: String,
    pub(super) aliases: Vec<String>,
    pub(super) summary: String,
    pub(super) withdrawn: Option<String>,
    pub(super) modified: String,
    pub(super) affected: Vec<Affected>,
    pub(super) severity: Vec<Score>,
    pub(super) database_specific: Specific,
}

/// One package that it concerns.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Affected {
    pub(super) package: Option<OsvPackage>,
    pub(super) ranges: Vec<Range>,
    pub(super) versions: Vec<String>,
    pub(super) severity: Vec<Score>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct OsvPackage {
    pub(super) ecosystem: String,
    pub(super) name: String,
}

/// Versions between events.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Range {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) events: Vec<OsvRangeEvent>,
}

/// One of its fields is set.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct OsvRangeEvent {
    pub(super) introduced: Option<String>,
    pub(super) fixed: Option<String>,
    pub(super) last_affected: Option<String>,
    pub(super) limit: Option<String>,
}

/// A vector of CVSS.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Score {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) score: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Specific {
    /// In words.
    pub(super) severity: Option<serde_json::Value>,
}

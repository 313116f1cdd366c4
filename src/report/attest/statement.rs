//! The statement as it is written: in-toto's envelope around a verdict.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use tapps_base::{Error, ErrorCode, Result, digest};
use tapps_config::Gate;
use tapps_quality::requests::GateRequest;

/// What says that a document is an in-toto statement.
const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
/// What says how the predicate is to be read; a name, not an address.
pub const PREDICATE_TYPE: &str = "urn:tapps-mcp:attestation:gate:1";

/// A verdict on some files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    #[serde(rename = "_type")]
    kind: String,
    /// The judged files, by path.
    pub subject: Vec<Subject>,
    #[serde(rename = "predicateType")]
    predicate_type: String,
    pub predicate: Predicate,
}

/// A file by its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Project-relative path with forward slashes.
    pub name: String,
    pub digest: Digest,
}

/// A digest under the name of its algorithm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digest {
    pub sha256: String,
}

/// What was asked, with what, and what came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    pub request: AttestedRequest,
    pub configuration: Configuration,
    pub toolchain: AttestedToolchain,
    /// The report of the gate without clock values.
    pub verdict: Value,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttestedRequest {
    /// Project-relative. Where only changed files were judged these are the files themselves, since what has changed
    /// depends on the repository.
    pub paths: Vec<String>,
    pub preset: String,
    /// The file whose findings do not count.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub baseline: Option<Subject>,
    pub require_verified: bool,
    pub require_coverage: bool,
}

/// What the project's configuration had a say in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Digest of everything in it that can change a score.
    pub digest: String,
    /// What a file had to reach.
    pub gate: Gate,
}

/// What made the scores, part by part, so that a difference has a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttestedToolchain {
    /// Version of the program.
    pub engine: String,
    /// Version of the rule set.
    pub rules: String,
    /// Digest of the tools' files; none when there were no tools.
    pub tools: Option<String>,
    pub versions: BTreeMap<String, String>,
    /// The interpreter; none when there was none.
    pub interpreter: Option<Interpreter>,
    /// True when every file of the tools was as locked.
    pub verified: bool,
    /// Digest over all of these, as every result carries it.
    pub fingerprint: String,
}

/// The interpreter that Python tools ran on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interpreter {
    pub implementation: String,
    pub version: String,
    pub sha256: String,
}

impl Subject {
    pub(super) fn new(name: impl Into<String>, sha256: impl Into<String>) -> Self {
        Self { name: name.into(), digest: Digest { sha256: sha256.into() } }
    }
}

impl AttestedRequest {
    /// The same thing asked again.
    #[must_use]
    pub fn to_gate_request(&self) -> GateRequest {
        GateRequest {
            paths: self.paths.clone(),
            preset: Some(self.preset.clone()),
            changed: None,
            baseline: self.baseline.as_ref().map(|baseline| baseline.name.clone()),
            require_verified: self.require_verified,
            require_coverage: self.require_coverage,
            shard: None,
            reproducible: true,
        }
    }
}

impl Statement {
    pub(super) fn new(subject: Vec<Subject>, predicate: Predicate) -> Self {
        Self { kind: STATEMENT_TYPE.to_owned(), subject, predicate_type: PREDICATE_TYPE.to_owned(), predicate }
    }

    /// The statement as it is kept: canonical JSON with a final line end.
    ///
    /// # Errors
    /// `internal` when it has no JSON form, which cannot happen.
    pub fn to_text(&self) -> Result<String> {
        Ok(digest::canonical_json(self)? + "\n")
    }

    /// Reads a statement.
    ///
    /// # Errors
    /// `corrupted_data` when it is none, or one of another kind.
    pub fn parse(text: &str) -> Result<Self> {
        let corrupted = |message: String| {
            Error::new(ErrorCode::CorruptedData, message).hint("make it anew with `tapps-mcp gate --attest FILE`")
        };
        // The types come first: another kind of statement has other fields, and that would hide what is wrong.
        let value: Value =
            serde_json::from_str(text).map_err(|e| corrupted(format!("the attestation is not JSON: {e}")))?;
        for (field, known) in [("_type", STATEMENT_TYPE), ("predicateType", PREDICATE_TYPE)] {
            let found = value.get(field).and_then(Value::as_str).unwrap_or_default();
            if found != known {
                return Err(corrupted(format!("the attestation has the {field} `{found}` instead of `{known}`")));
            }
        }
        serde_json::from_value(value).map_err(|e| corrupted(format!("the attestation cannot be read: {e}")))
    }
}

//! The statement as it is written: in-toto's form around a verdict.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use tapps_base::{Error, ErrorCode, Result, digest};
use tapps_config::Gate;
use tapps_quality::change::{ChangeBase, ChangeHead, ChangeRequest};
use tapps_quality::influence::InfluenceRole;
use tapps_quality::requests::GateRequest;
use tapps_quality::result::InterpreterStamp;

/// What says that a document is an in-toto statement.
const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
/// What says how the predicate is to be read: where the schema of the statement is.
pub const PREDICATE_TYPE: &str =
    "https://github.com/tapps-mcp/tapps-mcp/blob/main/docs/schemas/gate_attestation_v2.json";

/// A verdict on some files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    #[serde(rename = "_type")]
    kind: String,
    /// The judged files, by path; then the commit and the tree that hold them, where they are as committed.
    pub subject: Vec<Subject>,
    #[serde(rename = "predicateType")]
    predicate_type: String,
    pub predicate: Predicate,
}

/// A file by its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Project-relative path with forward slashes; `git:commit` and `git:tree` are what they say.
    pub name: String,
    pub digest: Digest,
}

/// A digest under the name of its algorithm; exactly one is there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Digest {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub git_commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub git_tree: Option<String>,
}

/// The subject that is a commit.
pub(super) const COMMIT: &str = "git:commit";
/// The subject that is a tree of git.
pub(super) const TREE: &str = "git:tree";

/// What was asked, with what, and what came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    pub request: AttestedRequest,
    pub configuration: Configuration,
    pub toolchain: AttestedToolchain,
    /// What else of the project could change the verdict, by path.
    pub inputs: Vec<AttestedInput>,
    /// What the verdict was made with, by package URL.
    #[serde(rename = "resolvedDependencies")]
    pub resolved_dependencies: Vec<ResolvedDependency>,
    /// The report of the gate without clock values.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub verdict: Value,
}

/// A file that was not judged, and had a say in the judgement of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttestedInput {
    /// Project-relative path with forward slashes.
    pub name: String,
    pub role: InfluenceRole,
    pub digest: Digest,
}

/// Something that made the verdict, as lists of dependencies name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolvedDependency {
    /// Package URL.
    pub uri: String,
    pub name: String,
    pub digest: Digest,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// There when a change was judged, and not files as wholes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub change: Option<AttestedChange>,
}

/// The two trees of a judged change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttestedChange {
    /// What it was compared with.
    pub base: Digest,
    /// The tree around what was judged; of files that are not committed the tree that committing them would give.
    pub head: Digest,
}

/// What the project's configuration had a say in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Digest of everything in it that can change a score.
    pub digest: String,
    /// What a file had to reach.
    pub gate: Gate,
}

/// What made the scores, part by part, so that a difference has a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttestedToolchain {
    /// Version of the program.
    pub engine: String,
    /// Version of the rule set.
    pub rules: String,
    /// Digest of the lock that the tools were held against; none when there were no tools.
    pub lock: Option<String>,
    /// Digest of the tools' files on the machine that judged: it differs between systems and Python versions.
    pub tools: Option<String>,
    pub versions: BTreeMap<String, String>,
    /// The interpreter that tools ran on; none when the verdict depends on none.
    pub interpreter: Option<AttestedInterpreter>,
    /// True when every file of the tools was as locked.
    pub verified: bool,
    /// Digest over lock, rules and engine, as every result carries it.
    pub fingerprint: String,
}

/// The interpreter as results name it.
pub(super) type AttestedInterpreter = InterpreterStamp;

impl Subject {
    pub(super) fn new(name: impl Into<String>, sha256: impl Into<String>) -> Self {
        Self { name: name.into(), digest: Digest::of_sha256(sha256) }
    }

    /// True for a file of the project.
    #[must_use]
    pub const fn is_file(&self) -> bool {
        self.digest.sha256.is_some()
    }
}

impl Digest {
    pub(super) fn of_git_tree(tree: impl Into<String>) -> Self {
        Self { git_tree: Some(tree.into()), ..Self::default() }
    }

    pub(super) fn of_sha256(sha256: impl Into<String>) -> Self {
        Self { sha256: Some(sha256.into()), ..Self::default() }
    }

    /// The one digest that there is.
    #[must_use]
    pub fn value(&self) -> &str {
        self.sha256.as_ref().or(self.git_commit.as_ref()).or(self.git_tree.as_ref()).map_or("", String::as_str)
    }
}

impl AttestedRequest {
    /// The same change asked about again, in the working tree; none when files were judged.
    #[must_use]
    pub fn to_change_request(&self) -> Option<ChangeRequest> {
        let base = ChangeBase::Exactly(self.change.as_ref()?.base.value().to_owned());
        Some(ChangeRequest {
            paths: self.paths.clone(),
            preset: Some(self.preset.clone()),
            base,
            head: ChangeHead::WorkingTree,
            baseline: self.baseline.as_ref().map(|baseline| baseline.name.clone()),
            require_verified: self.require_verified,
            require_coverage: self.require_coverage,
            reproducible: true,
        })
    }

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

    /// The judged files.
    pub fn files(&self) -> impl Iterator<Item = &Subject> {
        self.subject.iter().filter(|subject| subject.is_file())
    }

    /// True when the attested verdict is that every file passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.predicate.verdict["passed"] == true
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

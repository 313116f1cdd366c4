//! Questions and answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::symbol::SymbolKind;
use tapps_project::packages::Ecosystem;

/// What is wanted of the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LookupMode {
    /// Signatures and examples.
    #[default]
    Code,
    /// Explanations: sections of the guides first.
    Info,
}

/// A question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LookupRequest {
    /// The library as its registry calls it or as it is imported; `npm:`, `python:` and `rust:` in front decide between
    /// libraries of the same name.
    pub library: String,
    /// A name, a dotted path or a question; the overview without one.
    pub topic: Option<String>,
    /// Another version than the locked one.
    pub version: Option<String>,
    pub mode: LookupMode,
    /// Most tokens of the answer; 1,200 without one.
    pub max_tokens: Option<usize>,
    /// Takes the nearest version there is when the wanted one is not there.
    pub allow_nearest: bool,
}

/// Where documentation came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DocsOrigin {
    /// What is installed in the project.
    Environment,
    Bundle,
    Cache,
    Context7,
}

/// One symbol of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerSymbol {
    pub path: String,
    pub kind: SymbolKind,
    pub signature: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub overloads: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub doc: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub deprecated: Option<String>,
    /// `file:line` in the package.
    pub at: String,
}

/// A piece of text or code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Snippet {
    pub title: String,
    pub text: String,
    /// Where it stands in the package.
    pub at: String,
}

/// What an answer was read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// SHA-256 of the wheel or tarball, for installed packages of the record of their files, for what a service said of
    /// its answer.
    pub sha256: String,
    /// What that digest is of.
    pub of: String,
    /// Digests of the artifacts by the project's lock file.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub locked: Vec<String>,
    /// The file that says which version is wanted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pinned_by: Option<String>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LookupAnswer {
    pub library: String,
    /// Missing for a library that the project does not use.
    #[serde(with = "crate::ecosystem_word::option", skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<crate::ecosystem_word::EcosystemWord>")]
    pub ecosystem: Option<Ecosystem>,
    /// `latest` when the source names none.
    pub version: String,
    pub source: DocsOrigin,
    /// The version is the wanted one; false when the nearest was allowed, and when the source names no version.
    pub exact: bool,
    /// It has been kept for longer than such an answer is fresh, and is being fetched anew.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub stale: bool,
    /// What was asked for, when it was misspelt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub corrected_from: Option<String>,
    /// What is not there, or is not as asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    pub symbols: Vec<AnswerSymbol>,
    pub snippets: Vec<Snippet>,
    /// About how many tokens `symbols` and `snippets` take.
    pub token_estimate: usize,
    /// How many pieces of text were held back because they give orders to their reader.
    pub withheld: usize,
    /// More was found than fits.
    pub truncated: bool,
    pub provenance: Provenance,
}

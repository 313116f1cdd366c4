//! What the tools of this toolset are asked.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::detail::ReplyDetail;
use tapps_coderef::context::OutputFormat;
use tapps_coderef::coverage;
use tapps_coderef::diagram::{DiagramFormat, DiagramType};
use tapps_coderef::export::ExportFormat;
use tapps_coderef::impact::Operation;
use tapps_coderef::model::{ElementKind, Language};
use tapps_coderef::query::QueryType;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct CoderefScanArguments {
    /// Absolute path
    pub project_path: String,
    /// ts tsx js jsx vue svelte py rs go java c cpp (default: all)
    #[schemars(with = "Option<Vec<String>>")]
    pub languages: Option<Vec<Language>>,
    /// false: names and places only
    pub use_ast: Option<bool>,
    /// Such as function, class, hook
    #[schemars(with = "Option<Vec<String>>")]
    pub types: Option<Vec<ElementKind>>,
    /// Only below this
    pub path: Option<String>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Query {
    pub project_path: String,
    #[schemars(description = "")]
    pub query_type: QueryType,
    /// Element, Class.method, file or @reference; where a path ends
    pub target: String,
    /// Where a path begins
    pub source: Option<String>,
    /// Default: 3, paths 10
    #[schemars(range(min = 1, max = 10))]
    pub max_depth: Option<u32>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Impact {
    pub project_path: String,
    pub element: String,
    /// Default: modify
    #[schemars(with = "Option<String>", extend("enum" = ["modify", "delete", "refactor"]))]
    pub operation: Option<Operation>,
    /// Default: 3
    #[schemars(range(min = 1, max = 10))]
    pub max_depth: Option<u32>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Complexity {
    pub project_path: String,
    pub element: String,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Patterns {
    pub project_path: String,
    /// all, or an id or group of the catalogue
    pub pattern_type: Option<String>,
    /// Places of each. Default: 10
    #[schemars(range(min = 1))]
    pub limit: Option<usize>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct CoderefSimilarArguments {
    pub project_path: String,
    /// Snippet, signature, or words that say what it does
    pub text: String,
    /// Of a snippet. Default: that of most files
    #[schemars(with = "Option<String>")]
    pub language: Option<Language>,
    /// Default: 5
    #[schemars(range(min = 1))]
    pub limit: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct CoderefCoverageArguments {
    pub project_path: String,
    /// detailed: list what is not reached
    #[schemars(with = "Option<String>", extend("enum" = ["summary", "detailed"]))]
    pub format: Option<coverage::CoverageDetail>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct CoderefContextArguments {
    pub project_path: String,
    #[schemars(with = "Option<Vec<String>>")]
    pub languages: Option<Vec<Language>>,
    /// Default: json
    #[schemars(with = "Option<String>", extend("enum" = ["json", "markdown", "both"]))]
    pub output_format: Option<OutputFormat>,
    /// Default: 1200
    #[schemars(range(min = 200))]
    pub max_tokens: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Validate {
    pub project_path: String,
    /// Glob. Default: **/*.ts
    pub pattern: Option<String>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Drift {
    pub project_path: String,
    /// Default: .coderef-index.json, else .coderef/index.json
    pub index_path: Option<String>,
    /// Save the index as it is now instead
    pub save: Option<bool>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Tag {
    /// Absolute path of a file or folder
    pub path: String,
    pub dry_run: Option<bool>,
    /// Rewrite wrong tags
    pub force: Option<bool>,
    /// Name unchanged files too
    pub verbose: Option<bool>,
    pub update_lineno: Option<bool>,
    pub include_private: Option<bool>,
    /// Default: ts,tsx,js,jsx
    pub lang: Option<String>,
    /// Globs, by comma
    pub exclude: Option<String>,
    pub detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Diagram {
    pub project_path: String,
    /// Default: dependencies
    #[schemars(with = "Option<String>", extend("enum" = ["dependencies", "calls", "imports", "all"]))]
    pub diagram_type: Option<DiagramType>,
    /// Default: mermaid
    #[schemars(with = "Option<String>", extend("enum" = ["mermaid", "dot", "svg"]))]
    pub format: Option<DiagramFormat>,
    /// Edges around focus (default: 2), else levels of folders
    #[schemars(range(min = 1))]
    pub depth: Option<u32>,
    /// Only near this element or file
    pub focus: Option<String>,
    /// Default: 40, fewer to fit a short reply
    #[schemars(range(min = 1))]
    pub max_nodes: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct CoderefExportArguments {
    pub project_path: String,
    #[schemars(with = "String", extend("enum" = ["json", "jsonld", "mermaid", "dot", "scip"]))]
    pub format: ExportFormat,
    /// File below project_path; without it the content is returned if it is short
    pub output_path: Option<String>,
    /// Only the nodes with most edges
    #[schemars(range(min = 1))]
    pub max_nodes: Option<usize>,
    pub detail: Option<ReplyDetail>,
}

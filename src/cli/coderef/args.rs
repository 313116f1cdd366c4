//! The command line as it is parsed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::global::{Color, version};
use tapps_coderef::context::OutputFormat;
use tapps_coderef::coverage::CoverageDetail;
use tapps_coderef::diagram::{DiagramFormat, DiagramType};
use tapps_coderef::duplicates::families::CloneKind;
use tapps_coderef::export::ExportFormat;
use tapps_coderef::impact::Operation;
use tapps_coderef::model::{ElementKind, Language};
use tapps_coderef::query::QueryType;

/// Code intelligence: what a project defines, what refers to what, and what a change touches.
#[derive(Debug, Parser)]
#[command(
    name = "coderef",
    version = version(),
    propagate_version = true,
    max_term_width = 100,
    subcommand_required = true,
    after_help = tapps_base::exit::SUMMARY
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: CoderefCommand,
}

impl Cli {
    /// True when standard output belongs to a program.
    #[must_use]
    pub fn speaks_json(&self) -> bool {
        self.global.json
    }
}

/// What every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The project [default: the working directory]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Write JSON for programs
    #[arg(long, global = true)]
    pub json: bool,
    /// Leave out what this glob names, as a line of .gitignore; may be given several times
    #[arg(long, global = true, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Look also at what .gitignore names
    #[arg(long, global = true)]
    pub include_ignored: bool,
    /// Neither use nor keep what earlier runs have found out
    #[arg(long, global = true)]
    pub fresh: bool,
    /// When to write in colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Say more on the error stream; twice for still more
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Say nothing on the error stream but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// One question.
#[derive(Debug, Clone, Subcommand)]
pub enum CoderefCommand {
    /// List the elements of a project
    Scan {
        /// Below this path of the project; a folder elsewhere is the project itself
        path: Option<PathBuf>,
        /// Only files of these languages: ts, tsx, js, jsx, vue, svelte, py, rs, go, java, c, cpp
        #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = word::<Language>)]
        lang: Vec<Language>,
        /// Only elements of these types, for example function,class
        #[arg(long = "type", value_name = "NAMES", value_delimiter = ',', value_parser = word::<ElementKind>)]
        types: Vec<ElementKind>,
        /// Names and places only
        #[arg(long)]
        no_ast: bool,
        #[command(flatten)]
        most: Most,
    },
    /// Ask what something refers to, or what refers to it
    Query {
        /// An element, Class.method, a file or a reference; of a path query where it ends
        target: String,
        /// calls, calls-me, imports, imports-me, depends-on, depends-on-me (each also with what- before it),
        /// shortest-path, all-paths
        #[arg(short = 't', long = "type", value_name = "NAME", default_value = "calls", value_parser = word::<QueryType>)]
        query_type: QueryType,
        /// Where a path begins
        #[arg(long, value_name = "NAME")]
        source: Option<String>,
        /// Edges to follow, 1 to 10 [default: 3, for path queries 10]
        #[arg(long, value_name = "COUNT")]
        depth: Option<u32>,
        #[command(flatten)]
        most: Most,
    },
    /// Say what a change touches
    Impact {
        /// An element, Class.method, a file or a reference
        element: String,
        /// modify, delete or refactor
        #[arg(long, value_name = "NAME", default_value = "modify", value_parser = word::<Operation>)]
        operation: Operation,
        /// Edges to follow, 1 to 10 [default: 3]
        #[arg(long, value_name = "COUNT")]
        depth: Option<u32>,
        #[command(flatten)]
        most: Most,
    },
    /// Measure how hard something is to understand
    Complexity {
        /// An element, Class.method, a file or a reference
        element: String,
        #[command(flatten)]
        most: Most,
    },
    /// Find patterns of a closed catalogue: React, routes, middleware, injection, errors, async, test gaps, duplicates
    Patterns {
        /// The id of a pattern or group [default: all]
        pattern: Option<String>,
        /// Most places of each pattern [default: 10]
        #[arg(long, value_name = "COUNT")]
        limit: Option<usize>,
    },
    /// Find code that stands in several places: exactly, under other names, or with a few statements more
    Duplicates {
        /// Only with a place below this path of the project
        path: Option<PathBuf>,
        /// exact, renamed or gapped [default: all]
        #[arg(long, value_name = "NAME", value_parser = word::<CloneKind>)]
        kind: Option<CloneKind>,
        /// Most families to show
        #[arg(long, value_name = "COUNT", default_value_t = 20)]
        limit: usize,
    },
    /// Ask what exists already, before it is written once more
    Similar {
        /// A snippet, a signature, or words that say what it does; - reads standard input
        text: String,
        /// The language of a snippet [default: that of most files]
        #[arg(long, value_name = "NAME", value_parser = word::<Language>)]
        lang: Option<Language>,
        /// Most results to show [default: 5]
        #[arg(long, value_name = "COUNT")]
        limit: Option<usize>,
    },
    /// Say what the tests reach
    Coverage {
        /// summary or detailed, which lists what no test reaches
        #[arg(short, long, value_name = "NAME", default_value = "summary", value_parser = word::<CoverageDetail>)]
        format: CoverageDetail,
        #[command(flatten)]
        most: Most,
    },
    /// Tell what is worth knowing about a project, within a budget
    Context {
        /// The project
        path: Option<PathBuf>,
        /// Only files of these languages
        #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = word::<Language>)]
        lang: Vec<Language>,
        /// markdown, json or both
        #[arg(short, long, value_name = "NAME", default_value = "markdown", value_parser = word::<OutputFormat>)]
        format: OutputFormat,
        /// Most tokens, at four bytes each [default: 1200]
        #[arg(long, value_name = "COUNT")]
        max_tokens: Option<usize>,
    },
    /// Draw a project, or what is near one element
    Diagram {
        /// An element, Class.method, a file or a reference
        focus: Option<String>,
        /// dependencies, calls, imports or all
        #[arg(short = 't', long = "type", value_name = "NAME", default_value = "dependencies", value_parser = word::<DiagramType>)]
        diagram_type: DiagramType,
        /// mermaid, dot or svg
        #[arg(short, long, value_name = "NAME", default_value = "mermaid", value_parser = word::<DiagramFormat>)]
        format: DiagramFormat,
        /// Edges around the focus [default: 2]; without one, levels of folders to open
        #[arg(long, value_name = "COUNT")]
        depth: Option<u32>,
        /// Most boxes; what is more is drawn as folders [default: 40]
        #[arg(long, value_name = "COUNT")]
        max_nodes: Option<usize>,
    },
    /// Look through files for references that lead nowhere: exit code 1 when there is one
    Validate {
        /// The project
        path: Option<PathBuf>,
        /// Only files that fit this glob; may be given several times [default: all]
        #[arg(long, value_name = "GLOB")]
        pattern: Vec<String>,
        /// Only how references are written, not where they lead
        #[arg(long)]
        syntax_only: bool,
    },
    /// Compare a saved index with the code: exit code 1 when something has drifted
    Drift {
        /// The project
        path: Option<PathBuf>,
        /// The saved index [default: .coderef/index.json]
        #[arg(long, value_name = "FILE")]
        index: Option<PathBuf>,
        /// Save the index as it is now instead
        #[arg(long)]
        save: bool,
        /// Likeness of two names, 0 to 1, from which one may be the new form of the other [default: 0.7]
        #[arg(long, value_name = "SHARE")]
        threshold: Option<f64>,
    },
    /// Put references above declarations, as comments
    Tag {
        /// A file or folder of the project
        path: PathBuf,
        /// Show what would change, and write nothing
        #[arg(long)]
        dry_run: bool,
        /// Rewrite tags that say something else than the declaration below them
        #[arg(long)]
        force: bool,
        /// Rewrite the line of tags that are right but for it
        #[arg(long)]
        update_lineno: bool,
        /// Tag what is private, too
        #[arg(long)]
        include_private: bool,
        /// Only files of these languages [default: ts,tsx,js,jsx]
        #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = word::<Language>)]
        lang: Vec<Language>,
    },
    /// Write the whole graph for another program
    Export {
        /// json, jsonld, mermaid, dot or scip
        #[arg(short, long, value_name = "NAME", default_value = "json", value_parser = word::<ExportFormat>)]
        format: ExportFormat,
        /// A file of the project to write; of the files that are there only an older export is replaced
        /// [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Only the nodes with most edges
        #[arg(long, value_name = "COUNT")]
        max_nodes: Option<usize>,
    },
}

/// How much of a list.
#[derive(Debug, Clone, Copy, Args)]
pub struct Most {
    /// Most results to show [default: all]
    #[arg(long, value_name = "COUNT")]
    pub limit: Option<usize>,
}

impl CoderefCommand {
    /// The folder that is the project by being named without `--root`.
    #[must_use]
    pub fn project_folder(&self) -> Option<PathBuf> {
        match self {
            Self::Context { path, .. } | Self::Validate { path, .. } | Self::Drift { path, .. } => path.clone(),
            Self::Scan { path: Some(path), .. } => {
                let outside = |path: &PathBuf| {
                    let (here, there) = (std::env::current_dir().ok()?, path.canonicalize().ok()?);
                    Some(there.is_dir() && !there.starts_with(here.canonicalize().ok()?))
                };
                Some(path.clone()).filter(|path| outside(path) == Some(true))
            }
            _ => None,
        }
    }
}

/// A word of a closed list, as it is spelt in requests and results.
fn word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(Value::String(text.to_owned())).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn words_are_those_of_requests() {
        assert_eq!(word::<QueryType>("what-calls-me"), Ok(QueryType::WhatCallsMe));
        assert_eq!(word::<Language>("py"), Ok(Language::Python));
        assert!(word::<Operation>("destroy").unwrap_err().contains("expected one of `modify`, `delete`, `refactor`"));
    }
}

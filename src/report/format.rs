//! The formats of a report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::Report;
use super::{github, gitlab, html, json, junit, markdown, sarif};
use tapps_base::Result;

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Everything, for programs.
    #[default]
    Json,
    /// For pull requests and chats.
    Markdown,
    /// One page that needs nothing besides itself.
    Html,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML, one case per file.
    Junit,
    /// GitLab's code quality artifact.
    Gitlab,
    /// Workflow commands that GitHub turns into annotations.
    Github,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] =
        [Self::Json, Self::Markdown, Self::Html, Self::Sarif, Self::Junit, Self::Gitlab, Self::Github];

    /// The word used on the command line and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Gitlab => "gitlab",
            Self::Github => "github",
        }
    }

    /// The ending of a file in this format.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Json | Self::Gitlab => "json",
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Sarif => "sarif",
            Self::Junit => "xml",
            Self::Github => "txt",
        }
    }

    /// The media type.
    #[must_use]
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Json | Self::Gitlab => "application/json",
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Sarif => "application/sarif+json",
            Self::Junit => "application/xml",
            Self::Github => "text/plain",
        }
    }

    /// Writes a report; the text ends with a line end.
    ///
    /// # Errors
    /// `internal` when a value has no form in the format, which cannot happen.
    pub fn render(self, report: &Report) -> Result<String> {
        match self {
            Self::Json => json::render(report),
            Self::Markdown => Ok(markdown::render(report)),
            Self::Html => html::render(report),
            Self::Sarif => sarif::render(report),
            Self::Junit => junit::render(report),
            Self::Gitlab => gitlab::render(report),
            Self::Github => Ok(github::render(report)),
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

//! The formats of a report, each with a file of its own.

mod escape;
mod identity;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::QualityReport;
use tapps_base::Result;

/// Who reads a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Programs of one's own.
    Programs,
    /// People.
    People,
    /// Code hosts and build servers.
    Platforms,
}

/// What the file of a format says of it.
struct Form {
    /// The ending of a file, without a dot.
    ending: &'static str,
    media_type: &'static str,
    readers: Readers,
    /// Gives the text of a report, which ends with a line end.
    render: fn(&QualityReport) -> Result<String>,
}

/// The one list of formats: what each is for, its name, its word on the command line and on the wire, and its file.
macro_rules! formats {
    ($(#[doc = $about:literal] $(#[$attribute:meta])* $variant:ident = $word:literal in $module:ident,)+) => {
        $(mod $module;)+

        tapps_base::wire_enum! {
            /// How a report is written.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
            pub enum ReportFormat {
                $(#[doc = $about] $(#[$attribute])* $variant = $word,)+
            }
        }

        impl ReportFormat {
            /// What it is for: one phrase without a full stop.
            #[must_use]
            pub fn about(self) -> &'static str {
                let sentence = match self {
                    $(Self::$variant => $about,)+
                };
                sentence.trim().trim_end_matches('.')
            }

            const fn form(self) -> &'static Form {
                match self {
                    $(Self::$variant => &$module::FORM,)+
                }
            }
        }
    };
}

formats! {
    /// Everything, for programs.
    #[default]
    Json = "json" in json,
    /// For pull requests and chats.
    Markdown = "markdown" in markdown,
    /// One comment on a pull request that a later run can replace.
    Comment = "comment" in comment,
    /// One page that needs nothing besides itself.
    Html = "html" in html,
    /// SARIF 2.1.0, for code scanning.
    Sarif = "sarif" in sarif,
    /// JUnit XML, one case per file.
    Junit = "junit" in junit,
    /// GitLab's code quality artifact.
    Gitlab = "gitlab" in gitlab,
    /// Workflow commands that GitHub turns into annotations.
    Github = "github" in github,
}

impl ReportFormat {
    /// The ending of a file in this format, without a dot.
    #[must_use]
    pub const fn file_extension(self) -> &'static str {
        self.form().ending
    }

    /// The media type.
    #[must_use]
    pub const fn mime(self) -> &'static str {
        self.form().media_type
    }

    /// Who reads it.
    #[must_use]
    pub const fn readers(self) -> Readers {
        self.form().readers
    }

    /// Writes a report; the text ends with a line end.
    ///
    /// # Errors
    /// `internal` when a value has no form in the format, which cannot happen.
    pub fn render(self, report: &QualityReport) -> Result<String> {
        (self.form().render)(report)
    }
}

//! What each tool is given, as a request to code intelligence.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::arguments as given;
use super::argv;
use super::handlers::{CONTENT_BYTES, Room};
use crate::tools::detail::ReplyDetail;
use tapps_base::{Error, Result};
use tapps_coderef::codebase::Codebase;
use tapps_coderef::comment_tag::TagOptions;
use tapps_coderef::context::ContextRequest;
use tapps_coderef::diagram::DiagramRequest;
use tapps_coderef::duplicates::similar::SimilarRequest;
use tapps_coderef::engine::ScanOptions;
use tapps_coderef::export::ExportRequest;
use tapps_coderef::impact::ImpactRequest;
use tapps_coderef::model::Language;
use tapps_coderef::query::QueryRequest;
use tapps_coderef::request::{CodeReport, CodeRequest, TAGGED};
use tapps_coderef::scan::ScanRequest;
use tapps_coderef::validate::ValidateOptions;

/// Files that are looked through for references unless others are named.
const VALIDATED: &str = "**/*.ts";

/// Arguments of a tool.
pub(super) trait Asks {
    /// Whom to ask.
    fn codebase(&self, room: &Room) -> Result<Codebase>;

    /// The same question as the command line of another program.
    fn command_line(&self) -> Vec<String>;

    /// What to ask.
    fn request(&self) -> Result<CodeRequest>;

    fn detail(&self) -> Option<ReplyDetail>;

    /// The report without what was not wanted.
    fn shortened(&self, report: CodeReport) -> CodeReport {
        report
    }
}

/// What nearly all arguments have in common.
macro_rules! about_a_project {
    ($detail:ident, $command_line:path) => {
        fn codebase(&self, room: &Room) -> Result<Codebase> {
            room.codebase(&self.project_path)
        }

        fn command_line(&self) -> Vec<String> {
            $command_line(self)
        }

        about_a_project!($detail);
    };
    (detailed) => {
        fn detail(&self) -> Option<ReplyDetail> {
            self.detail
        }
    };
    (always_whole) => {
        fn detail(&self) -> Option<ReplyDetail> {
            None
        }
    };
}

impl Asks for given::CoderefScanArguments {
    about_a_project!(detailed, argv::scan);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Scan(ScanRequest {
            languages: self.languages.clone().unwrap_or_default(),
            types: self.types.clone().unwrap_or_default(),
            path: self.path.clone(),
            use_ast: self.use_ast != Some(false),
            limit: None,
        }))
    }
}

impl Asks for given::Query {
    about_a_project!(detailed, argv::query);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Query(QueryRequest {
            query_type: self.query_type,
            target: self.target.clone(),
            source: self.source.clone(),
            max_depth: self.max_depth,
            limit: None,
        }))
    }
}

impl Asks for given::Impact {
    about_a_project!(detailed, argv::impact);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Impact(ImpactRequest {
            element: self.element.clone(),
            operation: self.operation.unwrap_or_default(),
            max_depth: self.max_depth,
            limit: None,
        }))
    }
}

impl Asks for given::Complexity {
    about_a_project!(detailed, argv::complexity);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Complexity { element: self.element.clone(), limit: None })
    }
}

impl Asks for given::Patterns {
    about_a_project!(detailed, argv::patterns);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Patterns { wanted: self.pattern_type.clone(), limit: self.limit })
    }
}

impl Asks for given::CoderefSimilarArguments {
    about_a_project!(always_whole, argv::similar);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Similar(SimilarRequest { text: self.text.clone(), language: self.language, limit: self.limit }))
    }
}

impl Asks for given::CoderefCoverageArguments {
    about_a_project!(detailed, argv::coverage);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Coverage { detail: self.format.unwrap_or_default(), limit: None })
    }
}

impl Asks for given::CoderefContextArguments {
    about_a_project!(always_whole, argv::context);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Context(ContextRequest {
            languages: self.languages.clone().unwrap_or_default(),
            output_format: self.output_format.unwrap_or_default(),
            max_tokens: self.max_tokens,
        }))
    }
}

impl given::Validate {
    fn pattern(&self) -> String {
        self.pattern.clone().unwrap_or_else(|| VALIDATED.to_owned())
    }

    fn external_command_line(&self) -> Vec<String> {
        argv::validate(&self.pattern())
    }
}

impl Asks for given::Validate {
    about_a_project!(detailed, Self::external_command_line);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Validate(ValidateOptions { patterns: vec![self.pattern()], syntax_only: false }))
    }
}

impl Asks for given::Drift {
    about_a_project!(detailed, argv::drift);

    fn request(&self) -> Result<CodeRequest> {
        let index_path = self.index_path.clone();
        Ok(match self.save {
            Some(true) => CodeRequest::SaveIndex { index_path },
            Some(false) | None => CodeRequest::Drift { index_path, threshold: None },
        })
    }
}

impl Asks for given::Tag {
    fn codebase(&self, room: &Room) -> Result<Codebase> {
        if !Path::new(&self.path).is_absolute() {
            return Err(Error::invalid(format!("the path `{}` is not absolute", self.path))
                .hint("give the whole path, from the root of the file system"));
        }
        let scan = ScanOptions { exclude: words(self.exclude.as_deref()), ..ScanOptions::default() };
        let codebase = Codebase::new(Arc::clone(&room.boundary)).with_options(scan).remembering(&room.memory);
        codebase.boundary().resolve(&self.path)?;
        Ok(codebase)
    }

    fn command_line(&self) -> Vec<String> {
        argv::tag(self)
    }

    about_a_project!(detailed);

    fn request(&self) -> Result<CodeRequest> {
        let options = TagOptions {
            dry_run: self.dry_run == Some(true),
            force: self.force == Some(true),
            update_lineno: self.update_lineno == Some(true),
            include_private: self.include_private == Some(true),
            languages: self.lang.as_deref().map_or_else(|| Ok(TAGGED.to_vec()), languages)?,
        };
        Ok(CodeRequest::Tag { path: self.path.clone(), options })
    }

    fn shortened(&self, mut report: CodeReport) -> CodeReport {
        if let CodeReport::Tag(report) = &mut report
            && self.verbose != Some(true)
        {
            report
                .files
                .retain(|file| file.inserted + file.updated > 0 || !file.stale.is_empty() || file.skipped.is_some());
        }
        report
    }
}

/// The entries of a list that is written with commas.
fn words(text: Option<&str>) -> Vec<String> {
    text.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn languages(text: &str) -> Result<Vec<Language>> {
    let one = |word: &String| {
        serde_json::from_value(Value::from(word.as_str())).map_err(|error| {
            Error::invalid(format!("`{word}` is no language: {error}")).hint("write such as ts,tsx,js,jsx")
        })
    };
    words(Some(text)).iter().map(one).collect()
}

impl Asks for given::Diagram {
    about_a_project!(always_whole, argv::diagram);

    fn request(&self) -> Result<CodeRequest> {
        Ok(CodeRequest::Diagram(DiagramRequest {
            diagram_type: self.diagram_type.unwrap_or_default(),
            format: self.format.unwrap_or_default(),
            focus: self.focus.clone(),
            depth: self.depth,
            max_nodes: self.max_nodes,
            max_bytes: self.max_nodes.is_none().then_some(CONTENT_BYTES),
        }))
    }
}

impl Asks for given::CoderefExportArguments {
    about_a_project!(detailed, argv::export);

    fn request(&self) -> Result<CodeRequest> {
        let export = ExportRequest { format: self.format, max_nodes: self.max_nodes };
        Ok(CodeRequest::Export { export, output_path: self.output_path.clone() })
    }
}

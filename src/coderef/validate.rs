//! Whether the references in files are written right and lead somewhere.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::CodebaseIndex;
use super::reference::find::find_references;
use super::reference::resolve::{Unresolved, UnresolvedReason, resolve_reference};
use super::reference::{Reference, parse_reference};
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_sandbox::{Boundary, WalkOptions};

/// Bytes of a file that is looked through.
const MOST_BYTES: u64 = 4 << 20;

/// What is looked through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ValidateOptions {
    /// Globs of files, relative to the project root.
    pub patterns: Vec<String>,
    /// Only how references are written, not where they lead.
    pub syntax_only: bool,
}

impl Default for ValidateOptions {
    fn default() -> Self {
        Self { patterns: vec!["**/*".to_owned()], syntax_only: false }
    }
}

/// A reference that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrongReference {
    pub reference: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub fault: UnresolvedReason,
    pub error: String,
    /// References that were perhaps meant, best first.
    pub suggestions: Vec<String>,
    /// True when the first suggestion is the only one.
    pub fixable: bool,
}

/// All references of the files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ValidationReport {
    pub files: usize,
    pub total: usize,
    pub valid: usize,
    pub invalid: usize,
    /// Share of the valid ones, in percent; absent when there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "f64")]
    pub percentage: Option<f64>,
    /// Why nothing was looked at, where no file was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// By file and place.
    pub errors: Vec<WrongReference>,
}

/// Looks through the text files of a project.
///
/// # Errors
/// `invalid_argument` for a glob that cannot be read; what the walk says; `cancelled` or `timeout`.
pub fn validate_references(
    boundary: &Boundary,
    index: &CodebaseIndex,
    options: &ValidateOptions,
    call: &Call,
) -> Result<ValidationReport> {
    let globs = globs(&options.patterns)?;
    let (mut files, mut total, mut errors) = (0, 0, Vec::new());
    for path in boundary.walk(&boundary.root_as_project_path(), &WalkOptions::default())? {
        call.check()?;
        if !globs.is_match(path.as_str()) || path.as_str().starts_with(".coderef/") {
            continue;
        }
        // What is too large or no text holds no references.
        let Some(text) = boundary.read(&path, MOST_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok()) else {
            continue;
        };
        files += 1;
        for mention in find_references(&text) {
            total += 1;
            if let Err(wrong) = check_reference(boundary, index, &mention.text, options.syntax_only) {
                errors.push(WrongReference {
                    reference: mention.text,
                    file: path.as_str().to_owned(),
                    line: mention.line,
                    column: mention.column,
                    fault: wrong.fault,
                    error: wrong.message,
                    fixable: wrong.suggestions.len() == 1,
                    suggestions: wrong.suggestions,
                });
            }
        }
    }
    let invalid = errors.len();
    #[expect(clippy::cast_precision_loss, reason = "counts of references are far below 2^52")]
    let percentage = (total > 0).then(|| ((total - invalid) as f64 * 10_000.0 / total as f64).round() / 100.0);
    let hint = (files == 0)
        .then(|| format!("no file matches {}: pass a pattern such as **/*.py", options.patterns.join(" or ")));
    Ok(ValidationReport { files, total, valid: total - invalid, invalid, percentage, hint, errors })
}

fn check_reference(
    boundary: &Boundary,
    index: &CodebaseIndex,
    text: &str,
    syntax_only: bool,
) -> Result<(), Unresolved> {
    let reference = parse_reference(text).map_err(|error| Unresolved {
        fault: UnresolvedReason::Syntax,
        message: error.message().to_owned(),
        suggestions: Vec::new(),
    })?;
    if syntax_only {
        return Ok(());
    }
    match resolve_reference(index, &reference) {
        // Not everything a reference names is source code.
        Err(wrong) if wrong.fault == UnresolvedReason::Path && is_plain_file(boundary, &reference) => Ok(()),
        other => other.map(|_| ()),
    }
}

fn is_plain_file(boundary: &Boundary, reference: &Reference) -> bool {
    let path = boundary.resolve(&reference.path).ok();
    reference.element.is_none() && path.is_some_and(|path| boundary.kind(&path).is_ok())
}

fn globs(patterns: &[String]) -> Result<globset::GlobSet> {
    let mut set = globset::GlobSetBuilder::new();
    for pattern in patterns {
        let glob = globset::GlobBuilder::new(pattern).literal_separator(true).build();
        set.add(glob.map_err(|why| {
            Error::invalid(format!("`{pattern}` is no glob: {why}")).hint("write a glob such as **/*.py")
        })?);
    }
    set.build().map_err(|why| Error::invalid(format!("the globs cannot be used together: {why}")))
}

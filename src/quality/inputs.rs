//! From what the caller named to the files that are judged.

use std::collections::BTreeSet;

use crate::result::Skipped;
use tapps_base::language::{Analyzers, SHEBANG_BYTES, ScoredLanguage, has_no_ending};
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::Config;
use tapps_sandbox::{Boundary, PathKind, ProjectPath, WalkOptions};

/// What a request is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputScope {
    /// Exactly one code file.
    OneFile,
    /// Code files; folders are walked.
    Code,
    /// Code files, and text files of any kind for the sake of secrets; folders are walked.
    CodeAndText,
}

/// The files of a request, each list sorted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inputs {
    pub code: Vec<ProjectPath>,
    pub text: Vec<ProjectPath>,
    pub skipped: Vec<Skipped>,
}

/// Resolves what the caller named.
///
/// # Errors
/// `path_denied` or `file_not_found` for a path that cannot be used, `unsupported_language` for a single file that is
/// not code, `invalid_argument` for a folder where a file is needed.
pub fn expand_inputs(boundary: &Boundary, config: &Config, paths: &[String], scope: InputScope) -> Result<Inputs> {
    let mut code = BTreeSet::new();
    let mut text = BTreeSet::new();
    let mut skipped = BTreeSet::new();
    for path in paths {
        let path = boundary.resolve(path)?;
        match boundary.kind(&path)? {
            PathKind::Folder if scope == InputScope::OneFile => return Err(folder_path_error(&path)),
            PathKind::Folder => {
                let options = WalkOptions { exclude: config.exclude.clone(), ..WalkOptions::default() };
                for found in boundary.walk(&path, &options)? {
                    if is_scored(boundary, &found) {
                        code.insert(found);
                    } else if scope == InputScope::CodeAndText {
                        text.insert(found);
                    }
                }
            }
            PathKind::Special => return Err(special_file_error(&path)),
            PathKind::File if is_scored(boundary, &path) => drop(code.insert(path)),
            PathKind::File if scope == InputScope::CodeAndText => drop(text.insert(path)),
            PathKind::File if paths.len() == 1 => return Err(unsupported_language_error(&path)),
            PathKind::File => {
                let reason = "not a language that is scored".to_owned();
                skipped.insert(Skipped { file: path.as_str().to_owned(), reason });
            }
        }
    }
    let inputs = Inputs {
        code: code.into_iter().collect(),
        text: text.into_iter().collect(),
        skipped: skipped.into_iter().collect(),
    };
    if inputs.code.is_empty() && inputs.text.is_empty() && !paths.is_empty() {
        let named = paths.join(", ");
        return Err(Error::new(ErrorCode::FileNotFound, format!("no file that can be scored in {named}"))
            .hint(format!("scored file endings: {}", ScoredLanguage::listed_endings())));
    }
    Ok(inputs)
}

/// True for a file in a language that is scored: by its ending, or by its first line where it has none.
#[must_use]
pub fn is_scored(boundary: &Boundary, path: &ProjectPath) -> bool {
    let by_name = ScoredLanguage::of_path(path.as_str());
    if !has_no_ending(path.as_str()) && by_name.is_none_or(|one| one.analyzers() != Analyzers::Shell) {
        return by_name.is_some();
    }
    match boundary.read_beginning(path, SHEBANG_BYTES as u64) {
        Ok(beginning) => ScoredLanguage::of_file(path.as_str(), &beginning).is_some(),
        // Whoever reads it says what is wrong with it.
        Err(_) => by_name.is_some(),
    }
}

fn special_file_error(path: &ProjectPath) -> Error {
    Error::new(ErrorCode::PathDenied, format!("{} is not a regular file", path.as_str()))
        .hint("name a file or a folder")
}

fn folder_path_error(path: &ProjectPath) -> Error {
    Error::invalid(format!("{} is a folder", path.as_str()))
        .hint("name one file, or pass several files to tapps_validate_changed")
}

/// The error for a file of a language that is not scored.
#[must_use]
pub fn unsupported_language_error(path: &ProjectPath) -> Error {
    Error::new(ErrorCode::UnsupportedLanguage, format!("{} is not in a language that is scored", path.as_str())).hint(
        format!(
            "scored file endings: {}; shell scripts without an ending; secrets are looked for in any text file",
            ScoredLanguage::listed_endings()
        ),
    )
}

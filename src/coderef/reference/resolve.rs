//! What a reference leads to in an index.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Reference, ReferenceLines};
use crate::model::{CodebaseIndex, ElementId, FileId};
use tapps_base::nearest;

/// Why a reference leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnresolvedReason {
    /// Not written as a reference is.
    Syntax,
    /// No file of that path.
    Path,
    /// Without its ending, the path fits several files.
    AmbiguousPath,
    /// No element of that name in the file.
    Element,
    /// The line is outside the element or the file.
    Line,
}

/// What a reference leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    pub file: FileId,
    pub element: Option<ElementId>,
}

/// Why not, with what was perhaps meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    pub fault: UnresolvedReason,
    /// A lower-case fragment.
    pub message: String,
    /// Whole references, best first.
    pub suggestions: Vec<String>,
}

/// Follows a reference.
///
/// # Errors
/// What is wrong with it, and what was perhaps meant.
pub fn resolve_reference(index: &CodebaseIndex, reference: &Reference) -> Result<Resolved, Unresolved> {
    let file = find_file(index, reference)?;
    let path = index.files.get(file.0 as usize).map_or("", |file| file.path.as_str());
    let Some(wanted) = &reference.element else {
        let lines = index.files.get(file.0 as usize).map_or(0, |file| file.lines);
        check_lines(reference, path, 1, lines.max(1))?;
        return Ok(Resolved { file, element: None });
    };
    let of_file = || (0..).map(ElementId).zip(&index.elements).filter(|(_, element)| element.file == file);
    let mut named = of_file().filter(|(_, element)| element.path == *wanted);
    let Some((id, element)) =
        named.clone().find(|(_, e)| super::designator(e.kind) == reference.designator).or_else(|| named.next())
    else {
        let known = of_file().map(|(_, element)| element.path.as_str());
        let names = nearest::names(wanted, known);
        let suggestions = names.into_iter().filter_map(|name| {
            let (id, _) = of_file().find(|(_, element)| element.path == name)?;
            Reference::to_element(index, id).map(|found| found.to_string())
        });
        return Err(Unresolved {
            fault: UnresolvedReason::Element,
            message: format!("`{path}` has no element `{wanted}`"),
            suggestions: suggestions.collect(),
        });
    };
    check_lines(reference, wanted, element.span.lead_line, element.span.end_line).map_err(|mut wrong| {
        wrong.suggestions = Reference::to_element(index, id).into_iter().map(|found| found.to_string()).collect();
        wrong
    })?;
    Ok(Resolved { file, element: Some(id) })
}

fn find_file(index: &CodebaseIndex, reference: &Reference) -> Result<FileId, Unresolved> {
    let path = reference.path.as_str();
    if let Ok(at) = index.files.binary_search_by(|file| file.path.as_str().cmp(path)) {
        return Ok(FileId(u32::try_from(at).unwrap_or(u32::MAX)));
    }
    let fits = |file: &str| file.strip_prefix(path).is_some_and(|rest| rest.starts_with('.') && !rest.contains('/'));
    let of_path = |path: &str| Reference { path: path.to_owned(), ..reference.clone() }.to_string();
    let candidates: Vec<(FileId, &str)> = (0..)
        .map(FileId)
        .zip(index.files.iter().map(|file| file.path.as_str()))
        .filter(|(_, file)| fits(file) && stem(file) == Some(path))
        .collect();
    match candidates.as_slice() {
        [(id, _)] => Ok(*id),
        [] => {
            let known = index.files.iter().map(|file| file.path.as_str());
            Err(Unresolved {
                fault: UnresolvedReason::Path,
                message: format!("there is no file `{path}`"),
                suggestions: nearest::names(path, known).into_iter().map(of_path).collect(),
            })
        }
        several => Err(Unresolved {
            fault: UnresolvedReason::AmbiguousPath,
            message: format!("`{path}` may be any of {} files", several.len()),
            suggestions: several.iter().map(|(_, path)| of_path(path)).collect(),
        }),
    }
}

/// A path without its last ending.
fn stem(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(stem, _)| stem)
}

fn check_lines(reference: &Reference, of: &str, first: u32, last: u32) -> Result<(), Unresolved> {
    let (from, to) = match reference.lines {
        Some(ReferenceLines::One(line)) => (line, line),
        Some(ReferenceLines::Range(from, to)) => (from, to),
        _ => return Ok(()),
    };
    if first <= from && to <= last {
        return Ok(());
    }
    let message =
        format!("line {} is outside `{of}`, which is on lines {first} to {last}", if from < first { from } else { to });
    Err(Unresolved { fault: UnresolvedReason::Line, message, suggestions: Vec::new() })
}

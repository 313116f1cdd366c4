//! Writing tags: file by file, wholly or not at all, and only where the code stays what it was.

use super::plan::{CommentTagPlan, Edit, plan_tags};
use super::{TagOptions, TagReport, TaggedFile, diff};
use crate::family;
use crate::model::{CodebaseIndex, Element, FileId, Parse, SourceFile};
use tapps_base::call::Call;
use tapps_base::{Error, Result, digest};
use tapps_sandbox::Boundary;

/// Bytes of a file that is tagged.
const MOST_BYTES: u64 = 16 << 20;

/// Tags the declarations of a file, or of all files below a folder; `.` is the whole project. The index has to be of
/// the bytes on disk: a file that has changed since is left as it is.
///
/// # Errors
/// `file_not_found` when the path names nothing of the index; what the boundary says when a file cannot be written;
/// `cancelled` or `timeout` between two files.
pub fn tag_declarations(
    boundary: &Boundary,
    index: &CodebaseIndex,
    path: &str,
    options: &TagOptions,
    call: &Call,
) -> Result<TagReport> {
    let start = boundary.resolve(path)?;
    let is_below = |file: &SourceFile| {
        start.is_root()
            || file.path == start.as_str()
            || file.path.strip_prefix(start.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    let wanted = |file: &SourceFile| {
        is_below(file) && (options.languages.is_empty() || options.languages.contains(&file.language))
    };
    let files: Vec<(FileId, &SourceFile)> =
        (0..).map(FileId).zip(&index.files).filter(|(_, file)| wanted(file)).collect();
    if files.is_empty() {
        return Err(nothing_to_tag(path, options, index.files.iter().find(|file| is_below(file))));
    }
    let mut report = TagReport { dry_run: options.dry_run, ..TagReport::default() };
    for (id, file) in files {
        call.check()?;
        let tagged = tag_file(boundary, index, id, file, options)?;
        report.inserted += tagged.inserted;
        report.updated += tagged.updated;
        report.unchanged += tagged.unchanged;
        report.stale += tagged.stale.len();
        report.skipped += usize::from(tagged.skipped.is_some());
        let silent = tagged.inserted + tagged.updated + tagged.unchanged + tagged.stale.len() == 0;
        if !silent || tagged.skipped.is_some() {
            report.files.push(tagged);
        }
    }
    Ok(report)
}

/// Says why there is nothing to tag; `other` is a file there in a language that was not asked for.
fn nothing_to_tag(path: &str, options: &TagOptions, other: Option<&SourceFile>) -> Error {
    let (message, hint) = match other {
        Some(other) => {
            let asked: Vec<&str> = options.languages.iter().map(|language| language.as_str()).collect();
            let message = format!("no source file at `{path}` is written in {}", asked.join(", "));
            (message, format!("name other languages with `lang`, for example {}", other.language.as_str()))
        }
        None => {
            let message = format!("there is no source file at `{path}`");
            (message, "name a source file or a folder above one".to_owned())
        }
    };
    Error::new(tapps_base::ErrorCode::FileNotFound, message).hint(hint)
}

fn tag_file(
    boundary: &Boundary,
    index: &CodebaseIndex,
    id: FileId,
    file: &SourceFile,
    options: &TagOptions,
) -> Result<TaggedFile> {
    let skipped = |why: &str| TaggedFile {
        path: file.path.clone(),
        inserted: 0,
        updated: 0,
        unchanged: 0,
        stale: Vec::new(),
        skipped: Some(why.to_owned()),
        diff: None,
    };
    if file.parse != Parse::Whole {
        return Ok(skipped("it does not parse"));
    }
    let path = boundary.resolve(&file.path)?;
    let bytes = boundary.read(&path, MOST_BYTES)?;
    if digest::sha256(&bytes) != file.sha256 {
        return Ok(skipped("it has changed since it was scanned"));
    }
    let Ok(text) = std::str::from_utf8(&bytes) else { return Ok(skipped("it is not UTF-8")) };
    if text.replace("\r\n", "").contains('\r') {
        return Ok(skipped("it has lines that end in a carriage return alone"));
    }
    let first = index.elements.partition_point(|element| element.file < id);
    let last = index.elements.partition_point(|element| element.file <= id);
    let elements = index.elements.get(first..last).unwrap_or_default();
    let whole: Vec<&str> = text.split_inclusive('\n').collect();
    let lines: Vec<&str> = whole.iter().map(|line| line.trim_end_matches(['\n', '\r'])).collect();
    let made = plan_tags(file, (elements, u32::try_from(first).unwrap_or(u32::MAX)), text, &lines, options);
    let new = apply_edits(&whole, &made);
    if !made.edits.is_empty() && !is_same_code(file, &new, elements) {
        return Ok(skipped("with tags it would no longer be the same code"));
    }
    if !options.dry_run && !made.edits.is_empty() {
        boundary.write_atomic(&path, new.as_bytes(), Some(&file.sha256))?;
    }
    let diff =
        (options.dry_run && !made.edits.is_empty()).then(|| diff::render_unified_diff(&file.path, &lines, &made.edits));
    let CommentTagPlan { inserted, updated, unchanged, stale, .. } = made;
    Ok(TaggedFile { path: file.path.clone(), inserted, updated, unchanged, stale, skipped: None, diff })
}

/// The text with all changes; each new line ends like the one it stands at.
fn apply_edits(whole: &[&str], made: &CommentTagPlan) -> String {
    let fallback = if whole.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let mut text = String::with_capacity(whole.iter().map(|line| line.len()).sum::<usize>() + made.edits.len() * 80);
    for (number, line) in (1..).zip(whole) {
        let code = line.trim_end_matches(['\n', '\r']);
        let end = line.get(code.len()..).unwrap_or_default();
        let Some(edit) = made.edits.get(&number) else {
            text.push_str(line);
            continue;
        };
        let rest = line.trim_start_matches('\u{feff}');
        text.push_str(line.get(..line.len() - rest.len()).unwrap_or_default());
        match edit {
            Edit::Insert(new) => {
                text.push_str(new);
                text.push_str(if end.is_empty() { fallback } else { end });
                text.push_str(rest);
            }
            Edit::Replace(new) => {
                text.push_str(new);
                text.push_str(end);
            }
        }
    }
    text
}

/// True when the new text parses and defines what the old one did.
fn is_same_code(file: &SourceFile, new: &str, elements: &[Element]) -> bool {
    let read = family::parse_source_file(&file.path, file.language, new);
    let same = |(a, b): (&Element, &Element)| (a.kind, &a.path, a.body) == (b.kind, &b.path, b.body);
    read.parse == Parse::Whole && read.elements.len() == elements.len() && read.elements.iter().zip(elements).all(same)
}

//! Reports that were made for a caller and can be read again: in the state folder, named by their content.

use super::format::ReportFormat;
use tapps_base::{ErrorCode, Result, digest};
use tapps_sandbox::state::STATE_FOLDER;
use tapps_sandbox::{Boundary, ProjectPath, WalkOptions};

/// Where they are kept, inside the state folder.
const FOLDER: &str = "reports";

/// How many are kept; the ones written longest ago make room.
const KEPT: usize = 50;

/// Largest report that is read back, in bytes.
const LARGEST: u64 = 256 << 20;

/// Keeps a report and gives its name: the beginning of its digest, and its ending.
///
/// # Errors
/// `path_denied` or `internal` when the state folder cannot be written.
pub fn keep_report(boundary: &Boundary, format: ReportFormat, text: &str) -> Result<String> {
    boundary.state_subfolder(FOLDER)?;
    let mut id = digest::sha256(text.as_bytes());
    id.truncate(16);
    let id = format!("{id}.{}", format.file_extension());
    let path = kept_report_path(boundary, &id)?;
    // The name says what it holds: what is there is this report or what is left of one.
    boundary.replace_own_file(&path, text.as_bytes(), LARGEST, |_| Ok(()))?;
    make_room(boundary)?;
    Ok(id)
}

/// A kept report with its media type; none when there is none of that name.
///
/// # Errors
/// What the boundary says besides.
pub fn read_kept_report(boundary: &Boundary, id: &str) -> Result<Option<(&'static str, String)>> {
    let Some(format) = format_of(id) else { return Ok(None) };
    match kept_report_path(boundary, id).and_then(|path| boundary.read(&path, LARGEST)) {
        Ok(bytes) => Ok(Some((format.mime(), String::from_utf8_lossy(&bytes).into_owned()))),
        Err(error) if error.code() == ErrorCode::FileNotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The names of all kept reports, sorted.
///
/// # Errors
/// What the boundary says.
pub fn list(boundary: &Boundary) -> Result<Vec<String>> {
    let names = |path: ProjectPath| path.as_str().rsplit('/').next().map(str::to_owned);
    Ok(walk_kept_reports(boundary)?.into_iter().filter_map(names).filter(|name| format_of(name).is_some()).collect())
}

/// The format of a well-formed name.
fn format_of(id: &str) -> Option<ReportFormat> {
    let (stem, ending) = id.split_once('.')?;
    let hex = stem.len() == 16 && stem.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    ReportFormat::ALL.into_iter().find(|format| hex && format.file_extension() == ending)
}

fn kept_report_path(boundary: &Boundary, id: &str) -> Result<ProjectPath> {
    boundary.resolve(&format!("{STATE_FOLDER}/{FOLDER}/{id}"))
}

fn walk_kept_reports(boundary: &Boundary) -> Result<Vec<ProjectPath>> {
    let folder = boundary.resolve(&format!("{STATE_FOLDER}/{FOLDER}"))?;
    match boundary.walk(&folder, &WalkOptions { include_ignored: true, ..WalkOptions::default() }) {
        Err(error) if error.code() == ErrorCode::FileNotFound => Ok(Vec::new()),
        other => other,
    }
}

fn make_room(boundary: &Boundary) -> Result<()> {
    let files = walk_kept_reports(boundary)?;
    let excess = files.len().saturating_sub(KEPT);
    let at = |path: &ProjectPath| boundary.root().join(path.as_str());
    let mut by_age: Vec<_> =
        files.iter().map(|path| (at(path).symlink_metadata().and_then(|meta| meta.modified()).ok(), path)).collect();
    by_age.sort();
    for (_, path) in by_age.into_iter().take(excess) {
        // One that cannot be removed is in nobody's way.
        let _ = std::fs::remove_file(at(path));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_known_by_its_content_and_only_so_many_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let boundary = Boundary::open(folder.path()).unwrap();
        assert_eq!(list(&boundary).unwrap(), Vec::<String>::new());
        let id = keep_report(&boundary, ReportFormat::Html, "<p>").unwrap();
        assert_eq!(keep_report(&boundary, ReportFormat::Html, "<p>").unwrap(), id);
        assert_eq!(read_kept_report(&boundary, &id).unwrap(), Some(("text/html", "<p>".to_owned())));
        for wrong in ["../calls.db", "0123456789abcdef.html", "x.html", "0123456789abcdef"] {
            assert_eq!(read_kept_report(&boundary, wrong).unwrap(), None, "{wrong}");
        }
        for number in 0..KEPT + 5 {
            keep_report(&boundary, ReportFormat::Markdown, &number.to_string()).unwrap();
        }
        assert_eq!(list(&boundary).unwrap().len(), KEPT);
    }
}

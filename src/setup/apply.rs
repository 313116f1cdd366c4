//! Writing what was planned: first the journal, then the files.

use std::fmt::Write as _;

use similar::TextDiff;

use super::journal::SetupJournal;
use super::plan::{SetupFileChange, SetupPlan};
use super::target::SetupFileLocation;
use tapps_base::Result;
use tapps_sandbox::Boundary;

/// Writes the changes that are needed; the earlier bytes are kept first. Returns how many files were written or removed.
///
/// # Errors
/// `invalid_argument` when a file has changed since it was read; `internal` when the disk refuses. What was written
/// before that can be undone.
pub fn apply_plan(plan: &SetupPlan, journal: &SetupJournal, boundary: &Boundary) -> Result<usize> {
    let needed: Vec<&SetupFileChange> = plan.changes.iter().filter(|change| change.is_needed()).collect();
    if needed.is_empty() {
        return Ok(0);
    }
    let mut folders: Vec<SetupFileLocation> =
        needed.iter().flat_map(|change| change.target.missing_folders(boundary)).collect();
    folders.sort();
    folders.dedup();
    let files: Vec<_> =
        needed.iter().map(|change| (&change.target, change.before.as_deref(), change.bytes_after())).collect();
    journal.record(&files, folders)?;
    for (target, before, after) in files {
        match (before, after) {
            (_, Some(after)) => target.write(boundary, before, after)?,
            (Some(before), None) => target.remove(boundary, before)?,
            (None, None) => {}
        }
    }
    for change in needed.iter().filter(|change| change.executable) {
        change.target.make_executable(boundary)?;
    }
    Ok(needed.len())
}

/// The change of one file as a unified diff; empty when there is none.
#[must_use]
pub fn diff(change: &SetupFileChange) -> String {
    if !change.is_needed() {
        return String::new();
    }
    let name = change.target.to_string();
    let name = name.trim_start_matches('/');
    let (old, from) = match &change.before {
        Some(bytes) => (String::from_utf8_lossy(bytes), format!("a/{name}")),
        None => ("".into(), "/dev/null".to_owned()),
    };
    let to = if change.bytes_after().is_some() { format!("b/{name}") } else { "/dev/null".to_owned() };
    let mut text = String::new();
    let diff = TextDiff::from_lines(old.as_ref(), &change.after);
    // Writing to a String cannot fail.
    let _ = write!(text, "{}", diff.unified_diff().header(&from, &to));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::ErrorCode;

    fn change(path: &str, before: Option<&str>, after: &str) -> SetupFileChange {
        let before = before.map(|text| text.as_bytes().to_vec());
        SetupFileChange {
            target: SetupFileLocation::Project(path.into()),
            before,
            after: after.into(),
            executable: false,
        }
    }

    struct Place {
        folder: tempfile::TempDir,
        boundary: Boundary,
        journal: SetupJournal,
    }

    fn place() -> Place {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("old.json"), "{} \r\n").unwrap();
        let boundary = Boundary::open(folder.path()).unwrap();
        let journal = SetupJournal::in_folder(folder.path().join("state/journal"));
        Place { folder, boundary, journal }
    }

    fn plan() -> SetupPlan {
        let changes = vec![change("old.json", Some("{} \r\n"), "{ }\n"), change(".new/a/b.json", None, "x")];
        SetupPlan { changes, ..SetupPlan::default() }
    }

    #[test]
    fn undoing_puts_back_the_very_bytes() {
        let Place { folder, boundary, journal } = place();
        assert_eq!(apply_plan(&plan(), &journal, &boundary).unwrap(), 2);
        assert_eq!(std::fs::read(folder.path().join(".new/a/b.json")).unwrap(), b"x");
        let undone = journal.undo(&boundary).unwrap();
        assert_eq!((undone.restored.len(), undone.removed.len()), (1, 1));
        assert_eq!(std::fs::read(folder.path().join("old.json")).unwrap(), b"{} \r\n");
        assert!(!folder.path().join(".new").exists());
        assert!(!folder.path().join("state").exists());
        assert_eq!(journal.undo(&boundary).unwrap_err().code(), ErrorCode::FileNotFound);
    }

    #[test]
    fn what_was_changed_since_is_not_put_back() {
        let Place { folder, boundary, journal } = place();
        apply_plan(&plan(), &journal, &boundary).unwrap();
        std::fs::write(folder.path().join(".new/a/b.json"), "mine").unwrap();
        let error = journal.undo(&boundary).unwrap_err();
        assert_eq!(error.code(), ErrorCode::Conflict);
        assert_eq!(std::fs::read(folder.path().join("old.json")).unwrap(), b"{ }\n", "nothing was put back");
        std::fs::write(folder.path().join(".new/a/b.json"), "x").unwrap();
        std::fs::write(folder.path().join("state/journal/000001.0.before"), "spoiled").unwrap();
        assert_eq!(journal.undo(&boundary).unwrap_err().code(), ErrorCode::CorruptedData);
    }

    #[test]
    fn a_run_that_was_interrupted_can_be_undone() {
        let Place { folder, boundary, journal } = place();
        let plan = plan();
        let files: Vec<_> = plan.changes.iter().map(|c| (&c.target, c.before.as_deref(), c.bytes_after())).collect();
        journal.record(&files, Vec::new()).unwrap();
        plan.changes[0].target.write(&boundary, Some(b"{} \r\n"), b"{ }\n").unwrap();
        assert_eq!(journal.undo(&boundary).unwrap().restored, ["old.json"]);
        assert_eq!(std::fs::read(folder.path().join("old.json")).unwrap(), b"{} \r\n");
    }

    #[test]
    fn a_file_of_which_nothing_is_left_is_removed_and_comes_back() {
        let Place { folder, boundary, journal } = place();
        let changes = vec![change("old.json", Some("{} \r\n"), "")];
        assert_eq!(apply_plan(&SetupPlan { changes, ..SetupPlan::default() }, &journal, &boundary).unwrap(), 1);
        assert!(!folder.path().join("old.json").exists());
        assert_eq!(journal.undo(&boundary).unwrap().restored, ["old.json"]);
        assert_eq!(std::fs::read(folder.path().join("old.json")).unwrap(), b"{} \r\n");
    }

    #[test]
    fn a_diff_tells_new_files_from_changed_ones() {
        assert_eq!(diff(&change("a", None, "x\n")), "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n");
        assert_eq!(diff(&change("a", Some("x\n"), "y\n")), "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n");
        assert_eq!(diff(&change("a", Some("x\n"), "x\n")), "");
        assert_eq!(diff(&change("a", Some("x\n"), "")), "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
    }
}

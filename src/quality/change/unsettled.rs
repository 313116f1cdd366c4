//! Files that somebody edits while they are judged. The tools see the bytes that were read, whatever happens to the files;
//! the tree that a verdict names is made of the files a moment later.

use rayon::prelude::*;

use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::Boundary;

/// Those of the files that no longer hold what was read of them, by their paths. Asked after the tree is made: what is the
/// same before and after was so in between.
pub(super) fn files_edited_since(boundary: &Boundary, sources: &[Source], max_bytes: u64) -> Vec<String> {
    let is_edited = |source: &&Source| {
        let now = boundary.resolve(source.path()).and_then(|path| boundary.read(&path, max_bytes));
        !now.is_ok_and(|bytes| bytes == source.bytes())
    };
    sources.par_iter().filter(is_edited).map(|source| source.path().to_owned()).collect()
}

/// What a verdict says of files that were edited.
///
/// # Errors
/// `degraded_result` where the verdict must be that of the tree it names.
pub(super) fn tell_of_edited(edited: &[String], must_be_of_tree: bool) -> Result<Option<String>> {
    let Some(first) = edited.first() else { return Ok(None) };
    let others = match edited.len() - 1 {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let what = format!("`{first}`{others} changed while the change was judged");
    if must_be_of_tree {
        return Err(Error::new(ErrorCode::DegradedResult, what).hint("ask again when nothing writes to the project"));
    }
    Ok(Some(format!("{what}: the verdict is on what it held before")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_edited_or_removed_is_told_and_ends_a_verdict_on_a_tree() {
        let folder = tempfile::tempdir().unwrap();
        let texts = [("edited.py", "a = 2\n"), ("same.py", "b = 1\n")];
        texts.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
        let read = [("edited.py", "a = 1\n"), ("gone.py", "c = 1\n"), ("same.py", "b = 1\n")];
        let sources = read.map(|(name, text)| Source::new(name, text.as_bytes()));
        let edited = files_edited_since(&Boundary::open(folder.path()).unwrap(), &sources, 1 << 20);
        assert_eq!(edited, ["edited.py", "gone.py"]);
        let told = "`edited.py` and 1 more changed while the change was judged: the verdict is on what it held before";
        assert_eq!(tell_of_edited(&edited, false).unwrap().as_deref(), Some(told));
        assert_eq!(tell_of_edited(&edited, true).unwrap_err().code(), ErrorCode::DegradedResult);
        assert_eq!(tell_of_edited(&[], true).unwrap(), None);
    }
}

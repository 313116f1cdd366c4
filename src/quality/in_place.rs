//! Files that a tool may read where they are, because they hold the bytes under judgement before and after it ran.
//!
//! A copy would do as well, were it not for what mypy makes of copies: it compares every path it meets with every file
//! that has one.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use tapps_base::source::Source;
use tapps_sandbox::survey::FileStamp;

/// One file as it was before the tool ran.
#[derive(Debug)]
struct FileBeforeRun<'s> {
    source: &'s Source,
    path: PathBuf,
    stamp: FileStamp,
    settled: bool,
}

/// The files that were as they were judged.
#[derive(Debug)]
pub(super) struct InPlace<'s> {
    seen: Vec<FileBeforeRun<'s>>,
}

impl<'s> InPlace<'s> {
    /// Those of `sources` whose files below `root` hold the same bytes, and the others.
    pub(super) fn split_sources(sources: &[&'s Source], root: &Path) -> (Self, Vec<&'s Source>) {
        let now = FileStamp::now();
        let looked: Vec<(&'s Source, Option<FileBeforeRun<'s>>)> =
            sources.par_iter().map(|&source| (source, FileBeforeRun::record_file(source, root, now))).collect();
        let (mut seen, mut others) = (Vec::new(), Vec::new());
        for (source, found) in looked {
            match found {
                Some(found) => seen.push(found),
                None => others.push(source),
            }
        }
        (Self { seen }, others)
    }

    /// True when nothing can have been written to the files since.
    pub(super) fn is_unchanged(&self) -> bool {
        self.seen.par_iter().all(FileBeforeRun::is_file_unchanged)
    }
}

impl<'s> FileBeforeRun<'s> {
    fn record_file(source: &'s Source, root: &Path, now: i128) -> Option<Self> {
        let path = root.join(source.path());
        // The stamp first: what is written after it is taken changes it.
        let stamp = stamp_of(&path)?;
        let settled = stamp.is_settled(now);
        (fs::read(&path).ok()? == source.bytes()).then_some(Self { source, path, stamp, settled })
    }

    fn is_file_unchanged(&self) -> bool {
        let same = stamp_of(&self.path).is_some_and(|stamp| stamp == self.stamp);
        same && (self.settled || fs::read(&self.path).is_ok_and(|bytes| bytes == self.source.bytes()))
    }
}

fn stamp_of(path: &Path) -> Option<FileStamp> {
    let meta = fs::metadata(path).ok()?;
    meta.is_file().then(|| FileStamp::from_metadata(&meta))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> (tempfile::TempDir, Source, Source) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.py"), "x = 1\n").unwrap();
        fs::write(folder.path().join("b.py"), "y = 1\n").unwrap();
        (folder, Source::new("a.py", &b"x = 1\n"[..]), Source::new("b.py", &b"y = 2\n"[..]))
    }

    #[test]
    fn only_files_with_the_judged_bytes_are_read_in_place() {
        let (folder, same, other) = project();
        let missing = Source::new("c.py", &b""[..]);
        let (in_place, others) = InPlace::split_sources(&[&same, &other, &missing], folder.path());
        let seen: Vec<&str> = in_place.seen.iter().map(|seen| seen.source.path()).collect();
        assert_eq!(seen, ["a.py"]);
        assert_eq!(others.iter().map(|source| source.path()).collect::<Vec<_>>(), ["b.py", "c.py"]);
        assert!(in_place.is_unchanged());
    }

    #[test]
    fn a_change_meanwhile_is_seen_even_when_it_is_taken_back() {
        let (folder, same, _) = project();
        let path = folder.path().join("a.py");
        for write in ["x = 2\n", "x = 22\n", "x = 1\n"] {
            fs::write(&path, "x = 1\n").unwrap();
            let (in_place, _) = InPlace::split_sources(&[&same], folder.path());
            // Clocks of file systems advance in steps of some milliseconds.
            std::thread::sleep(std::time::Duration::from_millis(20));
            fs::write(&path, write).unwrap();
            assert!(!in_place.is_unchanged(), "{write}");
        }
        let (in_place, _) = InPlace::split_sources(&[&same], folder.path());
        fs::remove_file(&path).unwrap();
        assert!(!in_place.is_unchanged());
    }
}

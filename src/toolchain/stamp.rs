//! A cheap look at whether files are still those that were verified.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::unix;

/// Inode, size, mode and times of every file and folder of some trees, and of single files.
///
/// Every way to change a file or put another in its place changes its change time, which no program can set back
/// without setting the machine's clock. It misses what changes bytes below the file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp(Vec<(PathBuf, [i64; 6])>);

impl Stamp {
    /// Looks at everything below `roots`; what cannot be read is left out and so differs from what could.
    pub(super) fn of<'a>(roots: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut seen = Vec::new();
        for root in roots {
            let Ok(meta) = fs::symlink_metadata(root) else { continue };
            seen.push((root.to_owned(), unix::stat_key(&meta)));
            if meta.is_dir() {
                walk(root, &mut seen);
            }
        }
        seen.sort_unstable();
        Self(seen)
    }
}

fn walk(folder: &Path, seen: &mut Vec<(PathBuf, [i64; 6])>) {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(std::result::Result::ok) {
        let Ok(meta) = entry.metadata() else { continue };
        let path = entry.path();
        if meta.is_dir() {
            folders.push(path.clone());
        }
        seen.push((path, unix::stat_key(&meta)));
    }
    let below: Vec<_> = folders
        .par_iter()
        .map(|folder| {
            let mut seen = Vec::new();
            walk(folder, &mut seen);
            seen
        })
        .collect();
    seen.extend(below.into_iter().flatten());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_shows() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/b");
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(&file, "one").unwrap();
        let look = || Stamp::of([folder.path()]);
        let before = look();
        assert_eq!(before, look());
        let replace = || {
            fs::write(folder.path().join("new"), "two").unwrap();
            fs::rename(folder.path().join("new"), &file).unwrap();
        };
        let link = || std::os::unix::fs::symlink("x", folder.path().join("link")).unwrap();
        let changes: [&dyn Fn(); 4] =
            [&|| fs::write(&file, "ONE").unwrap(), &replace, &|| unix::set_mode(&file, 0o600).unwrap(), &link];
        for change in changes {
            let before = look();
            // File systems keep times in steps of a few milliseconds.
            std::thread::sleep(std::time::Duration::from_millis(15));
            change();
            assert_ne!(before, look());
        }
    }
}

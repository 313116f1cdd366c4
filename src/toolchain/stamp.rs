//! A cheap look at whether files are still those that were verified.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::platform;

/// How long a full look holds good.
const FULL_LOOK_HOLDS: Duration = Duration::from_secs(1);

/// The state of some trees and files at one moment: inode, size, mode and times of everything in them.
///
/// Two looks share the work. The quick one, before every call, takes in every folder, every program in a `bin` folder and
/// every single file: it sees whatever is added, removed, renamed or put in another's place, and every change of a
/// program. The full one, at the first call a second or more after the last one, takes in every file and so sees a
/// module that was overwritten in place as well; it may run beside the tools, as long as nothing that they say is used
/// before it has ended. A change time can be set back only with the machine's clock; bytes that change below the file
/// system are for the next verification.
#[derive(Debug)]
pub(super) struct TreeStamp {
    roots: Vec<PathBuf>,
    /// Single files and folders that only the full look takes in, behind links; a folder without what is in it.
    watched: Vec<PathBuf>,
    watched_state: u64,
    /// What the quick look takes in.
    quick_paths: Vec<PathBuf>,
    quick: u64,
    full: u64,
    looked: Mutex<Instant>,
}

impl TreeStamp {
    /// Takes the state of everything below `roots`, which are folders or files.
    pub(super) fn of_roots<'a>(roots: impl IntoIterator<Item = &'a Path>) -> Self {
        let looked = Mutex::new(Instant::now());
        let roots: Vec<PathBuf> = roots.into_iter().map(Path::to_owned).collect();
        let seen = look_at(&roots);
        let quick = quick_look(&seen.quick_paths);
        let (watched, watched_state) = (Vec::new(), states_of(&[]));
        Self { quick, full: seen.full, quick_paths: seen.quick_paths, roots, watched, watched_state, looked }
    }

    /// Lets the full look take in these as well, in their present state.
    pub(super) fn watch_also(&mut self, watched: Vec<PathBuf>) {
        self.watched_state = states_of(&watched);
        self.watched = watched;
    }

    /// True when nothing has changed, as far as the quick look can see.
    pub(super) fn holds_at_a_glance(&self) -> bool {
        quick_look(&self.quick_paths) == self.quick
    }

    /// True when nothing has changed, as far as the full look can see, or when it is not due.
    pub(super) fn holds_in_full(&self) -> bool {
        !self.is_full_look_due()
            || look_at(&self.roots).full == self.full && states_of(&self.watched) == self.watched_state
    }

    /// True when nothing has changed, as far as the full look can see, due or not.
    pub(super) fn holds_now(&self) -> bool {
        look_at(&self.roots).full == self.full && states_of(&self.watched) == self.watched_state
    }

    fn is_full_look_due(&self) -> bool {
        let Ok(mut looked) = self.looked.lock() else { return true };
        let due = looked.elapsed() >= FULL_LOOK_HOLDS;
        if due {
            *looked = Instant::now();
        }
        due
    }
}

#[derive(Default)]
struct TreeScanSummary {
    /// Sum of the digests of all entries, so that the order of a folder's entries does not matter.
    full: u64,
    quick_paths: Vec<PathBuf>,
}

impl TreeScanSummary {
    fn add(&mut self, other: Self) {
        self.full = self.full.wrapping_add(other.full);
        self.quick_paths.extend(other.quick_paths);
    }
}

fn look_at(roots: &[PathBuf]) -> TreeScanSummary {
    let mut seen = TreeScanSummary::default();
    for root in roots {
        let Ok(meta) = fs::symlink_metadata(root) else { continue };
        let below = if meta.is_dir() { scan_tree_folder(root) } else { TreeScanSummary::default() };
        let quick_paths = vec![root.clone()];
        seen.add(TreeScanSummary { full: digest_of(root.as_os_str(), &meta), quick_paths });
        seen.add(below);
    }
    seen
}

fn scan_tree_folder(folder: &Path) -> TreeScanSummary {
    let programs = folder.file_name() == Some(OsStr::new("bin"));
    let mut seen = TreeScanSummary::default();
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(std::result::Result::ok) {
        let Ok(meta) = entry.metadata() else { continue };
        seen.full = seen.full.wrapping_add(digest_of(&entry.file_name(), &meta));
        if meta.is_dir() {
            folders.push(entry.path());
        } else if programs {
            seen.quick_paths.push(entry.path());
        }
    }
    let below: Vec<TreeScanSummary> = folders.par_iter().map(|folder| scan_tree_folder(folder)).collect();
    seen.quick_paths.extend(folders);
    below.into_iter().for_each(|below| seen.add(below));
    seen
}

/// The state of the paths in their order; one that has gone counts as well.
fn quick_look(paths: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        fs::symlink_metadata(path).ok().map(|meta| platform::stat_key(&meta)).hash(&mut hasher);
    }
    hasher.finish()
}

/// The state of what stands behind some paths, in their order.
fn states_of(paths: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        fs::metadata(path).ok().map(|meta| platform::full_stat_key(&meta)).hash(&mut hasher);
    }
    hasher.finish()
}

fn digest_of(name: &OsStr, meta: &Metadata) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    platform::stat_key(meta).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stamp of a small tree with the given file, whose next look is a full one.
    fn stamp(folder: &Path, file: &str) -> (TreeStamp, PathBuf) {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "one").unwrap();
        (TreeStamp::of_roots([folder]), file)
    }

    fn make_full_look_due(stamp: &TreeStamp) {
        *stamp.looked.lock().unwrap() = Instant::now().checked_sub(FULL_LOOK_HOLDS).unwrap();
    }

    /// File systems keep times in steps of a few milliseconds.
    fn next_instant() {
        std::thread::sleep(Duration::from_millis(15));
    }

    #[test]
    fn the_full_look_sees_every_change() {
        type Change = fn(&Path, &Path);
        let changes: [Change; 5] = [
            |_, file| fs::write(file, "ONE").unwrap(),
            |_, file| platform::set_mode(file, 0o600).unwrap(),
            |_, file| fs::remove_file(file).unwrap(),
            |root, _| fs::create_dir(root.join("new")).unwrap(),
            |root, _| std::os::unix::fs::symlink("x", root.join("link")).unwrap(),
        ];
        for change in changes {
            let folder = tempfile::tempdir().unwrap();
            let (stamp, file) = stamp(folder.path(), "lib/a/b.py");
            next_instant();
            make_full_look_due(&stamp);
            assert!(stamp.holds_in_full());
            change(folder.path(), &file);
            assert!(stamp.holds_in_full(), "not due yet");
            make_full_look_due(&stamp);
            assert!(!stamp.holds_in_full());
        }
    }

    #[test]
    fn the_full_look_sees_what_is_watched_besides() {
        let folder = tempfile::tempdir().unwrap();
        let (mut stamp, _) = stamp(folder.path(), "lib/a/b.py");
        let beside = tempfile::NamedTempFile::new().unwrap();
        stamp.watch_also(vec![beside.path().to_owned()]);
        make_full_look_due(&stamp);
        assert!(stamp.holds_in_full());
        fs::write(beside.path(), "more").unwrap();
        assert!(stamp.holds_at_a_glance());
        make_full_look_due(&stamp);
        assert!(!stamp.holds_in_full());
    }

    #[test]
    fn the_quick_look_sees_programs_and_whatever_changes_a_folder() {
        type Change = fn(&Path);
        let replace: Change = |file| {
            let new = file.with_extension("new");
            fs::write(&new, "two").unwrap();
            fs::rename(new, file).unwrap();
        };
        let overwrite: Change = |file| fs::write(file, "ONE").unwrap();
        let plant: Change = |file| fs::write(file.with_file_name("planted.pth"), "").unwrap();
        for (file, change, seen) in [
            ("bin/ruff", overwrite, true),
            ("bin/ruff", replace, true),
            ("lib/a/b.py", replace, true),
            ("lib/a/b.py", plant, true),
            ("lib/a/b.py", overwrite, false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let (stamp, file) = stamp(folder.path(), file);
            next_instant();
            change(&file);
            assert_eq!(stamp.holds_at_a_glance(), !seen, "{}", file.display());
            make_full_look_due(&stamp);
            assert!(!stamp.holds_in_full());
        }
    }
}

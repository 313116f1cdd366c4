//! Listing files with their stamps: what an index needs to know which files it has to read again.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::cmp::Ordering;
use std::path::Path;

use cap_std::fs::Dir;

use self::system::FolderEntry;
#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;
use super::boundary::Boundary;
use super::lexical;
use super::path::ProjectPath;
use tapps_base::call::Call;
use tapps_base::clock::{Clock as _, SystemClock};
use tapps_base::{Error, Result};

/// What the system says about a file without reading it; a file with the same stamp has, but for doubt, the same content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileStamp {
    /// In bytes.
    pub size: u64,
    /// Last change of the content, in nanoseconds since the Unix epoch; programs can set it.
    pub modified: i128,
    /// Last change of content or attributes, in nanoseconds since the Unix epoch; only the system sets it.
    pub changed: i128,
    pub inode: u64,
    pub device: u64,
}

/// Coarser than the clock of any file system in use, in nanoseconds.
const SETTLED_NS: i128 = 2_000_000_000;

impl FileStamp {
    /// The stamp of what a file's metadata say.
    #[must_use]
    pub fn from_metadata(meta: &std::fs::Metadata) -> Self {
        system::stamp_from_metadata(meta)
    }

    /// That of a regular file; none of anything else, and of a link.
    #[must_use]
    pub fn of_regular_file(path: &Path) -> Option<Self> {
        let meta = std::fs::symlink_metadata(path).ok()?;
        meta.is_file().then(|| Self::from_metadata(&meta))
    }

    /// What [`FileStamp::is_settled`] compares with; before everything where the time cannot be told.
    #[must_use]
    pub fn now() -> i128 {
        i128::try_from(SystemClock.now().as_nanos()).unwrap_or(i128::MIN)
    }

    /// False when the file changed so shortly before `now`, in nanoseconds since the Unix epoch, that it may change again
    /// without a new stamp.
    #[must_use]
    pub const fn is_settled(&self, now: i128) -> bool {
        self.changed + SETTLED_NS < now
    }

    /// Everything in it, in a fixed order, for digests.
    #[must_use]
    pub fn parts(&self) -> [i128; 5] {
        [i128::from(self.size), self.modified, self.changed, i128::from(self.inode), i128::from(self.device)]
    }
}

/// A file as it was found. It costs nothing until it is given a path of its own.
#[derive(Debug, Clone, Copy)]
pub struct SurveyedFile<'s> {
    path: &'s str,
    pub stamp: FileStamp,
}

impl SurveyedFile<'_> {
    /// The path relative to the root.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.path
    }

    /// The path to open it by.
    #[must_use]
    pub fn path(&self) -> ProjectPath {
        ProjectPath::root().child_entry(self.path)
    }
}

/// What kind of thing an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FolderEntryKind {
    File,
    Folder,
    Link,
    Special,
}

/// The order that makes the paths of a whole tree sorted: folders as if a slash ended them.
fn compare_in_tree_order(a: (&[u8], FolderEntryKind), b: (&[u8], FolderEntryKind)) -> Ordering {
    let common = a.0.len().min(b.0.len());
    let next = |(name, kind): (&[u8], FolderEntryKind)| {
        name.get(common).copied().or((kind == FolderEntryKind::Folder).then_some(b'/'))
    };
    a.0[..common].cmp(&b.0[..common]).then_with(|| next(a).cmp(&next(b)))
}

/// Something that was asked for and cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unlisted {
    /// Relative to the root, with forward slashes; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Why, as a lower-case fragment.
    pub reason: String,
}

/// What a survey looks at; both get the path relative to the root.
pub trait SurveyFilter {
    /// Whether a folder is entered.
    fn wants_folder(&self, path: &str) -> bool;
    /// Whether a file is listed.
    fn wants_file(&self, path: &str) -> bool;
}

impl Boundary {
    /// Calls `found` for every regular file that is wanted, in the order of paths. What is wanted and cannot be listed is
    /// returned, sorted by path: links above all, which are never followed.
    ///
    /// # Errors
    /// `cancelled` or `timeout`; `path_denied` when the root itself cannot be listed.
    pub fn survey(
        &self,
        wanted: &dyn SurveyFilter,
        found: &mut dyn FnMut(SurveyedFile<'_>),
        call: &Call,
    ) -> Result<Vec<Unlisted>> {
        let mut surveyor = Surveyor { wanted, found, call, path: String::new(), unlisted: Vec::new() };
        surveyor.survey_folder(&self.dir).map_err(|fault| match fault {
            SurveyFault::Over(error) => error,
            SurveyFault::Unreadable(error) => self.path_error(&self.root_as_project_path(), &error),
        })?;
        surveyor.unlisted.sort();
        Ok(surveyor.unlisted)
    }
}

enum SurveyFault {
    /// The call is over.
    Over(Error),
    Unreadable(std::io::Error),
}

struct Surveyor<'w> {
    wanted: &'w dyn SurveyFilter,
    found: &'w mut dyn FnMut(SurveyedFile<'_>),
    call: &'w Call,
    /// The path of the folder that is being listed, with a slash at its end; empty for the root.
    path: String,
    unlisted: Vec<Unlisted>,
}

impl Surveyor<'_> {
    fn survey_folder(&mut self, folder: &Dir) -> Result<(), SurveyFault> {
        self.call.check().map_err(SurveyFault::Over)?;
        let length = self.path.len();
        for entry in system::list_folder_entries(folder).map_err(SurveyFault::Unreadable)? {
            let Some(name) = entry.name() else {
                self.report_non_utf8_name(&entry);
                continue;
            };
            self.path.push_str(name);
            let result = if entry.kind == FolderEntryKind::Folder {
                self.enter_folder(folder, name)
            } else {
                self.survey_file(folder, name, &entry);
                Ok(())
            };
            self.path.truncate(length);
            result?;
        }
        Ok(())
    }

    /// Lists the file at the path, if it is wanted.
    fn survey_file(&mut self, folder: &Dir, name: &str, entry: &FolderEntry) {
        if !self.wanted.wants_file(&self.path) {
            return;
        }
        match entry.kind {
            FolderEntryKind::File => {}
            FolderEntryKind::Link => return self.leave_out("it is a link"),
            FolderEntryKind::Folder | FolderEntryKind::Special => return self.leave_out("it is not a regular file"),
        }
        if let Err(error) = self.check(name) {
            return self.leave_out(error.message());
        }
        match entry.stamp(folder) {
            Ok(stamp) => (self.found)(SurveyedFile { path: &self.path, stamp }),
            // Gone since the folder was listed.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => self.leave_out(&error.to_string()),
        }
    }

    /// Lists a folder below. It was no link when it was listed; made one since, it still cannot lead out of its parent.
    fn enter_folder(&mut self, parent: &Dir, name: &str) -> Result<(), SurveyFault> {
        if !self.wanted.wants_folder(&self.path) {
            return Ok(());
        }
        if let Err(error) = self.check(name) {
            self.leave_out(error.message());
            return Ok(());
        }
        let length = self.path.len();
        self.path.push('/');
        let entered = parent.open_dir(name).map_err(SurveyFault::Unreadable);
        let listed = entered.and_then(|folder| self.survey_folder(&folder));
        self.path.truncate(length);
        match listed {
            Err(SurveyFault::Unreadable(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(SurveyFault::Unreadable(error)) => {
                self.leave_out(&error.to_string());
                Ok(())
            }
            other => other,
        }
    }

    /// Checks the path that ends in `name`; what stands before the name has been checked.
    fn check(&self, name: &str) -> Result<()> {
        if lexical::is_plain(name) && lexical::is_short(&self.path) {
            Ok(())
        } else {
            lexical::check_path_text(&self.path)
        }
    }

    fn report_non_utf8_name(&mut self, entry: &FolderEntry) {
        let path = format!("{}{}", self.path, entry.to_display_name());
        if self.wanted.wants_file(&path) {
            self.unlisted.push(Unlisted { path, reason: "its name is not UTF-8".to_owned() });
        }
    }

    fn leave_out(&mut self, reason: &str) {
        self.unlisted.push(Unlisted { path: self.path.clone(), reason: reason.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;
    use std::time::Duration;

    use super::*;

    struct Notes;

    impl SurveyFilter for Notes {
        fn wants_folder(&self, path: &str) -> bool {
            !path.ends_with("hidden")
        }

        fn wants_file(&self, path: &str) -> bool {
            path.ends_with(".md")
        }
    }

    fn survey(boundary: &Boundary) -> (Vec<(String, FileStamp)>, Vec<Unlisted>) {
        let mut found = Vec::new();
        let mut keep = |file: SurveyedFile<'_>| found.push((file.as_str().to_owned(), file.stamp));
        let unlisted = boundary.survey(&Notes, &mut keep, &Call::quiet(Duration::from_secs(60))).unwrap();
        (found, unlisted)
    }

    #[test]
    fn files_come_sorted_with_stamps_and_links_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        for folder in ["a", "a/hidden", "b", "a b", "a%2e"] {
            std::fs::create_dir(at(folder)).unwrap();
        }
        let files = ["a/x.md", "a-b.md", "a/hidden/y.md", "b/z.txt", "a b/1.md", "a.md", "ä.md", "a%2e/n.md"];
        files.iter().for_each(|file| std::fs::write(at(file), "four").unwrap());
        std::fs::write(dir.path().join(std::ffi::OsStr::from_bytes(b"\xff.md")), "").unwrap();
        std::os::unix::fs::symlink(at("a/x.md"), at("b/link.md")).unwrap();
        std::os::unix::fs::symlink(at("a"), at("b/folder")).unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        let (found, unlisted) = survey(&boundary);
        let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["a b/1.md", "a-b.md", "a.md", "a/x.md", "ä.md"]);
        assert!(paths.is_sorted());
        assert!(found.iter().all(|(_, stamp)| stamp.size == 4 && stamp.inode > 0 && stamp.modified > 0));
        let reasons: Vec<(&str, &str)> =
            unlisted.iter().map(|file| (file.path.as_str(), file.reason.as_str())).collect();
        assert_eq!(
            reasons,
            [
                ("a%2e", "the path `a%2e` holds percent-encoded characters"),
                ("b/link.md", "it is a link"),
                ("\u{fffd}.md", "its name is not UTF-8"),
            ]
        );
        std::fs::write(at("a.md"), "five!").unwrap();
        let (again, _) = survey(&boundary);
        let changed: Vec<bool> = found.iter().zip(&again).map(|(before, after)| before != after).collect();
        assert_eq!(changed, [false, false, true, false, false]);
    }

    #[test]
    fn a_call_that_is_over_ends_the_survey() {
        let dir = tempfile::tempdir().unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        let call = Call::quiet(Duration::from_secs(60));
        call.cancel.cancel();
        let error = boundary.survey(&Notes, &mut |_| {}, &call).unwrap_err();
        assert_eq!(error.code(), tapps_base::ErrorCode::Cancelled);
    }
}

//! All files of a project that a type checker may read, as one digest.
//!
//! What mypy says about a file depends on what it imports. That is taken to be anything: every Python file and every
//! folder of the project is in the digest, ignored ones too, so that nothing it could have read can change unseen. The same
//! holds for TypeScript's compiler, its files and the declarations of packages.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::answers::AnswerCache;
use super::script_files::{self, Packages};
use super::stamped_digests::{KeptAt, SeenFile, Sha256, StampedDigests};
use tapps_base::digest;
use tapps_base::source::Source;
use tapps_sandbox::survey::FileStamp;
use tapps_sandbox::{Boundary, VENV_MARKER, is_passed_over};
use tapps_store::{EntryKey, KeyBuilder};

/// Largest file that is read, in bytes; with a larger one in the project nothing is kept.
pub(super) const MOST_BYTES: u64 = 64 << 20;
/// Folders deeper than this are not looked into, and nothing is kept.
pub(super) const MOST_DEPTH: usize = 64;

/// Whose files are meant.
#[derive(Debug)]
enum ModuleLanguage {
    Python,
    Script(Packages),
}

/// The files of one language in one project that imports may lead to; remembers what it has read.
#[derive(Debug)]
pub(crate) struct ModuleFiles {
    boundary: Arc<Boundary>,
    language: ModuleLanguage,
    read: StampedDigests,
}

/// What mypy takes a file for the same by, and what tells whether it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KnownBy {
    /// Of its last change, since the Unix epoch.
    second: i64,
    /// In bytes.
    size: u64,
    sha256: String,
}

impl KnownBy {
    /// By what mypy knows a file that is asked about; none of one that is not there.
    pub(crate) fn of_source(root: &Path, source: &Source) -> Option<Self> {
        let stamp = FileStamp::from_metadata(&std::fs::metadata(root.join(source.path())).ok()?);
        Self::of_stamp(stamp, source.sha256())
    }

    fn of_stamp(stamp: FileStamp, sha256: String) -> Option<Self> {
        let second = i64::try_from(stamp.modified.div_euclid(1_000_000_000)).ok()?;
        Some(Self { second, size: stamp.size, sha256 })
    }

    /// True when mypy would take one for the other and must not.
    pub(crate) fn is_mistaken_for(&self, other: &Self) -> bool {
        self.looks_like(other) && self.sha256 != other.sha256
    }

    pub(crate) fn looks_like(&self, other: &Self) -> bool {
        (self.second, self.size) == (other.second, other.size)
    }
}

/// The files at one instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModuleFilesSnapshot {
    /// Moves when any file is changed, added, removed or renamed.
    pub(crate) digest: String,
    files: HashMap<String, Sha256>,
}

#[cfg(test)]
impl ModuleFilesSnapshot {
    pub(super) fn of_digest(digest: &str) -> Self {
        Self { digest: digest.to_owned(), files: HashMap::new() }
    }
}

/// One thing that an import could find, by its path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ImportableEntry {
    pub(crate) path: String,
    pub(crate) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    Folder,
    File(FileStamp),
    /// Where a link leads, relative to the root; empty when it leads nowhere.
    Link(String),
}

impl ModuleFiles {
    /// The Python files of a project.
    pub(crate) fn of_python(boundary: Arc<Boundary>) -> Self {
        Self { boundary, language: ModuleLanguage::Python, read: StampedDigests::default() }
    }

    /// The scripts of a project, with the declarations of the packages that are installed.
    pub(crate) fn of_scripts(boundary: Arc<Boundary>, packages: Packages) -> Self {
        Self { boundary, language: ModuleLanguage::Script(packages), read: StampedDigests::default() }
    }

    /// Everything that an import could find, sorted by path; none when something is out of sight.
    pub(crate) fn list_entries(&self) -> Option<Vec<ImportableEntry>> {
        let mut entries = Vec::new();
        match &self.language {
            ModuleLanguage::Python => list_importable_entries(self.boundary.root(), "", 0, &mut entries)?,
            ModuleLanguage::Script(packages) => {
                script_files::list_script_entries(&self.boundary, packages, "", 0, &mut entries)?;
            }
        }
        entries.sort_unstable();
        Some(entries)
    }

    /// The bytes of a file that was listed.
    pub(crate) fn read_listed(&self, path: &str) -> Option<Vec<u8>> {
        let boundary = match &self.language {
            ModuleLanguage::Script(Packages::Of(libraries)) if script_files::is_of_package(path) => libraries,
            ModuleLanguage::Script(_) | ModuleLanguage::Python => &self.boundary,
        };
        boundary.read(&boundary.resolve(path).ok()?, MOST_BYTES).ok()
    }

    /// The files as they are now; none when the checker could read something that cannot be seen from here.
    pub(crate) fn take_snapshot(&self, cache: &AnswerCache) -> Option<ModuleFilesSnapshot> {
        let (entries, files) = self.read_all(cache)?;
        // Of a Python package at the root the name counts, which is not in the digest.
        if entries.iter().any(|entry| matches!(entry.path.as_str(), "__init__.py" | "__init__.pyi")) {
            return None;
        }
        Some(ModuleFilesSnapshot { digest: digest_of(&entries, &files), files })
    }

    /// Each file with what mypy knows it by, and with its digest; none when something cannot be seen from here.
    pub(crate) fn read_known_by(&self, cache: &AnswerCache) -> Option<BTreeMap<String, KnownBy>> {
        let (entries, files) = self.read_all(cache)?;
        let known = entries.into_iter().filter_map(|entry| match entry.what {
            What::File(stamp) => {
                let known = KnownBy::of_stamp(stamp, digest::hex(files.get(&entry.path)?))?;
                Some((entry.path, known))
            }
            What::Folder | What::Link(_) => None,
        });
        Some(known.collect())
    }

    fn read_all(&self, cache: &AnswerCache) -> Option<(Vec<ImportableEntry>, HashMap<String, Sha256>)> {
        let began = FileStamp::now();
        let entries = self.list_entries()?;
        let seen: Vec<SeenFile<'_>> = entries.iter().filter_map(ImportableEntry::seen).collect();
        let kept_at = KeptAt { cache, kind: "listing", key: Some(listing_key(self.boundary.root(), &entries)) };
        let digests = self.read.digests_of(&seen, &kept_at, began, |path| self.read_listed(path).ok_or(OutOfSight));
        let files = seen.iter().zip(digests).map(|(file, digest)| Some((file.path.to_owned(), digest.ok()?.sha256)));
        let files = files.collect::<Option<_>>()?;
        Some((entries, files))
    }
}

/// A listed file cannot be read.
struct OutOfSight;

impl ModuleFilesSnapshot {
    /// The paths of the files, in no order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = String> {
        self.files.keys().cloned()
    }

    /// A digest of what is installed beside the project: it moves when a declaration of a package does.
    pub(crate) fn packages_digest(&self) -> String {
        let mut installed: Vec<(&String, &Sha256)> =
            self.files.iter().filter(|(path, _)| script_files::is_of_package(path)).collect();
        installed.sort_unstable();
        let add = |key: KeyBuilder, (path, sha256): (&String, &Sha256)| key.with_part(path).with_part(sha256);
        installed.into_iter().fold(KeyBuilder::new("packages"), add).finish_key().to_hex()
    }

    /// True when the bytes that are judged are those that other files see.
    pub(crate) fn has_same_bytes(&self, source: &Source) -> bool {
        self.files.get(source.path()).is_some_and(|sha256| digest::hex(sha256) == source.sha256())
    }
}

impl ImportableEntry {
    fn seen(&self) -> Option<SeenFile<'_>> {
        match self.what {
            What::File(stamp) => Some(SeenFile { path: &self.path, stamp: Some(stamp) }),
            What::Folder | What::Link(_) => None,
        }
    }
}

/// Lists what is below a folder; none when something there is out of sight.
fn list_importable_entries(root: &Path, folder: &str, depth: usize, entries: &mut Vec<ImportableEntry>) -> Option<()> {
    if depth > MOST_DEPTH {
        return None;
    }
    // A folder that has gone since it was listed, or may not be read, holds nothing that mypy could read either.
    let Ok(listed) = std::fs::read_dir(root.join(folder)) else { return Some(()) };
    let mut inside = Vec::new();
    for entry in listed {
        let entry = entry.ok()?;
        // No import leads to a name that is not text.
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let is_python = name.ends_with(".py") || name.ends_with(".pyi");
        if kind.is_dir() && !is_passed_over(&name) && !is_environment(&entry.path()) {
            inside.push(path);
        } else if kind.is_file() && is_python {
            let stamp = FileStamp::from_metadata(&entry.metadata().ok()?);
            entries.push(ImportableEntry { path, what: What::File(stamp) });
        } else if kind.is_symlink() && (is_python || entry.path().is_dir()) {
            entries.push(ImportableEntry { what: What::Link(resolve_link_target(root, &entry.path())?), path });
        }
    }
    for path in inside {
        let before = entries.len();
        list_importable_entries(root, &path, depth + 1, entries)?;
        // A folder without any Python file is found by an import as well, as a namespace.
        if entries.len() == before {
            entries.push(ImportableEntry { path, what: What::Folder });
        }
    }
    Some(())
}

/// A virtual environment's own modules lie too deep in it for an import.
fn is_environment(folder: &Path) -> bool {
    folder.join(VENV_MARKER).exists()
}

/// Where a link leads; none when that is not among the files that are looked at.
fn resolve_link_target(root: &Path, link: &Path) -> Option<String> {
    let Ok(target) = link.canonicalize() else { return Some(String::new()) };
    let inside = target.strip_prefix(root).ok()?.to_str()?.to_owned();
    let in_environment = target.ancestors().take_while(|above| *above != root).any(is_environment);
    (!in_environment && !inside.split('/').any(is_passed_over)).then_some(inside)
}

fn listing_key(root: &Path, entries: &[ImportableEntry]) -> EntryKey {
    let start = KeyBuilder::new("listing").with_part(root.as_os_str().as_encoded_bytes());
    let add = |key: KeyBuilder, entry: &ImportableEntry| {
        let key = key.with_part(&entry.path);
        match &entry.what {
            What::Folder => key.with_part("folder"),
            What::Link(to) => key.with_part("link").with_part(to),
            What::File(stamp) => stamp.parts().iter().fold(key, |key, part| key.with_part(part.to_le_bytes())),
        }
    };
    entries.iter().fold(start, add).finish_key()
}

fn digest_of(entries: &[ImportableEntry], files: &HashMap<String, Sha256>) -> String {
    let add = |key: KeyBuilder, entry: &ImportableEntry| {
        let key = key.with_part(&entry.path);
        match &entry.what {
            What::Folder => key.with_part("folder"),
            What::Link(to) => key.with_part("link").with_part(to),
            What::File(_) => key.with_part(files.get(&entry.path).copied().unwrap_or_default()),
        }
    };
    entries.iter().fold(KeyBuilder::new("module files"), add).finish_key().to_hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Project(tempfile::TempDir);

    impl Project {
        fn new(files: &[&str]) -> Self {
            let project = Self(tempfile::tempdir().unwrap());
            files.iter().for_each(|file| project.write(file, "x = 1\n"));
            project
        }

        fn write(&self, file: &str, text: &str) {
            let path = self.0.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn files(&self) -> ModuleFiles {
            ModuleFiles::of_python(Arc::new(Boundary::open(self.0.path()).unwrap()))
        }

        fn read(&self) -> Option<ModuleFilesSnapshot> {
            self.files().take_snapshot(&AnswerCache::disabled())
        }

        fn digest(&self) -> String {
            self.read().unwrap().digest
        }
    }

    #[test]
    fn only_what_an_import_can_find_moves_the_digest() {
        let project = Project::new(&["a.py", "pkg/b.py", "pkg/c.pyi", ".gitignore", "ignored.py"]);
        project.write(".gitignore", "ignored.py\n");
        let mut last = project.digest();
        let mut moved = |what: &str, wanted: bool| {
            let now = project.digest();
            assert_eq!(now != last, wanted, "{what}");
            last = now;
        };
        moved("nothing", false);
        project.write("README.md", "text");
        project.write("node_modules/x/setup.py", "y = 1\n");
        project.write("__pycache__/a.py", "y = 1\n");
        moved("what no import finds", false);
        project.write("pkg/c.pyi", "x: int\n");
        moved("a stub", true);
        project.write("ignored.py", "x = 2\n");
        moved("an ignored file", true);
        std::fs::rename(project.0.path().join("a.py"), project.0.path().join("d.py")).unwrap();
        moved("a name", true);
        std::fs::create_dir(project.0.path().join("pkg/space")).unwrap();
        moved("a namespace", true);
        std::os::unix::fs::symlink("d.py", project.0.path().join("e.py")).unwrap();
        moved("a link", true);
    }

    #[test]
    fn what_is_out_of_sight_is_never_taken_for_known() {
        let outside = tempfile::tempdir().unwrap();
        let package = Project::new(&["__init__.py", "a.py"]);
        assert_eq!(package.read(), None, "the name of the root counts");
        let linked = Project::new(&["a.py"]);
        std::os::unix::fs::symlink(outside.path(), linked.0.path().join("lib")).unwrap();
        assert_eq!(linked.read(), None, "a link leads out of the root");
        let passed_over = Project::new(&["node_modules/m/a.py"]);
        std::os::unix::fs::symlink("node_modules/m", passed_over.0.path().join("m")).unwrap();
        assert_eq!(passed_over.read(), None, "modules are looked for where nobody looks");
    }

    #[test]
    fn the_digest_is_of_bytes_and_not_of_times() {
        let (one, two) = (Project::new(&["a.py", "p/b.py"]), Project::new(&["p/b.py", "a.py"]));
        assert_eq!(one.digest(), two.digest());
    }

    #[test]
    fn what_was_read_before_is_read_again_when_it_changed() {
        let store = tempfile::tempdir().unwrap();
        let cache = AnswerCache::with_store(Arc::new(tapps_store::EntryStore::new(store.path(), 1 << 20)));
        let project = Project::new(&["a.py", "b.py"]);
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(100);
        let set = |file: &str| {
            std::fs::File::options()
                .write(true)
                .open(project.0.path().join(file))
                .and_then(|file| file.set_modified(old))
                .unwrap();
        };
        let files = project.files();
        set("a.py");
        let first = files.take_snapshot(&cache).unwrap();
        assert_eq!(files.take_snapshot(&cache).unwrap(), first);
        // The same size and the same modification time: only the change time tells.
        project.write("a.py", "x = 2\n");
        set("a.py");
        let second = files.take_snapshot(&cache).unwrap();
        assert_ne!(second.digest, first.digest);
        assert!(second.has_same_bytes(&Source::new("a.py", &b"x = 2\n"[..])));
        assert!(!second.has_same_bytes(&Source::new("a.py", &b"x = 1\n"[..])));
        assert!(!second.has_same_bytes(&Source::new("c.py", &b"x = 1\n"[..])));
        assert_eq!(project.files().take_snapshot(&cache).unwrap(), second, "another program");
    }
}

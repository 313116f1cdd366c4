//! The linked code of a project, kept in memory while nothing that it was made from changes.
//!
//! Before each answer the files are listed with their stamps, as the file system has them now; only when none of them, and
//! none of the configuration beside them, has another stamp than at the scan does the code in memory count.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::Duration;

use super::duplicates::listing::StatementMemory;
use super::engine::{self, ScanOptions};
use super::graph::{Graph, Links};
use super::model::{CodebaseIndex, Language};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_sandbox::survey::FileStamp;
use tapps_sandbox::{Boundary, WalkOptions};

/// Most folders whose code is kept: the project, and the folder of it that was asked about last.
const MAX_FOLDERS: usize = 2;

/// How often a question that waits for another scan looks whether it is over, or its own time is.
const TURN: Duration = Duration::from_millis(5);

/// An index, and its edges sorted for questions once they are needed.
#[derive(Debug)]
pub struct LinkedCode {
    pub index: CodebaseIndex,
    links: OnceLock<Arc<Links>>,
}

impl LinkedCode {
    /// An index with its links, if they have been made.
    #[must_use]
    pub fn new(index: CodebaseIndex, links: Option<Links>) -> Self {
        let made = OnceLock::new();
        if let Some(links) = links {
            made.get_or_init(|| Arc::new(links));
        }
        Self { index, links: made }
    }

    /// The graph over the index.
    #[must_use]
    pub fn graph(&self) -> Graph<'_> {
        let links = self.links.get_or_init(|| Arc::new(Links::from_index_edges(&self.index)));
        Graph::with_links(&self.index, Arc::clone(links))
    }
}

/// The code of a project as it was at the last questions; everybody who asks about the project shares it.
#[derive(Debug, Default)]
pub struct CodeMemory {
    /// The one that was asked for last stands first.
    kept: Mutex<Vec<Arc<Kept>>>,
    /// The statements of the files, which only questions about clones need.
    statements: StatementMemory,
    /// Held by whoever scans, so that those who ask at the same time do not scan the same files.
    scanning: Mutex<()>,
}

#[derive(Debug)]
struct Kept {
    root: PathBuf,
    code: Arc<LinkedCode>,
    sources: Vec<(String, FileStamp)>,
    /// Configuration that a listing does not show, and what is not there but would count.
    around: Vec<(String, PathStamp)>,
}

/// What a path is, and what it leads to when it is a link; nothing where nothing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PathStamp {
    itself: Option<FileStamp>,
    target: Option<FileStamp>,
}

impl PathStamp {
    /// A look at what the folder says of a file opens nothing, so it may go by path.
    fn of(boundary: &Boundary, path: &str) -> Self {
        let path = boundary.root().join(path);
        let itself = path.symlink_metadata().ok();
        let target = itself.as_ref().filter(|meta| meta.is_symlink()).and_then(|_| path.metadata().ok());
        Self {
            itself: itself.as_ref().map(FileStamp::from_metadata),
            target: target.as_ref().map(FileStamp::from_metadata),
        }
    }

    fn is_settled(&self, now: i128) -> bool {
        self.itself.iter().chain(&self.target).all(|stamp| stamp.is_settled(now))
    }
}

impl Kept {
    fn is_current(&self, boundary: &Boundary, sources: &[(String, FileStamp)]) -> bool {
        self.sources == sources && self.around.iter().all(|(path, stamp)| PathStamp::of(boundary, path) == *stamp)
    }

    /// True when the listing shows what was scanned, and every stamp was old enough at this time to tell any later change.
    fn is_reliable(&self, now: i128) -> bool {
        let listed = self.sources.iter().map(|(path, _)| path.as_str());
        let listed = listed.filter(|path| Language::of_path(path).is_some());
        listed.eq(self.code.index.files.iter().map(|file| file.path.as_str()))
            && self.sources.iter().all(|(_, stamp)| stamp.is_settled(now))
            && self.around.iter().all(|(_, stamp)| stamp.is_settled(now))
    }
}

impl CodeMemory {
    /// What is known of the statements of the project.
    #[must_use]
    pub const fn statements(&self) -> &StatementMemory {
        &self.statements
    }

    /// The code of all files within a boundary, for the bytes on disk now. `work` is done beside a scan, if there has to be
    /// one.
    ///
    /// # Errors
    /// As [`engine::scan`].
    pub fn at<T: Send>(
        &self,
        boundary: &Boundary,
        call: &Call,
        work: impl FnOnce(&CodebaseIndex) -> T + Send,
    ) -> Result<(Arc<LinkedCode>, Option<T>)> {
        let first = self.kept_of(boundary.root());
        if let Some(kept) = &first
            && kept.is_current(boundary, &sources(boundary)?)
        {
            return Ok((Arc::clone(&kept.code), None));
        }
        let _turn = self.turn(call)?;
        // Somebody else may have scanned meanwhile.
        if let Some(kept) = self.kept_of(boundary.root())
            && first.is_none_or(|first| !Arc::ptr_eq(&first, &kept))
            && kept.is_current(boundary, &sources(boundary)?)
        {
            return Ok((Arc::clone(&kept.code), None));
        }
        // The list is made while the files are read: what changes after this instant is not settled.
        let now = FileStamp::now();
        let scan = || {
            let made = |index: &CodebaseIndex| rayon::join(|| work(index), || Links::from_index_edges(index));
            engine::scan_and(boundary, &ScanOptions::default(), call, made)
        };
        let (sources, scanned) = rayon::join(|| sources(boundary), scan);
        let (index, (made, links)) = scanned?;
        let around = engine::surrounding_config_paths(boundary, &index.files).into_iter();
        let around = around.map(|path| (PathStamp::of(boundary, &path), path)).map(|(stamp, path)| (path, stamp));
        let code = Arc::new(LinkedCode::new(index, Some(links)));
        let root = boundary.root().to_owned();
        let kept = Kept { root, code: Arc::clone(&code), sources: sources?, around: around.collect() };
        self.keep(boundary.root(), kept.is_reliable(now).then(|| Arc::new(kept)));
        Ok((code, Some(made)))
    }

    fn kept_of(&self, root: &Path) -> Option<Arc<Kept>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let position = kept.iter().position(|kept| kept.root == root)?;
        let found = kept.remove(position);
        kept.insert(0, Arc::clone(&found));
        Some(found)
    }

    /// Puts the code of a folder in place of what was kept of it.
    fn keep(&self, root: &Path, new: Option<Arc<Kept>>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.root != root);
        if let Some(new) = new {
            kept.insert(0, new);
            kept.truncate(MAX_FOLDERS);
        }
    }

    /// Waits until nobody scans, for as long as the call may take.
    fn turn(&self, call: &Call) -> Result<MutexGuard<'_, ()>> {
        loop {
            match self.scanning.try_lock() {
                Ok(turn) => return Ok(turn),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => call.check()?,
            }
            std::thread::sleep(TURN);
        }
    }
}

/// The files that a scan of everything depends on, with their stamps; one gone since is left out.
fn sources(boundary: &Boundary) -> Result<Vec<(String, FileStamp)>> {
    let paths = boundary.walk(
        &boundary.root_as_project_path(),
        &WalkOptions { exclude: engine::left_out(), ..WalkOptions::default() },
    )?;
    let stamped = |path: &str| Some((path.to_owned(), PathStamp::of(boundary, path).itself?));
    Ok(paths.iter().map(|path| path.as_str()).filter(|path| engine::is_scan_input(path)).filter_map(stamped).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codebase::Codebase;

    struct Project {
        folder: tempfile::TempDir,
        boundary: Arc<Boundary>,
        memory: CodeMemory,
    }

    impl Project {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let boundary = Arc::new(Boundary::open(folder.path()).unwrap());
            let project = Self { folder, boundary, memory: CodeMemory::default() };
            project.write("a.ts", "export function a() {}\n");
            project.write(".gitignore", "generated.json\nelsewhere.json\n");
            project.write("tsconfig.json", "{ \"extends\": \"./generated.json\" }\n");
            project.write("b.ts", "import { a } from '@/a';\na();\n");
            project.write("m.py", "def f():\n    return 1\n");
            project.write("n.py", "from m import f\nf()\n");
            project
        }

        fn write(&self, path: &str, text: &str) {
            std::fs::write(self.folder.path().join(path), text).unwrap();
        }

        fn code(&self) -> Arc<LinkedCode> {
            self.memory.at(&self.boundary, &call(), |_| ()).unwrap().0
        }

        fn fresh(&self) -> CodebaseIndex {
            engine::scan(&self.boundary, &ScanOptions { fresh: true, ..ScanOptions::default() }, &call()).unwrap()
        }
    }

    fn call() -> Call {
        Call::quiet(Duration::from_secs(60))
    }

    #[test]
    fn what_nobody_touched_is_not_read_again_and_every_change_is_seen() {
        type Change = fn(&Project);
        let within = |project: &Project, path: &str| project.folder.path().join(path);
        let changes: [(&str, Change); 9] = [
            ("an edit of the same length", |project| project.write("m.py", "def g():\n    return 1\n")),
            ("an edit", |project| project.write("b.ts", "export const b = 1;\n")),
            ("a deletion", |project| std::fs::remove_file(project.folder.path().join("m.py")).unwrap()),
            ("an addition", |project| project.write("c.py", "from m import f\nf()\n")),
            ("a renaming", |project| {
                let at = |path: &str| project.folder.path().join(path);
                std::fs::rename(at("m.py"), at("k.py")).unwrap();
            }),
            ("configuration", |project| project.write("tsconfig.json", PATHS)),
            // Ignored and not there before, yet it decides what is imported.
            ("ignored configuration", |project| project.write("generated.json", PATHS)),
            ("what is ignored", |project| project.write(".gitignore", "n.py\n")),
            ("a file in the place of another", |project| {
                let at = |path: &str| project.folder.path().join(path);
                std::fs::write(at("other"), "def h():\n    return 1\n").unwrap();
                std::fs::rename(at("other"), at("m.py")).unwrap();
            }),
        ];
        let projects: Vec<Project> = changes.iter().map(|_| Project::new()).collect();
        // The change time cannot be set back: only a tree that has been left alone for a while is settled.
        std::thread::sleep(Duration::from_millis(2_100));
        for (project, (name, change)) in projects.iter().zip(changes) {
            let first = project.code();
            assert!(Arc::ptr_eq(&first, &project.code()), "{name}: kept while nothing changes");
            change(project);
            let second = project.code();
            assert_eq!(second.index, project.fresh(), "{name}");
            assert_ne!(first.index, second.index, "{name}");
        }
        assert!(within(&projects[0], ".coderef/index.bin").is_file(), "the next process finds it");
    }

    const PATHS: &str = "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./*\"] } } }\n";

    #[test]
    fn configuration_behind_a_link_counts() {
        let project = Project::new();
        project.write("elsewhere.json", "{}\n");
        std::os::unix::fs::symlink("elsewhere.json", project.folder.path().join("generated.json")).unwrap();
        std::thread::sleep(Duration::from_millis(2_100));
        let first = project.code();
        assert!(Arc::ptr_eq(&first, &project.code()));
        project.write("elsewhere.json", PATHS);
        let second = project.code();
        assert_eq!(second.index, project.fresh());
        assert_ne!(first.index.edges, second.index.edges);
    }

    #[test]
    fn a_folder_is_kept_beside_the_project_and_both_hand_their_graph_to_questions() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["one", "two", "three"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join("a.py"), "def a():\n    return 1\n").unwrap();
        }
        std::thread::sleep(Duration::from_millis(2_100));
        let boundary = Arc::new(Boundary::open(folder.path()).unwrap());
        let memory = Arc::new(CodeMemory::default());
        let at = |name: &str| {
            let root = folder.path().join(name).canonicalize().unwrap();
            Codebase::open_folder(&boundary, root.to_str().unwrap())
                .unwrap()
                .remembering(&memory)
                .code(&call())
                .unwrap()
        };
        let (whole, one) = (at(""), at("one"));
        assert_eq!((whole.index.files.len(), one.index.files.len()), (3, 1));
        assert_eq!(whole.graph().index().elements.len(), 3);
        assert!(Arc::ptr_eq(&whole, &at("")) && Arc::ptr_eq(&one, &at("one")) && Arc::ptr_eq(&whole, &at("")));
        at("two");
        assert!(Arc::ptr_eq(&whole, &at("")), "the one that was asked for last stays");
        assert!(!Arc::ptr_eq(&one, &at("one")), "the other has made room");
    }
}

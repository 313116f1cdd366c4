//! The linked code of the project: kept in memory while nothing that it was made from changes.

use std::sync::{Arc, Mutex, PoisonError};

use super::files::{Entry, Files, Stamp};
use super::users::Users;
use tapps_base::call::Call;
use tapps_base::{Result, clock};
use tapps_coderef::engine;
use tapps_coderef::engine::ScanOptions;
use tapps_coderef::graph::{Graph, Links};
use tapps_coderef::model::Index;
use tapps_sandbox::Boundary;

/// An index with everything that many questions need of it.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) index: Index,
    pub(super) users: Users,
    links: Arc<Links>,
}

impl Code {
    /// # Errors
    /// As [`engine::scan`].
    fn of(boundary: &Boundary, call: &Call) -> Result<Self> {
        let made = |index: &Index| rayon::join(|| Users::of(index), || Links::of(index));
        let (index, (users, links)) = engine::scan_and(boundary, &ScanOptions::default(), call, made)?;
        Ok(Self { index, users, links: Arc::new(links) })
    }

    pub(super) fn graph(&self) -> Graph<'_> {
        Graph::over(&self.index, Arc::clone(&self.links))
    }
}

/// The code as it was at the last question.
#[derive(Debug, Default)]
pub(super) struct Latest(Mutex<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    code: Arc<Code>,
    sources: Vec<Entry>,
    /// Configuration that a listing does not show, and what is not there but would count.
    around: Vec<(Option<Stamp>, String)>,
}

impl Kept {
    fn is_current(&self, files: &Files, sources: &[Entry]) -> bool {
        self.sources == sources && self.around.iter().all(|(stamp, path)| files.stamp(path) == *stamp)
    }

    /// True when every stamp was old enough at this time to tell any later change.
    fn is_settled(&self, now_ns: i128) -> bool {
        let around = self.around.iter().filter_map(|(stamp, _)| stamp.as_ref());
        self.sources.iter().map(|entry| &entry.stamp).chain(around).all(|stamp| stamp.is_settled(now_ns))
    }
}

impl Latest {
    /// The code for the bytes on disk now.
    ///
    /// # Errors
    /// As [`engine::scan`].
    pub(super) fn at(&self, files: &Files, call: &Call) -> Result<Arc<Code>> {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now_ns = i128::try_from(clock::Clock::now(&clock::SystemClock).as_nanos()).unwrap_or(i128::MAX);
        let sources = || {
            let mut sources = files.list()?;
            sources.retain(|entry| engine::counts(&entry.path));
            Ok(sources)
        };
        let boundary = files.boundary();
        // With nothing to compare, the list is made while the files are read: what changes after `now_ns` is not settled.
        let (sources, code) = match latest.as_ref() {
            None => {
                let (sources, code) = rayon::join(sources, || Code::of(boundary, call));
                (sources?, code?)
            }
            Some(kept) => {
                let sources: Vec<Entry> = sources()?;
                if kept.is_current(files, &sources) {
                    return Ok(Arc::clone(&kept.code));
                }
                (sources, Code::of(boundary, call)?)
            }
        };
        let code = Arc::new(code);
        let stamped = |path: String| (files.stamp(&path), path);
        let around = engine::surroundings(boundary, &code.index.files).into_iter().map(stamped).collect();
        let kept = Kept { code: Arc::clone(&code), sources, around };
        *latest = kept.is_settled(now_ns).then_some(kept);
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use tapps_sandbox::Boundary;

    #[test]
    fn what_nobody_touched_is_not_read_again_and_every_change_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
        write("a.ts", "export function a() {}\n");
        write(".gitignore", "generated.json\n");
        write("tsconfig.json", "{ \"extends\": \"./generated.json\" }\n");
        write("b.ts", "import { a } from '@/a';\na();\n");
        // The change time cannot be set back: only a tree that has been left alone for a while is settled.
        std::thread::sleep(Duration::from_millis(2_100));
        let files = Files::new(Arc::new(Boundary::open(folder.path()).unwrap()));
        let (latest, call) = (Latest::default(), Call::quiet(Duration::from_secs(60)));
        let first = latest.at(&files, &call).unwrap();
        assert!(Arc::ptr_eq(&first, &latest.at(&files, &call).unwrap()), "kept while nothing changes");
        assert_eq!(first.index.problems.len(), 1, "{:?}", first.index.problems);

        // Ignored and not there before, yet it decides what is imported.
        write("generated.json", "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./*\"] } } }\n");
        let second = latest.at(&files, &call).unwrap();
        assert!(second.index.problems.is_empty(), "{:?}", second.index.problems);
        assert_ne!(first.index.edges, second.index.edges);
        write("b.ts", "export const b = 1;\n");
        assert_ne!(second.index, latest.at(&files, &call).unwrap().index);
    }
}

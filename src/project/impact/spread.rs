//! How a change spreads from file to file.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::subject::Subject;
use super::{Dependent, Distant};
use crate::code::CodeIndex;
use crate::users::WHOLE;
use tapps_coderef::model::{FileId, SourceFile};

/// Names of files at which programs are entered.
const ENTRIES: [&str; 8] =
    ["__main__.py", "asgi.py", "main.js", "main.py", "main.ts", "main.tsx", "manage.py", "wsgi.py"];

/// How far an affected file is, and through whom.
#[derive(Debug, Clone, Copy)]
struct Reached {
    distance: u32,
    through: FileId,
}

/// The files that a change affects.
pub(super) struct Spread<'a> {
    code: &'a CodeIndex,
    subject: &'a Subject,
    reached: BTreeMap<FileId, Reached>,
}

impl<'a> Spread<'a> {
    pub(super) fn from_subject(code: &'a CodeIndex, subject: &'a Subject) -> Self {
        let mut spread = Self { code, subject, reached: BTreeMap::new() };
        spread.propagate_change();
        spread
    }

    fn propagate_change(&mut self) {
        let Some(changed) = self.subject.file else { return };
        let mut open: VecDeque<(FileId, bool)> = VecDeque::new();
        for (by, used) in &self.subject.users {
            self.reached.insert(*by, Reached { distance: 1, through: changed });
            open.push_back((*by, used.lasting));
        }
        // Who takes something of the same file that calls what changes is one step further away.
        if !self.subject.carried.is_empty() {
            for (by, used) in self.code.users.of_changed(changed) {
                let touched =
                    used.names.contains(WHOLE) || used.names.iter().any(|name| self.subject.carried.contains(name));
                if touched && !self.reached.contains_key(&by) {
                    self.reached.insert(by, Reached { distance: 2, through: changed });
                    open.push_back((by, used.lasting));
                }
            }
        }
        let mut passed: BTreeSet<FileId> = BTreeSet::new();
        while let Some((file, lasting)) = open.pop_front() {
            let distance = self.reached.get(&file).map_or(1, |reached| reached.distance) + 1;
            // Nobody depends on a test for what the test sees, nor at run time on what only types have to do with.
            if !lasting || self.file(file).is_some_and(|file| file.cases) || !passed.insert(file) {
                continue;
            }
            for by in self.code.users.of_affected(file).chain(self.fixtures_of(file)) {
                if by != changed && !passed.contains(&by) {
                    self.reached.entry(by).or_insert(Reached { distance, through: file });
                    open.push_back((by, true));
                }
            }
        }
    }

    fn file(&self, id: FileId) -> Option<&'a SourceFile> {
        self.code.index().files.get(id.0 as usize)
    }

    fn path(&self, id: FileId) -> &'a str {
        self.file(id).map_or("", |file| &file.path)
    }

    /// The files of tests that take fixtures of a conftest.py without importing it: all below its folder.
    fn fixtures_of(&self, id: FileId) -> Vec<FileId> {
        let Some(folder) = self.path(id).strip_suffix("conftest.py") else { return Vec::new() };
        let files = (0..).map(FileId).zip(&self.code.index().files);
        files.filter(|(_, file)| file.cases && file.path.starts_with(folder)).map(|(id, _)| id).collect()
    }

    fn is_test(&self, id: FileId) -> bool {
        self.file(id).is_some_and(|file| file.test)
    }

    /// Affected files, nearest first, equals by path.
    fn nearest_first(&self) -> Vec<(FileId, Reached)> {
        let mut all: Vec<(FileId, Reached)> = self.reached.iter().map(|(id, reached)| (*id, *reached)).collect();
        all.sort_by_key(|(id, reached)| (reached.distance, *id));
        all
    }

    pub(super) fn total(&self) -> usize {
        self.reached.len()
    }

    /// The files that take what changes, tests aside.
    pub(super) fn direct(&self) -> Vec<Dependent> {
        let users = self.subject.users.iter().filter(|(id, _)| !self.is_test(**id));
        users
            .map(|(id, used)| Dependent {
                file: self.path(*id).to_owned(),
                names: used.names.iter().cloned().collect(),
            })
            .collect()
    }

    /// The files further away, tests aside.
    pub(super) fn transitive(&self) -> Vec<Distant> {
        let further =
            self.nearest_first().into_iter().filter(|(id, reached)| reached.distance > 1 && !self.is_test(*id));
        further
            .map(|(id, reached)| Distant {
                file: self.path(id).to_owned(),
                distance: reached.distance,
                through: self.path(reached.through).to_owned(),
            })
            .collect()
    }

    /// The files with tests: those that are proven to reach it, and their number, then the others. A changed file of tests
    /// is one of its own.
    pub(super) fn tests(&self, proven: Vec<String>) -> (Vec<String>, usize) {
        let affected = self.nearest_first().into_iter().map(|(id, _)| id);
        let own = self.subject.file.into_iter();
        let cases = own.chain(affected).filter_map(|id| self.file(id)).filter(|file| file.cases);
        let files: Vec<&str> = cases.map(|file| file.path.as_str()).collect();
        let order: HashMap<&str, usize> = files.iter().zip(0..).map(|(path, position)| (*path, position)).collect();
        let cases = self.code.index().files.iter().filter(|file| file.cases).map(|file| file.path.as_str());
        let cases: HashSet<&str> = cases.collect();
        let mut tests: Vec<String> = proven.into_iter().filter(|path| cases.contains(path.as_str())).collect();
        tests.sort_by_cached_key(|path| (order.get(path.as_str()).copied().unwrap_or(usize::MAX), path.clone()));
        let known: HashSet<String> = tests.iter().cloned().collect();
        tests.extend(files.into_iter().filter(|path| !known.contains(*path)).map(str::to_owned));
        (tests, known.len())
    }

    /// Affected files at which a program is entered.
    pub(super) fn entry_points(&self) -> Vec<String> {
        let is_entry = |file: &&SourceFile| {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            !file.test && (file.runs || ENTRIES.contains(&name))
        };
        let all = self.reached.keys().copied().chain(self.subject.file);
        let mut entries: Vec<String> =
            all.filter_map(|id| self.file(id)).filter(is_entry).map(|file| file.path.clone()).collect();
        entries.sort();
        entries
    }
}

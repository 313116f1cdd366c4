//! Modules read once and kept while their files stay as they are.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::module::ModuleFacts;
use super::role::is_test_code;
use crate::compared::ComparedText;
use crate::files::{ProjectFile, ProjectFiles};
use crate::parse;
use tapps_base::Result;
use tapps_base::language::ScoredLanguage;
use tapps_sandbox::survey::FileStamp;
use tapps_store::{EntryKey, EntryStore, KeyBuilder};

/// The largest source file that is read, in bytes.
const MAX: u64 = 10 << 20;

/// What is known of the project's source files.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModuleCache {
    known: HashMap<String, CachedModule>,
}

#[derive(Debug, Clone)]
pub(crate) struct CachedModule {
    stamp: FileStamp,
    /// The stamp was old enough when the file was read to tell any later change.
    settled: bool,
    module: Arc<ModuleFacts>,
    compared: Arc<ComparedText>,
}

/// What an update of the cache has found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ModuleChanges {
    /// Some module says something else, or has come or gone.
    pub(crate) facts: bool,
    /// Some file has other statements, or has come or gone.
    pub(crate) statements: bool,
}

impl ModuleCache {
    /// Brings the cache to the state of the listing, taken at `now_ns` or later, and says what changed.
    ///
    /// # Errors
    /// `internal` when the system gives no threads.
    pub(crate) fn update(
        &mut self,
        files: &ProjectFiles,
        entries: &[ProjectFile],
        now_ns: i128,
        earlier: Earlier<'_>,
    ) -> Result<ModuleChanges> {
        let sources: Vec<&ProjectFile> =
            entries.iter().filter(|entry| ScoredLanguage::of_path(&entry.path).is_some()).collect();
        let fresh = |entry: &&&ProjectFile| {
            !self.known.get(&entry.path).is_some_and(|known| known.settled && known.stamp == entry.stamp)
        };
        let wanted: Vec<&ProjectFile> = sources.iter().filter(fresh).copied().collect();
        let kept = earlier.store.map(|store| ModuleStore { store, root: files.root() });
        let recalled = kept.as_ref().map_or_else(|| wanted.iter().map(|_| None).collect(), |kept| kept.get(&wanted));
        let read: Vec<(String, CachedModule, bool)> = parse::on_parsing_threads(|| {
            let parts = wanted.par_iter().zip(recalled);
            parts
                .map(|(entry, recalled)| match recalled {
                    Some(read) => (entry.path.clone(), CachedModule::from_reading(entry, read, now_ns), false),
                    None => read_module_file(files, entry, now_ns, earlier),
                })
                .collect()
        })?;
        if let Some(kept) = kept {
            kept.put(&read);
        }
        let mut changed = ModuleChanges::default();
        for (path, known, _) in read {
            let old = self.known.get(&path);
            changed.facts |= old.is_none_or(|old| old.module != known.module);
            changed.statements |= old.is_none_or(|old| old.compared != known.compared);
            self.known.insert(path, known);
        }
        if self.known.len() != sources.len() {
            let present: std::collections::HashSet<&str> = sources.iter().map(|entry| entry.path.as_str()).collect();
            self.known.retain(|path, _| present.contains(path.as_str()));
            changed = ModuleChanges { facts: true, statements: true };
        }
        Ok(changed)
    }

    /// Whether both know the same files, and that these say the same, as far as one of these goes.
    pub(crate) fn is_same(&self, other: &Self, part: fn(&CachedModule, &CachedModule) -> bool) -> bool {
        let same = |(path, one): (&String, &CachedModule)| other.known.get(path).is_some_and(|other| part(one, other));
        self.known.len() == other.known.len() && self.known.iter().all(same)
    }

    /// What is compared of each file, in no particular order.
    pub(crate) fn compared(&self) -> Vec<(String, Arc<ComparedText>)> {
        self.known.iter().map(|(path, known)| (path.clone(), Arc::clone(&known.compared))).collect()
    }

    /// The modules by path.
    pub(crate) fn modules(&self) -> HashMap<String, Arc<ModuleFacts>> {
        self.known.iter().map(|(path, known)| (path.clone(), Arc::clone(&known.module))).collect()
    }
}

/// Where to look before a file is parsed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Earlier<'a> {
    pub(crate) store: Option<&'a EntryStore>,
    /// What is known of another copy of the project.
    pub(crate) twin: Option<&'a ModuleCache>,
    pub(crate) ahead: &'a ReadAhead,
}

/// What was made of files of the project while somebody had their trees at hand, by path.
#[derive(Debug, Default)]
pub(crate) struct ReadAhead(HashMap<String, ReadModule>);

/// What a file says, and what is compared of it.
type ReadModule = (Arc<ModuleFacts>, Arc<ComparedText>);

impl ReadAhead {
    pub(crate) fn add(&mut self, path: &str, (module, compared): (ModuleFacts, ComparedText)) {
        self.0.insert(path.to_owned(), (Arc::new(module), Arc::new(compared)));
    }
}

/// Reads a file of these bytes.
pub(crate) fn read_module(path: &str, bytes: &[u8]) -> (ModuleFacts, ComparedText) {
    let module = ModuleFacts::from_bytes(path, bytes, is_test_code(path));
    (module, ComparedText::from_bytes(path, bytes))
}

impl CachedModule {
    pub(crate) fn has_same_facts(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.module, &other.module) || self.module == other.module
    }

    pub(crate) fn has_same_text(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.compared, &other.compared) || self.compared == other.compared
    }

    /// What is known of a file of the same path and bytes.
    fn of_twin(&self, entry: &ProjectFile, now_ns: i128) -> Self {
        Self { stamp: entry.stamp, settled: entry.stamp.is_settled(now_ns), ..self.clone() }
    }

    fn from_reading(entry: &ProjectFile, (module, compared): (ModuleFacts, ComparedText), now_ns: i128) -> Self {
        Self::from_parts(entry, (Arc::new(module), Arc::new(compared)), now_ns)
    }

    fn from_parts(entry: &ProjectFile, (module, compared): ReadModule, now_ns: i128) -> Self {
        Self { stamp: entry.stamp, settled: entry.stamp.is_settled(now_ns), module, compared }
    }
}

/// What earlier runs have read. A module is known by the place and the stamp of its file.
struct ModuleStore<'a> {
    store: &'a EntryStore,
    root: &'a Path,
}

impl ModuleStore<'_> {
    fn key(&self, path: &str, stamp: &FileStamp) -> EntryKey {
        let key = KeyBuilder::new("module").with_part(self.root.as_os_str().as_encoded_bytes()).with_part(path);
        stamp.parts().iter().fold(key, |key, part| key.with_part(part.to_le_bytes())).finish_key()
    }

    fn get(&self, entries: &[&ProjectFile]) -> Vec<Option<(ModuleFacts, ComparedText)>> {
        let keys: Vec<EntryKey> = entries.iter().map(|entry| self.key(&entry.path, &entry.stamp)).collect();
        let module = |bytes: Vec<u8>| postcard::from_bytes(&bytes).ok();
        self.store.get(&keys).into_par_iter().map(|bytes| bytes.and_then(module)).collect()
    }

    /// Keeps what was read from files that any later change will tell from these.
    fn put(&self, read: &[(String, CachedModule, bool)]) {
        let fresh = read.iter().filter(|(_, known, fresh)| *fresh && known.settled);
        let entry = |(path, known, _): &(String, CachedModule, bool)| {
            Some((self.key(path, &known.stamp), postcard::to_allocvec(&(&*known.module, &*known.compared)).ok()?))
        };
        self.store.put("module", &fresh.filter_map(entry).collect::<Vec<_>>());
    }
}

/// Reads a file; the last part says whether that is worth keeping.
fn read_module_file(
    files: &ProjectFiles,
    entry: &ProjectFile,
    now_ns: i128,
    earlier: Earlier<'_>,
) -> (String, CachedModule, bool) {
    let bytes = files.read(&entry.path, MAX);
    let is_same = |compared: &ComparedText| bytes.as_ref().is_ok_and(|bytes| compared.is_of(bytes));
    let of_twin = earlier.twin.and_then(|twin| twin.known.get(&entry.path));
    if let Some(same) = of_twin.filter(|same| is_same(&same.compared)) {
        return (entry.path.clone(), same.of_twin(entry, now_ns), true);
    }
    if let Some(read) = earlier.ahead.0.get(&entry.path).filter(|(_, compared)| is_same(compared)) {
        return (entry.path.clone(), CachedModule::from_parts(entry, read.clone(), now_ns), true);
    }
    // A file that has vanished or is too large is as good as one that cannot be parsed.
    let (read, kept) = match bytes {
        Ok(bytes) => (read_module(&entry.path, &bytes), true),
        Err(_) => {
            let module = ModuleFacts { opaque: true, logic: true, ..ModuleFacts::default() };
            ((module, ComparedText::default()), false)
        }
    };
    (entry.path.clone(), CachedModule::from_reading(entry, read, now_ns), kept)
}

//! Modules read once and kept while their files stay as they are.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::module::ModuleFacts;
use super::role::is_test_code;
use crate::files::{ProjectFile, ProjectFiles};
use crate::parse;
use tapps_base::Result;
use tapps_base::language::ScoredLanguage;
use tapps_sandbox::survey::FileStamp;
use tapps_store::{EntryKey, EntryStore, KeyBuilder};

/// The largest source file that is read, in bytes.
const MAX: u64 = 10 << 20;

/// What is known of the project's source files.
#[derive(Debug, Default)]
pub(crate) struct ModuleCache {
    known: HashMap<String, CachedModule>,
}

#[derive(Debug, Clone)]
struct CachedModule {
    stamp: FileStamp,
    /// The stamp was old enough when the file was read to tell any later change.
    settled: bool,
    module: Arc<ModuleFacts>,
}

impl ModuleCache {
    /// Brings the cache to the state of the listing, taken at `now_ns` or later, and says whether anything changed.
    ///
    /// # Errors
    /// `internal` when the system gives no threads.
    pub(crate) fn update(
        &mut self,
        files: &ProjectFiles,
        entries: &[ProjectFile],
        now_ns: i128,
        kept: Option<&EntryStore>,
    ) -> Result<bool> {
        let sources: Vec<&ProjectFile> =
            entries.iter().filter(|entry| ScoredLanguage::of_path(&entry.path).is_some()).collect();
        let fresh = |entry: &&&ProjectFile| {
            !self.known.get(&entry.path).is_some_and(|known| known.settled && known.stamp == entry.stamp)
        };
        let wanted: Vec<&ProjectFile> = sources.iter().filter(fresh).copied().collect();
        let kept = kept.map(|store| ModuleStore { store, root: files.root() });
        let recalled = kept.as_ref().map_or_else(|| wanted.iter().map(|_| None).collect(), |kept| kept.get(&wanted));
        let read: Vec<(String, CachedModule, bool)> = parse::on_parsing_threads(|| {
            let parts = wanted.par_iter().zip(recalled);
            parts
                .map(|(entry, recalled)| match recalled {
                    Some(module) => (entry.path.clone(), CachedModule::from_module(entry, module, now_ns), false),
                    None => read_module_file(files, entry, now_ns),
                })
                .collect()
        })?;
        if let Some(kept) = kept {
            kept.put(&read);
        }
        let mut changed = false;
        for (path, known, _) in read {
            changed |= self.known.get(&path).is_none_or(|old| old.module != known.module);
            self.known.insert(path, known);
        }
        if self.known.len() != sources.len() {
            let present: std::collections::HashSet<&str> = sources.iter().map(|entry| entry.path.as_str()).collect();
            self.known.retain(|path, _| present.contains(path.as_str()));
            changed = true;
        }
        Ok(changed)
    }

    /// The modules by path.
    pub(crate) fn modules(&self) -> HashMap<String, Arc<ModuleFacts>> {
        self.known.iter().map(|(path, known)| (path.clone(), Arc::clone(&known.module))).collect()
    }
}

impl CachedModule {
    fn from_module(entry: &ProjectFile, module: ModuleFacts, now_ns: i128) -> Self {
        let settled = entry.stamp.is_settled(now_ns);
        Self { stamp: entry.stamp, settled, module: Arc::new(module) }
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

    fn get(&self, entries: &[&ProjectFile]) -> Vec<Option<ModuleFacts>> {
        let keys: Vec<EntryKey> = entries.iter().map(|entry| self.key(&entry.path, &entry.stamp)).collect();
        let module = |bytes: Vec<u8>| postcard::from_bytes(&bytes).ok();
        self.store.get(&keys).into_par_iter().map(|bytes| bytes.and_then(module)).collect()
    }

    /// Keeps what was read from files that any later change will tell from these.
    fn put(&self, read: &[(String, CachedModule, bool)]) {
        let fresh = read.iter().filter(|(_, known, fresh)| *fresh && known.settled);
        let entry = |(path, known, _): &(String, CachedModule, bool)| {
            Some((self.key(path, &known.stamp), postcard::to_allocvec(&*known.module).ok()?))
        };
        self.store.put("module", &fresh.filter_map(entry).collect::<Vec<_>>());
    }
}

/// Reads a file; the last part says whether that is worth keeping.
fn read_module_file(files: &ProjectFiles, entry: &ProjectFile, now_ns: i128) -> (String, CachedModule, bool) {
    let bytes = files.read(&entry.path, MAX);
    // A file that has vanished or is too large is as good as one that cannot be parsed.
    let (module, kept) = match bytes {
        Ok(bytes) => (ModuleFacts::from_bytes(&entry.path, &bytes, is_test_code(&entry.path)), true),
        Err(_) => (ModuleFacts { opaque: true, logic: true, ..ModuleFacts::default() }, false),
    };
    (entry.path.clone(), CachedModule::from_module(entry, module, now_ns), kept)
}

//! Modules read once and kept while their files stay as they are.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::module::Module;
use super::role::is_test_code;
use crate::base::Result;
use crate::base::language::Language;
use crate::project::files::{Entry, Files, Stamp};
use crate::project::parse;

/// The largest source file that is read, in bytes.
const MAX: u64 = 10 << 20;
/// A file that changed this shortly before it was read may have changed again without a new stamp.
const SETTLED_NS: i128 = 2_000_000_000;

/// What is known of the project's source files.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    known: HashMap<String, Known>,
}

#[derive(Debug, Clone)]
struct Known {
    stamp: Stamp,
    /// The stamp was old enough when the file was read to tell any later change.
    settled: bool,
    module: Arc<Module>,
}

impl Cache {
    /// Brings the cache to the state of the listing, taken at `now_ns` or later, and says whether anything changed.
    ///
    /// # Errors
    /// `internal` when the system gives no threads.
    pub(crate) fn update(&mut self, files: &Files, entries: &[Entry], now_ns: i128) -> Result<bool> {
        let sources: Vec<&Entry> = entries.iter().filter(|entry| Language::of_path(&entry.path).is_some()).collect();
        let fresh = |entry: &&&Entry| {
            !self.known.get(&entry.path).is_some_and(|known| known.settled && known.stamp == entry.stamp)
        };
        let wanted: Vec<&Entry> = sources.iter().filter(fresh).copied().collect();
        let read: Vec<(String, Known)> =
            parse::on_deep_stack(|| wanted.par_iter().map(|entry| read(files, entry, now_ns)).collect())?;
        let mut changed = false;
        for (path, known) in read {
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
    pub(crate) fn modules(&self) -> HashMap<String, Arc<Module>> {
        self.known.iter().map(|(path, known)| (path.clone(), Arc::clone(&known.module))).collect()
    }
}

fn read(files: &Files, entry: &Entry, now_ns: i128) -> (String, Known) {
    // A file that has vanished or is too large is as good as one that cannot be parsed.
    let module = match files.read(&entry.path, MAX) {
        Ok(bytes) => Module::read(&entry.path, &bytes, is_test_code(&entry.path)),
        Err(_) => Module { opaque: true, logic: true, ..Module::default() },
    };
    let settled = entry.stamp.changed_ns + SETTLED_NS < now_ns;
    (entry.path.clone(), Known { stamp: entry.stamp, settled, module: Arc::new(module) })
}

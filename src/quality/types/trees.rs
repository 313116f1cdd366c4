//! The types that belong to each tree of a project: of the head, and of the base, which may lock other versions.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::choice::{AtHand, TypesChoice};
use super::installed::{InstalledReader, InstalledTypes};
use super::package::Brings;
use super::shelf::{HeldTypes, TypeShelf};
use super::tree::TypeTree;
use super::wheels::{WheelName, WheelReader, digest_of_names, list_wheels};
use crate::cache::AnswerCache;
use tapps_base::call::Call;
use tapps_base::{Result, digest};
use tapps_project::packages::Ecosystem;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_project::versions::{Pins, Texts};
use tapps_sandbox::Boundary;

/// Locks that are kept as they were read.
const MOST_LOCKS: usize = 4;

/// Makes the type trees of one project.
#[derive(Debug)]
pub(crate) struct TypeTrees {
    /// Where the wheels lie, also when a copy of one of the project's trees is judged.
    boundary: Arc<Boundary>,
    installed_in: PythonEnvironment,
    installed: InstalledReader,
    wheels: WheelReader,
    shelf: Arc<TypeShelf>,
    locks: Mutex<Vec<(Texts, Arc<Pins>)>>,
}

impl TypeTrees {
    /// For the project inside `boundary` and its environments, with trees that are kept below `cache_dir`; does no work yet.
    pub(crate) fn new(boundary: Arc<Boundary>, installed_in: PythonEnvironment, cache_dir: &Path) -> Self {
        Self {
            boundary,
            installed_in,
            installed: InstalledReader::default(),
            wheels: WheelReader::default(),
            shelf: Arc::new(TypeShelf::new(cache_dir)),
            locks: Mutex::default(),
        }
    }

    /// The types of what `tree` locks; none where it locks nothing, or nothing of that is at hand. With `only_locked` nothing
    /// counts whose bytes the lock does not name.
    ///
    /// # Errors
    /// What reading the lock files says.
    pub(crate) fn of_tree(&self, tree: &Boundary, only_locked: bool, cache: &AnswerCache) -> Result<Option<TypeTree>> {
        let wheels = list_wheels(&self.boundary);
        // Where nothing of it counts, the environment need not be read.
        let installed = if only_locked { Vec::new() } else { self.installed.read_installed(&self.installed_in, cache) };
        if wheels.is_empty() && installed.is_empty() {
            return Ok(None);
        }
        let pins = self.pins(tree)?;
        let is_named = |wheel: &WheelName| pins.get(Ecosystem::PyPi, &wheel.library).is_some();
        let named: Vec<WheelName> = wheels.into_iter().filter(is_named).collect();
        let contents = self.wheels.read_contents(&self.boundary, &named.iter().collect::<Vec<_>>());
        let wheels = named.into_iter().zip(contents).filter_map(|(name, content)| Some((name, content?))).collect();
        let choice = TypesChoice::of_lock(&pins, &AtHand { installed, wheels }, only_locked);
        Ok(TypeTree::of_choice(choice, &self.boundary, &self.installed_in))
    }

    /// Changes with everything that a tree could be made of; empty where that is nothing.
    pub(crate) fn environment_digest(&self, only_locked: bool, cache: &AnswerCache) -> String {
        let wheels = list_wheels(&self.boundary);
        let installed = if only_locked { Vec::new() } else { self.installed.read_installed(&self.installed_in, cache) };
        if wheels.is_empty() && installed.is_empty() {
            return String::new();
        }
        let lines: String = installed.iter().map(line_of).collect();
        digest::sha256(format!("{lines}{}", digest_of_names(&wheels)).as_bytes())
    }

    /// The tree on disk for as long as it is held, or at `instead` where nothing can be kept.
    ///
    /// # Errors
    /// As [`TypeShelf::hold_tree`].
    pub(crate) async fn hold_tree(&self, tree: &Arc<TypeTree>, instead: &Path, call: &Call) -> Result<HeldTypes> {
        self.shelf.hold_tree(tree, instead, call).await
    }

    fn pins(&self, tree: &Boundary) -> Result<Arc<Pins>> {
        let texts = Pins::read_texts(tree)?;
        let mut known = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, pins)) = known.iter().find(|(known, _)| *known == texts) {
            return Ok(Arc::clone(pins));
        }
        let pins = Arc::new(Pins::from_texts(&texts));
        if known.len() >= MOST_LOCKS {
            known.remove(0);
        }
        known.push((texts, Arc::clone(&pins)));
        Ok(pins)
    }
}

/// What is installed of one distribution, as a line of a digest.
fn line_of(one: &InstalledTypes) -> String {
    let brings = match &one.brings {
        Brings::Types(files) => {
            let line =
                |(path, file): (&String, &crate::cache::FileDigest)| format!("{}  {path}\n", digest::hex(&file.sha256));
            digest::sha256(files.iter().map(line).collect::<String>().as_bytes())
        }
        Brings::NoTypes(_) => "none".to_owned(),
        Brings::Unusable(why) => why.clone(),
    };
    format!("{} {} {} {brings}\n", one.folder, one.library, one.version)
}

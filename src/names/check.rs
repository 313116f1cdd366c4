//! What a file uses of libraries and is not there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::distributions::{Environment, InstalledListing};
use super::file_checker::FileChecker;
use super::libraries::{KeptSurfaces, Libraries};
use super::resolve::Resolver;
use super::stamp::NamesStamp;
use super::uses::read_uses;
use tapps_base::Result;
use tapps_base::finding::Finding;
use tapps_base::language::Analyzers;
use tapps_base::source::Source;
use tapps_project::packages::Ecosystem;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_project::parse;
use tapps_project::versions::{Pins, Texts};
use tapps_sandbox::Boundary;

/// Environments that are kept: that of the head, and that of the base, which may lock other versions.
const MOST_KEPT: usize = 4;

/// Checks the names of files against the environment of one project.
#[derive(Debug)]
pub struct NameChecker {
    /// Where the environment lies, also when a copy of one of the project's trees is judged.
    installed_in: PythonEnvironment,
    kept: KeptSurfaces,
    environments: Mutex<Vec<KnownEnvironment>>,
}

/// An environment, for as long as neither it nor the lock files change.
#[derive(Debug)]
struct KnownEnvironment {
    listing: InstalledListing,
    texts: Texts,
    environment: Arc<Environment>,
    declared: Arc<BTreeSet<String>>,
}

/// What is said of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckedNames {
    pub findings: Vec<Finding>,
    /// None where the project has no environment, or the file uses nothing of it.
    pub stamp: Option<NamesStamp>,
}

impl NameChecker {
    /// A checker for a project whose libraries are in these environments; does no work yet.
    #[must_use]
    pub fn new(installed_in: PythonEnvironment) -> Self {
        Self { installed_in, kept: KeptSurfaces::default(), environments: Mutex::default() }
    }

    /// Checks each source, in order. `tree` is the tree of the project that they belong to, whose lock files count.
    ///
    /// # Errors
    /// `internal` when the system gives no threads.
    pub fn check_each(&self, sources: &[Source], tree: &Boundary) -> Result<Vec<CheckedNames>> {
        let is_python =
            |source: &Source| source.language().is_some_and(|language| language.analyzers() == Analyzers::Python);
        let listing = InstalledListing::of_environment(&self.installed_in);
        if listing.folders.is_empty() || !sources.iter().any(is_python) {
            return Ok(sources.iter().map(|_| CheckedNames::default()).collect());
        }
        let (environment, declared) = self.environment(listing, tree)?;
        let libraries = Libraries::new(self.installed_in.boundary(), &environment, &self.kept);
        let one = |source: &Source| {
            if !is_python(source) {
                return CheckedNames::default();
            }
            let Some(uses) =
                source.text().and_then(|text| parse::read_python(text, |parsed| read_uses(parsed.syntax())))
            else {
                return CheckedNames::default();
            };
            let checker = FileChecker::new(Resolver::new(&libraries), tree, source, &declared);
            checker.check(&uses)
        };
        parse::on_parsing_threads(|| sources.par_iter().map(one).collect())
    }

    /// A digest that changes with what is installed; empty when nothing is.
    #[must_use]
    pub fn environment_digest(&self) -> String {
        InstalledListing::of_environment(&self.installed_in).digest()
    }

    /// The modules at the top of libraries that two trees of the project lock in different versions, each with the lock
    /// file that says so.
    ///
    /// # Errors
    /// What reading the lock files says.
    pub fn changed_libraries(&self, base: &Boundary, head: &Boundary) -> Result<BTreeMap<String, String>> {
        let (before, after) = (Pins::read_texts(base)?, Pins::read_texts(head)?);
        if before == after {
            return Ok(BTreeMap::new());
        }
        let (before, after) = (Pins::from_texts(&before), Pins::from_texts(&after));
        let (environment, _) = self.environment(InstalledListing::of_environment(&self.installed_in), head)?;
        let python = after.iter().filter(|pin| pin.ecosystem == Ecosystem::PyPi && pin.version.is_some());
        let changed = python
            .filter(|pin| before.get(Ecosystem::PyPi, &pin.library).is_none_or(|known| known.version != pin.version));
        let brought =
            changed.flat_map(|pin| environment.tops_of(&pin.library).into_iter().map(|top| (top, pin.file.clone())));
        Ok(brought.collect())
    }

    fn environment(
        &self,
        listing: InstalledListing,
        tree: &Boundary,
    ) -> Result<(Arc<Environment>, Arc<BTreeSet<String>>)> {
        let texts = Pins::read_texts(tree)?;
        let mut known = self.environments.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.iter().find(|known| known.listing == listing && known.texts == texts) {
            return Ok((Arc::clone(&same.environment), Arc::clone(&same.declared)));
        }
        let pins = Pins::from_texts(&texts);
        let direct = pins.iter().filter(|pin| pin.ecosystem == Ecosystem::PyPi && pin.is_direct());
        let declared = Arc::new(direct.map(|pin| pin.library.clone()).collect());
        let environment = Arc::new(Environment::of_project(self.installed_in.boundary(), &pins, listing.clone()));
        if known.len() >= MOST_KEPT {
            known.remove(0);
        }
        let (kept, named) = (Arc::clone(&environment), Arc::clone(&declared));
        known.push(KnownEnvironment { listing, texts, environment: kept, declared: named });
        Ok((environment, declared))
    }
}

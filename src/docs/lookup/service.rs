//! The documentation of a project's libraries.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::answer::{Answer, LookupRequest, Provenance, Source};
use super::compose::compose;
use super::environment::{self, Install};
use super::library::Library;
use super::names;
use super::project::Project;
use super::screen::{Screen, guarded};
use super::select;
use super::version;
use crate::base::call::Call;
use crate::base::store::Store;
use crate::base::{Error, ErrorCode, Result};
use crate::docs::bundle::Shelf;
use crate::docs::extract::npm;
use crate::docs::symbol::{Ecosystem, Index};
use crate::docs::versions::normalized;
use crate::guard::Boundary;

/// The budget of an answer when none is named, in tokens.
const TOKENS: usize = 1_200;
/// Bounds on a budget that is named.
const LEAST_TOKENS: usize = 100;
const MOST_TOKENS: usize = 20_000;
/// Libraries that are kept ready in memory.
const READY: usize = 12;

/// Answers questions about the libraries of one project, from files on disk.
#[derive(Debug)]
pub struct Docs {
    boundary: Arc<Boundary>,
    /// Where what was extracted is kept.
    store: Option<Store>,
    shelf: Shelf,
    screen: Screen,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    project: Option<Arc<Project>>,
    /// The one used last stands last.
    ready: Vec<(String, Arc<Library>)>,
}

/// One version of a library that can be had.
struct Offer {
    version: String,
    place: Place,
}

enum Place {
    Installed(Install),
    Bundle(crate::docs::bundle::Listed),
}

impl Docs {
    #[must_use]
    pub fn new(boundary: Arc<Boundary>, store: Option<Store>, shelf: Shelf) -> Self {
        Self { boundary, store, shelf, screen: guarded, state: Mutex::default() }
    }

    /// Has every text that is handed on looked at by another gate than the product's own.
    #[must_use]
    pub fn screened(mut self, screen: Screen) -> Self {
        self.screen = screen;
        self
    }

    /// Answers a question.
    ///
    /// # Errors
    /// `invalid_argument` for a library nobody knows, with the nearest names; `version_unavailable` naming the nearest
    /// version when the wanted one is not on this machine; `corrupted_data` for a bundle that is not sound.
    pub fn lookup(&self, request: &LookupRequest, call: &Call) -> Result<Answer> {
        call.check()?;
        let project = self.project()?;
        let (ecosystem, library, corrected_from) = self.library(&project, &request.library)?;
        let pin = project.pin(ecosystem, &library);
        let mut offers = self.offers(&project, ecosystem, &library);
        let locked = pin.and_then(|pin| pin.version.clone());
        // Asked for, else locked, else what is installed, else what there is.
        let wanted = request.version.clone().or(locked).or_else(|| Some(offers.first()?.version.clone()));
        let Some(wanted) = wanted else { return Err(unavailable(&library, None, &[])) };
        let versions: Vec<String> = offers.iter().map(|offer| offer.version.clone()).collect();
        let exact = offers.iter().position(|offer| version::same(&offer.version, &wanted));
        let at = match exact {
            Some(at) => at,
            None if request.allow_nearest => version::nearest(&wanted, &versions)
                .and_then(|nearest| versions.iter().position(|version| version == nearest))
                .ok_or_else(|| unavailable(&library, Some(&wanted), &versions))?,
            None => return Err(unavailable(&library, Some(&wanted), &versions)),
        };
        let offer = offers.swap_remove(at);
        let (opened, source, of) = self.open(ecosystem, &offer)?;
        call.check()?;
        let chosen = select::choose(&opened, request.topic.as_deref());
        let budget = request.max_tokens.unwrap_or(TOKENS).clamp(LEAST_TOKENS, MOST_TOKENS);
        let composed = compose(&opened.index, &chosen, request.mode, budget, self.screen);
        let mut notes = Vec::new();
        if exact.is_none() {
            notes.push(format!("{library} {wanted} is not on this machine; this is {}", offer.version));
        }
        if let (Some(near), Some(topic)) = (&chosen.missing, request.topic.as_deref()) {
            notes.push(self.absent(ecosystem, &opened.index, &offers, topic, near));
        }
        Ok(Answer {
            library,
            ecosystem,
            version: offer.version,
            source,
            exact: exact.is_some(),
            corrected_from,
            note: (!notes.is_empty()).then(|| notes.join(". ")),
            symbols: composed.symbols,
            snippets: composed.snippets,
            token_estimate: composed.tokens,
            withheld: composed.withheld,
            truncated: composed.truncated,
            provenance: Provenance {
                sha256: opened.index.source_sha256.clone(),
                of,
                locked: pin
                    .filter(|_| exact.is_some() && request.version.is_none())
                    .map(|pin| pin.hashes.clone())
                    .unwrap_or_default()
                    .into_iter()
                    .take(1)
                    .collect(),
                pinned_by: pin.filter(|pin| pin.version.is_some()).map(|pin| pin.file.clone()),
            },
        })
    }

    /// Extracts what is installed and pinned, so that later questions find it ready; gives how many are ready.
    ///
    /// # Errors
    /// `cancelled` or `timeout`; what looking at the project says.
    pub fn warm_up(&self, call: &Call) -> Result<usize> {
        let project = self.project()?;
        let mut ready = 0;
        for (ecosystem, library) in project.libraries() {
            call.check()?;
            // Only what the project itself asks for: the rest is extracted when it is needed.
            if project.pin(ecosystem, library).is_none() {
                continue;
            }
            let Some(install) = project.install(&self.boundary, ecosystem, library) else { continue };
            match self.kept(&install) {
                Ok(_) => ready += 1,
                Err(error) => tracing::debug!(library, %error, "the documentation cannot be extracted"),
            }
        }
        Ok(ready)
    }

    /// The libraries that a source file of the project imports, by the names they are looked up under, sorted.
    #[must_use]
    pub fn libraries_of(&self, file: &str, bytes: &[u8]) -> Vec<String> {
        let Ok(project) = self.project() else { return Vec::new() };
        super::imports::libraries(&self.boundary, &project, file, bytes)
    }

    fn project(&self) -> Result<Arc<Project>> {
        let before = self.state().project.clone();
        let project = Project::look(&self.boundary, before.as_ref())?;
        self.state().project = Some(Arc::clone(&project));
        Ok(project)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Which library is meant: ecosystem, name, and what was written when that was misspelt.
    fn library(&self, project: &Project, asked: &str) -> Result<(Ecosystem, String, Option<String>)> {
        let asked = asked.trim();
        let prefixes = [("python:", Ecosystem::Python), ("npm:", Ecosystem::Npm), ("rust:", Ecosystem::Rust)];
        let prefixed = prefixes.into_iter().find_map(|(prefix, kind)| Some((kind, asked.strip_prefix(prefix)?)));
        let (only, name) = prefixed.map_or((None, asked), |(kind, name)| (Some(kind), name));
        let admitted = |kind: Ecosystem| only.is_none_or(|only| only == kind);
        let shelved = self.shelf.list();
        let found = project.named(&self.boundary, name).into_iter().find(|(kind, _)| admitted(*kind));
        let found = found.or_else(|| {
            let same = |listed: &&crate::docs::bundle::Listed| {
                admitted(listed.ecosystem) && listed.library == normalized(listed.ecosystem, name)
            };
            shelved.iter().find(same).map(|listed| (listed.ecosystem, listed.library.clone()))
        });
        if let Some((kind, library)) = found {
            return Ok((kind, library, None));
        }
        let mut known: Vec<(Ecosystem, &str)> = project.libraries().into_iter().collect();
        known.extend(shelved.iter().map(|listed| (listed.ecosystem, listed.library.as_str())));
        known.retain(|(kind, _)| admitted(*kind));
        known.sort_unstable();
        known.dedup();
        let names = || known.iter().map(|(_, name)| *name);
        if let Some(meant) = names::meant(name, names())
            && let Some((kind, library)) = known.iter().find(|(_, name)| *name == meant)
        {
            return Ok((*kind, (*library).to_owned(), Some(asked.to_owned())));
        }
        let near = names::nearest(name, names(), 3);
        let hint = match near.is_empty() {
            false => format!("did you mean {}?", near.join(" or ")),
            true => "install the project's dependencies into .venv or node_modules, or build a bundle with \
                     `tapps-mcp docs bundle build`"
                .to_owned(),
        };
        Err(Error::invalid(format!("the project does not use a library `{asked}` and no bundle has it")).hint(hint))
    }

    /// The versions of a library on this machine, what is installed first.
    fn offers(&self, project: &Project, ecosystem: Ecosystem, library: &str) -> Vec<Offer> {
        let installed = project.install(&self.boundary, ecosystem, library);
        let installed =
            installed.map(|install| Offer { version: install.version.clone(), place: Place::Installed(install) });
        let bundles = self.shelf.of(ecosystem, library).into_iter();
        let bundles = bundles.map(|listed| Offer { version: listed.version.clone(), place: Place::Bundle(listed) });
        installed.into_iter().chain(bundles).collect()
    }

    fn open(&self, ecosystem: Ecosystem, offer: &Offer) -> Result<(Arc<Library>, Source, String)> {
        match &offer.place {
            Place::Installed(install) => {
                let of = if ecosystem == Ecosystem::Python {
                    format!("{}/RECORD", install.info)
                } else {
                    format!("{}/package.json", install.folder)
                };
                Ok((self.kept(install)?, Source::Environment, of))
            }
            Place::Bundle(listed) => {
                let key = format!("bundle {}", listed.file);
                let library = self.ready(&key, || Ok(Library::new(self.shelf.load(listed)?.index)))?;
                Ok((library, Source::Bundle, "the wheel the bundle was built from".to_owned()))
            }
        }
    }

    /// The documentation of what is installed, extracted once.
    fn kept(&self, install: &Install) -> Result<Arc<Library>> {
        let store = self.store.as_ref();
        match install.ecosystem {
            Ecosystem::Python => {
                let (files, record) = environment::record(&self.boundary, install)?;
                let name = ["python", &*install.library, &*install.version, &*record];
                self.ready(&name.join(" "), || {
                    let make = || environment::extract_python(&self.boundary, install, files, &record);
                    Library::kept(store, &name, make)
                })
            }
            Ecosystem::Npm => {
                let manifest = self.boundary.resolve(&format!("{}/package.json", install.folder))?;
                let digest = self.boundary.sha256(&manifest, crate::docs::tree::FILE_MAX)?;
                let name = ["npm", &*install.library, &*install.version, &*digest];
                self.ready(&name.join(" "), || {
                    let make =
                        || npm::installed(&self.boundary, &install.library, &install.folder, &install.version, &digest);
                    Library::kept(store, &name, make)
                })
            }
            Ecosystem::Rust => Err(Error::internal("crates are not installed into projects")),
        }
    }

    /// What is ready under a key, or made ready by `make`.
    fn ready(&self, key: &str, make: impl FnOnce() -> Result<Library>) -> Result<Arc<Library>> {
        {
            let mut state = self.state();
            if let Some(at) = state.ready.iter().position(|(known, _)| known == key) {
                let entry = state.ready.remove(at);
                let library = Arc::clone(&entry.1);
                state.ready.push(entry);
                return Ok(library);
            }
        }
        let library = Arc::new(make()?);
        let mut state = self.state();
        state.ready.push((key.to_owned(), Arc::clone(&library)));
        if state.ready.len() > READY {
            state.ready.remove(0);
        }
        Ok(library)
    }

    /// `Not in 2.1.9; …`: which other version has a name, and what is nearest in this one.
    fn absent(&self, ecosystem: Ecosystem, index: &Index, others: &[Offer], topic: &str, near: &[&str]) -> String {
        let has =
            |offer: &&Offer| self.open(ecosystem, offer).is_ok_and(|(other, ..)| select::has(&other.index, topic));
        let elsewhere = others.iter().find(has).map(|offer| format!("; {} has it", offer.version)).unwrap_or_default();
        let near = if near.is_empty() {
            "; nothing here is near".to_owned()
        } else {
            format!("; nearest: {}", near.join(", "))
        };
        format!("`{topic}`: Not in {}{elsewhere}{near}", index.version)
    }
}

fn unavailable(library: &str, wanted: Option<&str>, versions: &[String]) -> Error {
    let Some(wanted) = wanted else {
        return Error::new(ErrorCode::VersionUnavailable, format!("no version of {library} is on this machine"))
            .hint("install the project's dependencies, or build a bundle with `tapps-mcp docs bundle build`");
    };
    let error = Error::new(ErrorCode::VersionUnavailable, format!("{library} {wanted} is not on this machine"));
    match version::nearest(wanted, versions) {
        Some(nearest) => error
            .hint(format!("nearest: {nearest}; pass allow_nearest: true to read that, or install {library} {wanted}")),
        None => error
            .hint(format!("install {library} {wanted}, or build a bundle of it with `tapps-mcp docs bundle build`")),
    }
}

//! The modules of an environment, read when they are asked for.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use tapps_base::digest;
use tapps_project::packages::installed::InstalledPackage;
use tapps_project::packages::{Ecosystem, compiled_module, required_name};
use tapps_sandbox::Boundary;
use tapps_syntax::python::names::is_identifier;

use super::distributions::Environment;
use super::surface::{ModulePlace, ModuleSource, ModuleSurface, Openness, read_surface};

/// The largest module that is read, in bytes.
const MODULE_MAX: u64 = 4 << 20;

/// Surfaces that are kept between requests at most.
const MOST_KEPT: usize = 4_000;

/// Surfaces by the module's name and the digest of its text; they hold for as long as the text does.
#[derive(Debug, Default)]
pub(crate) struct KeptSurfaces(Mutex<HashMap<(String, String), Arc<ModuleSurface>>>);

impl KeptSurfaces {
    fn get_or_read(&self, place: ModulePlace<'_>, text: &str, sha256: &str) -> Arc<ModuleSurface> {
        let key = (format!("{}{}", place.name, if place.package { "/" } else { "" }), sha256.to_owned());
        if let Some(known) = self.lock().get(&key) {
            return Arc::clone(known);
        }
        let surface = Arc::new(read_surface(place, text));
        let mut kept = self.lock();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&surface));
        surface
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<(String, String), Arc<ModuleSurface>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What stands behind a dotted name of a module.
#[derive(Debug, Clone)]
pub(crate) enum FoundModule {
    /// A module with a text.
    Surface(Arc<ModuleSurface>),
    /// A folder without a text of its own.
    Namespace,
    Missing,
}

impl FoundModule {
    const fn word(&self) -> &'static str {
        match self {
            Self::Surface(_) => "module",
            Self::Namespace => "namespace",
            Self::Missing => "missing",
        }
    }
}

/// The libraries of one environment while one request is answered.
pub(crate) struct Libraries<'e> {
    boundary: &'e Boundary,
    pub(crate) environment: &'e Environment,
    kept: &'e KeptSurfaces,
    modules: Mutex<HashMap<String, FoundModule>>,
    listings: Mutex<HashMap<String, Arc<Vec<String>>>>,
    /// What each module was read from, by its name: paths with digests.
    read: Mutex<HashMap<String, Vec<(String, String)>>>,
}

impl<'e> Libraries<'e> {
    pub(crate) fn new(boundary: &'e Boundary, environment: &'e Environment, kept: &'e KeptSurfaces) -> Self {
        Self {
            boundary,
            environment,
            kept,
            modules: Mutex::default(),
            listings: Mutex::default(),
            read: Mutex::default(),
        }
    }

    /// The module of an absolute name.
    pub(crate) fn module(&self, name: &str) -> FoundModule {
        if let Some(known) = lock(&self.modules).get(name) {
            return known.clone();
        }
        let found = self.find(name);
        lock(&self.modules).insert(name.to_owned(), found.clone());
        found
    }

    /// The files whose texts are those of a top-level module and what lies below it, relative to the project.
    pub(crate) fn files_below(&self, top: &str) -> Vec<String> {
        let mut found = Vec::new();
        for folder in &self.environment.folders {
            for name in [format!("{top}.py"), format!("{top}.pyi")] {
                if self.names_in(folder).contains(&name) {
                    found.push(format!("{folder}/{name}"));
                }
            }
            for top in [top.to_owned(), format!("{top}-stubs")] {
                self.collect_below(&format!("{folder}/{top}"), &mut found, 12);
            }
        }
        found
    }

    /// The modules at the top of libraries that say they need the library of a module.
    pub(crate) fn tops_building_on(&self, top: &str) -> Vec<String> {
        let brought: Vec<&str> = self.environment.bringing(top).iter().map(|one| one.library.as_str()).collect();
        let needs = |package: &InstalledPackage| {
            let path = format!("{}/{}/METADATA", package.folder, package.info);
            self.text(&path).is_none_or(|text| needs_any(&text, &brought))
        };
        let building = self.environment.packages.iter().filter(|package| needs(package));
        building.flat_map(|package| self.environment.tops_of(&package.library)).collect()
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let bytes = self.boundary.resolve(path).and_then(|path| self.boundary.read(&path, MODULE_MAX)).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// What a module is written in, stubs aside.
    pub(crate) fn source(&self, name: &str) -> Option<ModuleSource> {
        let path = name.replace('.', "/");
        self.environment.folders.iter().find_map(|folder| {
            let files = [(format!("{folder}/{path}/__init__.py"), true), (format!("{folder}/{path}.py"), false)];
            files.into_iter().find_map(|(file, package)| Some(ModuleSource { text: self.text(&file)?, package }))
        })
    }

    /// Whether what type checkers know of a library is installed: its own types, or stubs of it.
    pub(crate) fn has_types(&self, top: &str) -> bool {
        self.environment.folders.iter().any(|folder| {
            self.names_in(&format!("{folder}/{top}")).iter().any(|name| name == "py.typed")
                || !self.names_in(&format!("{folder}/{top}-stubs")).is_empty()
        })
    }

    /// The names of the modules directly below a package.
    pub(crate) fn submodules(&self, name: &str) -> Vec<String> {
        let path = name.replace('.', "/");
        let names =
            self.environment.folders.iter().flat_map(|folder| self.names_in(&format!("{folder}/{path}")).to_vec());
        let stem = |name: String| {
            Some(name.split('.').next().unwrap_or_default().to_owned()).filter(|stem| stem != "__init__")
        };
        names.filter_map(stem).filter(|stem| is_identifier(stem)).collect()
    }

    /// A digest over what stands behind some modules, and over all files of some libraries, by the modules at their top.
    pub(crate) fn digest(&self, modules: &BTreeSet<String>, libraries: &BTreeSet<String>) -> String {
        let mut lines = Vec::new();
        for name in modules {
            let found = self.module(name);
            let read = lock(&self.read).get(name).cloned().unwrap_or_default();
            let brought = self.environment.bringing(name.split('.').next().unwrap_or(name)).iter();
            let brought: String = brought.map(|one| format!(" {} {}", one.library, one.version)).collect();
            lines.push(format!("{name} {}{brought}\n", found.word()));
            lines.extend(read.into_iter().map(|(path, sha256)| format!("{sha256}  {path}\n")));
        }
        for path in libraries.iter().flat_map(|top| self.files_below(top)) {
            let sha256 = self.text(&path).map(|text| digest::sha256(text.as_bytes())).unwrap_or_default();
            lines.push(format!("{sha256}  {}\n", self.within_site(&path)));
        }
        digest::sha256(lines.concat().as_bytes())
    }

    /// A path from the folder that libraries are installed in, which is another one on other machines.
    fn within_site<'p>(&self, path: &'p str) -> &'p str {
        let inside = self.environment.folders.iter().find_map(|folder| path.strip_prefix(folder.as_str()));
        inside.unwrap_or(path).trim_start_matches('/')
    }

    fn find(&self, name: &str) -> FoundModule {
        let top = name.split('.').next().unwrap_or(name);
        if self.environment.bringing(top).iter().any(|one| one.other_than_locked.is_some()) {
            return FoundModule::Surface(Arc::new(ModuleSurface::opaque(Openness::OtherVersion)));
        }
        let path = name.replace('.', "/");
        let (parent, last) = path.rsplit_once('/').map_or(("", path.as_str()), |(parent, last)| (parent, last));
        for folder in &self.environment.folders {
            let join = |parent: &str| if parent.is_empty() { folder.clone() } else { format!("{folder}/{parent}") };
            let beside = join(parent);
            let names = self.names_in(&beside);
            let has = |name: &str| names.binary_search_by(|known| known.as_str().cmp(name)).is_ok();
            let (inside, mut surfaces) = (format!("{beside}/{last}"), Vec::new());
            if has(last) {
                let inner = self.names_in(&inside);
                for file in ["__init__.pyi", "__init__.py"] {
                    if inner.iter().any(|name| name == file) {
                        surfaces.push((self.read_module(&format!("{inside}/{file}"), name, true), file.ends_with('i')));
                    }
                }
                if surfaces.is_empty() && inner.iter().any(|name| compiled_module(name) == Some("__init__")) {
                    return FoundModule::Surface(Arc::new(ModuleSurface::opaque(Openness::Compiled)));
                }
            }
            for file in [format!("{last}.pyi"), format!("{last}.py")] {
                if has(&file) {
                    surfaces.push((self.read_module(&format!("{beside}/{file}"), name, false), file.ends_with('i')));
                }
            }
            let compiled = names.iter().any(|name| compiled_module(name) == Some(last));
            let only_stubs = !surfaces.is_empty() && surfaces.iter().all(|(_, stub)| *stub);
            let stubs = self.stub_of(folder, name, &mut surfaces);
            if !surfaces.is_empty() {
                let mut joined = surfaces
                    .into_iter()
                    .map(|(surface, _)| surface)
                    .reduce(|a, b| Arc::new((*a).clone().joined((*b).clone())));
                // Stubs alone say what a type checker knows, not all that is there. A module that is compiled beside its source has
                // the names of its source.
                if only_stubs || stubs == Some(true) {
                    joined = joined.map(|surface| {
                        let mut surface = (*surface).clone();
                        surface.open = Some(Openness::Compiled);
                        Arc::new(surface)
                    });
                }
                return joined.map_or(FoundModule::Missing, FoundModule::Surface);
            }
            if compiled {
                return FoundModule::Surface(Arc::new(ModuleSurface::opaque(Openness::Compiled)));
            }
            if has(last) && !self.names_in(&inside).is_empty() {
                return FoundModule::Namespace;
            }
        }
        FoundModule::Missing
    }

    /// Adds what a distribution of stubs says of a module; true when nothing else says anything.
    fn stub_of(&self, folder: &str, name: &str, surfaces: &mut Vec<(Arc<ModuleSurface>, bool)>) -> Option<bool> {
        let (top, rest) = name.split_once('.').map_or((name, ""), |(top, rest)| (top, rest));
        let stubs = format!("{folder}/{top}-stubs");
        if self.names_in(&stubs).is_empty() {
            return None;
        }
        let alone = surfaces.is_empty();
        let path = if rest.is_empty() { stubs } else { format!("{stubs}/{}", rest.replace('.', "/")) };
        let file = format!("{path}.pyi");
        let (beside, last) = file.rsplit_once('/')?;
        if !rest.is_empty() && self.names_in(beside).iter().any(|name| name == last) {
            surfaces.push((self.read_module(&file, name, false), true));
        } else if self.names_in(&path).iter().any(|name| name == "__init__.pyi") {
            surfaces.push((self.read_module(&format!("{path}/__init__.pyi"), name, true), true));
        }
        Some(alone)
    }

    fn read_module(&self, path: &str, name: &str, package: bool) -> Arc<ModuleSurface> {
        let Some(text) = self.text(path) else { return Arc::new(ModuleSurface::opaque(Openness::Unread)) };
        let sha256 = digest::sha256(text.as_bytes());
        let surface = self.kept.get_or_read(ModulePlace { name, package }, &text, &sha256);
        let mut read = lock(&self.read);
        let of_module = read.entry(name.to_owned()).or_default();
        let entry = (self.within_site(path).to_owned(), sha256);
        // Two threads may have been at it at once.
        if !of_module.contains(&entry) {
            of_module.push(entry);
            of_module.sort();
        }
        drop(read);
        surface
    }

    /// What a folder holds, sorted; nothing where there is no folder.
    fn names_in(&self, folder: &str) -> Arc<Vec<String>> {
        if let Some(known) = lock(&self.listings).get(folder) {
            return Arc::clone(known);
        }
        let is_there = |path: &tapps_sandbox::ProjectPath| self.boundary.is_there(path);
        let listed =
            self.boundary.resolve(folder).ok().filter(is_there).and_then(|path| self.boundary.list(&path).ok());
        let names = Arc::new(listed.unwrap_or_default());
        lock(&self.listings).insert(folder.to_owned(), Arc::clone(&names));
        names
    }

    fn collect_below(&self, folder: &str, found: &mut Vec<String>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for name in self.names_in(folder).iter() {
            let path = format!("{folder}/{name}");
            if name.ends_with(".py") || name.ends_with(".pyi") {
                found.push(path);
            } else if is_identifier(name) && name != "__pycache__" {
                self.collect_below(&path, found, depth);
            }
        }
    }
}

/// Whether the metadata of a distribution asks for one of these libraries.
fn needs_any(metadata: &str, libraries: &[&str]) -> bool {
    let head = metadata.lines().take_while(|line| !line.is_empty());
    let asked = head.filter_map(|line| line.strip_prefix("Requires-Dist:"));
    asked.filter_map(required_name).any(|name| libraries.contains(&Ecosystem::PyPi.normalize_name(name).as_str()))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

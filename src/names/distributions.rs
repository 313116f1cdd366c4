//! What is installed beside a project, and whether it is what the project has locked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use tapps_base::digest;
use tapps_project::packages::Ecosystem;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_project::packages::installed::{self, InstalledPackage};
use tapps_project::versions::{Pins, is_same_version};
use tapps_sandbox::Boundary;

/// Files of an environment that extend its path and are no concern of the project's libraries.
const OWN_PATH_FILES: [&str; 2] = ["_virtualenv.pth", "distutils-precedence.pth"];

/// The libraries of a project's environment.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    /// The folders that imports are looked for in, relative to the environment's boundary.
    pub(crate) folders: Vec<String>,
    /// The distributions that bring a module at the top, by its name.
    by_module: BTreeMap<String, Vec<Distribution>>,
    pub(crate) packages: Vec<InstalledPackage>,
    /// Libraries that the project itself asks for and that are not installed in the locked version.
    pub(crate) missing: BTreeSet<String>,
    /// The project says what it asks for.
    asks: bool,
    /// Something puts folders on the path that are not looked into.
    pub(crate) extended: bool,
}

/// One installed distribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Distribution {
    pub(crate) library: String,
    pub(crate) version: String,
    /// The project has locked another version.
    pub(crate) other_than_locked: Option<String>,
}

impl Environment {
    /// Looks at what is installed.
    pub(crate) fn of_project(boundary: &Boundary, pins: &Pins, listing: InstalledListing) -> Self {
        let InstalledListing { folders, packages, extended, .. } = listing;
        let mut by_module: BTreeMap<String, Vec<Distribution>> = BTreeMap::new();
        for package in &packages {
            let locked = pins.get(Ecosystem::PyPi, &package.library).and_then(|pin| pin.version.clone());
            let distribution = Distribution {
                library: package.library.clone(),
                version: package.version.clone(),
                other_than_locked: locked.filter(|locked| !is_same_version(locked, &package.version)),
            };
            let Ok((paths, _)) = installed::read_record(boundary, package) else { continue };
            for module in installed::import_names(&paths) {
                // Stubs are of the package that they describe.
                let module = module.strip_suffix("-stubs").unwrap_or(module);
                by_module.entry(module.to_owned()).or_default().push(distribution.clone());
            }
        }
        let is_here = |library: &str, version: &str| {
            packages.iter().any(|package| package.library == library && is_same_version(version, &package.version))
        };
        let asks = pins.iter().any(|pin| pin.ecosystem == Ecosystem::PyPi);
        let missing = pins.iter().filter(|pin| pin.ecosystem == Ecosystem::PyPi && pin.is_direct());
        let missing = missing
            .filter(|pin| match &pin.version {
                Some(version) => !is_here(&pin.library, version),
                None => !packages.iter().any(|package| package.library == pin.library),
            })
            .map(|pin| pin.library.clone())
            .collect();
        Self { folders, by_module, packages, missing, asks, extended }
    }

    /// The distributions that bring a module at the top.
    pub(crate) fn bringing(&self, top: &str) -> &[Distribution] {
        self.by_module.get(top).map(Vec::as_slice).unwrap_or_default()
    }

    /// All modules at the top.
    pub(crate) fn tops(&self) -> impl Iterator<Item = &str> {
        self.by_module.keys().map(String::as_str)
    }

    /// The modules at the top that a library brings.
    pub(crate) fn tops_of(&self, library: &str) -> Vec<String> {
        let brings = |all: &Vec<Distribution>| all.iter().any(|one| one.library == library);
        self.by_module.iter().filter(|(_, all)| brings(all)).map(|(top, _)| top.clone()).collect()
    }

    /// Whether everything that the project asks for is here, and nothing else is on the path.
    pub(crate) fn is_complete(&self) -> bool {
        self.asks && self.missing.is_empty() && !self.extended
    }
}

/// What is installed, by the names of files alone.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct InstalledListing {
    /// What the folders are relative to, where that is not the project.
    outside: Option<PathBuf>,
    pub(crate) folders: Vec<String>,
    packages: Vec<InstalledPackage>,
    extended: bool,
}

impl InstalledListing {
    /// Lists what is installed in the environments of a project.
    pub(crate) fn of_environment(environment: &PythonEnvironment) -> Self {
        let (boundary, folders) = (environment.boundary(), environment.site_packages());
        let mut packages = Vec::new();
        let mut extended = false;
        for folder in &folders {
            packages.extend(installed::installed_distributions(boundary, folder));
            let names = boundary.resolve(folder).and_then(|path| boundary.list(&path)).unwrap_or_default();
            extended |= names.iter().any(|name| name.ends_with(".pth") && !OWN_PATH_FILES.contains(&name.as_str()));
        }
        let outside = environment.is_named().then(|| boundary.root().to_owned());
        Self { outside, folders, packages, extended }
    }
}

impl InstalledListing {
    /// Changes with what is installed; empty when nothing is.
    pub(crate) fn digest(&self) -> String {
        if self.packages.is_empty() {
            return String::new();
        }
        let line = |one: &InstalledPackage| format!("{}/{}\n", one.folder, one.info);
        let lines: String = self.packages.iter().map(line).collect();
        let outside = self.outside.as_ref().map(|folder| format!("{}\n", folder.display())).unwrap_or_default();
        digest::sha256(format!("{outside}{lines}").as_bytes())
    }
}

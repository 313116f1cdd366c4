//! What is known of the project's libraries: what is pinned and what is installed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use crate::ecosystem_word;
use tapps_base::Result;
use tapps_project::packages::Ecosystem;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_project::packages::installed::{self, InstalledPackage};
use tapps_project::versions::{Pin, Pins, Texts, normalize_library_name};
use tapps_sandbox::Boundary;

/// One state of the project; it holds until a lock file or an environment changes.
#[derive(Debug)]
pub(super) struct Project {
    texts: Texts,
    /// Where what is installed lies.
    environment: PythonEnvironment,
    pub(super) pins: Arc<Pins>,
    pub(super) installs: Vec<InstalledPackage>,
    pub(super) node: Vec<String>,
    imports: OnceLock<BTreeMap<String, String>>,
}

impl Project {
    /// Looks at the project; what has not changed since `before` is taken from there.
    ///
    /// # Errors
    /// What listing the project's root says.
    pub(super) fn load_project(
        boundary: &Boundary,
        environment: &PythonEnvironment,
        before: Option<&Arc<Self>>,
    ) -> Result<Arc<Self>> {
        let texts = Pins::read_texts(boundary)?;
        let installs: Vec<InstalledPackage> = environment.distributions().collect();
        let node = installed::node_names(boundary);
        if let Some(same) = before.filter(|b| b.texts == texts && b.installs == installs && b.node == node) {
            return Ok(Arc::clone(same));
        }
        let pins = match before.filter(|before| before.texts == texts) {
            Some(before) => Arc::clone(&before.pins),
            None => Arc::new(Pins::from_texts(&texts)),
        };
        let environment = environment.clone();
        Ok(Arc::new(Self { texts, environment, pins, installs, node, imports: OnceLock::new() }))
    }

    /// The Python library that a module belongs to, by the name it is imported under.
    pub(super) fn library_of_import(&self, module: &str) -> Option<&str> {
        let imports = self.imports.get_or_init(|| {
            let mut found = BTreeMap::new();
            for install in &self.installs {
                let Ok((paths, _)) = installed::read_record(self.environment.boundary(), install) else { continue };
                for name in installed::import_names(&paths) {
                    found.entry(name.to_owned()).or_insert_with(|| install.library.clone());
                }
            }
            found
        });
        imports.get(module).map(String::as_str)
    }

    /// The installed library of a name.
    pub(super) fn find_install(
        &self,
        boundary: &Boundary,
        ecosystem: Ecosystem,
        library: &str,
    ) -> Option<InstalledPackage> {
        match ecosystem {
            Ecosystem::PyPi => self.installs.iter().find(|install| install.library == library).cloned(),
            Ecosystem::Npm => installed::node_package(boundary, library),
            Ecosystem::Crates | Ecosystem::Go | Ecosystem::Maven => None,
        }
    }

    pub(super) fn pin(&self, ecosystem: Ecosystem, library: &str) -> Option<&Pin> {
        self.pins.get(ecosystem, library)
    }

    /// All libraries of the project.
    pub(super) fn libraries(&self) -> BTreeSet<(Ecosystem, &str)> {
        let pinned = self.pins.iter().map(|pin| (pin.ecosystem, pin.library.as_str()));
        let installed = self.installs.iter().map(|install| (install.ecosystem, install.library.as_str()));
        let node = self.node.iter().map(|name| (Ecosystem::Npm, name.as_str()));
        pinned.chain(installed).chain(node).collect()
    }

    /// Which libraries go by a name.
    pub(super) fn libraries_named(&self, name: &str) -> Vec<(Ecosystem, String)> {
        let libraries = self.libraries();
        let all = ecosystem_word::ECOSYSTEM_WORDS.into_iter().map(|(_, ecosystem)| ecosystem);
        let mut found: Vec<(Ecosystem, String)> = all
            .map(|ecosystem| (ecosystem, normalize_library_name(ecosystem, name)))
            .filter(|(ecosystem, name)| libraries.contains(&(*ecosystem, name.as_str())))
            .collect();
        if found.is_empty() {
            found.extend(self.library_of_import(name).map(|library| (Ecosystem::PyPi, library.to_owned())));
        }
        found
    }
}

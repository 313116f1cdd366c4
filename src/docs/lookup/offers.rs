//! Which versions of a library this machine has, and opening one.

use std::sync::Arc;

use super::answer::Source;
use super::environment::{self, Install};
use super::library::Library;
use super::project::Project;
use super::select;
use super::service::Docs;
use crate::bundle::Listed;
use crate::extract::npm;
use crate::symbol::Index;
use crate::tree::FILE_MAX;
use tapps_base::{Error, Result};
use tapps_project::packages::Ecosystem;

/// One version of a library that can be had.
pub(super) struct Offer {
    pub(super) version: String,
    place: Place,
}

enum Place {
    Installed(Install),
    Bundle(Listed),
}

/// A library that has been opened.
pub(super) struct Opened {
    pub(super) library: Arc<Library>,
    pub(super) source: Source,
    /// What its digest is of.
    pub(super) of: String,
}

impl Docs {
    /// The versions of a library on this machine, what is installed first.
    pub(super) fn offers(&self, project: &Project, ecosystem: Ecosystem, library: &str) -> Vec<Offer> {
        let installed = project.install(&self.boundary, ecosystem, library);
        let installed =
            installed.map(|install| Offer { version: install.version.clone(), place: Place::Installed(install) });
        let bundles = self.shelf.of(ecosystem, library).into_iter();
        let bundles = bundles.map(|listed| Offer { version: listed.version.clone(), place: Place::Bundle(listed) });
        installed.into_iter().chain(bundles).collect()
    }

    /// Reads what is offered, or takes it as it was read before.
    pub(super) fn open(&self, offer: &Offer) -> Result<Opened> {
        match &offer.place {
            Place::Installed(install) => {
                let of = if install.ecosystem == Ecosystem::PyPi {
                    format!("{}/RECORD", install.info)
                } else {
                    format!("{}/package.json", install.folder)
                };
                Ok(Opened { library: self.kept(install)?, source: Source::Environment, of })
            }
            Place::Bundle(listed) => {
                let key = format!("bundle {}", listed.file);
                let library = self.ready(&key, || Ok(Library::new(self.shelf.load(listed)?.index)))?;
                let artifact = if listed.ecosystem == Ecosystem::Npm { "package" } else { "wheel" };
                Ok(Opened { library, source: Source::Bundle, of: format!("the {artifact} the bundle was built from") })
            }
        }
    }

    /// The documentation of what is installed, extracted once.
    pub(super) fn kept(&self, install: &Install) -> Result<Arc<Library>> {
        let store = self.store.as_ref();
        match install.ecosystem {
            Ecosystem::PyPi => {
                let (files, record) = environment::record(&self.boundary, install)?;
                let name = ["python", &*install.library, &*install.version, &*record];
                self.ready(&name.join(" "), || {
                    let make = || environment::extract_python(&self.boundary, install, files, &record);
                    Library::kept(store, &name, make)
                })
            }
            Ecosystem::Npm => {
                let manifest = self.boundary.resolve(&format!("{}/package.json", install.folder))?;
                let digest = self.boundary.sha256(&manifest, FILE_MAX)?;
                let name = ["npm", &*install.library, &*install.version, &*digest];
                self.ready(&name.join(" "), || {
                    let make =
                        || npm::installed(&self.boundary, &install.library, &install.folder, &install.version, &digest);
                    Library::kept(store, &name, make)
                })
            }
            Ecosystem::Crates | Ecosystem::Go | Ecosystem::Maven => {
                Err(Error::internal("only packages of Python and npm are installed into projects"))
            }
        }
    }

    /// `Not in 2.1.9; …`: which other version has a name, and what is nearest in this one.
    pub(super) fn absent(&self, index: &Index, others: &[Offer], topic: &str, near: &[&str]) -> String {
        let has = |offer: &&Offer| self.open(offer).is_ok_and(|other| select::has(&other.library.index, topic));
        let elsewhere = others.iter().find(has).map(|offer| format!("; {} has it", offer.version)).unwrap_or_default();
        let near = if near.is_empty() {
            "; nothing here is near".to_owned()
        } else {
            format!("; nearest: {}", near.join(", "))
        };
        format!("`{topic}`: Not in {}{elsewhere}{near}", index.version)
    }
}

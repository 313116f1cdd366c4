//! Which versions of a library this machine has, and opening one.

use std::sync::Arc;

use super::answer::DocsOrigin;
use super::environment;
use super::library::SearchableLibrary;
use super::project::Project;
use super::select;
use super::service::DocsService;
use crate::bundle::BundleListing;
use crate::extract::npm;
use crate::symbol::LibraryIndex;
use crate::tree::FILE_MAX;
use tapps_base::{Error, Result};
use tapps_project::packages::Ecosystem;
use tapps_project::packages::installed::{self, InstalledPackage};

/// One version of a library that can be had.
pub(super) struct Offer {
    pub(super) version: String,
    place: OfferSource,
}

enum OfferSource {
    Installed(InstalledPackage),
    Bundle(BundleListing),
}

/// A library that has been opened.
pub(super) struct Opened {
    pub(super) library: Arc<SearchableLibrary>,
    pub(super) source: DocsOrigin,
    /// What its digest is of.
    pub(super) of: String,
}

impl DocsService {
    /// The versions of a library on this machine, what is installed first.
    pub(super) fn available_versions(&self, project: &Project, ecosystem: Ecosystem, library: &str) -> Vec<Offer> {
        let installed = project.find_install(&self.boundary, ecosystem, library);
        let installed =
            installed.map(|install| Offer { version: install.version.clone(), place: OfferSource::Installed(install) });
        let bundles = self.shelf.bundles_of(ecosystem, library).into_iter();
        let bundles =
            bundles.map(|listed| Offer { version: listed.version.clone(), place: OfferSource::Bundle(listed) });
        installed.into_iter().chain(bundles).collect()
    }

    /// Reads what is offered, or takes it as it was read before.
    pub(super) fn open_offer(&self, offer: &Offer) -> Result<Opened> {
        match &offer.place {
            OfferSource::Installed(install) => {
                let of = if install.ecosystem == Ecosystem::PyPi {
                    format!("{}/RECORD", install.info)
                } else {
                    format!("{}/package.json", install.folder)
                };
                Ok(Opened { library: self.installed_docs(install)?, source: DocsOrigin::Environment, of })
            }
            OfferSource::Bundle(listed) => {
                let key = format!("bundle {}", listed.file);
                let library = self.load_ready(&key, || Ok(SearchableLibrary::new(self.shelf.load(listed)?.index)))?;
                let artifact = if listed.ecosystem == Ecosystem::Npm { "package" } else { "wheel" };
                Ok(Opened {
                    library,
                    source: DocsOrigin::Bundle,
                    of: format!("the {artifact} the bundle was built from"),
                })
            }
        }
    }

    /// The documentation of what is installed, extracted once.
    pub(super) fn installed_docs(&self, install: &InstalledPackage) -> Result<Arc<SearchableLibrary>> {
        let store = self.store.as_ref();
        match install.ecosystem {
            Ecosystem::PyPi => {
                let (files, record) = installed::read_record(self.environment.boundary(), install)?;
                let name = ["python", &*install.library, &*install.version, &*record];
                self.load_ready(&name.join(" "), || {
                    let make = || environment::extract_python(self.environment.boundary(), install, files, &record);
                    SearchableLibrary::load_or_build(store, &name, make)
                })
            }
            Ecosystem::Npm => {
                let manifest = self.boundary.resolve(&format!("{}/package.json", install.folder))?;
                let digest = self.boundary.sha256(&manifest, FILE_MAX)?;
                let name = ["npm", &*install.library, &*install.version, &*digest];
                self.load_ready(&name.join(" "), || {
                    let make = || {
                        npm::index_installed_package(
                            &self.boundary,
                            &install.library,
                            &install.folder,
                            &install.version,
                            &digest,
                        )
                    };
                    SearchableLibrary::load_or_build(store, &name, make)
                })
            }
            Ecosystem::Crates | Ecosystem::Go | Ecosystem::Maven => {
                Err(Error::internal("only packages of Python and npm are installed into projects"))
            }
        }
    }

    /// `Not in 2.1.9; …`: which other version has a name, and what is nearest in this one. Of what may have more than is listed
    /// it is not said that it lacks something.
    pub(super) fn explain_absence(&self, index: &LibraryIndex, others: &[Offer], topic: &str, near: &[&str]) -> String {
        let has = |offer: &&Offer| {
            self.open_offer(offer).is_ok_and(|other| select::has_symbol_named(&other.library.index, topic))
        };
        let elsewhere = others.iter().find(has).map(|offer| format!("; {} has it", offer.version)).unwrap_or_default();
        let near = if near.is_empty() {
            "; nothing here is near".to_owned()
        } else {
            format!("; nearest: {}", near.join(", "))
        };
        match select::why_uncertain(index, topic) {
            Some(why) => format!("`{topic}`: not found in {}; {why}{elsewhere}{near}", index.version),
            None => format!("`{topic}`: Not in {}{elsewhere}{near}", index.version),
        }
    }
}

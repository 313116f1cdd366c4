//! Which library is meant by what somebody wrote.

use super::missed::{LibraryQuery, Missed};
use super::names;
use super::project::Project;
use super::service::DocsService;
use crate::bundle::BundleListing;
use crate::ecosystem_word;
use tapps_base::Error;
use tapps_project::packages::Ecosystem;
use tapps_project::versions::normalize_library_name;

/// A library of the project, or one that a bundle has.
pub(super) struct Identified {
    pub(super) ecosystem: Ecosystem,
    pub(super) library: String,
    /// What was written, when that was misspelt.
    pub(super) corrected_from: Option<String>,
}

impl DocsService {
    /// Where a package of Python of that name stands in the project itself.
    fn own_package(&self, name: &str) -> Option<String> {
        let module = name.replace('-', "_");
        let is_name = module.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let places = ["", "src/"].map(|folder| format!("{folder}{module}"));
        places.into_iter().filter(|_| is_name).find(|place| {
            let path = self.boundary.resolve(&format!("{place}/__init__.py"));
            path.is_ok_and(|path| self.boundary.kind(&path).is_ok())
        })
    }

    /// Which library is meant; what nobody here knows may be known to the service.
    pub(super) fn resolve_library(
        &self,
        project: &Project,
        asked: &str,
        version: Option<&str>,
    ) -> Result<Identified, Missed> {
        let asked = asked.trim();
        let after = |word: &str| asked.strip_prefix(word)?.strip_prefix(':').map(str::trim);
        let prefixed = ecosystem_word::ECOSYSTEM_WORDS.into_iter().find_map(|(word, kind)| Some((kind, after(word)?)));
        let (only, name) = prefixed.map_or((None, asked), |(kind, name)| (Some(kind), name));
        if name.is_empty() {
            return Err(Error::invalid("the name of the library is empty")
                .hint("name one, for example `fastapi`")
                .into());
        }
        let admitted = |kind: Ecosystem| only.is_none_or(|only| only == kind);
        let shelved = self.shelf.list();
        let found = project.libraries_named(name).into_iter().find(|(kind, _)| admitted(*kind));
        let found = found.or_else(|| {
            let same = |listed: &&BundleListing| {
                admitted(listed.ecosystem) && listed.library == normalize_library_name(listed.ecosystem, name)
            };
            shelved.iter().find(same).map(|listed| (listed.ecosystem, listed.library.clone()))
        });
        if let Some((ecosystem, library)) = found {
            return Ok(Identified { ecosystem, library, corrected_from: None });
        }
        if let Some(place) = self.own_package(name) {
            let what = format!("`{asked}` is this project itself: it stands in {place}");
            return Err(Error::invalid(what)
                .hint("read it there; coderef_query and coderef_context know its elements")
                .into());
        }
        let mut known: Vec<(Ecosystem, &str)> = project.libraries().into_iter().collect();
        known.extend(shelved.iter().map(|listed| (listed.ecosystem, listed.library.as_str())));
        known.retain(|(kind, _)| admitted(*kind));
        known.sort_unstable();
        known.dedup();
        let names = || known.iter().map(|(_, name)| *name);
        if let Some(meant) = names::probable_name(name, names())
            && let Some((ecosystem, library)) = known.iter().find(|(_, name)| *name == meant)
        {
            let (library, corrected_from) = ((*library).to_owned(), Some(asked.to_owned()));
            return Ok(Identified { ecosystem: *ecosystem, library, corrected_from });
        }
        let near = names::nearest_names(name, names(), 3);
        let hint = match near.is_empty() {
            false => format!("did you mean {}?", near.join(" or ")),
            true => "install the project's dependencies into .venv or node_modules, or build a bundle with \
                     `tapps-mcp docs bundle build`"
                .to_owned(),
        };
        let error = Error::invalid(format!("the project does not use a library `{asked}` and no bundle has it"));
        let wanted = LibraryQuery {
            ecosystem: only,
            library: name.to_owned(),
            corrected_from: None,
            version: version.map(str::to_owned),
            here: Vec::new(),
            pinned_by: None,
        };
        Err(Missed { error: error.hint(hint), wanted: Some(Box::new(wanted)) })
    }
}

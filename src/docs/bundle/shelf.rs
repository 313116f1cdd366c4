//! The folders bundles are kept in.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read::{Bundle, open_bundle};
use crate::ecosystem_word;
use crate::symbol::LibraryIndex;
use tapps_base::{Error, ErrorCode, Result, atomic};
use tapps_project::packages::Ecosystem;
use tapps_project::versions::normalize_library_name;

const ENDING: &str = ".docs.zip";
/// Largest bundle file, in bytes.
const FILE_MAX: u64 = 128 << 20;

/// A bundle as its file name tells of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct BundleListing {
    #[serde(with = "crate::ecosystem_word")]
    #[schemars(with = "crate::ecosystem_word::EcosystemWord")]
    pub ecosystem: Ecosystem,
    pub library: String,
    pub version: String,
    /// The name of its file.
    pub file: String,
}

/// Bundles in some folders; of the same bundle in two of them the first counts.
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    folders: Vec<PathBuf>,
}

/// `python+requests+2.32.5.docs.zip`; the slash of a scoped npm package becomes `__`.
#[must_use]
pub fn file_name(index: &LibraryIndex) -> String {
    let library = index.library.replace('/', "__");
    format!("{}+{library}+{}{ENDING}", ecosystem_word::word_of_ecosystem(index.ecosystem), index.version)
}

impl Shelf {
    #[must_use]
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// Every bundle, sorted.
    #[must_use]
    pub fn list(&self) -> Vec<BundleListing> {
        let names = self.folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
        let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter_map(|name| parse_bundle_name(&name)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The versions there are of a library, sorted as text.
    #[must_use]
    pub fn bundles_of(&self, ecosystem: Ecosystem, library: &str) -> Vec<BundleListing> {
        let library = normalize_library_name(ecosystem, library);
        self.list().into_iter().filter(|bundle| bundle.ecosystem == ecosystem && bundle.library == library).collect()
    }

    /// Reads and checks a bundle.
    ///
    /// # Errors
    /// `file_not_found`; `corrupted_data` when it is not sound or holds something else than its name says.
    pub fn load(&self, listed: &BundleListing) -> Result<Bundle> {
        let path = self.folders.iter().map(|folder| folder.join(&listed.file)).find(|path| path.is_file());
        let missing = || Error::new(ErrorCode::FileNotFound, format!("there is no bundle {}", listed.file));
        let bundle = read_bundle_file(&path.ok_or_else(missing)?)?;
        let manifest = &bundle.manifest;
        let same = manifest.ecosystem == listed.ecosystem
            && manifest.library == listed.library
            && manifest.version == listed.version;
        if !same {
            return Err(Error::new(
                ErrorCode::CorruptedData,
                format!("the bundle {} holds {} {}", listed.file, manifest.library, manifest.version),
            )
            .hint("remove it"));
        }
        Ok(bundle)
    }

    /// Puts a bundle into the first folder and gives its path.
    ///
    /// # Errors
    /// `config_error` without a folder; what writing says.
    pub fn put(&self, index: &LibraryIndex, bytes: &[u8]) -> Result<PathBuf> {
        let none = || Error::new(ErrorCode::ConfigError, "there is no folder for bundles").hint("name one with --dir");
        let folder = self.folders.first().ok_or_else(none)?;
        fs::create_dir_all(folder)
            .map_err(|error| Error::io(format_args!("cannot make {}", folder.display()), &error))?;
        let path = folder.join(file_name(index));
        atomic::write(&path, bytes)?;
        Ok(path)
    }
}

/// Reads and checks the bundle in a file.
///
/// # Errors
/// `file_not_found`, `corrupted_data`.
pub fn read_bundle_file(path: &Path) -> Result<Bundle> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let failed = |error: &std::io::Error| {
        Error::new(ErrorCode::FileNotFound, format!("cannot read the bundle {}: {error}", path.display()))
    };
    let bytes = fs::metadata(path).map_err(|error| failed(&error))?.len();
    if bytes > FILE_MAX {
        return Err(Error::new(ErrorCode::CorruptedData, format!("the bundle {name} has {bytes} bytes"))
            .hint("no bundle is larger than 128 MiB"));
    }
    open_bundle(&name, &fs::read(path).map_err(|error| failed(&error))?)
}

fn parse_bundle_name(file: &str) -> Option<BundleListing> {
    let mut parts = file.strip_suffix(ENDING)?.splitn(3, '+');
    let ecosystem = ecosystem_word::ecosystem_of_word(parts.next()?)?;
    let library = parts.next()?.replace("__", "/");
    Some(BundleListing { ecosystem, library, version: parts.next()?.to_owned(), file: file.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_tell_what_is_in_them() {
        let of = |file| parse_bundle_name(file).map(|l| (l.ecosystem, l.library, l.version));
        let npm = of("npm+@types__react+19.2.2.docs.zip");
        assert_eq!(npm, Some((Ecosystem::Npm, "@types/react".into(), "19.2.2".into())));
        assert_eq!(of("python+a-b+1.0+local.docs.zip").unwrap().2, "1.0+local");
        assert_eq!(of("a.zip"), None);
        assert_eq!(of("ruby+a+1.docs.zip"), None);
    }
}

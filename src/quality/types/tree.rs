//! A tree of types: which files it has, and from where their bytes come.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::choice::{TypesChoice, TypesOrigin};
use super::package::MOST_FILE_BYTES;
use super::stamp::{LibraryTypesStamp, name_within_bounds};
use super::wheels::files_of_wheel;
use crate::cache::FileDigest;
use tapps_base::{Error, ErrorCode, Result, digest};
use tapps_project::packages::environment::PythonEnvironment;
use tapps_sandbox::Boundary;

/// The types of the packages that a project has locked.
#[derive(Debug, Clone)]
pub(crate) struct TypeTree {
    stamp: LibraryTypesStamp,
    /// By path, each with the place of its origin in the list below.
    files: BTreeMap<String, (FileDigest, usize)>,
    origins: Vec<TypesOrigin>,
    /// Where the wheels lie.
    boundary: Arc<Boundary>,
    installed_in: PythonEnvironment,
}

impl TypeTree {
    /// The tree of what was chosen; none where there is nothing in it and nothing to say.
    pub(super) fn of_choice(
        choice: TypesChoice,
        boundary: &Arc<Boundary>,
        installed_in: &PythonEnvironment,
    ) -> Option<Self> {
        if choice.packages.is_empty() && choice.left_out.is_empty() {
            return None;
        }
        let (locked, packages) = (choice.locked(), choice.packages.len());
        let mut files = BTreeMap::new();
        let mut origins = Vec::new();
        for package in choice.packages {
            for (path, file) in package.files {
                // Where two packages have a file in one place, the first of them counts on every machine.
                files.entry(path).or_insert((file, origins.len()));
            }
            origins.push(package.origin);
        }
        let line =
            |(path, (file, _)): (&String, &(FileDigest, usize))| format!("{}  {path}\n", digest::hex(&file.sha256));
        let digest = digest::sha256(files.iter().map(line).collect::<String>().as_bytes());
        let left_out = name_within_bounds(choice.left_out);
        let stamp =
            LibraryTypesStamp { digest, locked, as_installed: packages - locked, without: choice.without, left_out };
        Some(Self { stamp, files, origins, boundary: Arc::clone(boundary), installed_in: installed_in.clone() })
    }

    /// What results say of it.
    pub(crate) const fn stamp(&self) -> &LibraryTypesStamp {
        &self.stamp
    }

    pub(crate) fn digest(&self) -> &str {
        &self.stamp.digest
    }

    /// Every file with its digest, by path.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8; 32])> {
        self.files.iter().map(|(path, (file, _))| (path.as_str(), &file.sha256))
    }

    pub(crate) fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Hands each file with its bytes to `put`.
    ///
    /// # Errors
    /// `degraded_result` when one is not as it was when the tree was made; what `put` says.
    pub(super) fn each_file(&self, put: &mut dyn FnMut(&str, &[u8]) -> Result<()>) -> Result<()> {
        let mut wheels: HashMap<usize, HashMap<String, Vec<u8>>> = HashMap::new();
        for (path, (file, at)) in &self.files {
            let bytes = match self.origins.get(*at) {
                Some(TypesOrigin::Environment { folder }) => {
                    let boundary = self.installed_in.boundary();
                    let resolved = boundary.resolve(&format!("{folder}/{path}"));
                    resolved.and_then(|path| boundary.read(&path, MOST_FILE_BYTES)).ok()
                }
                Some(TypesOrigin::Wheel { path: wheel, sha256 }) => {
                    let content = match wheels.entry(*at) {
                        std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                        std::collections::hash_map::Entry::Vacant(unread) => {
                            unread.insert(files_of_wheel(&self.boundary, wheel, sha256).unwrap_or_default())
                        }
                    };
                    content.remove(path)
                }
                None => None,
            };
            let bytes = bytes
                .filter(|bytes| digest::sha256_bytes(bytes) == file.sha256)
                .ok_or_else(|| changed_meanwhile(path))?;
            put(path, &bytes)?;
        }
        Ok(())
    }
}

/// A file is another than a moment ago.
fn changed_meanwhile(path: &str) -> Error {
    let message = format!("the installed packages changed while their types were read: {path}");
    Error::new(ErrorCode::DegradedResult, message).tool("mypy").hint("ask again when the packages are installed")
}

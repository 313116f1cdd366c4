//! The types of what is installed beside a project, read where they may have changed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::package::{Brings, MOST_FILE_BYTES, TypePaths};
use crate::cache::{AnswerCache, FileDigest, KeptAt, SeenFile, StampedDigests};
use tapps_base::ErrorCode;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_project::packages::installed::{self, InstalledPackage};
use tapps_sandbox::Boundary;
use tapps_sandbox::survey::FileStamp;
use tapps_store::{EntryKey, KeyBuilder};

/// Most distributions that are looked at.
const MOST_DISTRIBUTIONS: usize = 5_000;
/// How entries are called.
const KIND: &str = "types";

/// One distribution of the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InstalledTypes {
    pub(super) library: String,
    pub(super) version: String,
    /// The folder of packages, relative to the environment's boundary.
    pub(super) folder: String,
    pub(super) brings: Brings,
}

/// Lists of files by their paths, each with what it says.
type ReadLists = HashMap<String, (FileStamp, Result<TypePaths, String>)>;

/// Reads the environment of one project; remembers what it has read.
#[derive(Debug, Default)]
pub(super) struct InstalledReader {
    /// What each list of files says, for as long as it is the same file.
    lists: Mutex<ReadLists>,
    read: StampedDigests,
}

/// A file that counts.
struct ListedFile {
    /// Relative to the environment's boundary.
    path: String,
    /// None of a link: what it leads to can change unseen.
    stamp: Option<FileStamp>,
}

/// The digest of a file, or why it cannot be used.
type ReadFile = Result<FileDigest, String>;

impl InstalledReader {
    /// What is installed, in the order of the environments and of the names in each.
    pub(super) fn read_installed(&self, environment: &PythonEnvironment, cache: &AnswerCache) -> Vec<InstalledTypes> {
        let began = FileStamp::now();
        let boundary = environment.boundary();
        let packages: Vec<InstalledPackage> = environment.distributions().take(MOST_DISTRIBUTIONS).collect();
        let listed: Vec<Result<TypePaths, String>> =
            packages.par_iter().map(|package| self.paths_of(boundary, package, began)).collect();
        let seen: Vec<Vec<ListedFile>> = packages
            .par_iter()
            .zip(&listed)
            .map(|(package, listed)| {
                listed.as_ref().map_or_else(|_| Vec::new(), |paths| see_files(boundary, package, paths))
            })
            .collect();
        let mut read = self.read_files(boundary, cache, &seen, began).into_iter();
        let parts = packages.into_iter().zip(listed).zip(&seen);
        parts
            .map(|((package, listed), seen)| {
                let files: Vec<ReadFile> = read.by_ref().take(seen.len()).collect();
                let brings = match listed {
                    Err(why) => Brings::Unusable(why),
                    Ok(paths) if paths.files.is_empty() => Brings::NoTypes(paths.tops),
                    Ok(_) => brings_of(&package.folder, seen, files),
                };
                let InstalledPackage { library, version, folder, .. } = package;
                InstalledTypes { library, version, folder, brings }
            })
            .collect()
    }

    fn paths_of(&self, boundary: &Boundary, package: &InstalledPackage, began: i128) -> Result<TypePaths, String> {
        let path = format!("{}/{}/RECORD", package.folder, package.info);
        let stamp = FileStamp::of_regular_file(&boundary.root().join(&path));
        if let (Some((known, paths)), Some(now)) = (lock_lists(self).get(&path), stamp)
            && *known == now
        {
            return paths.clone();
        }
        let paths = match installed::read_record(boundary, package) {
            Ok((paths, _)) => TypePaths::among_paths(paths.iter().map(String::as_str)),
            Err(_) => Err("the list of its files cannot be read".to_owned()),
        };
        if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(began)) {
            lock_lists(self).insert(path, (stamp, paths.clone()));
        }
        paths
    }

    /// Each of the files of all distributions, in their order.
    fn read_files(
        &self,
        boundary: &Boundary,
        cache: &AnswerCache,
        listed: &[Vec<ListedFile>],
        began: i128,
    ) -> Vec<ReadFile> {
        let seen = listed.iter().flatten().map(|file| SeenFile { path: &file.path, stamp: file.stamp });
        let seen: Vec<SeenFile<'_>> = seen.collect();
        let kept_at = KeptAt { cache, kind: KIND, key: key_of(boundary.root(), &seen) };
        self.read.digests_of(&seen, &kept_at, began, |path| read_type_file(boundary, path))
    }
}

/// The files of a distribution that are there.
fn see_files(boundary: &Boundary, package: &InstalledPackage, paths: &TypePaths) -> Vec<ListedFile> {
    let one = |path: &String| {
        let path = format!("{}/{path}", package.folder);
        let meta = std::fs::symlink_metadata(boundary.root().join(&path)).ok()?;
        let stamp = meta.is_file().then(|| FileStamp::from_metadata(&meta));
        (meta.is_file() || meta.is_symlink()).then_some(ListedFile { path, stamp })
    };
    paths.files.iter().filter_map(one).collect()
}

fn brings_of(folder: &str, seen: &[ListedFile], read: Vec<ReadFile>) -> Brings {
    let within = |path: &str| path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/').to_owned();
    let files: Result<_, String> = seen.iter().zip(read).map(|(file, read)| Ok((within(&file.path), read?))).collect();
    files.map_or_else(Brings::Unusable, Brings::Types)
}

fn read_type_file(boundary: &Boundary, path: &str) -> Result<Vec<u8>, String> {
    let bytes = boundary.resolve(path).and_then(|path| boundary.read(&path, MOST_FILE_BYTES));
    bytes.map_err(|error| match error.code() {
        ErrorCode::PathDenied => "a file of it leads out of the project".to_owned(),
        ErrorCode::InvalidArgument => format!("a file of it has more than {MOST_FILE_BYTES} bytes"),
        _ => "a file of it cannot be read".to_owned(),
    })
}

/// Where the digests of files that look like this are kept; none where a look does not tell.
fn key_of(root: &Path, files: &[SeenFile<'_>]) -> Option<EntryKey> {
    let mut key = KeyBuilder::new(KIND).with_part(root.as_os_str().as_encoded_bytes());
    for file in files {
        key = file.stamp?.parts().iter().fold(key.with_part(file.path), |key, part| key.with_part(part.to_le_bytes()));
    }
    Some(key.finish_key())
}

fn lock_lists(reader: &InstalledReader) -> MutexGuard<'_, ReadLists> {
    reader.lists.lock().unwrap_or_else(PoisonError::into_inner)
}

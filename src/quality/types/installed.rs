//! The types of what is installed beside a project, read where they may have changed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::package::{Brings, MOST_FILE_BYTES, TypeFile, TypePaths};
use crate::cache::AnswerCache;
use tapps_base::clock::{Clock as _, SystemClock};
use tapps_base::{ErrorCode, digest};
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
    /// The folder of packages, relative to the project.
    pub(super) folder: String,
    pub(super) brings: Brings,
}

/// Reads the environment of one project; remembers what it has read.
#[derive(Debug, Default)]
pub(super) struct InstalledReader {
    /// What each list of files says, for as long as it is the same file.
    lists: Mutex<HashMap<String, (FileStamp, Result<TypePaths, String>)>>,
    /// Taken out whole, so that nobody waits for it while files are read.
    known: Mutex<Arc<HashMap<String, (FileStamp, [u8; 32])>>>,
}

/// A file that counts, as it is before it is read.
struct SeenFile {
    /// Relative to the project.
    path: String,
    /// None of a link, which is read each time: what it leads to can change unseen.
    stamp: Option<FileStamp>,
}

/// The digest and the size of a file, or why it cannot be used.
type ReadFile = Result<TypeFile, String>;

impl InstalledReader {
    /// What is installed, in the order of the environments and of the names in each.
    pub(super) fn read_installed(&self, boundary: &Boundary, cache: &AnswerCache) -> Vec<InstalledTypes> {
        let folders = installed::site_packages(boundary);
        let all = folders.iter().flat_map(|folder| installed::installed_distributions(boundary, folder));
        let packages: Vec<InstalledPackage> = all.take(MOST_DISTRIBUTIONS).collect();
        let listed: Vec<Result<TypePaths, String>> =
            packages.par_iter().map(|package| self.paths_of(boundary, package)).collect();
        let seen: Vec<Vec<SeenFile>> = packages
            .par_iter()
            .zip(&listed)
            .map(|(package, listed)| {
                listed.as_ref().map_or_else(|_| Vec::new(), |paths| see_files(boundary, package, paths))
            })
            .collect();
        let mut read = self.read_files(boundary, cache, &seen).into_iter();
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

    fn paths_of(&self, boundary: &Boundary, package: &InstalledPackage) -> Result<TypePaths, String> {
        let path = format!("{}/{}/RECORD", package.folder, package.info);
        let stamp = plain_stamp(&boundary.root().join(&path));
        if let (Some((known, paths)), Some(now)) = (lock_known(&self.lists).get(&path), stamp)
            && *known == now
        {
            return paths.clone();
        }
        let paths = match installed::read_record(boundary, package) {
            Ok((paths, _)) => TypePaths::among_paths(paths.iter().map(String::as_str)),
            Err(_) => Err("the list of its files cannot be read".to_owned()),
        };
        if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(now_in_ns())) {
            lock_known(&self.lists).insert(path, (stamp, paths.clone()));
        }
        paths
    }

    /// Each of the files of all distributions, in their order.
    fn read_files(&self, boundary: &Boundary, cache: &AnswerCache, seen: &[Vec<SeenFile>]) -> Vec<ReadFile> {
        let files: Vec<&SeenFile> = seen.iter().flatten().collect();
        let key = key_of(boundary.root(), &files);
        let store = cache.store_handle();
        let kept = store.as_ref().zip(key).and_then(|(store, key)| store.get(&[key]).pop()?);
        if let Some(known) = kept.and_then(|bytes| from_kept(&files, &bytes)) {
            return known;
        }
        let began = now_in_ns();
        let known = Arc::clone(&lock_known(&self.known));
        let read: Vec<ReadFile> = files
            .par_iter()
            .map(|file| match (known.get(&file.path), file.stamp) {
                (Some((stamp, sha256)), Some(now)) if *stamp == now => Ok(TypeFile { sha256: *sha256, size: now.size }),
                _ => read_type_file(boundary, &file.path),
            })
            .collect();
        let settled = |file: &SeenFile| file.stamp.filter(|stamp| stamp.is_settled(began));
        let fresh = files
            .iter()
            .zip(&read)
            .filter_map(|(file, read)| Some((file.path.clone(), (settled(file)?, read.as_ref().ok()?.sha256))))
            .collect();
        *lock_known(&self.known) = Arc::new(fresh);
        if let (Some(store), Some(key)) = (store, key)
            && !files.is_empty()
            && files.iter().all(|file| settled(file).is_some())
            && let Some(bytes) =
                read.iter().map(|one| one.as_ref().ok().map(|one| one.sha256)).collect::<Option<Vec<_>>>()
        {
            store.put(KIND, &[(key, bytes.concat())]);
        }
        read
    }
}

/// The files of a distribution that are there.
fn see_files(boundary: &Boundary, package: &InstalledPackage, paths: &TypePaths) -> Vec<SeenFile> {
    let one = |path: &String| {
        let path = format!("{}/{path}", package.folder);
        let meta = std::fs::symlink_metadata(boundary.root().join(&path)).ok()?;
        let stamp = meta.is_file().then(|| FileStamp::from_metadata(&meta));
        (meta.is_file() || meta.is_symlink()).then_some(SeenFile { path, stamp })
    };
    paths.files.iter().filter_map(one).collect()
}

fn brings_of(folder: &str, seen: &[SeenFile], read: Vec<ReadFile>) -> Brings {
    let within = |path: &str| path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/').to_owned();
    let files: Result<_, String> = seen.iter().zip(read).map(|(file, read)| Ok((within(&file.path), read?))).collect();
    files.map_or_else(Brings::Unusable, Brings::Types)
}

fn read_type_file(boundary: &Boundary, path: &str) -> ReadFile {
    let bytes = boundary.resolve(path).and_then(|path| boundary.read(&path, MOST_FILE_BYTES));
    match bytes {
        Ok(bytes) => Ok(TypeFile { sha256: digest::sha256_bytes(&bytes), size: bytes.len() as u64 }),
        Err(error) => Err(match error.code() {
            ErrorCode::PathDenied => "a file of it leads out of the project".to_owned(),
            ErrorCode::InvalidArgument => format!("a file of it has more than {MOST_FILE_BYTES} bytes"),
            _ => "a file of it cannot be read".to_owned(),
        }),
    }
}

/// Where the digests of files that look like this are kept; none where a look does not tell.
fn key_of(root: &Path, files: &[&SeenFile]) -> Option<EntryKey> {
    let mut key = KeyBuilder::new(KIND).with_part(root.as_os_str().as_encoded_bytes());
    for file in files {
        key = file.stamp?.parts().iter().fold(key.with_part(&file.path), |key, part| key.with_part(part.to_le_bytes()));
    }
    Some(key.finish_key())
}

fn from_kept(files: &[&SeenFile], bytes: &[u8]) -> Option<Vec<ReadFile>> {
    let digests: Vec<[u8; 32]> = bytes.chunks(32).filter_map(|chunk| chunk.try_into().ok()).collect();
    let one = |(file, sha256): (&&SeenFile, [u8; 32])| Some(Ok(TypeFile { sha256, size: file.stamp?.size }));
    if digests.len() == files.len() { files.iter().zip(digests).map(one).collect() } else { None }
}

fn plain_stamp(path: &Path) -> Option<FileStamp> {
    let meta = std::fs::symlink_metadata(path).ok()?;
    meta.is_file().then(|| FileStamp::from_metadata(&meta))
}

fn now_in_ns() -> i128 {
    i128::try_from(SystemClock.now().as_nanos()).unwrap_or(i128::MIN)
}

fn lock_known<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

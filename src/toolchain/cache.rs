//! Fetched artifacts, kept by their digest.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::lock::Artifact;
use super::npm_package;

/// A file by what is known of it before it is there.
#[derive(Debug, Clone, Copy)]
pub(super) struct LockedFile<'a> {
    pub file: &'a str,
    /// Bytes, where they are known.
    pub size: Option<u64>,
    pub sha256: &'a str,
    /// What npm knows it by.
    pub integrity: Option<&'a str>,
}

impl<'a> From<&'a Artifact> for LockedFile<'a> {
    fn from(artifact: &'a Artifact) -> Self {
        let Artifact { file, size, sha256, integrity, .. } = artifact;
        Self { file, size: Some(*size), sha256, integrity: integrity.as_deref() }
    }
}

/// The folder of fetched artifacts: `artifacts/<sha256>/<file>`.
#[derive(Debug)]
pub(super) struct ArtifactCache(PathBuf);

impl ArtifactCache {
    pub(super) fn in_cache_dir(cache_dir: &Path) -> Self {
        Self(cache_dir.join("artifacts"))
    }

    fn artifact_path(&self, locked: LockedFile<'_>) -> PathBuf {
        self.0.join(locked.sha256).join(locked.file)
    }

    /// The kept artifact; one whose bytes have changed counts as not there.
    pub(super) fn get<'a>(&self, locked: impl Into<LockedFile<'a>>) -> Option<PathBuf> {
        let locked = locked.into();
        let place = self.artifact_path(locked);
        check_artifact_file(locked, &place).is_ok().then_some(place)
    }

    /// Moves a fetched artifact in after checking it. When the cache cannot be written the file stays where it is.
    ///
    /// # Errors
    /// `toolchain_mismatch` when it is not the locked one.
    pub(super) fn put<'a>(&self, locked: impl Into<LockedFile<'a>>, fetched: &Path) -> Result<PathBuf> {
        let locked = locked.into();
        check_artifact_file(locked, fetched)?;
        let place = self.artifact_path(locked);
        let kept = place.parent().is_some_and(|folder| fs::create_dir_all(folder).is_ok())
            && move_file(fetched, &place).is_ok();
        Ok(if kept { place } else { fetched.to_owned() })
    }
}

/// Renames, or copies and renames where the two places are on different file systems.
fn move_file(from: &Path, to: &Path) -> std::io::Result<()> {
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    let folder = to.parent().unwrap_or(Path::new("."));
    let mut copy = tempfile::NamedTempFile::new_in(folder)?;
    std::io::copy(&mut File::open(from)?, &mut copy)?;
    copy.persist(to).map_err(|e| e.error)?;
    Ok(())
}

/// Compares a file with the lock: its size, then its SHA-256, then what npm knows it by.
///
/// # Errors
/// `file_not_found`, or `toolchain_mismatch` when it is not the locked one.
pub(super) fn check_artifact_file<'a>(locked: impl Into<LockedFile<'a>>, path: &Path) -> Result<()> {
    let locked = locked.into();
    let file = File::open(path)
        .map_err(|e| Error::io_or(ErrorCode::FileNotFound, format_args!("cannot read {}", path.display()), &e))?;
    let size = file.metadata().map_or(0, |meta| meta.len());
    let found = if locked.size.is_none_or(|locked| locked == size) { digest::sha256_reader(file).ok() } else { None };
    let is_integral = |wanted| npm_package::integrity_of(path).is_ok_and(|found| found == wanted);
    if found.is_some_and(|(sha256, _)| sha256 == locked.sha256) && locked.integrity.is_none_or(is_integral) {
        return Ok(());
    }
    let bytes = locked.size.map_or_else(String::new, |size| format!("{size} bytes and "));
    Err(Error::new(ErrorCode::ToolchainMismatch, format!("{} is not the locked artifact", path.display()))
        .hint(format!("it should have {bytes}the SHA-256 {}", locked.sha256)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::{AnyPython, ArtifactKind, ArtifactRole, PythonTags};
    use crate::system::System;

    #[test]
    fn keeps_what_is_locked_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let artifact = Artifact {
            name: "a".into(),
            version: "1".into(),
            kind: ArtifactKind::Wheel,
            file: "a-1-py3-none-any.whl".into(),
            size: 3,
            sha256: digest::sha256(b"abc"),
            integrity: None,
            record_sha256: String::new(),
            role: ArtifactRole::Support,
            systems: vec![System::X86_64Linux],
            python: PythonTags::Any(AnyPython::Any),
            requires: Vec::new(),
            place: None,
        };
        let cache = ArtifactCache::in_cache_dir(folder.path());
        assert_eq!(cache.get(&artifact), None);
        let fetched = folder.path().join("fetched");
        fs::write(&fetched, "abd").unwrap();
        assert_eq!(cache.put(&artifact, &fetched).unwrap_err().code(), ErrorCode::ToolchainMismatch);
        fs::write(&fetched, "abc").unwrap();
        let place = cache.put(&artifact, &fetched).unwrap();
        assert!(!fetched.exists());
        assert_eq!(cache.get(&artifact), Some(place.clone()));
        fs::write(&place, "abX").unwrap();
        assert_eq!(cache.get(&artifact), None);
    }
}

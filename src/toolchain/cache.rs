//! Fetched artifacts, kept by their digest.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::lock::Artifact;
use super::npm_package;

/// The folder of fetched artifacts: `artifacts/<sha256>/<file>`.
#[derive(Debug)]
pub(super) struct ArtifactCache(PathBuf);

impl ArtifactCache {
    pub(super) fn in_cache_dir(cache_dir: &Path) -> Self {
        Self(cache_dir.join("artifacts"))
    }

    fn artifact_path(&self, artifact: &Artifact) -> PathBuf {
        self.0.join(&artifact.sha256).join(&artifact.file)
    }

    /// The kept artifact; one whose bytes have changed counts as not there.
    pub(super) fn get(&self, artifact: &Artifact) -> Option<PathBuf> {
        let place = self.artifact_path(artifact);
        check_artifact_file(artifact, &place).is_ok().then_some(place)
    }

    /// Moves a fetched artifact in after checking it. When the cache cannot be written the file stays where it is.
    ///
    /// # Errors
    /// `toolchain_mismatch` when it is not the locked one.
    pub(super) fn put(&self, artifact: &Artifact, fetched: &Path) -> Result<PathBuf> {
        check_artifact_file(artifact, fetched)?;
        let place = self.artifact_path(artifact);
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
pub(super) fn check_artifact_file(artifact: &Artifact, path: &Path) -> Result<()> {
    let file = File::open(path)
        .map_err(|e| Error::io_or(ErrorCode::FileNotFound, format_args!("cannot read {}", path.display()), &e))?;
    let size = file.metadata().map_or(0, |meta| meta.len());
    let found = if size == artifact.size { digest::sha256_reader(file).ok() } else { None };
    let is_integral = |wanted: &String| npm_package::integrity_of(path).is_ok_and(|found| found == *wanted);
    if found.is_some_and(|(sha256, _)| sha256 == artifact.sha256) && artifact.integrity.as_ref().is_none_or(is_integral)
    {
        return Ok(());
    }
    Err(Error::new(ErrorCode::ToolchainMismatch, format!("{} is not the locked artifact", path.display()))
        .hint(format!("it should have {} bytes and the SHA-256 {}", artifact.size, artifact.sha256)))
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

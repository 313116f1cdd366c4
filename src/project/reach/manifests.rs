//! What the manifests of a project say of its packages, kept while they stay as they are.

use std::sync::Arc;

use tapps_coderef::packages::{GoModulePaths, Manifest, RustCrates, read_manifests};
use tapps_sandbox::survey::FileStamp;

use crate::files::{ProjectFile, ProjectFiles};
use crate::roots::folder;

/// By which paths and names the packages of a project are imported.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifests {
    pub(super) go: GoModulePaths,
    pub(super) crates: RustCrates,
}

impl Manifests {
    /// What each `go.mod` and each `Cargo.toml` says.
    pub(super) fn from_texts(modules: &[Manifest<'_>], crates: &[Manifest<'_>]) -> Self {
        Self { go: GoModulePaths::from_manifests(modules), crates: RustCrates::from_manifests(crates) }
    }

    fn from_files(files: &ProjectFiles, paths: &[&str]) -> Self {
        let read = |name: &str| {
            let named = paths.iter().filter(|path| path.rsplit('/').next() == Some(name));
            read_manifests(files.boundary(), name, named.map(|path| folder(path)))
        };
        Self::from_texts(&read("go.mod"), &read("Cargo.toml"))
    }
}

/// The manifests as they were read last.
#[derive(Debug, Default)]
pub(crate) struct ManifestCache {
    read: Vec<ProjectFile>,
    /// No file had changed so shortly before that a later change could not be told.
    settled: bool,
    manifests: Arc<Manifests>,
}

impl ManifestCache {
    /// The manifests in a listing that was taken at `now_ns` or later.
    pub(crate) fn current(&mut self, files: &ProjectFiles, entries: &[ProjectFile], now_ns: i128) -> Arc<Manifests> {
        let is_manifest = |entry: &&ProjectFile| matches!(entry.path.rsplit('/').next(), Some("go.mod" | "Cargo.toml"));
        let listed: Vec<&ProjectFile> = entries.iter().filter(is_manifest).collect();
        if !(self.settled && self.read.iter().eq(listed.iter().copied())) {
            let manifests =
                Manifests::from_files(files, &listed.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>());
            if manifests != *self.manifests {
                self.manifests = Arc::new(manifests);
            }
            self.settled = listed.iter().all(|entry| FileStamp::is_settled(&entry.stamp, now_ns));
            self.read = listed.into_iter().cloned().collect();
        }
        Arc::clone(&self.manifests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_sandbox::Boundary;

    #[test]
    fn what_a_manifest_says_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let files = ProjectFiles::new(Arc::new(Boundary::open(folder.path()).unwrap()));
        let mut cache = ManifestCache::default();
        let mut current = || cache.current(&files, &files.list().unwrap(), FileStamp::now());
        let write = |text: &str| std::fs::write(folder.path().join("go.mod"), text).unwrap();
        let none = current();
        assert!(*none == Manifests::default() && Arc::ptr_eq(&none, &current()));
        write("module example.org/a\n");
        let first = current();
        let place = |manifests: &Manifests, import: &str| manifests.go.folder_of_import("x.go", import, |at| at == "b");
        assert_eq!(place(&first, "example.org/a/b"), Some("b".to_owned()));
        write("module example.org/c\n");
        let second = current();
        assert_eq!(
            (place(&second, "example.org/a/b"), place(&second, "example.org/c/b")),
            (None, Some("b".to_owned()))
        );
        assert!(Arc::ptr_eq(&second, &current()));
    }
}

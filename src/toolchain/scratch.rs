//! Private folders of the tools: for HOME, for temporary files, for copies of the files under judgement.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use tapps_base::{Error, FileLock, Result};

use super::platform;

const PREFIX: &str = "run-";
const LOCK: &str = "lock";

/// One folder per program, held by a lock so that a later program can clear away what a killed one left.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: tempfile::TempDir,
    _lock: FileLock,
    next: AtomicU64,
}

/// A folder that only this user can look into. It goes soon after this value: removing folders can take longer than a
/// tool does, and nobody waits for it.
#[derive(Debug)]
pub struct PrivateFolder(PathBuf);

impl Scratch {
    /// A fresh folder below `cache_dir`, or in the system's temporary folder when that cannot be written.
    pub(super) fn new(cache_dir: &Path) -> Result<Self> {
        let parent = cache_dir.join("scratch");
        let folder = create_private(&parent).and_then(|()| {
            remove_stale_scratch(&parent);
            tempfile::Builder::new().prefix(PREFIX).tempdir_in(&parent)
        });
        let folder = match folder {
            Ok(folder) => folder,
            Err(_) => tempfile::Builder::new().prefix("tapps-mcp-").tempdir().map_err(|e| private_folder_error(&e))?,
        };
        // The lock gets its name only once it is held, so that nobody can find it free before.
        let unnamed = folder.path().join("new");
        let file = File::create(&unnamed).map_err(|e| private_folder_error(&e))?;
        let lock = FileLock::try_acquire(&file).map_err(|e| private_folder_error(&e.into()))?;
        fs::rename(&unnamed, folder.path().join(LOCK)).map_err(|e| private_folder_error(&e))?;
        Ok(Self { folder, _lock: lock, next: AtomicU64::new(0) })
    }

    /// A fresh, empty folder.
    pub(super) fn create_folder(&self) -> Result<PrivateFolder> {
        let path = self.folder.path().join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir(&path).map_err(|e| private_folder_error(&e))?;
        Ok(PrivateFolder(path))
    }
}

impl PrivateFolder {
    /// Takes over a folder that is there.
    #[must_use]
    pub fn from_path(path: PathBuf) -> Self {
        Self(path)
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let path = std::mem::take(&mut self.0);
        // Whatever is left when the program ends goes with the folder around it.
        rayon::spawn(move || drop(fs::remove_dir_all(path)));
    }
}

fn create_private(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    platform::set_mode(folder, 0o700)
}

/// Removes the folders whose program has gone.
fn remove_stale_scratch(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.filter_map(std::result::Result::ok) {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // A folder without a lock file belongs to a program that is just starting, or that died while it did.
        if ours && File::open(entry.path().join(LOCK)).is_ok_and(|lock| FileLock::try_acquire(&lock).is_ok()) {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
}

fn private_folder_error(source: &std::io::Error) -> Error {
    Error::io("cannot make a private folder for the tools", source)
        .hint("set TAPPS_MCP_CACHE_DIR to a folder that can be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_programs_folder_is_cleared_and_a_living_ones_is_not() {
        let cache = tempfile::tempdir().unwrap();
        let living = Scratch::new(cache.path()).unwrap();
        let home = living.create_folder().unwrap();
        fs::write(home.path().join("x"), "x").unwrap();
        let dead = cache.path().join("scratch/run-dead");
        fs::create_dir_all(dead.join("0")).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        let second = Scratch::new(cache.path()).unwrap();
        assert!(!dead.exists());
        assert!(home.path().join("x").exists());
        assert_ne!(second.folder.path(), living.folder.path());
        let path = home.path().to_owned();
        drop(home);
        while path.exists() {
            std::thread::yield_now();
        }
    }
}

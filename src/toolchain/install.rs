//! Installing: fetched, unpacked beside the target, verified there, made read-only, renamed.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, FileLock, Result};

use super::ToolchainSettings;
use super::fetch::ArtifactSource;
use super::lock::{Artifact, Lock, TreeKind};
use super::system::{PythonTag, System};
use super::verify::{TreeVerification, verify_tree};
use super::{platform, unpack};

const TEMPORARY: &str = ".tmp-";
const LOCK_FILE: &str = ".lock";
/// How often a waiting process looks whether the other one is done.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// What to install and with what.
#[derive(Debug)]
pub(super) struct Installer<'a> {
    pub settings: &'a ToolchainSettings,
    pub lock: &'a Lock,
    pub system: System,
    /// The command of the interpreter whose `pip` is asked first.
    pub launcher: Option<&'a Path>,
}

/// What an installation did.
#[derive(Debug)]
pub struct Installed {
    pub root: PathBuf,
    /// True when the tree was there already, whole.
    pub reused: bool,
    pub verification: TreeVerification,
}

impl Installer<'_> {
    /// The folder in which a tree is installed.
    pub(super) fn root_of(&self, kind: TreeKind) -> Result<PathBuf> {
        Ok(self.settings.toolchains().join(&self.lock.locked_tree(self.system, kind)?.digest))
    }

    /// Installs a tree below the data folder, or mends it. Only one process does the work, another one waits for it.
    ///
    /// # Errors
    /// `tool_unavailable`, `toolchain_mismatch`, `config_error` when the folder cannot be written, `timeout`,
    /// `cancelled`. Whatever happens, nothing half-made is left in place.
    pub(super) fn install(&self, kind: TreeKind, call: &Call) -> Result<Installed> {
        let root = self.root_of(kind)?;
        let folder = InstallFolder::lock(self.settings.toolchains(), call)?;
        if root.exists() {
            let verification = verify_tree(&root, self.lock, self.system, kind, &[], None)?;
            if verification.is_clean() {
                return Ok(Installed { root, reused: true, verification });
            }
            call.progress.note("the installed tools are not as locked: installing them anew");
        }
        let (fetched, fresh) = (folder.new_tree()?, folder.new_tree()?);
        let verification = self.fill_tree(kind, fresh.path(), fetched.path(), call)?;
        folder.replace(&fresh, &root)?;
        Ok(Installed { root, reused: false, verification })
    }

    /// Installs a tree into a folder of the caller's, which must be empty or not exist.
    ///
    /// # Errors
    /// As [`Installer::install`]; `invalid_argument` when the folder holds something.
    pub(super) fn install_into(&self, kind: TreeKind, target: &Path, call: &Call) -> Result<Installed> {
        fs::create_dir_all(target).map_err(|e| unwritable_folder_error(target, &e))?;
        if fs::read_dir(target).map_err(|e| unwritable_folder_error(target, &e))?.next().is_some() {
            return Err(Error::invalid(format!("{} is not empty", target.display())).hint("name a folder to be made"));
        }
        let fetched = tempfile::Builder::new().prefix("tapps-mcp-fetch-").tempdir();
        let fetched = fetched.map_err(|e| unwritable_folder_error(&std::env::temp_dir(), &e))?;
        let result = self.fill_tree(kind, target, fetched.path(), call);
        if result.is_err() {
            unpack::remove_tree(target).ok();
        }
        Ok(Installed { root: target.to_owned(), reused: false, verification: result? })
    }

    /// Takes the write permission from the root of a folder of the caller's.
    pub(super) fn remove_write_permission(&self, target: &Path) -> Result<()> {
        platform::set_mode(target, super::layout::MODE_FOLDER).map_err(|e| unwritable_folder_error(target, &e))
    }

    /// Fetches into one empty folder, unpacks and verifies into another; all folders but the root are read-only afterwards.
    fn fill_tree(&self, kind: TreeKind, root: &Path, fetched: &Path, call: &Call) -> Result<TreeVerification> {
        let artifacts: Vec<&Artifact> = self.lock.artifacts_of(self.system, kind).collect();
        let python = kind.python().unwrap_or(PythonTag::Cp313);
        let source = ArtifactSource { settings: self.settings, system: self.system, python, launcher: self.launcher };
        let wheels = source.fetch_artifacts(&artifacts, fetched, call)?;
        call.check()?;
        let total = wheels.len() as u64;
        let done = std::sync::atomic::AtomicU64::new(0);
        call.progress.report("unpack", 0, total);
        unpack::unpack_all(&wheels, root, &|_| {
            call.progress.report("unpack", done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, total);
        })
        .map_err(|e| if e.code() == ErrorCode::Internal { failed_unpacking_error(e, root) } else { e })?;
        call.check()?;
        unpack::make_folders_read_only(root)?;
        platform::set_mode(root, 0o755).map_err(|e| unwritable_folder_error(root, &e))?;
        call.progress.report("verify", 0, 1);
        let verification = verify_tree(root, self.lock, self.system, kind, &[], None)?;
        call.progress.report("verify", 1, 1);
        if verification.is_clean() {
            Ok(verification)
        } else {
            Err(verification.to_error("the lock and its artifacts disagree: write the lock anew"))
        }
    }
}

/// The folder of installed trees, held against other processes for as long as this value is there.
pub(super) struct InstallFolder {
    parent: PathBuf,
    _held: FileLock,
}

impl InstallFolder {
    /// Makes the folder, waits for whoever is installing into it, and removes what interrupted installations left.
    pub(super) fn lock(parent: PathBuf, call: &Call) -> Result<Self> {
        fs::create_dir_all(&parent).map_err(|e| unwritable_folder_error(&parent, &e))?;
        let held = lock_install_folder(&parent, call)?;
        remove_install_leftovers(&parent);
        Ok(Self { parent, _held: held })
    }

    /// A folder for a tree in the making, or for what it is made of. Whoever installs next removes it if nobody else does.
    pub(super) fn new_tree(&self) -> Result<Temporary> {
        Temporary::new(&self.parent)
    }

    /// Puts a finished tree at its place, read-only.
    pub(super) fn replace(&self, fresh: &Temporary, root: &Path) -> Result<()> {
        let unwritable = |e: std::io::Error| unwritable_folder_error(root, &e);
        let broken = Temporary::new(&self.parent)?;
        if root.exists() {
            // A folder may be renamed onto an empty one, which makes room for the new tree in one step.
            fs::rename(root, broken.path()).map_err(unwritable)?;
        }
        fs::rename(fresh.path(), root).map_err(unwritable)?;
        platform::set_mode(root, super::layout::MODE_FOLDER).map_err(unwritable)?;
        if let Ok(folder) = File::open(&self.parent) {
            folder.sync_all().ok();
        }
        Ok(())
    }
}

/// Holds the folder against other processes; released when the lock goes, also when this process is killed.
fn lock_install_folder(parent: &Path, call: &Call) -> Result<FileLock> {
    let path = parent.join(LOCK_FILE);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|e| unwritable_folder_error(parent, &e))?;
    let mut said = false;
    loop {
        match FileLock::try_acquire(&file) {
            Ok(lock) => return Ok(lock),
            Err(TryLockError::Error(e)) => return Err(unwritable_folder_error(&path, &e)),
            Err(TryLockError::WouldBlock) => {
                call.check()?;
                if !said {
                    call.progress.note("waiting for another process that is installing the tools");
                    said = true;
                }
                std::thread::sleep(LOOK_AGAIN);
            }
        }
    }
}

/// Removes what interrupted installations left; the caller holds the folder.
fn remove_install_leftovers(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().filter_map(std::result::Result::ok) {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(TEMPORARY)) {
            unpack::remove_tree(&entry.path()).ok();
        }
    }
}

/// A folder beside the trees that goes with this value unless it was renamed.
pub(super) struct Temporary(PathBuf);

impl Temporary {
    fn new(parent: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .tempdir_in(parent)
            .map_err(|e| unwritable_folder_error(parent, &e))?;
        Ok(Self(folder.keep()))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.0.exists() {
            unpack::remove_tree(&self.0).ok();
        }
    }
}

fn unwritable_folder_error(folder: &Path, source: &std::io::Error) -> Error {
    Error::new(ErrorCode::ConfigError, format!("cannot install into {}: {source}", folder.display()))
        .hint("make room there, or set TAPPS_MCP_DATA_DIR to a folder that can be written")
}

/// A write that failed while unpacking: most often the disk is full.
fn failed_unpacking_error(error: Error, root: &Path) -> Error {
    let folder = root.parent().unwrap_or(root);
    Error::new(ErrorCode::ConfigError, format!("cannot install into {}: {}", folder.display(), error.message()))
        .hint("make room there, or set TAPPS_MCP_DATA_DIR to a folder that can be written")
}

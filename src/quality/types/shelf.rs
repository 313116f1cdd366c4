//! Trees of types on disk, by the digest of their content: whole or not there, and used by several programs at once.

use std::collections::HashSet;
use std::fs::{self, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rayon::prelude::*;

use super::tree::TypeTree;
use crate::threads::run_off_async_threads;
use crate::type_cache::{LOCK, REMOVAL, forget_unused, open_lock, pause};
use tapps_base::call::Call;
use tapps_base::{Error, FileLock, Result, digest, private};

/// Trees that are kept; of more, those go that nobody has used for the longest time.
const KEPT: usize = 16;
/// Says that every file has been written.
const WHOLE: &str = "whole";

/// The folder of all trees.
#[derive(Debug)]
pub(super) struct TypeShelf {
    folder: PathBuf,
    /// Digests of the trees whose files this process has compared.
    compared: Mutex<HashSet<String>>,
}

/// A tree that stays as it is until this is dropped.
#[derive(Debug)]
pub(crate) struct HeldTypes {
    folder: PathBuf,
    _lock: Option<FileLock>,
}

impl HeldTypes {
    /// The folder to hand to mypy.
    pub(crate) fn path(&self) -> String {
        // mypy compares it with the paths of files as text.
        self.folder.canonicalize().as_ref().unwrap_or(&self.folder).to_string_lossy().into_owned()
    }
}

/// What became of a look at a place.
enum PlaceLook {
    Held(HeldTypes),
    /// Somebody else is at it.
    Busy,
}

impl TypeShelf {
    /// Trees below the cache folder.
    pub(super) fn new(cache_dir: &Path) -> Self {
        Self { folder: cache_dir.join("types"), compared: Mutex::default() }
    }

    /// The tree on disk, made when it is not there. Where nothing can be kept, it is made at `instead`.
    ///
    /// # Errors
    /// `cancelled` or `timeout` of the call; `degraded_result` when the packages change meanwhile; as [`Error::io`] when it
    /// can be written nowhere.
    pub(super) async fn hold_tree(
        self: &Arc<Self>,
        tree: &Arc<TypeTree>,
        instead: &Path,
        call: &Call,
    ) -> Result<HeldTypes> {
        loop {
            let (shelf, sought, instead) = (Arc::clone(self), Arc::clone(tree), instead.to_owned());
            let look = run_off_async_threads(move || shelf.look_at_place(&sought, &instead));
            match call.within(async { look.await? }).await? {
                PlaceLook::Held(held) => return Ok(held),
                PlaceLook::Busy => pause(call).await?,
            }
        }
    }

    fn look_at_place(&self, tree: &TypeTree, instead: &Path) -> Result<PlaceLook> {
        let name: String = tree.digest().chars().take(32).collect();
        let place = self.folder.join(name);
        match self.try_place(tree, &place) {
            Err(TryLockError::WouldBlock) => Ok(PlaceLook::Busy),
            Ok(look) => look,
            Err(TryLockError::Error(_)) => {
                write_tree(tree, instead)?;
                Ok(PlaceLook::Held(HeldTypes { folder: instead.to_owned(), _lock: None }))
            }
        }
    }

    fn try_place(&self, tree: &TypeTree, place: &Path) -> std::result::Result<Result<PlaceLook>, TryLockError> {
        let stays = FileLock::try_acquire_shared(&open_lock(&self.folder, REMOVAL)?)?;
        let files = place.join("files");
        {
            let lock = FileLock::try_acquire_shared(&open_lock(place, LOCK)?)?;
            if self.is_whole(tree, place, &files) {
                lock.file().set_modified(SystemTime::now()).ok();
                return Ok(Ok(PlaceLook::Held(HeldTypes { folder: files, _lock: Some(lock) })));
            }
        }
        let alone = FileLock::try_acquire(&open_lock(place, LOCK)?)?;
        // Somebody may have made it since.
        if !self.is_whole(tree, place, &files) {
            let gone = |path: &Path| match fs::symlink_metadata(path) {
                Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
                Ok(_) => fs::remove_file(path),
                Err(_) => Ok(()),
            };
            gone(&place.join(WHOLE)).and_then(|()| gone(&files)).map_err(TryLockError::Error)?;
            if let Err(error) = write_tree(tree, &files) {
                return Ok(Err(error));
            }
            fs::write(place.join(WHOLE), tree.digest()).map_err(TryLockError::Error)?;
            self.remember_compared(tree);
        }
        drop((alone, stays));
        forget_unused(&self.folder, KEPT);
        // Held anew, so that others may read beside.
        Ok(Ok(PlaceLook::Busy))
    }

    /// True when every file is there as it was written, and nothing else; looked at once.
    fn is_whole(&self, tree: &TypeTree, place: &Path, files: &Path) -> bool {
        let said = fs::read(place.join(WHOLE)).is_ok_and(|said| said == tree.digest().as_bytes());
        if !said {
            return false;
        }
        if self.compared.lock().unwrap_or_else(PoisonError::into_inner).contains(tree.digest()) {
            return true;
        }
        let expected: Vec<(&str, &[u8; 32])> = tree.files().collect();
        let same = |(path, sha256): &(&str, &[u8; 32])| {
            fs::read(files.join(path)).is_ok_and(|bytes| digest::sha256_bytes(&bytes) == **sha256)
        };
        let whole = expected.par_iter().all(same) && count_files(files) == Some(tree.file_count());
        if whole {
            self.remember_compared(tree);
        }
        whole
    }

    fn remember_compared(&self, tree: &TypeTree) {
        self.compared.lock().unwrap_or_else(PoisonError::into_inner).insert(tree.digest().to_owned());
    }
}

/// Writes all files below a folder.
fn write_tree(tree: &TypeTree, folder: &Path) -> Result<()> {
    let failed = |error: &std::io::Error| {
        Error::io(format_args!("cannot write types of libraries to {}", folder.display()), error)
            .hint("free some space there, or set TAPPS_MCP_CACHE_DIR to a folder that has it")
    };
    private::folder(folder).map_err(|e| failed(&e))?;
    let mut made: HashSet<PathBuf> = HashSet::new();
    tree.each_file(&mut |path, bytes| {
        let path = folder.join(path);
        if let Some(parent) = path.parent()
            && !made.contains(parent)
        {
            private::missing_folder(parent).map_err(|e| failed(&e))?;
            made.insert(parent.to_owned());
        }
        fs::write(&path, bytes).map_err(|e| failed(&e))
    })
}

/// How many files are below a folder; none when something else is there, such as a link.
fn count_files(folder: &Path) -> Option<usize> {
    let (mut count, mut waiting) = (0, vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).ok()? {
            let entry = entry.ok()?;
            let kind = entry.file_type().ok()?;
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_file() {
                count += 1;
            } else {
                return None;
            }
        }
    }
    Some(count)
}

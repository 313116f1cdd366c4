//! mypy's on-disk cache: one folder per project and toolchain, one user at a time.
//!
//! It changes how long an answer takes, never the answer; a damaged one is thrown away.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::cache::KnownBy;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, FileLock, Result, atomic, digest, private};

/// How long to wait between two looks at a lock held by someone else.
const PAUSE: Duration = Duration::from_millis(10);

/// What the cache was made of, beside its files.
const READ: &str = "read.json";

/// Where a project's type cache is.
#[derive(Debug, Clone)]
pub struct TypeCache {
    folder: PathBuf,
}

/// A held cache; dropping it lets the next one in.
#[derive(Debug)]
pub struct HeldTypeCache {
    folder: PathBuf,
    _lock: Option<FileLock>,
}

impl TypeCache {
    /// The cache of the project at `root` for one toolchain and interpreter, below `base`.
    #[must_use]
    pub fn new(base: &Path, root: &Path, answers: &str) -> Self {
        let project: String = digest::sha256(root.as_os_str().as_encoded_bytes()).chars().take(16).collect();
        let toolchain: String = answers.chars().take(16).collect();
        Self { folder: base.join("mypy").join(format!("{project}-{toolchain}")) }
    }

    /// Waits until nobody else uses the cache. A cache folder that cannot be written is no reason to fail: mypy then
    /// works without one.
    ///
    /// # Errors
    /// `cancelled` or `timeout` of the call.
    pub async fn hold(&self, call: &Call) -> Result<HeldTypeCache> {
        let Ok(file) = self.open() else {
            return Ok(HeldTypeCache { folder: PathBuf::from("/dev/null"), _lock: None });
        };
        loop {
            match FileLock::try_acquire(&file) {
                Ok(lock) => return Ok(HeldTypeCache { folder: self.folder.clone(), _lock: Some(lock) }),
                Err(std::fs::TryLockError::WouldBlock) => {
                    call.within(async {
                        tokio::time::sleep(PAUSE).await;
                        Ok(())
                    })
                    .await?;
                }
                Err(std::fs::TryLockError::Error(source)) => {
                    return Err(Error::io("cannot lock the type cache", &source).tool("mypy"));
                }
            }
        }
    }

    /// True when something has been put there.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        self.files().exists()
    }

    fn files(&self) -> PathBuf {
        self.folder.join("files")
    }

    fn open(&self) -> Result<File> {
        let failed = |e: &std::io::Error| Error::new(ErrorCode::Internal, e.to_string());
        private::folder(&self.folder).map_err(|e| failed(&e))?;
        let path = self.folder.join("lock");
        private::file(&path).map_err(|e| failed(&e))
    }
}

impl HeldTypeCache {
    /// The folder to hand to mypy.
    #[must_use]
    pub fn path(&self) -> String {
        self.files().to_string_lossy().into_owned()
    }

    /// True when nothing has been put there yet, and something could be.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self._lock.is_some() && !self.files().exists()
    }

    /// Begins with what another project's cache holds: the same project in another tree has mostly the same modules, and
    /// mypy looks at their content before it believes what is cached. Nothing is taken from a cache in use.
    pub fn begin_with(&self, other: &TypeCache) {
        let Ok(file) = other.open() else { return };
        let Ok(_lock) = FileLock::try_acquire(&file) else { return };
        let from = other.files();
        if !self.is_empty() || !from.exists() {
            return;
        }
        let copied = copy_folder(&from, &self.files())
            .and_then(|()| std::fs::copy(other.folder.join(READ), self.folder.join(READ)));
        if copied.is_err() {
            self.clear();
        }
    }

    /// Throws the cache away when mypy would take a file that has changed for the one that it knows: it looks at no bytes
    /// of a file whose size is the same and whose last change falls into the same second.
    pub(crate) fn distrust_lookalikes(&self, files: &BTreeMap<String, KnownBy>) {
        if self._lock.is_none() {
            return;
        }
        let list = self.folder.join(READ);
        let read = std::fs::read(&list).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let known: Option<BTreeMap<String, KnownBy>> = read;
        let mut seen = known.clone().unwrap_or_default();
        let mistaken = |(path, now): (&String, &KnownBy)| seen.get(path).is_some_and(|was| was.is_mistaken_for(now));
        // What a cache was made of is not known, unless it is said.
        if known.is_none() && !self.is_empty() || files.iter().any(mistaken) {
            self.clear();
            seen.clear();
        }
        for (path, now) in files {
            // What mypy read first under one look is what it knows by it.
            if !seen.get(path).is_some_and(|was| was.looks_like(now)) {
                seen.insert(path.clone(), now.clone());
            }
        }
        let write = || serde_json::to_vec(&seen).ok().is_some_and(|bytes| atomic::write_private(&list, &bytes).is_ok());
        if known.as_ref() != Some(&seen) && !write() {
            self.clear();
        }
    }

    /// Throws the cached files away.
    pub fn clear(&self) {
        if self._lock.is_some() {
            std::fs::remove_dir_all(self.files()).ok();
        }
    }

    fn files(&self) -> PathBuf {
        if self._lock.is_some() { self.folder.join("files") } else { self.folder.clone() }
    }
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    private::folder(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &there)?;
        } else {
            std::fs::copy(entry.path(), there)?;
        }
    }
    Ok(())
}

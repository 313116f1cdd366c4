//! mypy's on-disk cache: one folder per project and toolchain, one user at a time.
//!
//! It changes how long an answer takes, never the answer; a damaged one is thrown away.

mod bundled_stubs;

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use self::bundled_stubs::copy_bundled_stubs;
use crate::cache::KnownBy;
use tapps_base::call::Call;
use tapps_base::{FileLock, Result, atomic, digest, private};

/// How long to wait between two looks at a lock held by someone else.
const PAUSE: Duration = Duration::from_millis(10);

/// Caches that are kept; of more, those go that nobody has used for the longest time.
const KEPT: usize = 64;

/// Caches that go at once, so that no answer waits long for room that others need.
const GONE_AT_ONCE: usize = 16;

/// How many caches a new one asks for what they know of the stubs that come with mypy.
const ASKED: usize = 4;

/// The largest cache, in bytes, that is asked: what a larger one knows besides takes longer to leave out.
const LARGEST_ASKED: u64 = 64 << 20;

/// The lock of one cache, and when it was used last.
pub(crate) const LOCK: &str = "lock";

/// The lock of all caches together: shared by whoever is about to lock one, held alone by whoever removes some.
pub(crate) const REMOVAL: &str = "removal.lock";

/// What the cache was made of, beside its files.
const READ: &str = "read.json";

/// Where a project's type cache is.
#[derive(Debug, Clone)]
pub struct TypeCache {
    /// The folder of all caches.
    all: PathBuf,
    folder: PathBuf,
}

/// A held cache; dropping it lets the next one in.
#[derive(Debug)]
pub struct HeldTypeCache {
    folder: PathBuf,
    lock: Option<FileLock>,
}

impl TypeCache {
    /// The cache of the project at `root` for one toolchain and interpreter, and for one tree of types of libraries, below
    /// `base`.
    #[must_use]
    pub fn new(base: &Path, root: &Path, answers: &str, types: Option<&str>) -> Self {
        let project: String = digest::sha256(root.as_os_str().as_encoded_bytes()).chars().take(16).collect();
        let begin = |digest: &str| digest.chars().take(16).collect::<String>();
        let types = types.map(|digest| format!("-{}", begin(digest))).unwrap_or_default();
        let all = base.join("mypy");
        Self { folder: all.join(format!("{project}-{}{types}", begin(answers))), all }
    }

    /// Waits until nobody else uses the cache. A cache folder that cannot be written is no reason to fail: mypy then
    /// works without one.
    ///
    /// # Errors
    /// `cancelled` or `timeout` of the call.
    pub async fn hold(&self, call: &Call) -> Result<HeldTypeCache> {
        let is_new = !self.folder.exists();
        loop {
            match self.try_lock() {
                Ok(lock) => {
                    if is_new {
                        forget_unused(&self.all, KEPT);
                    }
                    return Ok(HeldTypeCache { folder: self.folder.clone(), lock: Some(lock) });
                }
                Err(TryLockError::WouldBlock) => pause(call).await?,
                Err(TryLockError::Error(_)) => {
                    return Ok(HeldTypeCache { folder: PathBuf::from("/dev/null"), lock: None });
                }
            }
        }
    }

    /// True when something has been put there.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        self.files().exists()
    }

    /// True when something has been put there for some tree of types or without one, where this is the cache without one.
    #[must_use]
    pub fn is_filled_with_any_types(&self) -> bool {
        let Some(own) = self.folder.file_name().and_then(|name| name.to_str()) else { return false };
        let names = fs::read_dir(&self.all).into_iter().flatten().flatten();
        let mut alike = names.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(own)));
        alike.any(|entry| entry.path().join("files").exists())
    }

    fn files(&self) -> PathBuf {
        self.folder.join("files")
    }

    fn try_lock(&self) -> std::result::Result<FileLock, TryLockError> {
        let _stays = FileLock::try_acquire_shared(&open_lock(&self.all, REMOVAL)?)?;
        let lock = FileLock::try_acquire(&open_lock(&self.folder, LOCK)?)?;
        lock.file().set_modified(SystemTime::now()).ok();
        Ok(lock)
    }
}

/// The file of a lock in a folder, both made for their owner alone where they are not there.
pub(crate) fn open_lock(folder: &Path, name: &str) -> std::result::Result<File, TryLockError> {
    private::folder(folder).and_then(|()| private::file(&folder.join(name))).map_err(TryLockError::Error)
}

/// Waits before the next look at a lock that somebody else holds.
///
/// # Errors
/// `cancelled` or `timeout` of the call.
pub(crate) async fn pause(call: &Call) -> Result<()> {
    call.within(async {
        tokio::time::sleep(PAUSE).await;
        Ok(())
    })
    .await
}

/// Removes the folders that nobody has used for the longest time, when there are more than `kept`. What is in use stays, and
/// nothing goes while somebody is about to use one.
pub(crate) fn forget_unused(all: &Path, kept: usize) {
    let Ok(file) = private::file(&all.join(REMOVAL)) else { return };
    let Ok(_alone) = FileLock::try_acquire(&file) else { return };
    let Ok(folders) = fs::read_dir(all) else { return };
    let used = |folder: PathBuf| Some((fs::metadata(folder.join(LOCK)).ok()?.modified().ok()?, folder));
    let mut caches: Vec<(SystemTime, PathBuf)> = folders.flatten().filter_map(|entry| used(entry.path())).collect();
    caches.sort();
    let too_many = caches.len().saturating_sub(kept).min(GONE_AT_ONCE);
    for (_, folder) in caches.iter().take(too_many) {
        let Ok(file) = private::file(&folder.join(LOCK)) else { continue };
        if let Ok(_unused) = FileLock::try_acquire(&file) {
            fs::remove_dir_all(folder).ok();
        }
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
        self.lock.is_some() && !self.files().exists()
    }

    /// Begins with what another project's cache holds: the same project in another tree has mostly the same modules, and
    /// mypy looks at their content before it believes what is cached. Nothing is taken from a cache in use.
    pub fn begin_with(&self, other: &TypeCache) {
        let Ok(_lock) = other.try_lock() else { return };
        let from = other.files();
        if !self.is_empty() || !from.exists() {
            return;
        }
        let copied =
            copy_folder(&from, &self.files()).and_then(|()| fs::copy(other.folder.join(READ), self.folder.join(READ)));
        if copied.is_err() {
            self.clear();
        }
    }

    /// Begins with what caches of other projects with the same tools hold of the stubs in this folder, which come with mypy and
    /// are the same for all: with what the largest of those holds that nobody uses.
    pub fn begin_with_bundled(&self, stubs: &Path) {
        if !self.is_empty() {
            return;
        }
        for other in self.others().into_iter().take(ASKED) {
            let Ok(_lock) = other.try_lock() else { continue };
            // mypy works out anew what could not be copied.
            if copy_bundled_stubs(&other.files(), &self.files(), stubs).unwrap_or(false) {
                // None of a project's own files is known.
                if atomic::write_private(&self.folder.join(READ), b"{}").is_err() {
                    self.clear();
                }
                return;
            }
        }
    }

    /// The caches of other projects with the same tools, those that hold most first.
    fn others(&self) -> Vec<TypeCache> {
        let (Some(all), tools @ Some(_)) = (self.folder.parent(), tools_of(&self.folder)) else { return Vec::new() };
        let has_same_tools = |folder: &Path| folder != self.folder && tools_of(folder) == tools;
        let folders = fs::read_dir(all).into_iter().flatten().flatten().map(|entry| entry.path());
        let caches =
            folders.filter(|folder| has_same_tools(folder)).map(|folder| TypeCache { all: all.to_owned(), folder });
        let sized = caches.map(|cache| (bytes_below(&cache.files()), cache));
        let mut sized: Vec<(u64, TypeCache)> = sized.filter(|(bytes, _)| (1..=LARGEST_ASKED).contains(bytes)).collect();
        sized.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
        sized.into_iter().map(|(_, cache)| cache).collect()
    }

    /// Throws the cache away when mypy would take a file that has changed for the one that it knows: it looks at no bytes
    /// of a file whose size is the same and whose last change falls into the same second.
    pub(crate) fn distrust_lookalikes(&self, files: &BTreeMap<String, KnownBy>) {
        if self.lock.is_none() {
            return;
        }
        let list = self.folder.join(READ);
        let read = fs::read(&list).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
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
        if self.lock.is_some() {
            fs::remove_dir_all(self.files()).ok();
        }
    }

    fn files(&self) -> PathBuf {
        if self.lock.is_some() { self.folder.join("files") } else { self.folder.clone() }
    }
}

/// What the folder of a cache says of the toolchain, behind the project.
fn tools_of(folder: &Path) -> Option<&str> {
    folder.file_name()?.to_str()?.split('-').nth(1)
}

/// The bytes of all files below a folder.
fn bytes_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_below(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.map(bytes).sum()
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    private::folder(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &there)?;
        } else {
            fs::copy(entry.path(), there)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    #[tokio::test]
    async fn of_too_many_caches_those_go_that_nobody_uses() {
        let base = tempfile::tempdir().unwrap();
        let call = Call::quiet(Duration::from_secs(60));
        let cache =
            |number: usize| TypeCache::new(base.path(), Path::new(&format!("/project-{number}")), "tools", None);
        let is_there = |number: usize| cache(number).is_filled();
        let mut oldest = None;
        for number in 0..KEPT {
            let held = cache(number).hold(&call).await.unwrap();
            fs::create_dir(held.path()).unwrap();
            let age = HOUR * u32::try_from(KEPT - number).unwrap();
            held.lock.as_ref().unwrap().file().set_modified(SystemTime::now() - age).unwrap();
            // The first stays in use.
            oldest = oldest.or(Some(held));
        }
        assert!((0..KEPT).all(is_there));
        // Used again, the third is younger than the second and the fourth.
        drop(cache(2).hold(&call).await.unwrap());
        for number in KEPT..KEPT + 3 {
            drop(cache(number).hold(&call).await.unwrap());
        }
        let gone: Vec<usize> = (0..KEPT).filter(|number| !is_there(*number)).collect();
        assert_eq!(gone, [1, 3]);
        drop(oldest);
        drop(cache(KEPT + 3).hold(&call).await.unwrap());
        assert_eq!((is_there(0), is_there(4)), (false, false));
    }

    #[tokio::test]
    async fn each_tree_of_types_has_a_cache_of_its_own() {
        let base = tempfile::tempdir().unwrap();
        let call = Call::quiet(Duration::from_secs(60));
        let cache = |types| TypeCache::new(base.path(), Path::new("/project"), "tools", types);
        assert!(!cache(None).is_filled_with_any_types());
        let held = cache(Some("one")).hold(&call).await.unwrap();
        fs::create_dir(held.path()).unwrap();
        let filled = [None, Some("one"), Some("two")].map(|types| cache(types).is_filled());
        assert_eq!(filled, [false, true, false]);
        assert!(cache(None).is_filled_with_any_types());
        let other = TypeCache::new(base.path(), Path::new("/other"), "tools", None);
        assert!(!other.is_filled_with_any_types());
    }

    #[tokio::test]
    async fn nothing_is_removed_while_somebody_is_about_to_use_a_cache() {
        let base = tempfile::tempdir().unwrap();
        let call = Call::quiet(Duration::from_secs(60));
        for number in 0..=KEPT {
            let held =
                TypeCache::new(base.path(), Path::new(&format!("/{number}")), "tools", None).hold(&call).await.unwrap();
            fs::create_dir_all(held.path()).unwrap();
        }
        let all = base.path().join("mypy");
        let count = || fs::read_dir(&all).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
        assert_eq!(count(), KEPT);
        let another = TypeCache::new(base.path(), Path::new("/another"), "tools", None);
        let file = private::file(&all.join(REMOVAL)).unwrap();
        let _about = FileLock::try_acquire_shared(&file).unwrap();
        drop(another.hold(&call).await.unwrap());
        assert_eq!(count(), KEPT + 1);
    }

    #[tokio::test]
    async fn of_the_caches_with_the_same_tools_the_largest_begins_a_new_one() {
        let base = tempfile::tempdir().unwrap();
        let call = Call::quiet(Duration::from_secs(60));
        let new = |name: &str, tools: &str| TypeCache::new(base.path(), Path::new(name), tools, None);
        for (name, tools, bytes) in [("/small", "tools", 10), ("/large", "tools", 100), ("/other", "others", 1_000)] {
            let held = new(name, tools).hold(&call).await.unwrap();
            fs::create_dir(held.path()).unwrap();
            fs::write(Path::new(&held.path()).join("cache.0.db"), vec![0; bytes]).unwrap();
        }
        let held = new("/new", "tools").hold(&call).await.unwrap();
        let folders: Vec<PathBuf> = held.others().into_iter().map(|cache| cache.folder).collect();
        assert_eq!(folders, [new("/large", "tools").folder, new("/small", "tools").folder]);
        // None of them is a cache that can be read.
        held.begin_with_bundled(Path::new("/stubs"));
        assert!(held.is_empty());
    }
}

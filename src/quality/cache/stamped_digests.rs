//! Digests of files, read only where they may have changed: they are known by how a file looks, in one process and from one to
//! the next.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::answers::AnswerCache;
use tapps_base::digest;
use tapps_sandbox::survey::FileStamp;
use tapps_store::EntryKey;

pub(crate) type Sha256 = [u8; 32];

/// What a file is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileDigest {
    pub(crate) sha256: Sha256,
    /// In bytes.
    pub(crate) size: u64,
}

/// A file as it looks before it is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenFile<'p> {
    /// Relative to the project.
    pub(crate) path: &'p str,
    /// None where a look does not tell, such as that at a link: it is read each time.
    pub(crate) stamp: Option<FileStamp>,
}

/// Where the digests of files that look exactly like this are kept.
#[derive(Debug)]
pub(crate) struct KeptAt<'c> {
    pub(crate) cache: &'c AnswerCache,
    pub(crate) kind: &'static str,
    /// Of the stamps of all files, and of what else decides which files they are; none where a look at one does not tell.
    pub(crate) key: Option<EntryKey>,
}

/// The files that one process has read.
#[derive(Debug, Default)]
pub(crate) struct StampedDigests {
    /// Taken out whole, so that nobody waits for it while files are read.
    known: Mutex<Arc<HashMap<String, (FileStamp, Sha256)>>>,
}

impl StampedDigests {
    /// The digest of each file, in their order; `read` is asked for the bytes of those that are not known by their looks. They
    /// were looked at after `began`, in nanoseconds since the Unix epoch.
    pub(crate) fn digests_of<E: Send>(
        &self,
        files: &[SeenFile<'_>],
        kept_at: &KeptAt<'_>,
        began: i128,
        read: impl Fn(&str) -> Result<Vec<u8>, E> + Sync,
    ) -> Vec<Result<FileDigest, E>> {
        if let Some(kept) = kept_at.recall(files) {
            return kept.into_iter().map(Ok).collect();
        }
        let known = Arc::clone(&self.lock_known());
        let digest_of = |file: &SeenFile<'_>| match (known.get(file.path), file.stamp) {
            (Some((stamp, sha256)), Some(now)) if *stamp == now => Ok(FileDigest { sha256: *sha256, size: now.size }),
            _ => read(file.path).map(|bytes| FileDigest::of_bytes(&bytes)),
        };
        let digests: Vec<Result<FileDigest, E>> = files.par_iter().map(digest_of).collect();
        let settled = |file: &SeenFile<'_>| file.stamp.filter(|stamp| stamp.is_settled(began));
        let fresh = files
            .iter()
            .zip(&digests)
            .filter_map(|(file, digest)| Some((file.path.to_owned(), (settled(file)?, digest.as_ref().ok()?.sha256))));
        *self.lock_known() = Arc::new(fresh.collect());
        if files.iter().all(|file| settled(file).is_some())
            && let Some(all) =
                digests.iter().map(|one| one.as_ref().ok().map(|one| one.sha256)).collect::<Option<Vec<_>>>()
        {
            kept_at.keep(&all);
        }
        digests
    }

    fn lock_known(&self) -> MutexGuard<'_, Arc<HashMap<String, (FileStamp, Sha256)>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FileDigest {
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        Self { sha256: digest::sha256_bytes(bytes), size: bytes.len() as u64 }
    }
}

impl KeptAt<'_> {
    fn recall(&self, files: &[SeenFile<'_>]) -> Option<Vec<FileDigest>> {
        let bytes = self.cache.store()?.get(&[self.key?]).pop()??;
        let digests: Vec<Sha256> = bytes.chunks(32).filter_map(|chunk| chunk.try_into().ok()).collect();
        let one = |(file, sha256): (&SeenFile<'_>, Sha256)| Some(FileDigest { sha256, size: file.stamp?.size });
        if digests.len() == files.len() { files.iter().zip(digests).map(one).collect() } else { None }
    }

    fn keep(&self, digests: &[Sha256]) {
        if let (Some(store), Some(key)) = (self.cache.store(), self.key)
            && !digests.is_empty()
        {
            store.put(self.kind, &[(key, digests.concat())]);
        }
    }
}

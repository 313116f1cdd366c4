//! Advisory locks on files: one holder at a time, across processes.

use std::fs::{File, TryLockError};

/// A held lock; dropping it lets the next one in, and so does the end of the process, however it ends.
///
/// Closing the file would not be enough: the kernel keeps a lock until the last descriptor of it is closed, and every
/// process that another thread is just starting has a copy of it for a moment. So it is given back by word.
#[derive(Debug)]
pub struct FileLock(File);

impl FileLock {
    /// Takes the lock of an open file.
    ///
    /// # Errors
    /// `WouldBlock` when somebody has it, else the system's word.
    pub fn try_acquire(file: &File) -> Result<Self, TryLockError> {
        // The copy comes first: after it nothing can fail that would leave the file locked.
        let copy = file.try_clone().map_err(TryLockError::Error)?;
        copy.try_lock()?;
        Ok(Self(copy))
    }

    /// As [`Self::try_acquire`], beside others who take it so, and never beside one who has it alone.
    ///
    /// # Errors
    /// As [`Self::try_acquire`].
    pub fn try_acquire_shared(file: &File) -> Result<Self, TryLockError> {
        let copy = file.try_clone().map_err(TryLockError::Error)?;
        copy.try_lock_shared()?;
        Ok(Self(copy))
    }

    /// The locked file.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.0
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        self.0.unlock().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let [one, other] = [File::create(&path).unwrap(), File::create(&path).unwrap()];
        let lock = FileLock::try_acquire(&one).unwrap();
        assert!(matches!(FileLock::try_acquire(&other), Err(TryLockError::WouldBlock)));
        drop(one);
        assert!(matches!(FileLock::try_acquire(&other), Err(TryLockError::WouldBlock)), "the lock outlives the file");
        drop(lock);
        FileLock::try_acquire(&other).unwrap();
    }

    #[test]
    fn those_who_share_it_share_it_with_nobody_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let [one, other, third] = std::array::from_fn(|_| File::create(&path).unwrap());
        let shared = [FileLock::try_acquire_shared(&one).unwrap(), FileLock::try_acquire_shared(&other).unwrap()];
        assert!(matches!(FileLock::try_acquire(&third), Err(TryLockError::WouldBlock)));
        drop(shared);
        let _alone = FileLock::try_acquire(&third).unwrap();
        assert!(matches!(FileLock::try_acquire_shared(&one), Err(TryLockError::WouldBlock)));
    }
}

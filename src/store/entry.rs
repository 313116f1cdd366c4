//! Keys, and the digest that ties an entry's bytes to its key.

use sha2::{Digest as _, Sha256};

use tapps_base::{digest, program};

/// What an entry is known by: SHA-256 over everything that decides its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryKey(pub(super) [u8; 32]);

impl EntryKey {
    /// Lower-case hex.
    #[must_use]
    pub fn to_hex(&self) -> String {
        digest::hex(&self.0)
    }
}

/// Takes the parts of a key one by one; no two different lists of parts give the same key, and neither do two different
/// builds of this program.
#[derive(Debug, Clone)]
pub struct KeyBuilder(Sha256);

impl KeyBuilder {
    /// Begins a key of one kind of entry.
    #[must_use]
    pub fn new(kind: &str) -> Self {
        Self(Sha256::new()).with_part(program::source_digest()).with_part(kind)
    }

    /// Adds a part.
    #[must_use]
    pub fn with_part(mut self, part: impl AsRef<[u8]>) -> Self {
        let part = part.as_ref();
        // The length in front keeps `ab`, `c` apart from `a`, `bc`.
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    /// The key of all parts so far.
    #[must_use]
    pub fn finish_key(self) -> EntryKey {
        EntryKey(self.0.finalize().into())
    }
}

/// What is stored beside an entry's bytes and compared when they are read: bytes that were changed, cut short or moved
/// to another key do not have it.
pub(super) fn entry_seal(key: &EntryKey, payload: &[u8]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(key.0);
    hasher.update(payload);
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let key =
            |parts: &[&str]| parts.iter().fold(KeyBuilder::new("k"), |key, part| key.with_part(part)).finish_key();
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        for other in [&["a", "bc"][..], &["abc"], &["ab", "c", ""], &["c", "ab"]] {
            assert_ne!(key(&["ab", "c"]), key(other), "{other:?}");
        }
        assert_ne!(KeyBuilder::new("a").finish_key(), KeyBuilder::new("b").finish_key());
    }
}

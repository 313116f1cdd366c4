//! The shared store as a store of answers.

use super::answers::Shared;
use tapps_store::EntryKey;
use tapps_store::fleet::Fleet;

impl Shared for Fleet {
    fn get(&self, keys: &[EntryKey]) -> Vec<Option<Vec<u8>>> {
        Self::get(self, keys)
    }

    fn put(&self, entries: &[(EntryKey, Vec<u8>)]) {
        Self::put(self, entries);
    }
}

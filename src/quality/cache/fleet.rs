//! The shared store as a store of answers.

use super::answers::Shared;
use tapps_store::Key;
use tapps_store::fleet::Fleet;

impl Shared for Fleet {
    fn get(&self, keys: &[Key]) -> Vec<Option<Vec<u8>>> {
        Self::get(self, keys)
    }

    fn put(&self, entries: &[(Key, Vec<u8>)]) {
        Self::put(self, entries);
    }
}

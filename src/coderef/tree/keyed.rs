//! Lists by a key, of a bounded length: more things of one name than are told anywhere need not be kept.

use std::collections::HashMap;
use std::hash::Hash;

#[derive(Debug)]
pub(super) struct KeyedLists<K, V> {
    lists: HashMap<K, Vec<V>>,
    most: usize,
}

impl<K, V> Default for KeyedLists<K, V> {
    fn default() -> Self {
        Self::of_at_most(usize::MAX)
    }
}

impl<K, V> KeyedLists<K, V> {
    /// Keeps the first so many of each key.
    pub(super) fn of_at_most(most: usize) -> Self {
        Self { lists: HashMap::new(), most }
    }
}

impl<K: Eq + Hash, V> KeyedLists<K, V> {
    pub(super) fn push(&mut self, key: K, value: V) {
        let list = self.lists.entry(key).or_default();
        if list.len() < self.most {
            list.push(value);
        }
    }

    pub(super) fn get(&self, key: &K) -> &[V] {
        self.lists.get(key).map(Vec::as_slice).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_key_are_kept() {
        let mut lists = KeyedLists::of_at_most(2);
        for (key, value) in [("a", 1), ("b", 2), ("a", 3), ("a", 4)] {
            lists.push(key, value);
        }
        assert_eq!(
            (lists.get(&"a"), lists.get(&"b"), lists.get(&"c")),
            ([1, 3].as_slice(), [2].as_slice(), [].as_slice())
        );
    }
}

//! What a reader numbers: equal things are kept once.

use std::collections::HashMap;
use std::hash::Hash;

/// Position of a value among those of its file; 0 is unknown.
pub(super) type ValueId = u32;
/// Position of a term among those of its file; 0 is unknown.
pub(super) type TermId = u32;

#[derive(Debug)]
pub(super) struct Arena<T> {
    all: Vec<T>,
    known: HashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Arena<T> {
    /// With what number 0 stands for.
    pub(super) fn new(first: T) -> Self {
        let mut arena = Self { all: Vec::new(), known: HashMap::new() };
        arena.number(first);
        arena
    }

    pub(super) fn number(&mut self, thing: T) -> u32 {
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        *self.known.entry(thing).or_insert_with_key(|thing| {
            self.all.push(thing.clone());
            next
        })
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.all.get(number as usize)
    }

    pub(super) fn into_all(self) -> Vec<T> {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_things_have_one_number() {
        let mut arena = Arena::new("none");
        assert_eq!((arena.number("a"), arena.number("b"), arena.number("a"), arena.number("none")), (1, 2, 1, 0));
        assert_eq!((arena.get(2), arena.get(3)), (Some(&"b"), None));
        assert_eq!(arena.into_all(), ["none", "a", "b"]);
    }
}

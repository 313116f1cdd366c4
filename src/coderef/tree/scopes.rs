//! The names that are bound around a place in a function, innermost first.

use std::collections::HashMap;

#[derive(Debug)]
pub(super) struct Scopes<'t, B> {
    bound: HashMap<&'t str, Vec<(usize, B)>>,
    /// The names of each open scope.
    open: Vec<Vec<&'t str>>,
}

impl<B> Default for Scopes<'_, B> {
    fn default() -> Self {
        Self { bound: HashMap::new(), open: Vec::new() }
    }
}

impl<'t, B: Copy> Scopes<'t, B> {
    pub(super) fn open(&mut self) {
        self.open.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        for name in self.open.pop().into_iter().flatten() {
            if let Some(same) = self.bound.get_mut(name) {
                same.pop();
            }
        }
    }

    /// Outside of every scope nothing is bound.
    pub(super) fn bind(&mut self, name: &'t str, binding: B) {
        let depth = self.open.len();
        if let Some(names) = self.open.last_mut() {
            names.push(name);
            self.bound.entry(name).or_default().push((depth, binding));
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<B> {
        self.bound.get(name)?.last().map(|(_, binding)| *binding)
    }

    /// Whether the innermost scope itself binds a name.
    pub(super) fn is_bound_here(&self, name: &str) -> bool {
        let last = self.bound.get(name).and_then(|same| same.last());
        last.is_some_and(|(depth, _)| *depth == self.open.len())
    }

    pub(super) fn is_outside(&self) -> bool {
        self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_counts_and_ends_with_its_scope() {
        let mut scopes = Scopes::default();
        scopes.bind("a", 0);
        assert_eq!((scopes.get("a"), scopes.is_outside()), (None, true));
        scopes.open();
        scopes.bind("a", 1);
        scopes.open();
        assert_eq!((scopes.get("a"), scopes.is_bound_here("a")), (Some(1), false));
        scopes.bind("a", 2);
        scopes.bind("a", 3);
        assert_eq!((scopes.get("a"), scopes.is_bound_here("a")), (Some(3), true));
        scopes.close();
        assert_eq!(scopes.get("a"), Some(1));
        scopes.close();
        assert_eq!(scopes.get("a"), None);
    }
}

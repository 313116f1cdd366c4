//! Where the names of elements and of calls stand, for those that read a file a second time.

use std::collections::HashMap;

use tree_sitter::Node;

#[derive(Debug, Default)]
pub(super) struct NamePlaces {
    /// By the first byte of the name.
    elements: HashMap<usize, u32>,
    calls: HashMap<usize, u32>,
}

impl NamePlaces {
    pub(super) fn add_element(&mut self, name: Node<'_>, element: u32) {
        self.elements.insert(name.start_byte(), element);
    }

    pub(super) fn add_call(&mut self, name: Node<'_>, call: u32) {
        self.calls.insert(name.start_byte(), call);
    }

    /// The element with this name node.
    pub(super) fn element_at(&self, name: Node<'_>) -> Option<u32> {
        self.elements.get(&name.start_byte()).copied()
    }

    /// The call with this name node.
    pub(super) fn call_at(&self, name: Node<'_>) -> Option<u32> {
        self.calls.get(&name.start_byte()).copied()
    }
}

//! What goes without saying.

/// True for the value that is taken where none is given: what serde leaves out of replies and files.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

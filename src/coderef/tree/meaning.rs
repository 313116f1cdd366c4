//! What a call means by the rules of its language.

use crate::model::ElementId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CalleeMeaning {
    /// This, and nothing else.
    Proven(ElementId),
    /// One of these: which one, a build decides, or the types of arguments.
    OneOf(Vec<ElementId>),
    /// Something of a module outside of the project.
    Outside(String),
    /// Something of the language itself.
    BuiltIn,
    /// It only looks like a call: a conversion, the making of a variant.
    NoCall,
    /// What a variable holds, which is known when the program runs.
    Held,
    /// Anything of the name.
    Unknown,
}

impl CalleeMeaning {
    pub(super) fn from_elements(mut elements: Vec<ElementId>) -> Self {
        elements.sort_unstable();
        elements.dedup();
        match elements.as_slice() {
            [] => Self::Unknown,
            [only] => Self::Proven(*only),
            _ => Self::OneOf(elements),
        }
    }
}

//! What the grammars of tree-sitter call their kinds of nodes and fields, read once, and what others know of each kind.

use std::fmt;
use std::sync::OnceLock;

use tapps_base::language::Language;

use crate::tree::grammar_of_language;

/// Every language that has a grammar; its place here is the number of the grammar.
const LANGUAGES: [Language; 6] =
    [Language::C, Language::Cpp, Language::Go, Language::Java, Language::Rust, Language::Shell];

/// The names of one grammar. tree-sitter measures and checks the text of a name each time it is asked for it.
#[derive(Debug)]
pub(crate) struct GrammarNames {
    number: usize,
    kinds: Vec<Box<str>>,
    fields: Vec<Box<str>>,
}

/// What stands where the text is not as the grammar wants it has a number beyond those of all kinds.
const ERROR: &str = "ERROR";

impl GrammarNames {
    /// `None` for languages that are read by other parsers.
    pub(crate) fn of_language(language: Language) -> Option<&'static Self> {
        static ALL: [OnceLock<GrammarNames>; LANGUAGES.len()] = [const { OnceLock::new() }; LANGUAGES.len()];
        let number = LANGUAGES.iter().position(|one| *one == language)?;
        let grammar = grammar_of_language(language)?;
        let read = || Self::from_grammar(number, &grammar);
        Some(ALL.get(number)?.get_or_init(read))
    }

    fn from_grammar(number: usize, grammar: &tree_sitter::Language) -> Self {
        let kinds = (0..grammar.node_kind_count()).filter_map(|id| u16::try_from(id).ok());
        let fields = (0..=grammar.field_count()).filter_map(|id| u16::try_from(id).ok());
        Self {
            number,
            kinds: kinds
                .map(|id| grammar.node_kind_for_id(id).unwrap_or_default().into())
                .chain([ERROR.into()])
                .collect(),
            fields: fields.map(|id| grammar.field_name_for_id(id).unwrap_or_default().into()).collect(),
        }
    }

    /// Where tables of kinds have the kind that tree-sitter gives this number.
    pub(crate) fn place_of_kind(&self, id: u16) -> u16 {
        u16::try_from(self.kinds.len().saturating_sub(1)).map_or(id, |last| id.min(last))
    }

    pub(crate) fn kind(&'static self, place: u16) -> &'static str {
        self.kinds.get(usize::from(place)).map_or(ERROR, AsRef::as_ref)
    }

    #[cfg(test)]
    pub(crate) fn field_names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(AsRef::as_ref).filter(|name| !name.is_empty())
    }

    pub(crate) fn is_field(&self, id: u16, name: &str) -> bool {
        id != 0 && self.fields.get(usize::from(id)).is_some_and(|known| **known == *name)
    }
}

/// What is known of each kind of nodes, by its number, for every grammar that it is asked for.
pub struct PerKind<T> {
    tables: [OnceLock<Box<[T]>>; LANGUAGES.len()],
}

impl<T> PerKind<T> {
    #[must_use]
    pub const fn new() -> Self {
        Self { tables: [const { OnceLock::new() }; LANGUAGES.len()] }
    }

    /// `make` is asked once for the name of each kind.
    pub(crate) fn table_of(&self, names: &'static GrammarNames, make: impl Fn(&'static str) -> T) -> &[T] {
        let table = self.tables.get(names.number);
        table.map_or(&[], |table| table.get_or_init(|| names.kinds.iter().map(|kind| make(kind)).collect()))
    }
}

impl<T> Default for PerKind<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for PerKind<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerKind").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grammar_says_what_its_kinds_and_fields_are_called() {
        for language in LANGUAGES {
            let names = GrammarNames::of_language(language).unwrap();
            assert!(names.kinds.iter().any(|kind| kind.ends_with("comment")), "{language:?}");
            assert!((1..100).any(|id| names.is_field(id, "name")), "{language:?}");
            assert_eq!(names.kind(names.place_of_kind(u16::MAX)), "ERROR", "{language:?}");
        }
        assert!(GrammarNames::of_language(Language::Python).is_none());
    }
}

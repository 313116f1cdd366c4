//! What a file defines, and which names it mentions.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{go, java, python, rust, script};
use tapps_base::language::{Analyzers, ScoredLanguage};
use tapps_base::source::Source;

/// What kind of definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DefinitionKind {
    Function,
    Method,
    Class,
    Variable,
}

/// One file.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) definitions: Vec<OutlineDefinition>,
    /// How often each name is mentioned.
    pub(super) uses: BTreeMap<String, u32>,
    /// Names of classes whose objects are arguments, with the name of what is called.
    pub(super) passed: BTreeSet<(String, String)>,
}

/// One definition.
#[derive(Debug, Clone)]
pub(super) struct OutlineDefinition {
    /// Qualified within the file.
    pub(super) name: String,
    pub(super) kind: DefinitionKind,
    pub(super) line: u32,
    pub(super) end_line: u32,
    /// Mentions of its name within itself.
    pub(super) own_uses: u32,
    /// Nothing outside the file is meant to use it.
    pub(super) private: bool,
    /// It is offered to importers by a keyword.
    pub(super) exported: bool,
    /// Something that cannot be seen may use it: a decorator, a base class, a protocol.
    pub(super) kept: bool,
}

impl OutlineDefinition {
    /// The class that a method is of.
    pub(super) fn class_name(&self) -> Option<&str> {
        self.name.rsplit_once('.').map(|(class, _)| class.rsplit('.').next().unwrap_or(class))
    }

    /// The name without the class around it.
    pub(super) fn bare(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }
}

impl Outline {
    /// Reads a file, or gives `None` when it cannot be parsed.
    pub(super) fn from_bytes(path: &str, bytes: &[u8]) -> Option<Self> {
        let source = Source::new(path, bytes);
        match ScoredLanguage::of_path(path)?.analyzers() {
            Analyzers::Python => python::read_python_outline(&source),
            Analyzers::Script => script::read_script_outline(&source),
            Analyzers::Go => go::read_go_outline(&source),
            Analyzers::Rust => rust::read_rust_outline(&source),
            Analyzers::Java => java::read_java_outline(&source),
            // What a header declares has its definition elsewhere, and scripts are called by their files.
            Analyzers::C | Analyzers::Shell => None,
        }
    }

    pub(super) fn mention(&mut self, name: &str) {
        match self.uses.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(self.uses.insert(name.to_owned(), 1)),
        }
    }

    /// Mentions every word of a text.
    pub(super) fn mention_words(&mut self, text: &str) {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        words.filter(|word| !word.is_empty()).for_each(|word| self.mention(word));
    }

    pub(super) fn count(&self, name: &str) -> u32 {
        self.uses.get(name).copied().unwrap_or_default()
    }
}

/// Of each definition: name, line, mentions within itself, whether it is private and whether it is kept.
#[cfg(test)]
pub(super) fn told_definitions(outline: Option<Outline>) -> Vec<(String, u32, u32, bool, bool)> {
    let each = outline.unwrap().definitions.into_iter();
    each.map(|one| (one.name, one.line, one.own_uses, one.private, one.kept)).collect()
}

//! What the readers of syntax trees share: names that are mentioned, and definitions with the mentions within themselves.

use super::outline::{DefinitionKind, Outline, OutlineDefinition};
use tapps_base::language::Language;
use tapps_base::source::Source;
use tapps_syntax::tree::{Node, node_text, parse_syntax_tree};

/// How deep definitions are looked for within one another; what is deeper only mentions names.
const DEEPEST: u32 = 64;

/// Records what a node mentions by itself, without those below it.
pub(super) type ReadMention = fn(&mut Outline, &str, Node<'_>);

/// Reads a file, or gives `None` when it has errors.
pub(super) fn read_tree_outline<'s>(
    source: &'s Source,
    language: Language,
    mention: ReadMention,
    read: impl FnOnce(&mut TreeOutlineReader<'s>, Node<'_>),
) -> Option<Outline> {
    let text = source.text()?;
    let tree = parse_syntax_tree(language, text).ok()?;
    let root = tree.root_node();
    if root.has_error() {
        return None;
    }
    let mut reader = TreeOutlineReader { source, text, outline: Outline::default(), mention, depth: 0 };
    read(&mut reader, root);
    Some(reader.outline)
}

/// A definition as its node shows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TreeDefinition<'t, 'c> {
    pub(super) node: Node<'t>,
    pub(super) name: Node<'t>,
    pub(super) kind: DefinitionKind,
    /// The types around it, qualified.
    pub(super) within: Option<&'c str>,
    pub(super) is_public: bool,
    /// Something that is no mention of the name uses it.
    pub(super) is_kept: bool,
}

pub(super) struct TreeOutlineReader<'s> {
    source: &'s Source,
    pub(super) text: &'s str,
    outline: Outline,
    mention: ReadMention,
    depth: u32,
}

impl TreeOutlineReader<'_> {
    /// Records a definition with the names that it mentions.
    pub(super) fn define(&mut self, definition: &TreeDefinition<'_, '_>) {
        self.define_around(definition, |reader| {
            reader.mention_names(definition.node, Some(definition.name));
        });
    }

    /// Records a definition whose inside is read by `read`, which leaves its name out.
    pub(super) fn define_around(&mut self, definition: &TreeDefinition<'_, '_>, read: impl FnOnce(&mut Self)) {
        let word = node_text(self.text, definition.name);
        let before = self.outline.count(word);
        read(self);
        let own_uses = self.outline.count(word) - before;
        self.outline.definitions.push(OutlineDefinition {
            name: definition.within.map_or_else(|| word.to_owned(), |around| format!("{around}.{word}")),
            kind: definition.kind,
            line: self.source.position(definition.node.start_byte()).0,
            end_line: self.source.position(definition.node.end_byte()).0,
            own_uses,
            private: !definition.is_public,
            exported: false,
            kept: definition.is_kept,
        });
    }

    /// Reads the definitions in a node, or where they are too deep what they mention.
    pub(super) fn deeper(&mut self, node: Node<'_>, read: impl FnOnce(&mut Self)) {
        if self.depth == DEEPEST {
            return self.mention_names(node, None);
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
    }

    /// Records the mentions of a node and of all below it but one.
    pub(super) fn mention_names(&mut self, node: Node<'_>, except: Option<Node<'_>>) {
        let mut cursor = node.walk();
        loop {
            let at = cursor.node();
            if except != Some(at) {
                (self.mention)(&mut self.outline, self.text, at);
                if cursor.goto_first_child() {
                    continue;
                }
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }
}

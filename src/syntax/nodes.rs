//! The nodes of a tree in one row, each with its kind, its parent and the end of what is in it. tree-sitter looks kinds up by
//! their names, and walks from the root to a parent; rules ask for both all the time.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::kinds::{GrammarNames, PerKind};
use crate::tree::ParsedText;

/// Where a node stands in its row, and what it is.
#[derive(Debug)]
struct NodePlace {
    start: u32,
    end: u32,
    start_row: u32,
    end_row: u32,
    /// The node's own number for the root.
    parent: u32,
    /// The number behind those of everything in it.
    behind: u32,
    kind: u16,
    /// 0 for none.
    field: u16,
    is_named: bool,
}

/// A whole tree, parents first.
#[derive(Debug)]
pub struct NodeRow {
    names: &'static GrammarNames,
    places: Vec<NodePlace>,
}

impl NodeRow {
    /// Reads a tree once.
    ///
    /// # Errors
    /// A byte that stands deeper than `most` levels.
    pub fn from_parsed(parsed: &ParsedText, most: usize) -> Result<Self, usize> {
        let names = parsed.names;
        let mut places: Vec<NodePlace> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        let mut cursor = parsed.tree.root_node().walk();
        loop {
            let node = cursor.node();
            let at = to_number(places.len());
            let (start, end) = (node.start_position(), node.end_position());
            places.push(NodePlace {
                start: to_number(node.start_byte()),
                end: to_number(node.end_byte()),
                start_row: to_number(start.row),
                end_row: to_number(end.row),
                parent: open.last().copied().unwrap_or(at),
                behind: at + 1,
                kind: names.place_of_kind(node.kind_id()),
                field: cursor.field_id().map_or(0, std::num::NonZero::get),
                is_named: node.is_named(),
            });
            if cursor.goto_first_child() {
                open.push(at);
                if open.len() > most {
                    return Err(node.start_byte());
                }
                continue;
            }
            while !cursor.goto_next_sibling() {
                let behind = to_number(places.len());
                match open.pop().and_then(|parent| places.get_mut(parent as usize)) {
                    Some(parent) if cursor.goto_parent() => parent.behind = behind,
                    _ => return Ok(Self { names, places }),
                }
            }
        }
    }

    /// Every node, parents first.
    pub fn all(&self) -> impl Iterator<Item = Node<'_>> {
        (0..to_number(self.places.len())).map(|at| Node { row: self, at })
    }

    /// The node of a number, which is that of [`Node::id`].
    #[must_use]
    pub fn node(&self, id: usize) -> Node<'_> {
        Node { row: self, at: to_number(id) }
    }

    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node { row: self, at: 0 }
    }

    /// What is known of each kind of the grammar, made once for all trees.
    pub fn table<'k, T>(&self, of: &'k PerKind<T>, make: impl Fn(&'static str) -> T) -> &'k [T] {
        of.table_of(self.names, make)
    }

    fn place(&self, at: u32) -> &NodePlace {
        // Numbers are made here, and only for what the row has.
        &self.places[at as usize]
    }
}

/// One node of a row.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    row: &'t NodeRow,
    at: u32,
}

impl<'t> Node<'t> {
    fn place(self) -> &'t NodePlace {
        self.row.place(self.at)
    }

    const fn sibling(self, at: u32) -> Self {
        Self { row: self.row, at }
    }

    /// What the grammar calls it; a token is called by its text.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.row.names.kind(self.place().kind)
    }

    /// What a table of [`NodeRow::table`] has of its kind.
    #[must_use]
    pub fn entry<'k, T>(&self, table: &'k [T]) -> Option<&'k T> {
        table.get(usize::from(self.place().kind))
    }

    /// A number that no other node of its tree has.
    #[must_use]
    pub const fn id(&self) -> usize {
        self.at as usize
    }

    /// False for tokens that the grammar knows by their text alone.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.place().is_named
    }

    #[must_use]
    pub fn start_byte(&self) -> usize {
        self.place().start as usize
    }

    #[must_use]
    pub fn end_byte(&self) -> usize {
        self.place().end as usize
    }

    #[must_use]
    pub fn byte_range(&self) -> Range<usize> {
        let place = self.place();
        place.start as usize..place.end as usize
    }

    /// 0-based.
    #[must_use]
    pub fn start_row(&self) -> usize {
        self.place().start_row as usize
    }

    /// 0-based.
    #[must_use]
    pub fn end_row(&self) -> usize {
        self.place().end_row as usize
    }

    #[must_use]
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.byte_range()).unwrap_or_default()
    }

    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let parent = self.place().parent;
        (parent != self.at).then_some(self.sibling(parent))
    }

    /// Ancestors, nearest first, without the node itself.
    pub fn ancestors(&self) -> impl Iterator<Item = Self> + use<'t> {
        std::iter::successors(self.parent(), Self::parent)
    }

    /// All children, tokens and comments among them.
    pub fn children(&self) -> impl Iterator<Item = Self> + use<'t> {
        let (node, behind) = (*self, self.place().behind);
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            let child = (at < behind).then_some(node.sibling(at))?;
            at = child.place().behind;
            Some(child)
        })
    }

    /// The node and everything in it, in the order of the text.
    pub fn subtree(&self) -> impl Iterator<Item = Self> + use<'t> {
        let node = *self;
        (self.at..self.place().behind).map(move |at| node.sibling(at))
    }

    /// The node and what is in it. Of nodes inside that are left out there is only the node itself.
    pub fn subtree_without<F: Fn(Self) -> bool>(&self, is_left_out: F) -> impl Iterator<Item = Self> + use<'t, F> {
        let (first, behind) = (*self, self.place().behind);
        let mut at = self.at;
        std::iter::from_fn(move || {
            let node = (at < behind).then_some(first.sibling(at))?;
            at = if at > first.at && is_left_out(node) { node.place().behind } else { at + 1 };
            Some(node)
        })
    }

    #[must_use]
    pub fn child(&self, number: usize) -> Option<Self> {
        self.children().nth(number)
    }

    /// The named child of a number, comments among them.
    #[must_use]
    pub fn named_child(&self, number: usize) -> Option<Self> {
        self.children().filter(Self::is_named).nth(number)
    }

    /// Named children, comments among them.
    #[must_use]
    pub fn named_child_count(&self) -> usize {
        self.children().filter(Self::is_named).count()
    }

    /// The children in a field.
    pub fn children_in_field<'n>(&self, name: &'n str) -> impl Iterator<Item = Self> + use<'n, 't> {
        let names = self.row.names;
        self.children().filter(move |child| names.is_field(child.place().field, name))
    }

    /// The first child in a field.
    #[must_use]
    pub fn child_in_field(&self, name: &str) -> Option<Self> {
        self.children_in_field(name).next()
    }

    /// What stands behind it in its parent.
    #[must_use]
    pub fn next_sibling(&self) -> Option<Self> {
        let behind = self.place().behind;
        (behind < self.parent()?.place().behind).then_some(self.sibling(behind))
    }

    #[must_use]
    pub fn next_named_sibling(&self) -> Option<Self> {
        std::iter::successors(self.next_sibling(), Self::next_sibling).find(Self::is_named)
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && std::ptr::eq(self.row, other.row)
    }
}

impl Eq for Node<'_> {}

impl Hash for Node<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.at.hash(state);
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", self.kind(), self.byte_range())
    }
}

/// Files that are read are far smaller than 4 GiB.
fn to_number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree;
    use tapps_base::language::Language;

    const TEXTS: [(Language, &str); 6] = [
        (Language::C, "#include <a.h>\n/* b */\nint f(int a, char *b[2]) { if (a) { g(a, 1); } else { return h; } }\n"),
        (Language::Cpp, "template <class T> class A : B { A() : c(1) {} ~A(); int d = 2; };\nint x, y = 3;\n"),
        (
            Language::Go,
            "package a\n\nimport b \"c\" // d\n\nfunc (e *E) f(g, h int) (i, error) { k := l.m(n); return }\n",
        ),
        (Language::Java, "@A class B<C> extends D { int[] e = {1}, f; void g(int... h) { i.j(k -> l); } }\n"),
        (Language::Rust, "/// a\n#[b]\npub fn c<D>(e: &F) -> G where D: H { i.j(|k| l + m)?; n!(o) }\n"),
        (Language::Shell, "f() { local a=$1; for b in c; do d \"$e\" | g; done; }\n"),
    ];

    fn row_of(language: Language, text: &str) -> (ParsedText, NodeRow) {
        let parsed = ParsedText::of_text(language, text).unwrap();
        let row = NodeRow::from_parsed(&parsed, 100).unwrap();
        (parsed, row)
    }

    fn descendants<'t>(node: tree::Node<'t>, into: &mut Vec<tree::Node<'t>>) {
        into.push(node);
        (0..node.child_count()).filter_map(|at| node.child(at)).for_each(|child| descendants(child, into));
    }

    #[test]
    fn a_row_says_of_every_node_what_tree_sitter_says() {
        for (language, text) in TEXTS {
            let (parsed, row) = row_of(language, text);
            let mut known = Vec::new();
            descendants(parsed.tree.root_node(), &mut known);
            assert_eq!(row.all().count(), known.len());
            let same = |ours: Option<Node<'_>>, theirs: Option<tree::Node<'_>>| {
                assert_eq!(ours.map(|one| known[one.id()].id()), theirs.map(|one| one.id()), "{ours:?} {theirs:?}");
            };
            for (ours, theirs) in row.all().zip(&known) {
                assert_eq!((ours.kind(), ours.is_named()), (theirs.kind(), theirs.is_named()));
                assert_eq!(ours.byte_range(), theirs.byte_range());
                assert_eq!(
                    (ours.start_row(), ours.end_row()),
                    (theirs.start_position().row, theirs.end_position().row)
                );
                assert_eq!(ours.children().count(), theirs.child_count() as usize);
                assert_eq!(ours.named_child_count(), theirs.named_child_count());
                same(ours.parent(), theirs.parent());
                same(ours.next_sibling(), theirs.next_sibling());
                same(ours.next_named_sibling(), theirs.next_named_sibling());
                same(ours.child(1), theirs.child(1));
                same(ours.named_child(1), theirs.named_child(1));
                for field in parsed.names.field_names() {
                    same(ours.child_in_field(field), theirs.child_by_field_name(field));
                }
            }
        }
    }

    #[test]
    fn what_is_left_out_stands_for_itself() {
        let (_, row) = row_of(Language::Go, "package a\n\nfunc f() { g(func() { h() }) }\n");
        let without: Vec<&str> =
            row.root().subtree_without(|node| node.kind() == "func_literal").map(|node| node.kind()).collect();
        assert!(without.contains(&"func_literal"));
        assert_eq!(without.iter().filter(|kind| **kind == "call_expression").count(), 1);
    }

    #[test]
    fn what_stands_too_deep_is_named() {
        let parsed = ParsedText::of_text(Language::Go, "package a\n\nvar b = ((((((1))))))\n").unwrap();
        assert_eq!(NodeRow::from_parsed(&parsed, 7).map(drop), Err(22));
    }
}

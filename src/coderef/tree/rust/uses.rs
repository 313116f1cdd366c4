//! The names that `use` brings in.

use tree_sitter::Node;

use super::read::RustReader;

/// One name of a `use`; none for all names.
pub(super) struct UsedName<'t> {
    pub(super) path: Vec<String>,
    pub(super) name: Option<&'t str>,
}

/// The path that a part of a `use` stands behind, and the last name of it.
#[derive(Clone, Copy)]
struct Before<'p, 't> {
    path: &'p [String],
    last: Option<&'t str>,
}

impl Before<'_, '_> {
    fn joined(&self, more: Vec<String>) -> Vec<String> {
        [self.path, &more].concat()
    }
}

impl<'t> RustReader<'_, 't> {
    pub(super) fn used_names(&mut self, declaration: Node<'t>) -> Vec<UsedName<'t>> {
        let mut found = Vec::new();
        if let Some(tree) = declaration.child_by_field_name("argument") {
            self.add_used_names(tree, Before { path: &[], last: None }, &mut found);
        }
        found
    }

    fn add_used_names(&mut self, tree: Node<'t>, before: Before<'_, 't>, found: &mut Vec<UsedName<'t>>) {
        self.deeper(|this| this.add_part(tree, before, found));
    }

    fn add_part(&mut self, tree: Node<'t>, before: Before<'_, 't>, found: &mut Vec<UsedName<'t>>) {
        match tree.kind() {
            "identifier" | "scoped_identifier" | "crate" | "super" => {
                let path = before.joined(self.path_parts(tree).unwrap_or_default());
                found.push(UsedName { path, name: Some(self.last_name(tree)) });
            }
            "self" => found.push(UsedName { path: before.path.to_vec(), name: before.last }),
            "use_as_clause" => {
                let path = tree.child_by_field_name("path");
                let is_self = path.is_some_and(|path| path.kind() == "self") && !before.path.is_empty();
                let parts = path.filter(|_| !is_self).and_then(|path| self.path_parts(path)).unwrap_or_default();
                let alias = tree.child_by_field_name("alias").map_or("", |alias| self.text(alias));
                found.push(UsedName { path: before.joined(parts), name: Some(alias) });
            }
            "use_wildcard" => {
                let parts = tree.named_child(0).and_then(|path| self.path_parts(path)).unwrap_or_default();
                found.push(UsedName { path: before.joined(parts), name: None });
            }
            "scoped_use_list" => {
                let head = tree.child_by_field_name("path");
                let path = before.joined(head.and_then(|head| self.path_parts(head)).unwrap_or_default());
                let last = head.map_or(before.last, |head| Some(self.last_name(head)));
                if let Some(list) = tree.child_by_field_name("list") {
                    self.add_used_names(list, Before { path: &path, last }, found);
                }
            }
            "use_list" => {
                for part in self.children(tree) {
                    self.add_used_names(part, before, found);
                }
            }
            _ => {}
        }
    }

    /// `c` of `a::b::c`.
    fn last_name(&self, path: Node<'t>) -> &'t str {
        self.text(path.child_by_field_name("name").unwrap_or(path))
    }
}

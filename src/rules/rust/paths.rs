//! Paths as they are written, and what `use` makes of them.

use std::collections::BTreeMap;

use tapps_syntax::nodes::Node;

use crate::tree::nodes::{SyntaxTree, field, named_children};

/// The path of an expression or a type as it is written, without what it is generic over: `std::fs::read`, `Vec::new`.
pub(crate) fn written_path(tree: &SyntaxTree<'_>, node: Node<'_>) -> Option<String> {
    match node.kind() {
        "identifier" | "type_identifier" | "crate" | "self" | "super" | "primitive_type" => {
            Some(tree.text_of(node).to_owned())
        }
        "scoped_identifier" | "scoped_type_identifier" => {
            let name = tree.text_of(field(node, "name")?);
            match field(node, "path") {
                Some(path) => Some(format!("{}::{name}", written_path(tree, path)?)),
                None => Some(name.to_owned()),
            }
        }
        "generic_type" | "generic_type_with_turbofish" => written_path(tree, field(node, "type")?),
        "generic_function" => written_path(tree, field(node, "function")?),
        _ => None,
    }
}

/// The full paths by the names that the imports of a file give them.
pub(super) fn imported_names<'t>(tree: &SyntaxTree<'t>) -> BTreeMap<&'t str, String> {
    let mut names = BTreeMap::new();
    for declaration in tree.all_nodes().filter(|node| node.kind() == "use_declaration") {
        if let Some(argument) = field(declaration, "argument") {
            add_imports(tree, argument, "", &mut names);
        }
    }
    names
}

fn add_imports<'t>(tree: &SyntaxTree<'t>, node: Node<'t>, before: &str, names: &mut BTreeMap<&'t str, String>) {
    let below = |path: &str| if before.is_empty() { path.to_owned() } else { format!("{before}::{path}") };
    match node.kind() {
        "identifier" | "crate" => drop(names.insert(tree.text_of(node), below(tree.text_of(node)))),
        // `use a::b::{self}` brings `b`.
        "self" => {
            if let Some(name) = before.rsplit("::").next().and_then(|name| find_text(tree, node, name)) {
                names.insert(name, before.to_owned());
            }
        }
        "scoped_identifier" => {
            if let (Some(path), Some(name)) = (written_path(tree, node), field(node, "name")) {
                names.insert(tree.text_of(name), below(&path));
            }
        }
        "use_as_clause" => {
            let path = field(node, "path").and_then(|path| written_path(tree, path));
            if let (Some(path), Some(alias)) = (path, field(node, "alias")) {
                names.insert(tree.text_of(alias), if path == "self" { before.to_owned() } else { below(&path) });
            }
        }
        "scoped_use_list" => {
            let path = field(node, "path").and_then(|path| written_path(tree, path)).unwrap_or_default();
            let below = if path.is_empty() { before.to_owned() } else { below(&path) };
            field(node, "list").into_iter().for_each(|list| add_imports(tree, list, &below, names));
        }
        "use_list" => named_children(node).for_each(|child| add_imports(tree, child, before, names)),
        _ => {}
    }
}

/// The piece of the file that says a name of the path around a `self`.
fn find_text<'t>(tree: &SyntaxTree<'t>, node: Node<'t>, name: &str) -> Option<&'t str> {
    let path =
        tree.ancestors_of(node).find(|at| at.kind() == "scoped_use_list").and_then(|list| field(list, "path"))?;
    let last = field(path, "name").unwrap_or(path);
    Some(tree.text_of(last)).filter(|text| *text == name)
}

/// A path whose first name is replaced by what it was imported as.
pub(super) fn resolve_path(imports: &BTreeMap<&str, String>, written: &str) -> String {
    let (first, rest) = written.split_once("::").map_or((written, None), |(first, rest)| (first, Some(rest)));
    match (imports.get(first), rest) {
        (Some(full), Some(rest)) => format!("{full}::{rest}"),
        (Some(full), None) => full.clone(),
        (None, _) => written.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::language::Rust;
    use crate::tree::grammar::TreeLanguage;
    use tapps_base::language::Language;
    use tapps_syntax::nodes::NodeRow;
    use tapps_syntax::tree::ParsedText;

    #[test]
    fn names_lead_to_full_paths() {
        let text = "use std::fs;\nuse std::process::{self, Command as Run, exit};\nuse a::{b::{c, d::e}, f::*};\nuse ::g::h;\n\
            use rand::Rng as _;\nfn f() { use std::thread; }\n";
        let parsed = ParsedText::of_text(Language::Rust, text).unwrap();
        let row = NodeRow::from_parsed(&parsed, 100).unwrap();
        let tree = SyntaxTree::of_row(Rust::grammar(), text, &row);
        let names = imported_names(&tree);
        for (written, full) in [
            ("fs::read", "std::fs::read"),
            ("process::id", "std::process::id"),
            ("Run::new", "std::process::Command::new"),
            ("exit", "std::process::exit"),
            ("c", "a::b::c"),
            ("e::f", "a::b::d::e::f"),
            ("h", "g::h"),
            ("thread::sleep", "std::thread::sleep"),
            ("other::x", "other::x"),
        ] {
            assert_eq!(resolve_path(&names, written), full);
        }
    }
}

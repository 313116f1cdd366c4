//! Definitions and mentions of a Rust file: items of modules, and what inherent implementations define. What a trait asks for
//! is left out, since whoever knows the trait may call it.

use super::outline::{DefinitionKind, Outline};
use super::tree::{TreeDefinition, TreeOutlineReader, read_tree_outline};
use tapps_base::language::Language;
use tapps_base::source::Source;
use tapps_syntax::tree::{Node, node_text};

/// Attributes that hand an item to nobody; a macro behind any other may do with it what it likes.
const PLAIN: [&str; 18] = [
    "automatically_derived",
    "cfg",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "inline",
    "must_use",
    "non_exhaustive",
    "forbid",
    "optimize",
    "repr",
    "rustfmt::skip",
    "target_feature",
    "track_caller",
    "warn",
];

/// Reads a file, or gives `None` when it has errors.
pub(super) fn read_rust_outline(source: &Source) -> Option<Outline> {
    read_tree_outline(source, Language::Rust, mention, |reader, root| read_items(reader, root, None))
}

fn mention(outline: &mut Outline, text: &str, node: Node<'_>) {
    match node.kind() {
        "identifier" | "type_identifier" | "field_identifier" | "shorthand_field_identifier" => {
            outline.mention(node_text(text, node));
        }
        // The names in `{name}` of a text to format.
        "string_content" => {
            let inner = node_text(text, node).split('{').skip(1).filter_map(|rest| rest.split('}').next());
            inner.for_each(|inner| outline.mention_words(inner));
        }
        // A macro may take a name out of a text: `default = "name"`.
        "attribute_item" => outline.mention_words(node_text(text, node)),
        _ => {}
    }
}

/// What stands in a file, a module, or (`of` a type) an inherent implementation.
fn read_items(reader: &mut TreeOutlineReader<'_>, list: Node<'_>, of: Option<&str>) {
    let mut cursor = list.walk();
    let mut attributes = Vec::new();
    for node in list.named_children(&mut cursor) {
        match node.kind() {
            "attribute_item" => {
                reader.mention_names(node, None);
                attributes.push(node);
            }
            "line_comment" | "block_comment" => {}
            _ => {
                read_item(reader, node, of, &attributes);
                attributes.clear();
            }
        }
    }
}

fn read_item(reader: &mut TreeOutlineReader<'_>, node: Node<'_>, of: Option<&str>, attributes: &[Node<'_>]) {
    if attributes.iter().any(|attribute| is_for_tests(reader.text, *attribute)) {
        return reader.mention_names(node, None);
    }
    let kind = match node.kind() {
        "mod_item" => return read_module(reader, node),
        "impl_item" => return read_implementation(reader, node),
        "function_item" if of.is_some() => DefinitionKind::Method,
        "function_item" | "macro_definition" => DefinitionKind::Function,
        "struct_item" | "enum_item" | "union_item" | "type_item" | "trait_item" => DefinitionKind::Class,
        "const_item" | "static_item" => DefinitionKind::Variable,
        _ => return reader.mention_names(node, None),
    };
    let Some(name) = node.child_by_field_name("name") else { return reader.mention_names(node, None) };
    let word = node_text(reader.text, name);
    let is_kept = word == "main" && of.is_none()
        || word.starts_with('_')
        || attributes.iter().any(|attribute| !PLAIN.contains(&path_of(reader.text, *attribute)));
    let mut cursor = node.walk();
    let visibility = node.children(&mut cursor).find(|child| child.kind() == "visibility_modifier");
    let is_public = visibility.is_some_and(|visibility| node_text(reader.text, visibility) == "pub");
    reader.define(&TreeDefinition { node, name, kind, within: of, is_public, is_kept });
}

fn read_module(reader: &mut TreeOutlineReader<'_>, node: Node<'_>) {
    if let Some(body) = node.child_by_field_name("body") {
        reader.deeper(body, |reader| read_items(reader, body, None));
    }
}

/// A type is not used by what is written for it, so its name in the head is no mention.
fn read_implementation(reader: &mut TreeOutlineReader<'_>, node: Node<'_>) {
    let head = node.child_by_field_name("type").and_then(head_of_type);
    let (Some(name), None, Some(body)) = (head, node.child_by_field_name("trait"), node.child_by_field_name("body"))
    else {
        return reader.mention_names(node, head);
    };
    let mut cursor = node.walk();
    for part in node.named_children(&mut cursor).filter(|part| *part != body) {
        reader.mention_names(part, Some(name));
    }
    let of = node_text(reader.text, name);
    reader.deeper(body, |reader| read_items(reader, body, Some(of)));
}

/// `Type` of `a::Type<T>`.
fn head_of_type(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        node = match node.kind() {
            "type_identifier" => return Some(node),
            "generic_type" => node.child_by_field_name("type")?,
            "scoped_type_identifier" => node.child_by_field_name("name")?,
            _ => return None,
        };
    }
}

/// `derive` of `#[derive(Debug)]`.
fn path_of<'a>(text: &'a str, attribute: Node<'_>) -> &'a str {
    let inner = node_text(text, attribute).trim_start_matches("#[").trim_start();
    inner.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))).next().unwrap_or_default()
}

fn is_for_tests(text: &str, attribute: Node<'_>) -> bool {
    let words = node_text(text, attribute).split(|c: char| !(c.is_alphanumeric() || c == '_'));
    path_of(text, attribute) == "cfg" && words.into_iter().any(|word| word == "test")
}

#[cfg(test)]
mod tests {
    use super::super::outline::told_definitions;
    use super::*;

    #[test]
    fn what_a_module_defines() {
        let text = "mod inner {\n    pub(crate) fn f() { f(); g() }\n}\n#[derive(Debug)]\npub struct S<T>(T);\nimpl<T> S<T> {\n    pub fn new() -> S<T> { Self::of() }\n    const MAX: u8 = 1;\n}\n\
                    impl Drop for S<u8> { fn drop(&mut self) {} }\n#[no_mangle]\npub extern \"C\" fn from_c() {}\n#[allow(dead_code)]\nfn said() {}\nfn main() {}\nstatic _HELD: u8 = 1;\n\
                    macro_rules! twice { ($e:expr) => { $e + twice!($e) } }\n#[cfg(test)]\nmod tests { fn helper() {} }\ntrait Asked { fn asked(&self); }\n";
        let expected = [
            ("f", 2, 1, true, false),
            ("S", 5, 0, false, false),
            ("S.new", 7, 0, false, false),
            ("S.MAX", 8, 0, true, false),
            ("from_c", 12, 0, false, true),
            ("said", 14, 0, true, true),
            ("main", 15, 0, true, true),
            ("_HELD", 16, 0, true, true),
            ("twice", 17, 1, true, false),
            ("Asked", 20, 0, true, false),
        ];
        let expected = expected.map(|(name, line, own, private, kept)| (name.to_owned(), line, own, private, kept));
        let source = Source::new("src/lib.rs", text.as_bytes().to_vec());
        assert_eq!(told_definitions(read_rust_outline(&source)), expected);
    }

    #[test]
    fn what_a_file_mentions() {
        let text = "use a::{f as g, h};\n#[serde(default = \"by_default\")]\nstruct S { #[serde(with = \"format\")] field: Type }\n\
                    impl S { fn m(&self) { assert_eq!(self.field, \"{inline:?} plain\", call(1)); } }\nimpl Show for S {}\nstruct T { s: S }\n";
        let outline = read_rust_outline(&Source::new("src/lib.rs", text.as_bytes().to_vec())).unwrap();
        let counts = ["f", "h", "by_default", "format", "inline", "plain", "call", "Show", "S", "T", "Type"];
        assert_eq!(counts.map(|name| outline.count(name)), [1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1]);
        assert!(read_rust_outline(&Source::new("a.rs", b"fn (".to_vec())).is_none());
        let nested = "mod a {".repeat(5000) + "fn f() { g() }" + &"}".repeat(5000);
        let outline = read_rust_outline(&Source::new("a.rs", nested.into_bytes())).unwrap();
        assert_eq!((outline.count("g"), outline.definitions.len()), (1, 0), "too deep to be told");
    }
}

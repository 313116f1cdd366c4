//! Definitions and mentions of a Java file: types, methods and fields.

use super::outline::{DefinitionKind, Outline};
use super::tree::{TreeDefinition, TreeOutlineReader, read_tree_outline};
use tapps_base::language::Language;
use tapps_base::source::Source;
use tapps_syntax::tree::{Node, node_text};

/// Annotations that hand what they stand at to nobody; a framework behind any other may find it by itself.
const PLAIN: [&str; 9] = [
    "Deprecated",
    "FunctionalInterface",
    "Immutable",
    "NonNull",
    "NotNull",
    "Nullable",
    "SafeVarargs",
    "SuppressWarnings",
    "ThreadSafe",
];

/// What the virtual machine and serialization look for by name.
const CALLED_BY_NAME: [&str; 9] = [
    "agentmain",
    "finalize",
    "main",
    "premain",
    "readObject",
    "readObjectNoData",
    "readResolve",
    "serialVersionUID",
    "writeObject",
];

/// Beginnings of methods that what reads and writes objects finds by name.
const ACCESSORS: [&str; 3] = ["get", "is", "set"];

/// Reads a file, or gives `None` when it has errors.
pub(super) fn read_java_outline(source: &Source) -> Option<Outline> {
    read_tree_outline(source, Language::Java, mention, |reader, root| {
        let mut cursor = root.walk();
        for node in root.named_children(&mut cursor) {
            read_member(reader, node, None);
        }
    })
}

fn mention(outline: &mut Outline, text: &str, node: Node<'_>) {
    match node.kind() {
        "identifier" | "type_identifier" => outline.mention(node_text(text, node)),
        // A class may be looked for by its name.
        "string_fragment" => {
            let words = node_text(text, node).split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')));
            words.filter(|word| word.starts_with(char::is_uppercase)).for_each(|word| outline.mention(word));
        }
        "annotation_argument_list" => outline.mention_words(node_text(text, node)),
        _ => {}
    }
}

/// A type whose members are read.
#[derive(Debug, Clone, Copy)]
struct Around<'a> {
    /// Qualified within the file.
    name: &'a str,
    /// What it extends or implements may ask for its methods.
    inherits: bool,
    is_interface: bool,
}

fn read_member(reader: &mut TreeOutlineReader<'_>, node: Node<'_>, around: Option<Around<'_>>) {
    let kind = match node.kind() {
        "class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "record_declaration"
        | "annotation_type_declaration" => DefinitionKind::Class,
        "method_declaration" if around.is_some_and(|around| !around.is_interface) => DefinitionKind::Method,
        "field_declaration" if around.is_some_and(|around| !around.is_interface) => DefinitionKind::Variable,
        "enum_body_declarations" => {
            let mut cursor = node.walk();
            return node.named_children(&mut cursor).for_each(|member| read_member(reader, member, around));
        }
        _ => return reader.mention_names(node, None),
    };
    let of_field = node.child_by_field_name("declarator");
    let Some(name) = of_field.unwrap_or(node).child_by_field_name("name") else {
        return reader.mention_names(node, None);
    };
    let modifiers = Modifiers::of(reader.text, node);
    let word = node_text(reader.text, name);
    let is_asked_for = kind == DefinitionKind::Method
        && !modifiers.is_private
        && (around.is_some_and(|around| around.inherits) || is_accessor(word));
    let definition = TreeDefinition {
        node,
        name,
        kind,
        within: around.map(|around| around.name),
        is_public: modifiers.is_public,
        is_kept: modifiers.is_annotated || is_asked_for || CALLED_BY_NAME.contains(&word),
    };
    match node.child_by_field_name("body") {
        Some(body) if kind == DefinitionKind::Class => {
            let qualified = around.map_or_else(|| word.to_owned(), |around| format!("{}.{word}", around.name));
            let inside = Around {
                name: &qualified,
                inherits: ["superclass", "interfaces"].iter().any(|part| node.child_by_field_name(part).is_some()),
                is_interface: node.kind() == "interface_declaration" || node.kind() == "annotation_type_declaration",
            };
            reader.define_around(&definition, |reader| {
                let mut cursor = node.walk();
                node.named_children(&mut cursor)
                    .filter(|part| *part != body)
                    .for_each(|part| reader.mention_names(part, Some(name)));
                reader.deeper(body, |reader| {
                    let mut cursor = body.walk();
                    body.named_children(&mut cursor).for_each(|member| read_member(reader, member, Some(inside)));
                });
            });
        }
        _ => reader.define(&definition),
    }
}

#[derive(Debug, Default)]
struct Modifiers {
    /// `public` or `protected`.
    is_public: bool,
    is_private: bool,
    is_annotated: bool,
}

impl Modifiers {
    fn of(text: &str, node: Node<'_>) -> Self {
        let mut cursor = node.walk();
        let mut found = Self::default();
        let Some(list) = node.children(&mut cursor).find(|child| child.kind() == "modifiers") else { return found };
        let mut cursor = list.walk();
        for part in list.children(&mut cursor) {
            match part.kind() {
                "public" | "protected" => found.is_public = true,
                "private" => found.is_private = true,
                "annotation" | "marker_annotation" => {
                    let name = part.child_by_field_name("name").map_or("", |name| node_text(text, name));
                    found.is_annotated |= !PLAIN.contains(&name.rsplit('.').next().unwrap_or(name));
                }
                _ => {}
            }
        }
        found
    }
}

/// `getName`, but not `getaway`.
fn is_accessor(name: &str) -> bool {
    let mut after = ACCESSORS.iter().filter_map(|start| name.strip_prefix(start));
    after.any(|rest| rest.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::super::outline::told_definitions;
    use super::*;

    #[test]
    fn what_a_file_defines() {
        let text = "package a;\npublic class A {\n  private int count, other;\n  public static final A ONE = new A();\n  void f() { f(); g(); }\n  @Override public String toString() { return \"\"; }\n\
                      public int getCount() { return 1; }\n  public static void main(String[] all) {}\n  static class Heir extends A {\n    void asked() {}\n    private void own() {}\n  }\n}\n\
                    interface Shape { int area(); }\nenum Kind { ONE; void of() {} }\n@Service class Found {}\n";
        let expected = [
            ("A.count", 3, 0, true, false),
            ("A.ONE", 4, 0, false, false),
            ("A.f", 5, 1, true, false),
            ("A.toString", 6, 0, false, true),
            ("A.getCount", 7, 0, false, true),
            ("A.main", 8, 0, false, true),
            ("A.Heir.asked", 10, 0, true, true),
            ("A.Heir.own", 11, 0, true, false),
            ("A.Heir", 9, 0, true, false),
            ("A", 2, 3, false, false),
            ("Shape", 14, 0, true, false),
            ("Kind.of", 15, 0, true, false),
            ("Kind", 15, 0, true, false),
            ("Found", 16, 0, true, true),
        ];
        let expected = expected.map(|(name, line, own, private, kept)| (name.to_owned(), line, own, private, kept));
        let source = Source::new("A.java", text.as_bytes().to_vec());
        assert_eq!(told_definitions(read_java_outline(&source)), expected);
    }

    #[test]
    fn what_a_file_mentions() {
        let text = "import a.Used;\nclass A { Object f() { String s = \"a.Named plain\"; return new Other().call(s, A::ref); } @Source(\"method\") void g() {} }\n";
        let outline = read_java_outline(&Source::new("A.java", text.as_bytes().to_vec())).unwrap();
        let counts = ["Used", "Named", "plain", "Other", "call", "ref", "method", "A"];
        assert_eq!(counts.map(|name| outline.count(name)), [1, 1, 0, 1, 1, 1, 1, 1]);
        assert!(read_java_outline(&Source::new("A.java", b"class (".to_vec())).is_none());
    }
}

//! What reach needs to know of a Rust file.

use super::module::{ModuleFacts, ModuleImport, Name};
use tapps_base::language::Language;
use tapps_syntax::tree::{Node, node_text, parse_syntax_tree};

/// Macros that fail a test, by how their names begin.
const ASSERTING: &[&str] =
    &["assert", "debug_assert", "panic", "prop_assert", "unreachable", "insta", "expect", "check"];
/// Attributes that make a function a test, by their last name.
const TESTS: &[&str] = &["test", "rstest", "test_case", "quickcheck", "wasm_bindgen_test", "proptest", "apply"];
/// What a path may begin with that leads into the crate itself.
const OWN: &[&str] = &["crate", "self", "super", "Self"];

/// Reads a file; `None` when it has errors. Tests may stand in every file.
pub(super) fn read_rust_module(text: &str) -> Option<ModuleFacts> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tree = parse_syntax_tree(Language::Rust, text).ok()?;
    let root = tree.root_node();
    if root.has_error() {
        return None;
    }
    let mut read = RustModule { text, ..RustModule::default() };
    let mut cursor = root.walk();
    loop {
        read.enter(cursor.node());
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                read.module.tests = read.has_case && read.can_fail;
                read.module.imports.dedup();
                return Some(read.module);
            }
        }
    }
}

#[derive(Default)]
struct RustModule<'t> {
    text: &'t str,
    module: ModuleFacts,
    has_case: bool,
    can_fail: bool,
    /// The end of the tests that are being read; 0 outside of them.
    tests_until: usize,
}

impl<'t> RustModule<'t> {
    fn text_of(&self, node: Node<'_>) -> &'t str {
        node_text(self.text, node)
    }

    fn enter(&mut self, node: Node<'_>) {
        let is_test = node.start_byte() < self.tests_until;
        match node.kind() {
            "use_declaration" => {
                if let Some(argument) = node.child_by_field_name("argument") {
                    self.add_use(argument, "");
                }
            }
            "scoped_identifier" | "scoped_type_identifier" => self.add_path(node),
            "function_item" => {
                let has_body = node.child_by_field_name("body").is_some_and(|body| body.named_child_count() > 0);
                self.module.logic |= has_body && !is_test;
                self.define(node);
            }
            "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item" | "const_item" | "static_item"
            | "macro_definition" => self.define(node),
            "attribute_item" => self.enter_attribute(node),
            "macro_invocation" if is_test => {
                let name = node.child_by_field_name("macro").map_or("", |name| self.text_of(name));
                let name = name.rsplit("::").next().unwrap_or(name);
                self.can_fail |= ASSERTING.iter().any(|word| name.starts_with(word));
            }
            "try_expression" if is_test => self.can_fail = true,
            "field_identifier" if is_test => {
                self.can_fail |= matches!(self.text_of(node), "unwrap" | "expect" | "unwrap_err" | "expect_err");
            }
            _ => {}
        }
    }

    /// Names at the top of the file; those of modules inside are not told apart.
    fn define(&mut self, node: Node<'_>) {
        if let Some(name) = node.child_by_field_name("name") {
            self.module.defines.insert(self.text_of(name).to_owned());
        }
    }

    /// An attribute that makes what follows it a test, or something that only tests compile.
    fn enter_attribute(&mut self, node: Node<'_>) {
        let inside = self.text_of(node).trim_start_matches(['#', '[']).trim();
        let name = inside.split(['(', ']', ' ', '=']).next().unwrap_or_default();
        let is_case = TESTS.contains(&name.rsplit("::").next().unwrap_or(name));
        let is_for_tests = name == "cfg" && inside.split(['(', ',', ')', ' ']).any(|word| word == "test");
        self.has_case |= is_case;
        self.can_fail |= name == "should_panic";
        if is_case || is_for_tests && !inside.contains("not(test") {
            let mut item = node.next_named_sibling();
            while let Some(next) =
                item.filter(|next| next.kind().contains("comment") || next.kind() == "attribute_item")
            {
                item = next.next_named_sibling();
            }
            self.tests_until = self.tests_until.max(item.map_or(0, |item| item.end_byte()));
        }
    }

    fn add_use(&mut self, node: Node<'_>, before: &str) {
        let join = |path: &str| if before.is_empty() { path.to_owned() } else { format!("{before}::{path}") };
        match node.kind() {
            "identifier" | "scoped_identifier" | "crate" | "super" => self.add_name(&join(self.text_of(node)), None),
            "self" => self.add_name(before, None),
            "use_as_clause" => {
                let path = node.child_by_field_name("path").map_or("", |path| self.text_of(path));
                let alias = node.child_by_field_name("alias").map_or("", |alias| self.text_of(alias));
                self.add_name(&join(path), Some(alias));
            }
            "use_wildcard" => {
                let path = node.named_child(0).map_or("", |path| self.text_of(path));
                self.module.imports.push(ModuleImport { module: join(path), star: true, ..ModuleImport::default() });
            }
            "scoped_use_list" => {
                let path = node.child_by_field_name("path").map_or("", |path| self.text_of(path));
                let below = if path.is_empty() { before.to_owned() } else { join(path) };
                if let Some(list) = node.child_by_field_name("list") {
                    self.add_use(list, &below);
                }
            }
            "use_list" => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.add_use(child, before);
                }
            }
            _ => {}
        }
    }

    fn add_name(&mut self, path: &str, alias: Option<&str>) {
        let path = path.strip_prefix("::").unwrap_or(path);
        let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
        let bound = alias.unwrap_or(name).to_owned();
        let names = vec![Name { name: name.to_owned(), bound, attributes: Vec::new() }];
        self.module.imports.push(ModuleImport { module: module.to_owned(), names, ..ModuleImport::default() });
    }

    /// A path in the code itself that leads into the crate: `crate::a::f()`, `super::B`.
    fn add_path(&mut self, node: Node<'_>) {
        let text = self.text_of(node);
        let first = text.split("::").next().unwrap_or(text);
        // To ask for a parent costs a walk from the root, and few paths lead into the crate.
        if OWN.contains(&first) && !text.contains(['<', ' ', '\n']) && !is_part_of_path(node) {
            self.add_name(text, None);
        }
    }
}

/// True for what belongs to a longer path or to a `use`.
fn is_part_of_path(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        matches!(
            parent.kind(),
            "scoped_identifier"
                | "scoped_type_identifier"
                | "use_declaration"
                | "use_list"
                | "use_as_clause"
                | "scoped_use_list"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ModuleFacts {
        read_rust_module(text).unwrap()
    }

    #[test]
    fn imports_are_told_apart() {
        let module = read(
            "use crate::a::{b, c as d};\nuse super::*;\nuse std::fs;\nfn f() { crate::e::g(); fs::read(\"a\"); }\n",
        );
        let told: Vec<String> = module
            .imports
            .iter()
            .map(|one| format!("{} {} {}", one.module, one.names.first().map_or("", |name| &name.bound), one.star))
            .collect();
        assert_eq!(told, ["crate::a b false", "crate::a d false", "super  true", "std fs false", "crate::e g false"]);
        assert!(module.logic && module.defines.contains("f"));
        assert_eq!(read_rust_module("fn f( {"), None);
    }

    #[rstest::rstest]
    #[case("#[test]\nfn a() { assert_eq!(f(), 1); }", true)]
    #[case("#[cfg(test)]\nmod tests { use super::*; #[tokio::test] async fn a() { f().await.unwrap(); } }", true)]
    #[case("#[test]\n#[should_panic]\nfn a() { f(); }", true)]
    #[case("#[test]\nfn a() { f(); }", false)]
    #[case("fn a() { assert!(true); }", false)]
    #[case("#[cfg(not(test))]\nfn a() { assert!(true); }", false)]
    fn tests_can_fail(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(read(text).tests, expected, "{text}");
    }

    #[test]
    fn tests_are_no_logic() {
        assert!(!read("pub struct A;\n#[cfg(test)]\nmod tests { #[test] fn a() { assert!(f()); } }\n").logic);
    }
}

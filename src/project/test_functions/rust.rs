//! Tests of Rust: `#[test]`, those of tokio and others, `rstest` and `test_case`.

use std::collections::{BTreeMap, BTreeSet};

use super::{SLACK, StatementKind, TestFunction, TestRole, TestStatement, fold};
use tapps_base::language::Language;
use tapps_syntax::tree::{Node, node_text, parse_syntax_tree};

/// Attributes that make a function a test, by their last name.
const TESTS: &[&str] = &["test", "rstest", "test_case", "quickcheck", "wasm_bindgen_test", "proptest"];
/// Macros that fail the test, by how their names begin.
const ASSERTING: &[&str] = &["assert", "debug_assert", "prop_assert", "panic", "unreachable"];

/// Reads a file, or gives `None` when it cannot be parsed.
pub(super) fn read_rust_tests(text: &str) -> Option<Vec<TestFunction>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tree = parse_syntax_tree(Language::Rust, text).ok().filter(|tree| !tree.root_node().has_error())?;
    let mut found = Vec::new();
    collect_tests(text, tree.root_node(), &mut Vec::new(), &mut found);
    Some(found)
}

/// Goes through the items of a file and of the modules in it; tests stand nowhere else.
fn collect_tests<'t>(text: &'t str, holder: Node<'t>, around: &mut Vec<&'t str>, found: &mut Vec<TestFunction>) {
    let mut attributes: Vec<Node<'t>> = Vec::new();
    let mut cursor = holder.walk();
    for item in holder.named_children(&mut cursor) {
        match item.kind() {
            "attribute_item" => {
                attributes.push(item);
                continue;
            }
            "line_comment" | "block_comment" => continue,
            "mod_item" => {
                let name = item.child_by_field_name("name").map_or("", |name| node_text(text, name));
                if let Some(body) = item.child_by_field_name("body") {
                    around.push(name);
                    collect_tests(text, body, around, found);
                    around.pop();
                }
            }
            "function_item" => found.extend(read_test(text, item, &attributes, around)),
            _ => {}
        }
        attributes.clear();
    }
}

fn read_test(text: &str, item: Node<'_>, attributes: &[Node<'_>], around: &[&str]) -> Option<TestFunction> {
    let marks: Vec<String> = attributes.iter().map(|one| fold(node_text(text, *one))).collect();
    if !marks.iter().any(|mark| TESTS.contains(&attribute_name(mark))) {
        return None;
    }
    let name = item.child_by_field_name("name")?;
    let line_of = |node: Node<'_>| u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
    let of_mark = |wanted: &str| {
        attributes.iter().zip(&marks).find(|(_, mark)| attribute_name(mark) == wanted).map(|(node, _)| line_of(*node))
    };
    let path: Vec<&str> = around.iter().copied().chain([node_text(text, name)]).collect();
    let mut test = TestFunction {
        name: path.join("::"),
        line: line_of(name),
        skipped: of_mark("ignore"),
        marks: marks
            .iter()
            .filter(|mark| !matches!(attribute_name(mark), "case" | "test_case"))
            .cloned()
            .collect::<Vec<_>>()
            .join(" "),
        cases: marks.iter().filter(|mark| matches!(attribute_name(mark), "case" | "test_case")).cloned().collect(),
        role: TestRole::Test,
        ..TestFunction::default()
    };
    if let Some(line) = of_mark("should_panic") {
        let text = "#[should_panic]".to_owned();
        test.statements.push(TestStatement { text, line, kind: StatementKind::Assertion });
    }
    let body = item.child_by_field_name("body")?;
    let mut reader =
        BodyReader { text, statements: Vec::new(), names: BTreeSet::new(), slack: BTreeMap::new(), ended: None };
    reader.read_block(body, true);
    test.statements.append(&mut reader.statements);
    test.names = reader.names;
    test.slack = reader.slack;
    test.ended = reader.ended;
    Some(test)
}

/// The last name of an attribute: `test` of `#[tokio::test(start_paused = true)]`.
fn attribute_name(mark: &str) -> &str {
    let inside = mark.trim_start_matches(['#', '[', ' ']);
    let path = inside.split(['(', ']', ' ', '=']).next().unwrap_or_default();
    let last = path.rsplit("::").next().unwrap_or(path);
    // `rstest` numbers its cases with a name: `case::empty`.
    if path.starts_with("case::") { "case" } else { last }
}

struct BodyReader<'t> {
    text: &'t str,
    statements: Vec<TestStatement>,
    names: BTreeSet<String>,
    slack: BTreeMap<String, f64>,
    ended: Option<u32>,
}

impl BodyReader<'_> {
    fn read_block(&mut self, block: Node<'_>, is_top: bool) {
        let mut cursor = block.walk();
        for statement in block.named_children(&mut cursor).collect::<Vec<_>>() {
            if matches!(statement.kind(), "line_comment" | "block_comment" | "attribute_item" | "label")
                || statement.kind().ends_with("_item")
            {
                continue;
            }
            let line = u32::try_from(statement.start_position().row + 1).unwrap_or(u32::MAX);
            let inner = blocks_inside(statement);
            let head_end = inner.first().map_or(statement.end_byte(), |first| first.start_byte());
            let head = fold(self.text.get(statement.start_byte()..head_end).unwrap_or_default());
            let kind = self.kind_of(statement, &inner);
            let states = self.statements.iter().any(|one| one.kind == StatementKind::Assertion);
            if is_top && !states && self.ended.is_none() && (head == "return;" || head.starts_with("return Ok(")) {
                self.ended = Some(line);
            }
            self.statements.push(TestStatement { text: head, line, kind });
            self.read_names(statement);
            for block in inner {
                self.read_block(block, false);
            }
        }
    }

    /// A statement asserts with its own words, not with those of blocks inside, which are statements of their own.
    fn kind_of(&self, statement: Node<'_>, inner: &[Node<'_>]) -> StatementKind {
        let mut kind = StatementKind::Other;
        let mut open = vec![statement];
        while let Some(node) = open.pop() {
            match node.kind() {
                "macro_invocation" => {
                    let name = node.child_by_field_name("macro").map_or("", |name| node_text(self.text, name));
                    let last = name.rsplit("::").next().unwrap_or(name);
                    if ASSERTING.iter().any(|word| last.starts_with(word)) {
                        return if self.is_hollow(node) { StatementKind::Hollow } else { StatementKind::Assertion };
                    }
                }
                "call_expression" => {
                    let called =
                        node.child_by_field_name("function").map_or("", |function| node_text(self.text, function));
                    let last = called.rsplit(['.', ':']).next().unwrap_or(called);
                    if last.starts_with("assert") || last.starts_with("expect_") || last.starts_with("check_") {
                        kind = StatementKind::Assertion;
                    }
                }
                _ => {}
            }
            let mut cursor = node.walk();
            open.extend(
                node.named_children(&mut cursor).filter(|child| inner.iter().all(|block| block.id() != child.id())),
            );
        }
        kind
    }

    /// `assert!(true)`, and both sides the same.
    fn is_hollow(&self, node: Node<'_>) -> bool {
        let text = node_text(self.text, node);
        let Some((name, rest)) = text.split_once('!') else { return false };
        let inside = rest.trim_start_matches(['(', '[', '{', ' ']).trim_end_matches([')', ']', '}', ';', ' ']);
        let mut sides = inside.splitn(2, ',').map(fold);
        match name.rsplit("::").next() {
            Some("assert" | "debug_assert") => sides.next().as_deref() == Some("true"),
            Some("assert_eq" | "debug_assert_eq") => {
                let (first, second) = (sides.next().unwrap_or_default(), sides.next().unwrap_or_default());
                // A call may answer anew.
                first == second.trim_end_matches(',') && !first.contains('(')
            }
            _ => false,
        }
    }

    fn read_names(&mut self, statement: Node<'_>) {
        let mut open = vec![statement];
        while let Some(node) = open.pop() {
            match node.kind() {
                "identifier" | "field_identifier" | "type_identifier" => {
                    self.names.insert(node_text(self.text, node).to_owned());
                }
                "let_declaration" => self.read_slack(node),
                _ => {}
            }
            let mut cursor = node.walk();
            open.extend(node.named_children(&mut cursor));
        }
    }

    /// `let tolerance = 0.1;`
    fn read_slack(&mut self, node: Node<'_>) {
        let of = |field: &str| node.child_by_field_name(field).map_or("", |it| node_text(self.text, it));
        let (name, value) = (of("pattern").to_ascii_lowercase(), of("value"));
        let digits = value.trim_end_matches("f64").trim_end_matches("f32").replace('_', "");
        if let (true, Ok(number)) = (SLACK.contains(&name.as_str()), digits.parse::<f64>()) {
            let known = self.slack.entry(name).or_insert(number);
            *known = known.max(number);
        }
    }
}

/// The blocks of a statement whose statements are read by themselves: of loops, conditions, arms and closures.
fn blocks_inside(statement: Node<'_>) -> Vec<Node<'_>> {
    let mut blocks = Vec::new();
    let mut open = vec![statement];
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind() == "block" { blocks.push(child) } else { open.push(child) }
        }
    }
    blocks.sort_by_key(Node::start_byte);
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> TestFunction {
        let mut found = read_rust_tests(text).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    #[test]
    fn tests_are_read_with_what_they_state() {
        let text = "fn helper() {}\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        let sum = add(1, 2);\n\
            \x20       assert_eq!(sum, 3);\n        for one in all() {\n            assert!(one > 0, \"{one}\");\n        }\n    }\n}\n";
        let test = only(text);
        assert_eq!((test.name.as_str(), test.line, test.assertions()), ("tests::adds", 7, 2));
        let lines: Vec<(u32, StatementKind)> = test.statements.iter().map(|one| (one.line, one.kind)).collect();
        use StatementKind::{Assertion, Other};
        assert_eq!(lines, [(8, Other), (9, Assertion), (10, Other), (11, Assertion)]);
        assert!(test.names.contains("add") && test.skipped.is_none());
    }

    #[test]
    fn what_keeps_a_test_from_failing_is_told() {
        let ignored = only("#[test]\n#[ignore = \"slow\"]\nfn a() { assert!(f()); }");
        assert_eq!(ignored.skipped, Some(2));
        let hollow = only("#[test]\nfn a() { assert!(true); assert_eq!(x, x); }");
        assert_eq!((hollow.hollow().count(), hollow.assertions()), (2, 0));
        let ended = only("#[test]\nfn a() {\n    return;\n    assert!(f());\n}");
        assert_eq!(ended.ended, Some(3));
        let panics = only("#[test]\n#[should_panic]\nfn a() { f(); }");
        assert_eq!(panics.assertions(), 1);
    }

    #[test]
    fn cases_and_tolerances_are_counted() {
        let test = only(
            "#[rstest]\n#[case(1, 2)]\n#[case::two(2, 3)]\nfn a(#[case] b: u8, #[case] c: u8) { let epsilon = 1e-3; assert!((b - c).abs() < epsilon); }",
        );
        assert_eq!((test.cases.len(), test.statements_made()), (2, 2));
        assert_eq!(test.slack["epsilon"], 0.001);
        assert_eq!(read_rust_tests("fn f( {"), None);
    }
}

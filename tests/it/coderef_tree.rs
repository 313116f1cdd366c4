//! Rust, Go, Java, C and C++: elements, imports and calls.

use tapps_coderef::model::{CodebaseIndex, EdgeKind, Parse};

use super::coderef_support::{edges, index, project};

fn elements(index: &CodebaseIndex) -> Vec<String> {
    index
        .elements
        .iter()
        .map(|e| format!("{:?} {} {}-{}-{}", e.kind, e.path, e.span.lead_line, e.span.line, e.span.end_line))
        .collect()
}

fn all_whole(index: &CodebaseIndex) {
    for file in &index.files {
        assert_eq!(file.parse, Parse::Whole, "{}", file.path);
    }
}

#[test]
fn rust() {
    let text = "\
//! The crate.
use crate::util::{self, help};
use std::fmt;
mod util;

/// A thing.
#[derive(Debug)]
pub struct Thing {
    size: u32,
}

impl Thing {
    /// Makes one.
    pub fn new() -> Self {
        Self::check();
        help();
        Thing { size: 1 }
    }
    fn check() -> bool {
        if a && b { match c { 1 => {} _ => {} } }
        local()
    }
}

pub trait Do { fn act(&self); }
pub enum Kind { A, B }
const LIMIT: u32 = 3;
fn local() -> bool { true }
mod tests {
    #[test]
    fn works() { super::local(); }
}
";
    let (_folder, boundary) = project(&[("src/lib.rs", text), ("src/util.rs", "pub fn help() {}\n")]);
    let index = index(&boundary);
    all_whole(&index);
    assert_eq!(
        elements(&index),
        [
            "Class Thing 6-8-10",
            "Property Thing.size 9-9-9",
            "Method Thing.new 13-14-18",
            "Method Thing.check 19-19-22",
            "Interface Do 25-25-25",
            "Method Do.act 25-25-25",
            "Enum Kind 26-26-26",
            "Constant LIMIT 27-27-27",
            "Function local 28-28-28",
            "Namespace tests 29-29-32",
            "Function tests.works 30-31-31",
            "Function help 1-1-1",
        ]
    );
    let thing = &index.elements[0];
    assert_eq!((thing.signature.as_str(), thing.doc.as_deref()), ("pub struct Thing", Some("A thing.")));
    assert_eq!(thing.decorators, ["derive"]);
    let check = index.elements[3].metrics.unwrap();
    assert_eq!((check.cyclomatic, check.nesting, index.elements[3].signature.as_str()), (4, 2, "fn check() -> bool"));
    assert_eq!(
        edges(&index, EdgeKind::Import),
        ["src/lib.rs -> src/util.rs", "src/lib.rs -> src/util.rs:help", "src/lib.rs -> std::fmt * (external)"]
    );
    assert_eq!(
        edges(&index, EdgeKind::Call),
        [
            "src/lib.rs:Thing.check -> src/lib.rs:local",
            "src/lib.rs:Thing.new -> src/lib.rs:Thing.check",
            "src/lib.rs:Thing.new -> src/util.rs:help",
            "src/lib.rs:tests.works -> src/lib.rs:local",
        ]
    );
}

#[test]
fn go() {
    let (_folder, boundary) = project(&[
        ("go.mod", "module example.org/app\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\t\"example.org/app/store\"\n)\n\n// Server serves.\ntype Server struct {\n\tname string\n}\n\n\
             func (s *Server) Run() error {\n\thelper()\n\treturn store.Open()\n}\n\nconst Limit = 3\n\nfunc helper() { fmt.Println() }\n",
        ),
        ("store/store.go", "package store\n\nfunc Open() error { return nil }\n"),
    ]);
    let index = index(&boundary);
    all_whole(&index);
    assert_eq!(
        elements(&index),
        [
            "Class Server 8-9-11",
            "Property Server.name 10-10-10",
            "Method Server.Run 13-13-16",
            "Constant Limit 18-18-18",
            "Function helper 20-20-20",
            "Function Open 3-3-3",
        ]
    );
    assert_eq!(edges(&index, EdgeKind::Import), ["main.go -> fmt * (external)", "main.go -> store/store.go"]);
    assert_eq!(
        edges(&index, EdgeKind::Call),
        [
            "main.go:Server.Run -> main.go:helper",
            "main.go:Server.Run -> store/store.go:Open",
            "main.go:helper -> fmt Println (external)",
        ]
    );
}

#[test]
fn java() {
    let (_folder, boundary) = project(&[
        (
            "src/org/app/Main.java",
            "package org.app;\n\nimport java.util.List;\nimport org.app.util.Tool;\n\n/** Starts. */\npublic class Main {\n    private int size;\n\n    \
             public Main() { size = 1; }\n\n    @Override\n    public int run(int a) {\n        return a > 0 ? help() : new Tool().work();\n    }\n    int help() { return 1; }\n}\n\
             enum Colour { RED }\ninterface Shape { int area(); }\n",
        ),
        (
            "src/org/app/util/Tool.java",
            "package org.app.util;\npublic class Tool { public int work() { return 1; } }\n",
        ),
    ]);
    let index = index(&boundary);
    all_whole(&index);
    assert_eq!(
        elements(&index),
        [
            "Class Main 6-7-17",
            "Property Main.size 8-8-8",
            "Constructor Main.Main 10-10-10",
            "Method Main.run 12-13-15",
            "Method Main.help 16-16-16",
            "Enum Colour 18-18-18",
            "Property Colour.RED 18-18-18",
            "Interface Shape 19-19-19",
            "Method Shape.area 19-19-19",
            "Class Tool 2-2-2",
            "Method Tool.work 2-2-2",
        ]
    );
    assert_eq!(index.elements[3].decorators, ["Override"]);
    assert_eq!(index.elements[3].metrics.unwrap().cyclomatic, 2);
    assert_eq!(
        edges(&index, EdgeKind::Import),
        [
            "src/org/app/Main.java -> java.util.List * (external)",
            "src/org/app/Main.java -> src/org/app/util/Tool.java",
            "src/org/app/Main.java -> src/org/app/util/Tool.java:Tool",
        ]
    );
    assert_eq!(
        edges(&index, EdgeKind::Call),
        [
            "src/org/app/Main.java:Main.run -> src/org/app/Main.java:Main.help",
            "src/org/app/Main.java:Main.run -> src/org/app/util/Tool.java:Tool",
            "src/org/app/Main.java:Main.run -> src/org/app/util/Tool.java:Tool.work",
        ]
    );
}

#[test]
fn c_and_cpp() {
    let (_folder, boundary) = project(&[
        ("include/list.h", "#define LIMIT 3\nstruct list { int size; };\nint add(struct list *l, int v);\n"),
        (
            "src/a.c",
            "#include <stdio.h>\n#include \"list.h\"\n#include \"gone.h\"\n\nstatic int twice(int a) { return a * 2; }\n\n\
             int *find(int v) {\n    if (v) return twice(v);\n    return add(0, v);\n}\n",
        ),
        (
            "src/b.cpp",
            "namespace app {\n// A shape.\nclass Shape {\npublic:\n    Shape() {}\n    int area() const { return this->side(); }\n    int side() const;\n};\n}\n\
             int app::Shape::side() const { return 1; }\ntemplate <typename T>\nT pick(T a) { return a; }\n",
        ),
    ]);
    let index = index(&boundary);
    all_whole(&index);
    assert_eq!(
        elements(&index),
        [
            "Constant LIMIT 1-1-1",
            "Class list 2-2-2",
            "Property list.size 2-2-2",
            "Function add 3-3-3",
            "Function twice 5-5-5",
            "Function find 7-7-10",
            "Namespace app 1-1-9",
            "Class app.Shape 2-3-8",
            "Constructor app.Shape.Shape 5-5-5",
            "Method app.Shape.area 6-6-6",
            "Method app.Shape.side 7-7-7",
            "Method app.Shape.side~2 10-10-10",
            "Function pick 11-12-12",
        ]
    );
    assert_eq!(
        edges(&index, EdgeKind::Import),
        ["src/a.c -> gone.h (unresolved)", "src/a.c -> include/list.h", "src/a.c -> stdio.h * (external)"]
    );
    let calls = edges(&index, EdgeKind::Call);
    assert!(calls.contains(&"src/a.c:find -> src/a.c:twice".to_owned()), "{calls:?}");
    assert!(calls.contains(&"src/a.c:find -> include/list.h:add (ambiguous)".to_owned()), "{calls:?}");
}

#[test]
fn what_does_not_parse_is_said_and_the_rest_is_there() {
    let (_folder, boundary) = project(&[("a.go", "package a\n\nfunc one() {}\n\nfunc (((\n")]);
    let index = index(&boundary);
    assert!(matches!(index.files[0].parse, Parse::Broken { line: 5, .. }), "{:?}", index.files[0].parse);
    assert_eq!(elements(&index), ["Function one 3-3-3"]);
}

#[test]
fn comments_and_names_are_no_part_of_a_body() {
    let body = |text: &str| {
        let (_folder, boundary) = project(&[("a.rs", text)]);
        index(&boundary).elements[0].body
    };
    let first = body("fn one(a: u32) -> u32 { one(a) }\n");
    assert_eq!(first, body("/// Doc.\nfn two(a: u32)  ->  u32 {\n    // why\n    two(a)\n}\n"));
    assert_ne!(first, body("fn one(a: u32) -> u32 { one(a + 1) }\n"));
}

//! The third table: what one file costs that a generator has written, and what twice as much of it costs.

use std::fmt::Write as _;

use tapps_sandbox::Boundary;

use crate::cost::{self, take};

/// Bytes of the larger file.
const LARGE: usize = 5_000_000;
/// Twice as much may cost so many times as much; a search through everything for each name would make it four.
const TIMES: f64 = 3.0;

type Line = fn(usize) -> String;

/// What it is, the file, what stands before and after the lines, and a line.
const KINDS: [(&str, &str, &str, &str, Line); 14] = [
    ("constants", "a.py", "", "", |n| format!("n{:08x} = {n}\n", n.wrapping_mul(2_654_435_761) % (1 << 32))),
    ("functions", "a.py", "", "", |n| format!("def f{n}(): return f{}()\n", n / 2)),
    ("attributes of one class", "a.py", "class A:\n def f(self):\n", "", |n| {
        format!("  self.a{n} = self.a{}\n", n / 2)
    }),
    ("calls on one line", "a.py", "", "", |n| format!("f({n}); ")),
    ("exported constants", "a.js", "", "", |n| format!("export const n{n} = {n};\n")),
    ("methods of one class", "a.js", "class A {\n", "}\n", |n| format!("m{n}() {{ this.m{}(); }}\n", n / 2)),
    ("signatures of one interface", "a.ts", "interface A {\n", "}\n", |n| format!("m{n}(): number;\n")),
    ("imports", "a.go", "package a\nimport (\n", ")\nfunc f() { p1.F(); p2.F() }\n", |n| {
        format!("\"example.org/p{n}\"\n")
    }),
    ("methods of one type", "a.go", "package a\ntype A struct{}\n", "", |n| {
        format!("func (a A) m{n}() {{ a.m{}() }}\n", n / 2)
    }),
    ("imports", "A.java", "", "class A { N1 one; void f() { one.f(); } }\n", |n| format!("import p.N{n};\n")),
    ("classes, each above the next", "A.java", "class C0 {}\n", "", |n| {
        format!("class C{} extends C{n} {{ void m() {{ n(); }} }}\n", n + 1)
    }),
    ("names of one use", "a.rs", "fn f() { use a::{", "}; n1(); n2(); }\n", |n| format!("n{n}, ")),
    ("traits, each above the next", "a.rs", "trait T0 {}\n", "", |n| {
        format!("trait T{}: T{n} {{ fn m(&self) {{ self.n(); }} }}\n", n + 1)
    }),
    ("types", "a.rs", "", "", |n| format!("struct S{n}; impl S{n} {{ fn a(&self) {{ self.a(); }} }}\n")),
];

/// Prints the table.
pub(crate) fn table() {
    println!("\n| generated | file | elements | of 2.5 MB | of 5 MB | times | bar |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (what, file, before, after, line) in KINDS {
        let (_, half) = scan(file, &text(LARGE / 2, before, after, line));
        let (elements, whole) = scan(file, &text(LARGE, before, after, line));
        let times = whole / half;
        let verdict = if times <= TIMES { "" } else { ", OVER" };
        println!(
            "| {what} | {file} | {elements} | {half:.2} CPU s | {whole:.2} CPU s | {times:.1} | {TIMES:.0}{verdict} |"
        );
    }
}

fn text(bytes: usize, before: &str, after: &str, line: Line) -> String {
    let mut text = before.to_owned();
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.write_str(&line(number)).unwrap();
    }
    text + after
}

/// How many elements the file has, and the processor seconds of a scan with nothing kept.
fn scan(file: &str, text: &str) -> (usize, f64) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(file), text).unwrap();
    let boundary = Boundary::open(folder.path()).unwrap();
    let elements = take(&boundary, true).elements.len();
    (elements, cost::timed(2, || drop(take(&boundary, true))).0)
}

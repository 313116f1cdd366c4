//! Code that nobody writes by hand, whose calls are read in time and without an end of the stack.

use crate::sample_links::{calls_of_project, numbered_lines};

#[test]
fn many_imports_are_read_once() {
    let lines = numbered_lines(0..5000, |number| format!("\t\"example.org/p{number}\""));
    let text = "package app\nimport (\n".to_owned() + &lines + ")\nfunc f() { p0.Go(); p4999.Go(); p5000.Go() }\n";
    assert_eq!(
        calls_of_project(&[("go.mod", "module example.org/app\n"), ("app.go", &text)]),
        [
            "app.go:f -> example.org/p0:Go (external)",
            "app.go:f -> example.org/p4999:Go (external)",
            "app.go:f -> Go (unresolved)",
        ]
    );
}

#[test]
fn types_that_embed_each_other_end() {
    let lines = numbered_lines(1..3000, |number| {
        format!("type T{number} struct {{ *T{} }}\nfunc (t *T{number}) M{number}() {{}}", number - 1)
    });
    let text = "package app\ntype T0 struct { *T2999 }\nfunc (t *T0) M0() {}\n".to_owned()
        + &lines
        + "func near(t T50) { t.M50(); t.M0() }\nfunc far(t T2999) { t.M2999(); t.M0(); t.Nobody() }\n";
    assert_eq!(
        calls_of_project(&[("go.mod", "module example.org/app\n"), ("app.go", &text)]),
        [
            "app.go:near -> app.go:T50.M50",
            "app.go:near -> app.go:T0.M0 (ambiguous)",
            "app.go:far -> app.go:T2999.M2999",
            "app.go:far -> app.go:T0.M0 (ambiguous)",
            "app.go:far -> Nobody (unresolved)",
        ]
    );
}

//! Code that nobody writes by hand, whose calls are read in time and without an end of the stack.

use crate::sample_links::{calls_of_project, numbered_lines};

#[test]
fn long_chains_of_superclasses_are_followed_a_hundred_steps() {
    let lines = numbered_lines(1..3000, |number| {
        format!("class C{number} extends C{} {{ void m{number}() {{}} }}", number - 1)
    });
    let text = "class C0 { void m0() {} }\n".to_owned()
        + &lines
        + "class Calls { void near(C50 c) { c.m50(); c.m0(); } void far(C2999 c) { c.m2999(); c.m0(); } }\n";
    assert_eq!(
        calls_of_project(&[("C0.java", &text)]),
        [
            "C0.java:Calls.near -> C0.java:C0.m0",
            "C0.java:Calls.near -> C0.java:C50.m50",
            "C0.java:Calls.far -> C0.java:C0.m0 (ambiguous)",
            "C0.java:Calls.far -> C0.java:C2999.m2999 (ambiguous)",
        ]
    );
}

#[test]
fn many_imports_are_read_once() {
    let lines = numbered_lines(0..5000, |number| format!("import lib.p{number}.N{number};"));
    let text = "package app;\n".to_owned()
        + &lines
        + "class Calls { void f(N4999 last, N5000 nobody) { last.go(); nobody.go(); } }\n";
    assert_eq!(
        calls_of_project(&[("app/Calls.java", &text)]),
        ["app/Calls.java:Calls.f -> N5000:go (external)", "app/Calls.java:Calls.f -> lib.p4999.N4999:go (external)",]
    );
}

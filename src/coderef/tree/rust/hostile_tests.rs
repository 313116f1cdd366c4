//! Code that nobody writes by hand, whose calls are read in time and without an end of the stack.

use crate::sample_links::{calls_of_project, numbered_lines};

#[test]
fn types_that_dereference_to_each_other_end() {
    let text = "use std::ops::Deref;\nstruct A { b: B }\nstruct B { a: A }\nimpl B { fn near(&self) {} }\n\
                impl Deref for A { type Target = B; fn deref(&self) -> &B { &self.b } }\n\
                impl Deref for B { type Target = A; fn deref(&self) -> &A { &self.a } }\n\
                fn f(a: A) { a.near(); }\nfn g(a: A) { a.b.a.b.near(); }\nfn h(a: A) { a.a.near(); }\nfn i(a: A) { a.nobody(); }\nfn j(a: A) { a.nobody.near(); }\n";
    assert_eq!(
        calls_of_project(&[("src/lib.rs", text)]),
        [
            "src/lib.rs:f -> src/lib.rs:B.near",
            "src/lib.rs:g -> src/lib.rs:B.near",
            "src/lib.rs:h -> src/lib.rs:B.near",
            "src/lib.rs:i -> nobody (unresolved)",
            "src/lib.rs:j -> src/lib.rs:B.near (ambiguous)",
        ]
    );
}

#[test]
fn long_chains_of_supertraits_are_followed_a_hundred_steps() {
    let lines =
        numbered_lines(1..3000, |number| format!("trait T{number}: T{} {{ fn m{number}(&self); }}", number - 1));
    let text = "trait T0 { fn m0(&self); }\n".to_owned()
        + &lines
        + "fn short<T: T50>(t: T) { t.m50(); t.m0(); }\nfn long<T: T2999>(t: T) { t.m2999(); t.m0(); }\n";
    assert_eq!(
        calls_of_project(&[("src/lib.rs", &text)]),
        [
            "src/lib.rs:short -> src/lib.rs:T0.m0",
            "src/lib.rs:short -> src/lib.rs:T50.m50",
            "src/lib.rs:long -> src/lib.rs:T2999.m2999",
            "src/lib.rs:long -> src/lib.rs:T0.m0 (ambiguous)",
        ]
    );
}

#[test]
fn uses_in_uses_are_read_to_a_depth() {
    let nested = |depth: usize, last: &str| format!("use {}{last}{};\n", "a::{".repeat(depth), "}".repeat(depth));
    let text = nested(5, "near") + &nested(5000, "far") + "fn f() { near(); far(); }\n";
    assert_eq!(
        calls_of_project(&[("src/lib.rs", &text)]),
        ["src/lib.rs:f -> a::a::a::a::a:near (external)", "src/lib.rs:f -> far (unresolved)",]
    );
}

#[test]
fn many_names_of_one_use_are_found() {
    let lines = numbered_lines(0..20_000, |number| format!("n{number}, "));
    let text = "fn f() { use a::{".to_owned() + &lines + "}; n0(); n19999(); n20000(); }\n";
    assert_eq!(
        calls_of_project(&[("src/lib.rs", &text)]),
        [
            "src/lib.rs:f -> a:n0 (external)",
            "src/lib.rs:f -> a:n19999 (external)",
            "src/lib.rs:f -> n20000 (unresolved)",
        ]
    );
}

//! Small projects, each with what its calls have to mean.

use crate::sample_links::calls_of_project;

#[test]
fn modules_and_uses_lead_to_functions() {
    let lib = "mod a;\npub mod b { pub fn inner() {} pub(crate) mod deep; }\n#[path = \"odd/place.rs\"]\nmod moved;\npub use a::helper as help;\n\
               fn top() { a::helper(); help(); b::inner(); self::top(); moved::far(); b::deep::low(); gone::f(); }\n";
    let a = "use super::*;\nuse crate::b::{self, inner as within};\nuse std::mem::swap;\npub fn helper() { top(); within(); b::inner(); super::b::deep::low(); swap(); std::mem::take(); }\n\
             fn shadowed(top: fn()) { top(); let within = || 1; within(); }\nfn nested() { fn top() {} top(); use super::moved::far; far(); }\n";
    assert_eq!(
        calls_of_project(&[
            ("src/lib.rs", lib),
            ("src/a.rs", a),
            ("src/b/deep.rs", "pub fn low() {}\n"),
            ("src/odd/place.rs", "pub fn far() {}\n"),
            ("src/other.rs", "pub fn top() {}\npub fn f() {}\n"),
        ]),
        [
            "src/a.rs:helper -> src/b/deep.rs:low",
            "src/a.rs:helper -> src/lib.rs:b.inner",
            "src/a.rs:helper -> src/lib.rs:top",
            "src/a.rs:helper -> std::mem:swap (external)",
            "src/a.rs:helper -> std::mem:take (external)",
            "src/a.rs:shadowed -> top (unresolved)",
            "src/a.rs:shadowed -> within (unresolved)",
            "src/a.rs:nested -> src/a.rs:nested.top",
            "src/a.rs:nested -> src/odd/place.rs:far",
            "src/lib.rs:top -> src/a.rs:helper",
            "src/lib.rs:top -> src/b/deep.rs:low",
            "src/lib.rs:top -> src/lib.rs:b.inner",
            "src/lib.rs:top -> src/lib.rs:top",
            "src/lib.rs:top -> src/odd/place.rs:far",
            "src/lib.rs:top -> gone:f (external)",
        ]
    );
}

#[test]
fn crates_of_a_workspace_know_each_other_by_name() {
    assert_eq!(
        calls_of_project(&[
            ("one/Cargo.toml", "[package]\nname = \"my-one\"\n"),
            ("one/src/lib.rs", "mod inner;\npub use inner::*;\n"),
            (
                "one/src/inner.rs",
                "pub fn shown() {}\nfn hidden() {}\npub struct Thing;\nimpl Thing { pub fn go(&self) {} pub fn new() -> Self { Thing } }\n"
            ),
            ("two/Cargo.toml", "[package]\nname = \"two\"\n"),
            (
                "two/src/main.rs",
                "use my_one::{shown, Thing};\nfn main() { shown(); my_one::shown(); my_one::hidden(); Thing::new().go(); let t: my_one::Thing = make(); t.go(); }\n",
            ),
            ("two/tests/it.rs", "mod common;\n#[test]\nfn works() { common::prepare(); }\n"),
            ("two/tests/common/mod.rs", "pub fn prepare() {}\n"),
        ]),
        [
            "two/src/main.rs:main -> one/src/inner.rs:shown",
            "two/src/main.rs:main -> one/src/inner.rs:Thing.go",
            "two/src/main.rs:main -> one/src/inner.rs:Thing.new",
            "two/src/main.rs:main -> one/src/inner.rs:hidden (ambiguous)",
            "two/src/main.rs:main -> make (unresolved)",
            "two/tests/it.rs:works -> two/tests/common/mod.rs:prepare",
        ]
    );
}

#[test]
fn methods_are_those_of_the_type_of_the_receiver() {
    let types = "use std::sync::Arc;\npub struct Store { log: Log, all: Vec<Item>, one: Option<Arc<Item>> }\npub struct Log;\npub struct Item;\n\
                 type Result<T> = std::result::Result<T, Log>;\n\
                 impl Store { pub fn open() -> Result<Self> { Err(Log) } pub fn log(&self) -> &Log { &self.log } fn find(&self) -> Option<&Item> { None } async fn load(&self) -> Item { Item }\n\
                 fn parse(text: &str) {} }\n\
                 impl Log { pub fn write(&self) -> &Self { self } }\nimpl Item { pub fn show(&self) {} pub fn write(&self) {} }\n";
    let main = "mod types;\nuse types::*;\n\
                fn a() -> Result<(), Log> { let s = Store::open()?; s.log().write().write(); s.log.write(); if let Some(item) = s.find() { item.show(); } Ok(()) }\n\
                fn b(s: &Store) { for item in &s.all { item.show(); } for item in s.all.iter() { item.write(); } s.one.as_ref().unwrap().show(); s.all[0].show(); }\n\
                async fn c(s: Store) { s.load().await.show(); s.load().show(); s.parse(); unknown().write(); }\n\
                fn d(r: Result<Item, Log>) { match r { Ok(x) => x.write(), Err(e) => { e.write(); } } let Store { log, .. } = make(); log.write(); }\n";
    assert_eq!(
        calls_of_project(&[("src/main.rs", main), ("src/types.rs", types)]),
        [
            "src/main.rs:a -> src/types.rs:Store.open",
            "src/main.rs:a -> src/types.rs:Store.log",
            "src/main.rs:a -> src/types.rs:Store.find",
            "src/main.rs:a -> src/types.rs:Log.write",
            "src/main.rs:a -> src/types.rs:Item.show",
            "src/main.rs:b -> src/types.rs:Item.show",
            "src/main.rs:b -> src/types.rs:Item.write",
            "src/main.rs:b -> std:as_ref (external)",
            "src/main.rs:b -> std:iter (external)",
            "src/main.rs:b -> std:unwrap (external)",
            "src/main.rs:c -> src/types.rs:Store.load",
            "src/main.rs:c -> src/types.rs:Item.show",
            "src/main.rs:c -> src/types.rs:Store.parse (ambiguous)",
            "src/main.rs:c -> src/types.rs:Item.show (ambiguous)",
            "src/main.rs:c -> src/types.rs:Log.write | src/types.rs:Item.write (ambiguous)",
            "src/main.rs:c -> unknown (unresolved)",
            "src/main.rs:d -> src/types.rs:Log.write",
            "src/main.rs:d -> src/types.rs:Item.write",
            "src/main.rs:d -> make (unresolved)",
        ]
    );
}

#[test]
fn traits_give_methods_to_types_and_to_bounds() {
    let text = "pub trait Base { fn low(&self); }\npub trait Draw: Base { fn draw(&self) { self.low(); } fn size(&self) -> u32; fn make() -> Self where Self: Sized; }\n\
                struct Circle;\nimpl Base for Circle { fn low(&self) {} }\nimpl Draw for Circle { fn size(&self) -> u32 { 1 } fn make() -> Self { Circle } }\n\
                struct Pen { inner: Circle }\nimpl std::ops::Deref for Pen { type Target = Circle; fn deref(&self) -> &Circle { &self.inner } }\n\
                fn known(c: Circle, p: Pen) { c.draw(); c.size(); p.size(); Circle::make(); Draw::size(&c); <Circle>::make(); }\n\
                fn bounded<T: Draw, U>(t: T, u: U, o: &dyn Draw, i: impl Base) where U: Base { t.draw(); t.low(); u.low(); o.size(); i.low(); T::make(); }\n\
                fn generic<T: Draw>(t: T) -> T { t }\nfn outside(c: Circle) { generic(c).size(); }\n";
    assert_eq!(
        calls_of_project(&[("src/lib.rs", text)]),
        [
            "src/lib.rs:Draw.draw -> src/lib.rs:Base.low",
            "src/lib.rs:known -> src/lib.rs:Draw.draw",
            "src/lib.rs:known -> src/lib.rs:Draw.size",
            "src/lib.rs:known -> src/lib.rs:Circle.size",
            "src/lib.rs:known -> src/lib.rs:Circle.make",
            "src/lib.rs:bounded -> src/lib.rs:Base.low",
            "src/lib.rs:bounded -> src/lib.rs:Draw.draw",
            "src/lib.rs:bounded -> src/lib.rs:Draw.size",
            "src/lib.rs:bounded -> src/lib.rs:Draw.make",
            "src/lib.rs:outside -> src/lib.rs:generic",
            "src/lib.rs:outside -> src/lib.rs:Draw.size | src/lib.rs:Circle.size (ambiguous)",
        ]
    );
}

#[test]
fn doubles_of_builds_are_candidates_and_constructors_are_no_functions() {
    let text = "#[cfg(unix)]\nmod sys { pub fn open() {} }\n#[cfg(windows)]\nmod sys { pub fn open() {} }\n#[cfg(unix)]\nfn here() {}\n#[cfg(not(unix))]\nfn here() {}\n\
                struct Pair(u32);\nenum Kind { One(u32), Two }\nuse Kind::*;\n\
                fn f() { sys::open(); here(); Pair(1); Kind::One(2); One(3); Some(4); }\n";
    assert_eq!(
        calls_of_project(&[("src/lib.rs", text)]),
        [
            "src/lib.rs:f -> src/lib.rs:Pair",
            "src/lib.rs:f -> src/lib.rs:here | src/lib.rs:here~2 (ambiguous)",
            "src/lib.rs:f -> src/lib.rs:sys.open | src/lib.rs:sys~2.open (ambiguous)",
        ]
    );
}

#[test]
fn globs_that_contradict_each_other_prove_nothing() {
    let text = "mod a { pub fn f() {} pub fn only() {} fn private() {} }\nmod b { pub fn f() {} }\nmod c { use super::a::*; use super::b::*;\n\
                fn g() { f(); only(); private(); } }\nmod d { use super::e::*; fn h() { f(); } }\nmod e { pub use super::a::f; pub use super::d::*; }\n";
    assert_eq!(
        calls_of_project(&[("src/lib.rs", text)]),
        [
            "src/lib.rs:c.g -> src/lib.rs:a.only",
            "src/lib.rs:c.g -> src/lib.rs:a.f | src/lib.rs:b.f (ambiguous)",
            "src/lib.rs:c.g -> src/lib.rs:a.private (ambiguous)",
            "src/lib.rs:d.h -> src/lib.rs:a.f",
        ]
    );
}

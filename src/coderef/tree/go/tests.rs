//! Small projects, each with what its calls have to mean.

use crate::sample_links::calls_of_project;

const MODULE: (&str, &str) = ("go.mod", "module example.org/app\n\ngo 1.22\n");

fn calls(files: &[(&str, &str)]) -> Vec<String> {
    let mut all = vec![MODULE];
    all.extend_from_slice(files);
    calls_of_project(&all)
}

#[test]
fn a_bare_name_is_of_the_package_unless_something_nearer_has_it() {
    let a = "package a\nfunc F() { g(); h(); len(nil); string(nil); gone() }\n\
             func shadowed(g func()) { g() }\nfunc local() { h := func() {}; h() }\nfunc later() { { h := 1; _ = h }; h() }\n\
             func held() { x := g; x() }\nvar kept = h\nfunc top() { kept() }\n";
    let b = "package a\nfunc g() {}\nfunc h() {}\n";
    let other = "package other\nfunc g() {}\nfunc gone() {}\n";
    assert_eq!(
        calls(&[("a/a.go", a), ("a/b.go", b), ("other/o.go", other)]),
        [
            "a/a.go:F -> a/b.go:g",
            "a/a.go:F -> a/b.go:h",
            "a/a.go:F -> len (builtin)",
            "a/a.go:F -> gone (unresolved)",
            "a/a.go:shadowed -> g (unresolved)",
            "a/a.go:local -> h (unresolved)",
            "a/a.go:later -> a/b.go:h",
            "a/a.go:held -> x (unresolved)",
            "a/a.go:top -> kept (unresolved)",
        ]
    );
}

#[test]
fn packages_are_found_by_imports_and_called_by_their_clause() {
    let main = "package main\nimport (\n\"fmt\"\n\"example.org/app/x/go-store\"\ns \"example.org/app/second\"\n. \"example.org/app/dotted\"\n_ \"example.org/app/blank\"\n\"example.org/third/lib\"\n)\n\
                func main() { store.Open(); s.Open(); Dotted(); blank.Open(); fmt.Println(); lib.Go() }\nfunc f(store T) { store.Open() }\ntype T struct{}\nfunc (T) Open() {}\n";
    let package = |name: &str| format!("package {name}\nfunc Open() {{}}\n");
    assert_eq!(
        calls(&[
            ("main.go", main),
            ("x/go-store/s.go", &package("store")),
            ("x/go-store/s_test.go", "package store_test\nfunc Open() {}\n"),
            ("x/go-store/gen.go", "//go:build ignore\n\npackage main\nfunc main() {}\n"),
            ("second/s.go", &package("second")),
            ("dotted/d.go", "package dotted\nfunc Dotted() {}\n"),
            ("blank/b.go", &package("blank")),
            ("vendor/example.org/third/lib/l.go", "package lib\nfunc Go() {}\n"),
        ]),
        [
            "main.go:main -> dotted/d.go:Dotted",
            "main.go:main -> second/s.go:Open",
            "main.go:main -> vendor/example.org/third/lib/l.go:Go",
            "main.go:main -> x/go-store/s.go:Open",
            "main.go:main -> blank/b.go:Open | main.go:T.Open | second/s.go:Open | x/go-store/s.go:Open | x/go-store/s_test.go:Open (ambiguous)",
            "main.go:main -> fmt:Println (external)",
            "main.go:f -> main.go:T.Open",
        ]
    );
}

#[test]
fn doubles_of_builds_are_candidates() {
    assert_eq!(
        calls(&[
            ("a.go", "package a\nfunc F(t T) { open(); t.m() }\ntype T struct{}\n"),
            ("a_linux.go", "package a\nfunc open() {}\nfunc (T) m() {}\n"),
            ("a_windows.go", "package a\nfunc open() {}\nfunc (T) m() {}\n"),
        ]),
        [
            "a.go:F -> a_linux.go:T.m | a_windows.go:T.m (ambiguous)",
            "a.go:F -> a_linux.go:open | a_windows.go:open (ambiguous)",
        ]
    );
}

#[test]
fn methods_are_those_of_the_type_of_the_receiver() {
    let store = "package store\ntype Store struct { Inner; log *Log; Items []*Item; ByName map[string]Item; open func() }\n\
                 type Inner struct{}\nfunc (i *Inner) Deep() {}\nfunc (i *Inner) Over() {}\nfunc (s *Store) Over() {}\n\
                 type Log struct{}\nfunc (l *Log) Write() *Log { return l }\ntype Item struct{}\nfunc (i Item) Show() {}\n\
                 func New() (*Store, error) { return &Store{}, nil }\nfunc (s *Store) own() { s.log.Write().Write(); s.open() }\n\
                 type Writer interface { Put() }\nvar Default = &Store{}\n";
    let main = "package main\nimport \"example.org/app/store\"\n\
                func a() { s, err := store.New(); s.Over(); s.Deep(); err.Error() }\n\
                func b(s store.Store) { for _, item := range s.Items { item.Show() }; for _, item := range s.ByName { item.Show() } }\n\
                func c(w store.Writer) { w.Put(); if s, ok := w.(*store.Store); ok { s.Over() } }\n\
                func d(v interface{ Show() }) { switch v := v.(type) { case *store.Log: v.Write(); case store.Item, *store.Store: v.Show() } }\n\
                func e() { store.Default.Over(); x := new(store.Item); x.Show(); (&store.Log{}).Write() }\n\
                func f() { s := store.Store{}; s = store.Store{}; func() { s.Deep() }() }\n";
    assert_eq!(
        calls(&[("store/s.go", store), ("main.go", main)]),
        [
            "main.go:a -> store/s.go:Inner.Deep",
            "main.go:a -> store/s.go:Store.Over",
            "main.go:a -> store/s.go:New",
            "main.go:a -> Error (builtin)",
            "main.go:b -> store/s.go:Item.Show",
            "main.go:c -> store/s.go:Store.Over",
            "main.go:c -> store/s.go:Writer.Put",
            "main.go:d -> main.go:d.Show",
            "main.go:d -> store/s.go:Log.Write",
            "main.go:e -> store/s.go:Store.Over",
            "main.go:e -> store/s.go:Log.Write",
            "main.go:e -> store/s.go:Item.Show",
            "main.go:e -> new (builtin)",
            "main.go:f -> store/s.go:Inner.Deep",
            "store/s.go:Store.own -> store/s.go:Log.Write",
            "store/s.go:Store.own -> open (unresolved)",
        ]
    );
}

#[test]
fn what_cannot_be_looked_into_may_have_the_name() {
    let text = "package a\nimport \"example.org/third/lib\"\ntype Far struct{}\nfunc (Far) M() {}\ntype Mid struct { Far }\n\
                type T struct { lib.Base; Mid }\nfunc F(t T) { t.M(); t.Mid.M() }\n";
    assert_eq!(calls(&[("a.go", text)]), ["a.go:F -> a.go:Far.M", "a.go:F -> example.org/third/lib:M (external)"]);
}

#[test]
fn generic_types_have_their_methods_and_their_parameters_none() {
    let text = "package a\ntype Stack[T any] struct { items []T }\nfunc (s *Stack[T]) Push(x T) { x.Show() }\n\
                func Make[T any]() *Stack[T] { return nil }\ntype T struct{}\nfunc (T) Show() {}\n\
                func F() { s := Make[int](); s.Push(1); var o Stack[string]; o.Push(\"\"); Make[string]().Push(\"\") }\n";
    assert_eq!(
        calls(&[("a.go", text)]),
        ["a.go:Stack.Push -> a.go:T.Show (ambiguous)", "a.go:F -> a.go:Stack.Push", "a.go:F -> a.go:Make",]
    );
}

#[test]
fn modules_of_one_project_find_each_other() {
    assert_eq!(
        calls_of_project(&[
            ("one/go.mod", "module example.org/one\nreplace example.org/three => ../third\n"),
            (
                "one/m.go",
                "package main\nimport (\n\"example.org/two/b\"\n\"example.org/three\"\n)\nfunc main() { b.F(); three.F() }\n"
            ),
            ("two/go.mod", "module example.org/two\n"),
            ("two/b/b.go", "package b\nfunc F() {}\n"),
            ("third/t.go", "package three\nfunc F() {}\n"),
        ]),
        ["one/m.go:main -> third/t.go:F", "one/m.go:main -> two/b/b.go:F"]
    );
}

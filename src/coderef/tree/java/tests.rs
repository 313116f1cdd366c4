//! Small projects, each with what its calls have to mean.

use crate::sample_links::calls_of_project;

#[test]
fn types_are_found_by_imports_and_packages() {
    let main = "package app;\nimport app.util.Tool;\nimport static app.util.Tool.twice;\nimport java.util.List;\nimport lib.*;\n\
                class Main {\n  Tool tool = new Tool(1);\n  void run(List<Tool> all, Helper helper) {\n    Tool.make().work(); twice(2); tool.work(); this.tool.work(); helper.help(); all.size();\n\
                for (Tool each : all) { each.work(); }\n    var other = new Tool(); other.work(); Far.go(); new Tool.Inner().deep(); app.util.Tool.make();\n  }\n  void shadow(Helper tool) { tool.help(); }\n}\n";
    let tool = "package app.util;\npublic class Tool {\n  public Tool() {}\n  public Tool(int a) {}\n  public static Tool make() { return null; }\n  public static int twice(int a) { return a; }\n  public void work() {}\n  public static class Inner { public void deep() {} }\n}\n";
    assert_eq!(
        calls_of_project(&[
            ("src/app/Main.java", main),
            ("src/app/Helper.java", "package app;\nclass Helper { void help() {} }\n"),
            ("src/app/util/Tool.java", tool),
            ("src/lib/Far.java", "package lib;\npublic class Far { public static void go() {} }\n"),
        ]),
        [
            "src/app/Main.java:Main.tool -> src/app/util/Tool.java:Tool.Tool~2",
            "src/app/Main.java:Main.run -> src/app/Helper.java:Helper.help",
            "src/app/Main.java:Main.run -> src/app/util/Tool.java:Tool.Tool",
            "src/app/Main.java:Main.run -> src/app/util/Tool.java:Tool.make",
            "src/app/Main.java:Main.run -> src/app/util/Tool.java:Tool.twice",
            "src/app/Main.java:Main.run -> src/app/util/Tool.java:Tool.work",
            "src/app/Main.java:Main.run -> src/app/util/Tool.java:Tool.Inner",
            "src/app/Main.java:Main.run -> src/app/util/Tool.java:Tool.Inner.deep",
            "src/app/Main.java:Main.run -> src/lib/Far.java:Far.go",
            "src/app/Main.java:Main.run -> src/app/util/Tool.java:Tool.make (ambiguous)",
            "src/app/Main.java:Main.run -> java.util.List:size (external)",
            "src/app/Main.java:Main.shadow -> src/app/Helper.java:Helper.help",
        ]
    );
}

#[test]
fn members_are_inherited_and_overloads_told_by_number() {
    let text = "package a;\ninterface Shape { int area(); default int twice() { return area() * 2; } }\n\
                class Base { void low() {} void over(int a) {} protected Base self() { return this; } }\n\
                class Heir extends Base implements Shape {\n  public int area() { low(); super.low(); over(1); over(1, 2); same(1); return twice(); }\n  void over(int a) {}\n  void over(int a, int b) {}\n\
                void same(int a) {}\n  void same(String a) {}\n  class Inner { void in() { low(); area(); } }\n\
                void local() { Shape s = new Heir(); s.area(); new Base() { void low() { over(3); } }; self().low(); Runnable r = () -> low(); }\n}\n\
                class Foreign extends lib.Outer { void f() { g(); h(); } void g() {} }\n";
    assert_eq!(
        calls_of_project(&[("a/A.java", text)]),
        [
            "a/A.java:Shape.twice -> a/A.java:Shape.area",
            "a/A.java:Heir.area -> a/A.java:Shape.twice",
            "a/A.java:Heir.area -> a/A.java:Base.low",
            "a/A.java:Heir.area -> a/A.java:Heir.over",
            "a/A.java:Heir.area -> a/A.java:Heir.over~2",
            "a/A.java:Heir.area -> a/A.java:Heir.same | a/A.java:Heir.same~2 (ambiguous)",
            "a/A.java:Heir.Inner.in -> a/A.java:Base.low",
            "a/A.java:Heir.Inner.in -> a/A.java:Heir.area",
            "a/A.java:Heir.local -> a/A.java:Shape.area",
            "a/A.java:Heir.local -> a/A.java:Base",
            "a/A.java:Heir.local -> a/A.java:Base.low",
            "a/A.java:Heir.local -> a/A.java:Base.self",
            "a/A.java:Heir.local -> a/A.java:Heir",
            "a/A.java:Heir.local.low -> a/A.java:Base.over",
            "a/A.java:Foreign.f -> a/A.java:Foreign.g",
            "a/A.java:Foreign.f -> h (unresolved)",
        ]
    );
}

#[test]
fn deep_and_long_code_ends() {
    let nested = format!("{}1{}", "f(".repeat(2_000), ")".repeat(2_000));
    let chain = ".g()".repeat(200);
    let java = format!(
        "class A {{ A g() {{ return this; }} int f(int a) {{ return {nested}; }} void h() {{ this{chain}; }} }}\n"
    );
    let go = format!(
        "package a\ntype A struct{{}}\nfunc (a A) g() A {{ return a }}\nfunc f(a int) int {{ return {nested} }}\nfunc h(a A) {{ a{chain} }}\n"
    );
    let rust = format!(
        "struct A;\nimpl A {{ fn g(self) -> A {{ self }} }}\nfn f(a: u8) -> u8 {{ {nested} }}\nfn h(a: A) {{ a{chain}; }}\n"
    );
    let calls = calls_of_project(&[("A.java", &java), ("a.go", &go), ("a.rs", &rust)]);
    for expected in ["A.java:A.h -> A.java:A.g", "a.go:h -> a.go:A.g", "a.rs:h -> a.rs:A.g"] {
        assert!(calls.iter().any(|call| call == expected), "{calls:?}");
        let from = expected.split(" -> ").next().unwrap();
        assert_eq!(calls.iter().filter(|call| call.starts_with(&format!("{from} -> "))).count(), 1, "{calls:?}");
    }
}

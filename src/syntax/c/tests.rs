use tapps_base::language::Language;

use super::conditionals::{Conditionals, Resolved};
use super::header::is_cpp_header;
use super::lex::{TokenKind, c_tokens};
use super::{language_of_c_file, parse_c_text};

#[test]
fn tokens_are_told_apart() {
    let text =
        "#define A(x) \\\n  (x) // no\nint a = 1'000 + 0x1p-3; /* { */ char *b = \"}\\\"\"; R\"d(}\")d\" a::b->c\n";
    let told: Vec<(TokenKind, &str)> = c_tokens(text).iter().map(|token| (token.kind, token.text)).collect();
    assert_eq!(told[0], (TokenKind::Directive, "#define A(x) \\\n  (x) "));
    let of_kind = |kind| told.iter().filter(|(of, _)| *of == kind).map(|(_, text)| *text).collect::<Vec<_>>();
    assert_eq!(of_kind(TokenKind::Number), ["1'000", "0x1p-3"]);
    assert_eq!(of_kind(TokenKind::Quoted), ["\"}\\\"\"", "R\"d(}\")d\""]);
    assert_eq!(of_kind(TokenKind::Word), ["int", "a", "char", "b", "a", "b", "c"]);
    assert!(["::", "->"].iter().all(|sign| of_kind(TokenKind::Sign).contains(sign)));
}

/// What is left of a text, without what became space.
fn left(text: &str, language: Language, which: Resolved) -> String {
    let chosen = Conditionals::of_text(text, language).choose(text, which);
    assert_eq!(
        (chosen.len(), chosen.lines().count()),
        (text.len(), text.lines().count()),
        "every byte keeps its place"
    );
    chosen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[rstest::rstest]
#[case("#if 0\na;\n#else\nb;\n#endif\n", "b;")]
#[case("#if A\na;\n#elif B\nb;\n#else\nc;\n#endif\n", "a;")]
#[case("#ifdef A\na;\n#endif\n#ifndef A\nb;\n#endif\n", "a;")]
#[case("#ifndef A\na;\n#else\nb;\n#endif\n#ifdef A\nc;\n#endif\n", "a;")]
#[case("#if !defined(A)\na;\n#endif\n#ifdef A\nb;\n#endif\n", "a;")]
#[case("#if 0\n#ifdef A\na;\n#endif\n#endif\n#ifndef A\nb;\n#endif\n", "b;")]
#[case("#ifdef __cplusplus\na;\n#else\nb;\n#endif\n", "b;")]
fn one_branch_is_kept(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(left(text, Language::C, Resolved::All), expected);
}

#[test]
fn branches_that_fit_stay_together() {
    let whole = "#ifdef A\nint a;\n#else\nint b;\n#endif\n";
    assert_eq!(left(whole, Language::C, Resolved::Unfit), "#ifdef A int a; #else int b; #endif");
    let half = "int f(\n#ifdef A\nint a\n#else\nint b\n#endif\n);\n";
    assert_eq!(left(half, Language::C, Resolved::Unfit), "int f( int a );");
    let opened = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n#ifdef __cplusplus\n}\n#endif\n";
    assert_eq!(left(opened, Language::C, Resolved::Unfit), "int a;");
    assert_eq!(left(opened, Language::Cpp, Resolved::Unfit), "extern \"C\" { int a; }");
}

#[rstest::rstest]
#[case("int f(int a) {\n#ifdef A\n if (a) {\n#else\n if (!a) {\n#endif\n  a = 1;\n }\n return a;\n}\n", false)]
#[case("int f(int a) {\n return a\n#if A\n  + 1\n#else\n  + 2\n#endif\n  ;\n}\n", false)]
#[case("int f( { }\n", true)]
#[case("#if A\nint f(void) {\n", true)]
fn half_statements_are_no_errors(#[case] text: &str, #[case] has_error: bool) {
    let tree = parse_c_text(Language::C, text).unwrap().tree;
    assert_eq!(tree.root_node().has_error(), has_error, "{text}");
    assert_eq!(tree.root_node().end_byte(), text.len());
}

#[rstest::rstest]
#[case("namespace a { int b; }\n", true)]
#[case("template <class T> T a(T b);\n", true)]
#[case("#include <vector>\n", true)]
#[case("class A;\n", true)]
#[case("struct A { private: int b; };\n", true)]
#[case("#include <stdio.h>\nint a(int class, int namespace);\n", false)]
#[case("#ifdef __cplusplus\nextern \"C\" {\nnamespace a {}\n#endif\nint b;\n", false)]
#[case("#ifdef __cplusplus\nnamespace a {}\n#endif\nint b;\n", false)]
#[case("// class A;\nint a; /* std::b */\n", false)]
#[case("", false)]
fn headers_tell_their_language(#[case] text: &str, #[case] is_cpp: bool) {
    assert_eq!(is_cpp_header(text), is_cpp, "{text}");
    let expected = if is_cpp { Language::Cpp } else { Language::C };
    assert_eq!(language_of_c_file("a/b.h", text), expected);
    assert_eq!(language_of_c_file("a/b.c", text), Language::C);
}

#[rstest::rstest]
#[case("int LIB_CALL f(int a);\n", Language::C)]
#[case("LIB_API(int) int f(void);\nint g(void) { return 1; }\n", Language::C)]
#[case("static LIB_INLINE int f(int a UNUSED, char *b UNUSED) { return 1; }\n", Language::C)]
#[case("int f P_((int a));\n", Language::C)]
#[case("BEGIN_DECLS\nint f(void);\nEND_DECLS\n", Language::C)]
#[case("void f(void) {\n  list_for_each(a, b) {\n    g(a);\n  }\n}\n", Language::C)]
#[case("void f(void) {\n  int *a = ALLOCATE(struct item *, 2);\n  g(va(unsigned char));\n}\n", Language::C)]
#[case("typedef void (LIB_CALL *handler)(int a);\n", Language::C)]
#[case("int f(void) __attribute__((noreturn)) __attribute__((cold));\n", Language::C)]
#[case("class LIB_EXPORT Price {\n public:\n  int total() const NOTHROW { return 1; }\n};\n", Language::Cpp)]
#[case("int count GUARDED_BY(lock) = 0;\nchar* not_null name(int a);\n", Language::Cpp)]
#[case("void f(int n) { int** a = new int*[n]; delete [] *a; }\n", Language::Cpp)]
fn macros_are_no_errors(#[case] text: &str, #[case] language: Language) {
    let tree = parse_c_text(language, text).unwrap().tree;
    assert!(!tree.root_node().has_error(), "{text}");
    assert_eq!(tree.root_node().end_byte(), text.len());
}

/// What may mean something is not left out.
#[rstest::rstest]
#[case("if (a) CHECK(b);\n")]
#[case("LIB_BOOL\nf(int a) { return (LIB_INT) a; }\n")]
#[case("static const LIB_INT LIMIT = MAXIMUM;\n")]
#[case("struct ITEM *f(struct ITEM ONE);\n")]
#[case("int f(unsigned int a, char *b);\n")]
#[case("int f(LIB_TYPE *a);\n")]
fn names_stay(#[case] text: &str) {
    assert_eq!(super::macros::without_type_arguments(&super::macros::without_macros(text)), text);
}

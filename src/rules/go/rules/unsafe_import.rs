//! Memory without the guard of types.

use super::prelude::*;
use crate::go::calls::package_member;
use crate::go::scopes::function_name;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unsafe-import",
    aliases: &["gosec:G103"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "Package `unsafe` steps past the types, and what it does may break with the next version of Go.",
    help: "Do without it, or keep it in one small file with a comment that says why it is right.",
    explanation: "A mistake with `unsafe` is not an error but a wrong value somewhere else, or a crash an hour \
        later, and the promise that programs go on working does not cover it. Most of what it was needed \
        for has a safe form by now: `unique`, `slices`, `encoding/binary`, generics. Named are the heads of texts and lists \
        that are read as another type, and what hands the memory of a text or an untyped pointer to others. Files that \
        hand memory to the system or to C are left out.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package text

import "unsafe"

func Bytes(text string) []byte {
	return unsafe.Slice(unsafe.StringData(text), len(text))
}
"#,
        good: r#"package text

func Bytes(text string) []byte {
	return []byte(text)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["import_spec"], check_unsafe_import);

fn check_unsafe_import<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let path = (node.kind() == "import_spec").then(|| field(node, "path")).flatten();
    // `go:linkname` wants the import and nothing of the package.
    let is_used = field(node, "name").is_none_or(|name| context.text(name) != "_");
    let is_unsafe = path.is_some_and(|path| context.text(path).trim_matches(['"', '`']) == "unsafe");
    let is_told = is_unsafe && is_used && !context.is_beyond_advice();
    if is_told && steps_past_types(context) && !speaks_to_the_system(context) && !is_set_apart(context) {
        out.push(context.report(&RULE, node, "types guard nothing in what uses this"));
    }
}

/// Types that the head of a text or a list is read as, part by part.
const HEADS: &[&str] = &["(*[2]uintptr)", "(*[3]uintptr)"];

/// True where the file does what goes wrong: it reads the head of a text or a list as another type, hands out the memory of a text to whoever
/// likes to write into it, or gives an untyped pointer to others. Sizes, addresses that only tell things apart, and views that a function
/// of the package alone is given are no such thing.
fn steps_past_types(context: &GoContext<'_>) -> bool {
    let is_exported = |node: Node<'_>| function_name(context, node).starts_with(char::is_uppercase);
    let (mut is_used, mut is_stepped) = (false, false);
    for node in context.tree().all_nodes() {
        match package_member(context, node) {
            Some(("reflect", "SliceHeader" | "StringHeader")) => is_stepped = true,
            Some(("unsafe", name)) => {
                is_used = true;
                is_stepped |= name == "StringData" && is_exported(node) && returns(context, node, "[]byte")
                    || name == "Pointer" && is_exported(node) && returns(context, node, "unsafe.Pointer");
            }
            _ => {}
        }
        if matches!(node.kind(), "call_expression" | "type_conversion_expression" | "unary_expression") {
            let text = context.text(node).trim_start_matches('*');
            let is_head = HEADS.iter().any(|head| text.starts_with(head));
            is_stepped |= is_head && text.contains("unsafe.Pointer(&");
        }
    }
    is_stepped || !is_used
}

/// True where the function around returns what it is asked for.
fn returns(context: &GoContext<'_>, node: Node<'_>, of: &str) -> bool {
    let result = context.outermost_function(node).and_then(|function| field(function, "result"));
    result.is_some_and(|result| context.text(result) == of)
}

/// True for a file that is kept apart for this: by its name, as one of several that a build constraint chooses from, or with a
/// comment that says why it is right.
fn is_set_apart(context: &GoContext<'_>) -> bool {
    let name = context.path().rsplit('/').next().unwrap_or_default();
    let mut comments = context.tree().all_nodes().filter(|node| node.kind() == "comment");
    name.split(['_', '.']).any(|part| part == "unsafe")
        || comments.any(|comment| {
            let text = context.text(comment).to_ascii_lowercase();
            text.starts_with("//go:build ") || text.starts_with("// +build ") || text.contains("unsafe") || ["memory allocation", "zero-copy", "zero copy"].iter().any(|why| text.contains(why))
        })
}

/// Names of systems, as file names and build constraints have them.
const SYSTEMS: &[&str] = &[
    "aix",
    "android",
    "bsd",
    "darwin",
    "dragonfly",
    "freebsd",
    "illumos",
    "linux",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "unix",
    "windows",
    "zos",
];

/// Packages that speak with the system, C or the processor.
const SYSTEM_PACKAGES: &[&str] =
    &["C", "golang.org/x/sys/cpu", "golang.org/x/sys/unix", "golang.org/x/sys/windows", "syscall"];

/// True for files that hand memory to the system or to C, which is what the package is there for.
fn speaks_to_the_system(context: &GoContext<'_>) -> bool {
    let name = context.path().rsplit('/').next().unwrap_or_default();
    let constraint = context.tree().source_text().lines().find(|line| line.starts_with("//go:build "));
    context.imports_any(SYSTEM_PACKAGES)
        || [name, constraint.unwrap_or_default()].into_iter().any(names_system)
}

fn names_system(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| SYSTEMS.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found, go_findings};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["import (\n\"fmt\"\n\"unsafe\"\n)"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"unsafe\"\nfunc (c Codec) Decode(p unsafe.Pointer, i *Iterator) { c.inner.Decode(p, i) }",
                "import \"fmt\"",
                "import _ \"unsafe\"",
                "import (\n\"syscall\"\n\"unsafe\"\n)",
                "import \"C\"\nimport \"unsafe\"",
            ],
        );
        let sizes = "import \"unsafe\"\nconst size = int(unsafe.Sizeof(uintptr(0)))";
        let view = "import \"unsafe\"\nfunc view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }";
        let same = "import \"unsafe\"\nfunc view(b []byte) string { return *(*string)(unsafe.Pointer(&b)) }";
        let told_apart = "import \"unsafe\"\nfunc f(b *B) { g(uintptr(unsafe.Pointer(b))) }";
        let explained = "import \"unsafe\"\n// What this returns is unsafe to change.\nfunc F(s string) []byte { return unsafe.Slice(unsafe.StringData(s), 1) }";
        assert_clean(&RULE, &[sizes, view, same, told_apart, explained]);
        let handed = format!("{sizes}\nfunc F(a *int) unsafe.Pointer {{ return unsafe.Pointer(a) }}");
        let head = "import \"unsafe\"\nfunc f(s string) { g((*[2]uintptr)(unsafe.Pointer(&s))) }";
        let header = "import (\n\"reflect\"\n\"unsafe\"\n)\nfunc f(h *reflect.SliceHeader) { g(unsafe.Pointer(h)) }";
        assert_found(&RULE, &[&handed, head, header]);
        let text = "package a\nimport \"unsafe\"\n";
        assert_eq!(go_findings(&RULE, "socket/bytes_unsafe.go", text), []);
        assert_eq!(go_findings(&RULE, "socket/message.go", &format!("//go:build !safe\n\n{text}")), []);
        assert_eq!(go_findings(&RULE, "socket/message_linux_32bit.go", text), []);
        assert_eq!(go_findings(&RULE, "socket/message_test.go", text), []);
        let constrained = format!("//go:build arm64 && (aix || linux)\n\n{text}");
        assert_eq!(go_findings(&RULE, "socket/message.go", &constrained), []);
        assert_eq!(go_findings(&RULE, "socket/message.go", text).len(), 1);
    }
}

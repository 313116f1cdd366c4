//! Memory without the guard of types.

use super::prelude::*;
use crate::go::calls::package_member;

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
        for has a safe form by now: `unique`, `slices`, `encoding/binary`, generics. Files that hand memory to \
        the system or to C are left out.",
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

/// True where more is used of the package than the sizes of types, and pointers that are exchanged at once, which `sync/atomic`
/// takes in no other form before Go 1.19.
fn steps_past_types(context: &GoContext<'_>) -> bool {
    let members = context.tree().all_nodes().filter_map(|node| package_member(context, node));
    let mut used = members.filter(|(path, _)| *path == "unsafe").map(|(_, name)| name).peekable();
    let is_exchanged = context.imports_any(&["sync/atomic"]);
    used.peek().is_none()
        || used.any(|name| match name {
            "Sizeof" | "Alignof" | "Offsetof" => false,
            "Pointer" => !is_exchanged && converts(context),
            _ => true,
        })
}

/// True where a pointer is made to such a one, or read as one of another type. An interface of others may ask for the type alone, and
/// what is only handed on is looked at elsewhere.
fn converts(context: &GoContext<'_>) -> bool {
    let is_pointer = |node: Node<'_>| package_member(context, node) == Some(("unsafe", "Pointer"));
    context.tree().all_nodes().any(|node| match node.kind() {
        "call_expression" => field(node, "function")
            .is_some_and(|function| is_pointer(function) || context.text(function).starts_with("(*")),
        "type_conversion_expression" => {
            field(node, "type").is_some_and(|of| is_pointer(of) || context.text(of).starts_with("(*"))
        }
        _ => false,
    })
}

/// True for a file that is kept apart for this: by its name, as one of several that a build constraint chooses from, or with a
/// comment that says why it is right.
fn is_set_apart(context: &GoContext<'_>) -> bool {
    let name = context.path().rsplit('/').next().unwrap_or_default();
    let mut comments = context.tree().all_nodes().filter(|node| node.kind() == "comment");
    name.split(['_', '.']).any(|part| part == "unsafe")
        || comments.any(|comment| {
            let text = context.text(comment).to_ascii_lowercase();
            text.starts_with("//go:build ") || text.starts_with("// +build ") || text.contains("unsafe")
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
        assert_clean(&RULE, &[sizes]);
        assert_found(&RULE, &[&format!("{sizes}\nfunc f(a *int) unsafe.Pointer {{ return unsafe.Pointer(a) }}")]);
        let exchanged = "import (\n\"sync/atomic\"\n\"unsafe\"\n)\nfunc f(a *int) { g(unsafe.Pointer(a)) }";
        let explained = "import \"unsafe\"\n// What this returns is unsafe to change.\nfunc f() { unsafe.Slice(a, 1) }";
        assert_clean(&RULE, &[exchanged, explained]);
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

//! Memory without the guard of types.

use super::prelude::*;

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
    if is_unsafe && is_used && !speaks_to_the_system(context) {
        out.push(context.report(&RULE, node, "types guard nothing in what uses this"));
    }
}

/// Parts of the names of files that are built for one system alone.
const SYSTEMS: &[&str] = &[
    "aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "linux", "netbsd", "openbsd", "plan9", "solaris",
    "windows", "zos",
];

/// True for files that hand memory to the system or to C, which is what the package is there for.
fn speaks_to_the_system(context: &GoContext<'_>) -> bool {
    let name = context.path().rsplit('/').next().unwrap_or_default();
    let stem = name.strip_suffix(".go").unwrap_or(name);
    context.imports_any(&["C", "syscall", "golang.org/x/sys/unix", "golang.org/x/sys/windows"])
        || stem.split('_').any(|part| SYSTEMS.contains(&part))
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
            &["import \"fmt\"", "import _ \"unsafe\"", "import (\n\"syscall\"\n\"unsafe\"\n)", "import \"C\"\nimport \"unsafe\""],
        );
        let text = "package a\nimport \"unsafe\"\n";
        assert_eq!(go_findings(&RULE, "socket/message_linux_32bit.go", text), []);
        assert_eq!(go_findings(&RULE, "socket/message.go", text).len(), 1);
    }
}

//! Files and connections that nobody closes.

use super::prelude::*;
use crate::java::calls::{arguments_of, created_type, is_static_call};
use crate::java::scopes::is_handed_on;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unclosed-resource",
    aliases: &["pmd:CloseResource", "sonar:S2095", "spotbugs:OS_OPEN_STREAM"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A file or connection is opened and never closed.",
    help: "Open it in the head of a `try (…)`.",
    explanation: "An open file holds a descriptor until the collector happens to find it, and a process has only \
        so many; what is buffered may never be written. `try (var in = …)` closes it on every way out. What is \
        returned, kept or handed on is somebody else's to close.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.io.*;

class Reader {
    int first(File file) throws IOException {
        FileInputStream in = new FileInputStream(file);
        return in.read();
    }
}
"#,
        good: r#"import java.io.*;

class Reader {
    int first(File file) throws IOException {
        try (FileInputStream in = new FileInputStream(file)) {
            return in.read();
        }
    }
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["variable_declarator"], check_unclosed_resource);

/// What holds something of the system by itself.
const OPENERS: &[&str] = &[
    "DatagramSocket", "FileInputStream", "FileOutputStream", "FileReader", "FileWriter", "JarFile", "RandomAccessFile", "ServerSocket",
    "Socket", "ZipFile",
];
/// What closes that which it is put around.
const WRAPPERS: &[&str] = &[
    "BufferedInputStream", "BufferedOutputStream", "BufferedReader", "BufferedWriter", "DataInputStream", "DataOutputStream",
    "GZIPInputStream", "GZIPOutputStream", "InputStreamReader", "JarInputStream", "LineNumberReader", "ObjectInputStream",
    "ObjectOutputStream", "OutputStreamWriter", "PrintStream", "PrintWriter", "Scanner", "ZipInputStream", "ZipOutputStream",
];
const FILES: &[&str] = &[
    "find", "lines", "list", "newBufferedReader", "newBufferedWriter", "newByteChannel", "newDirectoryStream", "newInputStream",
    "newOutputStream", "walk",
];

fn check_unclosed_resource<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_local = context.tree().parent_of(node).is_some_and(|of| of.kind() == "local_variable_declaration");
    let (Some(name), Some(value)) = (field(node, "name"), field(node, "value")) else { return };
    let Some(function) = context.outermost_function(node).filter(|_| is_local && !context.is_test_file()) else { return };
    let name = context.text(name);
    let is_closed = [".close", ".use", ".shutdown", ".disconnect"].iter().any(|end| context.text(function).contains(&format!("{name}{end}")));
    if opens(context, value) && !is_closed && !is_handed_on(context, function, name) {
        out.push(context.report(&RULE, node, format!("`{name}` is not closed in this method")));
    }
}

fn opens(context: &JavaContext<'_>, node: Node<'_>) -> bool {
    if let Some(made) = created_type(context, node) {
        let arguments = arguments_of(node);
        // An unconnected socket holds nothing yet.
        let is_bare = arguments.is_empty() && matches!(made, "Socket" | "ServerSocket");
        return OPENERS.contains(&made) && !is_bare
            || WRAPPERS.contains(&made) && arguments.iter().any(|argument| opens(context, *argument));
    }
    is_static_call(context, node, "Files", FILES) || is_static_call(context, node, "DriverManager", &["getConnection"])
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f() { BufferedReader in = new BufferedReader(new FileReader(\"a\")); g(in.readLine()); }",
            "void f(Path p) { Stream<Path> all = Files.walk(p); all.forEach(g); }",
            "void f(Properties p) { FileInputStream in = new FileInputStream(\"a\"); p.load(in); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "FileInputStream f() { FileInputStream in = new FileInputStream(\"a\"); return in; }",
            "void f() { FileInputStream in = new FileInputStream(\"a\"); try { in.read(); } finally { in.close(); } }",
            "void f() { FileInputStream in = new FileInputStream(\"a\"); keep(in); }",
            "void f() { StringReader in = new StringReader(\"a\"); in.read(); }",
            "void f(Socket s) { PrintWriter out = new PrintWriter(s.getOutputStream()); out.flush(); }",
        ]);
    }
}

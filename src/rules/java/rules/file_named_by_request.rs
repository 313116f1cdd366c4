//! Files that the request names.

use super::prelude::*;
use crate::java::calls::{arguments_of, created_type, is_static_call};
use crate::java::requests::stems_from_request;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "file-named-by-request",
    aliases: &["sonar:S2083", "findsecbugs:PATH_TRAVERSAL_IN"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A request that names the file may name one that it was not meant to see.",
    help: "Resolve the path, normalise it, and test that it still begins with the folder.",
    explanation: "`../../etc/passwd` is a name like any other. A path that is made from what a request brings \
        leads wherever its sender likes, for reading and for writing. Resolve it against the folder, call \
        `normalize()`, and refuse what does not `startsWith` the folder.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.nio.file.*;
import javax.servlet.http.*;

class Files2 {
    byte[] show(HttpServletRequest request) throws Exception {
        return Files.readAllBytes(Paths.get("data/" + request.getParameter("name")));
    }
}
"#,
        good: r#"import java.nio.file.*;
import javax.servlet.http.*;

class Files2 {
    byte[] show(HttpServletRequest request) throws Exception {
        Path folder = Paths.get("data").toAbsolutePath();
        Path path = folder.resolve(request.getParameter("name")).normalize();
        if (!path.startsWith(folder)) {
            throw new SecurityException("outside of the folder");
        }
        return Files.readAllBytes(path);
    }
}
"#,
    }],
    cwe: Some("CWE-22"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation", "object_creation_expression"], check_file_named_by_request);

/// Words of a method that keeps a name inside of a folder.
const BOUNDS: &[&str] = &["startsWith(", "getCanonicalPath", "FilenameUtils.getName", ".getFileName(", "\"..\"", "matches(", "isValid", "sanitize"];

fn check_file_named_by_request<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let opens = matches!(created_type(context, node), Some("File" | "FileInputStream" | "FileOutputStream" | "FileReader" | "FileWriter" | "RandomAccessFile" | "FileSystemResource"))
        || is_static_call(context, node, "Paths", &["get"])
        || is_static_call(context, node, "Path", &["of"]);
    if !opens || context.is_test_file() {
        return;
    }
    let around = context.text_around(node);
    let is_named = arguments_of(node).into_iter().any(|argument| stems_from_request(context, argument));
    if is_named && !BOUNDS.iter().any(|word| around.contains(word)) {
        out.push(context.report(&RULE, node, "the request says which file"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(HttpServletRequest r) { String n = r.getHeader(\"X\"); g(new File(dir, n)); }",
            "Object f(@PathVariable String name) { return new FileSystemResource(\"data/\" + name); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f(String name) { g(new File(dir, name)); }",
            "void f(HttpServletRequest r) { String n = FilenameUtils.getName(r.getParameter(\"n\")); g(new File(dir, n)); }",
            "void f(Row r) { g(new File(r.getParameter(\"n\"))); }",
        ]);
    }
}

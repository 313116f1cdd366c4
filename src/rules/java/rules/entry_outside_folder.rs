//! Archives that say where their files go.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method, created_type, is_static_call, simple_type};
use crate::java::scopes::{declared_type, sources_of};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "entry-outside-folder",
    aliases: &["sonar:S6096", "errorprone:ZipSlip"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "An archive can write outside of the folder it is unpacked into.",
    help: "Normalise the path of each entry, and refuse one that does not begin with the folder.",
    explanation: "The name of an entry may be `../../.ssh/authorized_keys`. Whoever made the archive then \
        chooses which file is written. Resolve each name against the folder, normalise it, and test that it \
        still begins with the folder.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.io.*;
import java.util.zip.*;

class Unpack {
    void all(ZipInputStream zip, File folder) throws IOException {
        ZipEntry entry;
        while ((entry = zip.getNextEntry()) != null) {
            copy(zip, new File(folder, entry.getName()));
        }
    }
}
"#,
        good: r#"import java.io.*;
import java.nio.file.Path;
import java.util.zip.*;

class Unpack {
    void all(ZipInputStream zip, Path folder) throws IOException {
        ZipEntry entry;
        while ((entry = zip.getNextEntry()) != null) {
            Path target = folder.resolve(entry.getName()).normalize();
            if (!target.startsWith(folder)) {
                throw new IOException("outside of the folder: " + entry.getName());
            }
            copy(zip, target);
        }
    }
}
"#,
    }],
    cwe: Some("CWE-22"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation", "object_creation_expression"], check_entry_outside_folder);

const ENTRIES: &[&str] = &["ArchiveEntry", "JarEntry", "TarArchiveEntry", "ZipArchiveEntry", "ZipEntry"];
const BOUNDS: &[&str] = &["startsWith(", "getCanonicalPath", "\"..\"", ".getFileName("];

fn check_entry_outside_folder<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let makes = created_type(context, node) == Some("File")
        || is_static_call(context, node, "Paths", &["get"])
        || is_static_call(context, node, "Path", &["of"])
        || called_method(context, node).is_some_and(|(_, name)| name == "resolve");
    if !makes || context.is_test_file() || BOUNDS.iter().any(|word| context.text_around(node).contains(word)) {
        return;
    }
    let sources = arguments_of(node).into_iter().flat_map(|argument| sources_of(context, argument));
    let mut parts = sources.into_iter().flat_map(|source| context.tree().subtree_of(source));
    let names_entry = parts.any(|part| {
        called_method(context, part).is_some_and(|(receiver, name)| {
            let of = receiver.filter(|it| it.kind() == "identifier").and_then(|it| declared_type(context, it));
            name == "getName" && of.is_some_and(|of| ENTRIES.contains(&simple_type(of)))
        })
    });
    if names_entry {
        out.push(context.report(&RULE, node, "the archive says where this goes"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(ZipEntry entry, Path dir) { String n = entry.getName(); g(dir.resolve(n)); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f(File entry) { g(new File(dir, entry.getName())); }",
            "void f(ZipEntry entry, File dir) { File t = new File(dir, entry.getName()); if (!t.getCanonicalPath().startsWith(dir.getCanonicalPath())) { throw x; } }",
        ]);
    }
}

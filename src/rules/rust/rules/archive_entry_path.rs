//! Archives that write outside of the folder they are unpacked to.

use super::prelude::*;
use crate::rust::calls::{arguments_of, called_method, is_method_of};
use crate::rust::scopes::sources_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "archive-entry-path",
    aliases: &["semgrep:rust.zip-slip"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3000,
    blocking: false,
    summary: "The name of an entry may lead out of the folder: `../../.ssh/authorized_keys`.",
    help: "Use `enclosed_name()` of a zip entry and `unpack_in` of a tar entry.",
    explanation: "Archives are made by others, and the name of an entry is any text. Joined to a folder as it is, \
        one with `..` or a leading `/` writes wherever the program may. `enclosed_name` gives nothing \
        for such names; `unpack_in` passes over them.",
    examples: &[Example {
        path: "example.rs",
        bad: "use zip::ZipArchive;

pub fn unpack(mut archive: ZipArchive<File>, folder: &Path) -> Result<(), Error> {
    for at in 0..archive.len() {
        let mut file = archive.by_index(at)?;
        let path = folder.join(file.name());
        std::io::copy(&mut file, &mut File::create(path)?)?;
    }
    Ok(())
}
",
        good: "use zip::ZipArchive;

pub fn unpack(mut archive: ZipArchive<File>, folder: &Path) -> Result<(), Error> {
    for at in 0..archive.len() {
        let mut file = archive.by_index(at)?;
        let Some(name) = file.enclosed_name() else { continue };
        std::io::copy(&mut file, &mut File::create(folder.join(name))?)?;
    }
    Ok(())
}
",
    }],
    cwe: Some("CWE-22"),
    since: "0.1.0",
};

pub(super) const RUN: RustRunner = RustRunner::Kinds(&["call_expression"], check_archive_entry_path);

/// What a name must pass before it is joined.
const CHECKS: &[&str] =
    &["enclosed_name", "canonicalize", "starts_with", "Component::", "components()", "sanitize", "unpack_in"];

fn check_archive_entry_path<'c>(context: &RustContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let reads_archives =
        context.imports_below("zip") || context.imports_below("tar") || context.imports_below("async_zip");
    if !reads_archives || !is_method_of(context, node, &["join"]) || context.is_aside(node) {
        return;
    }
    let Some(argument) = arguments_of(node).first().copied() else { return };
    let is_name = |part: &Node<'c>| match called_method(context, *part) {
        Some((receiver, "name" | "path" | "mangled_name")) => {
            context.text(receiver).contains("entry") || context.text(receiver).contains("file")
        }
        _ => false,
    };
    let is_entry = sources_of(context, argument)
        .iter()
        .flat_map(|source| context.tree().subtree_of(*source))
        .any(|part| is_name(&part));
    let around = context.text_around(node);
    if is_entry && !CHECKS.iter().any(|check| around.contains(check)) {
        out.push(context.report(&RULE, node, "the name of this entry may lead out of the folder"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &["use tar::Archive;
fn f(a: Archive<F>) { for entry in a.entries() { let path = entry.path(); g(root.join(path)); } }"],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "use tar::Archive;
fn f(a: Archive<F>) { for entry in a.entries() { entry.unpack_in(root); g(root.join(entry.path())); } }",
                "fn f(file: DirEntry) { g(root.join(file.path())); }",
            ],
        );
    }
}

//! Files of an archive written where their names lead.

use super::prelude::*;
use crate::go::calls::{arguments_of, is_call_of};
use crate::go::scopes::{assigned_value, declared_type, local_declaration};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "archive-slip",
    aliases: &["gosec:G305"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A name from an archive may lead out of the folder that it is unpacked into.",
    help: "Check the name with `filepath.IsLocal`, or open the target folder with `os.OpenRoot`.",
    explanation: "Whoever makes an archive chooses the names in it. One that begins with `../` lands beside the \
        folder it is unpacked into, and overwrites what stands there: a start script, a key. \
        `filepath.Join` cleans such a name and does not keep it inside. Ask `filepath.IsLocal` before, or \
        work through `os.OpenRoot`.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package unpack

import (
	"archive/zip"
	"path/filepath"
)

func target(folder string, file *zip.File) string {
	return filepath.Join(folder, file.Name)
}
"#,
        good: r#"package unpack

import (
	"archive/zip"
	"errors"
	"path/filepath"
)

func target(folder string, file *zip.File) (string, error) {
	if !filepath.IsLocal(file.Name) {
		return "", errors.New("the archive has a name that leads out of it")
	}
	return filepath.Join(folder, file.Name), nil
}
"#,
    }],
    cwe: Some("CWE-22"),
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_archive_slip);

/// Words of a function that looks at where a name leads.
const CHECKS: &[&str] =
    &["HasPrefix(", "IsLocal(", "OpenRoot(", "Rel(", "SecureJoin(", "\"..\"", "filepath.Base(", "\"../\"", "WithinDir("];

/// Words of a function that makes an archive: the names are its own there.
const PACKING: &[&str] =
    &["CreateHeader(", "FileInfoHeader(", "tar.NewWriter(", "tar.Writer", "zip.NewWriter(", "zip.Writer"];

fn check_archive_slip<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !is_call_of(context, node, "path/filepath", &["Join"]) || !context.imports_any(&["archive/zip", "archive/tar"]) {
        return;
    }
    let is_name = |part: Node<'c>| {
        let holder = field(part, "operand").filter(|_| part.kind() == "selector_expression");
        context.text(part).ends_with(".Name") && holder.is_some_and(|holder| is_of_archive(context, holder))
    };
    if context.is_test_file() || !arguments_of(node).into_iter().skip(1).any(is_name) {
        return;
    }
    let around = context.text_around(node);
    // Asking about a file changes none.
    let user = context.tree().parent_of(node).and_then(|list| context.tree().parent_of(list));
    if user.is_some_and(|user| is_call_of(context, user, "os", &["Lstat", "Stat"])) {
        return;
    }
    if !CHECKS.iter().chain(PACKING).any(|word| around.contains(word)) {
        let finding = context.report(&RULE, node, "a name of the archive decides where this leads");
        out.push(finding.doubted_if(is_asked_about(context, node)));
    }
}

/// `if containsDotDot(file.Name) {` stands before: what that function asks is seen elsewhere.
fn is_asked_about<'c>(context: &GoContext<'c>, join: Node<'c>) -> bool {
    let names: Vec<&str> = arguments_of(join).into_iter().map(|part| context.text(part)).filter(|it| it.ends_with(".Name")).collect();
    let Some(function) = context.outermost_function(join) else { return false };
    let before = context.tree().subtree_of(function).filter(|at| at.kind() == "if_statement" && at.start_byte() < join.start_byte());
    let asked = before.filter_map(|at| field(at, "condition")).flat_map(|at| context.tree().subtree_of(at));
    let mut calls = asked.filter(|at| at.kind() == "call_expression").flat_map(arguments_of);
    calls.any(|argument| names.contains(&context.text(argument)))
}

/// True for a header or a file of an archive: by its type, or by where it comes from.
fn is_of_archive<'c>(context: &GoContext<'c>, holder: Node<'c>) -> bool {
    if holder.kind() != "identifier" {
        return false;
    }
    if let Some(of) = declared_type(context, holder) {
        return of.contains("tar.") || of.contains("zip.");
    }
    let comes_next = assigned_value(context, holder).is_some_and(|value| context.text(value).ends_with(".Next()"));
    let listed = local_declaration(context, holder).filter(|it| it.kind() == "range_clause");
    // `reader.File` is the list of a `zip.Reader`.
    comes_next || listed.and_then(|it| field(it, "right")).is_some_and(|list| context.text(list).ends_with(".File"))
}

#[cfg(test)]
mod tests {
    use tapps_base::finding::Confidence::{High, Low};

    use super::super::testing::{assert_clean, assert_confidence, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import (\n\"archive/tar\"\n\"path/filepath\"\n)\nfunc f(d string, h *tar.Header) { within(d); os.Create(filepath.Join(d, h.Name)) }",
                "import (\n\"archive/tar\"\n\"path/filepath\"\n)\nfunc f(d string, h *tar.Header) { os.Create(filepath.Join(d, h.Name)) }",
                "import (\n\"archive/tar\"\n\"path/filepath\"\n)\nfunc f(d string, r *tar.Reader) { next, err := r.Next(); g(filepath.Join(d, next.Name), err) }",
                "import (\n\"archive/tar\"\n\"path/filepath\"\n)\nfunc f(w http.ResponseWriter, d string, h *tar.Header) { g(bufio.NewWriter(filepath.Join(d, h.Name))); w.WriteHeader(200) }",
                "import (\n\"archive/zip\"\n\"path/filepath\"\n)\nfunc f(d string, r *zip.Reader) { for _, one := range r.File { g(filepath.Join(d, one.Name)) } }",
            ],
        );
    }

    #[test]
    fn a_name_that_another_function_looks_at_is_doubted() {
        let file = |before: &str| {
            format!(
                "import (\n\"archive/zip\"\n\"path/filepath\"\n)\nfunc f(d string, h *zip.File) {{ if {before} {{ return }}; g(filepath.Join(d, h.Name)) }}"
            )
        };
        for (before, expected) in [("climbs(h.Name)", Low), ("climbs(d)", High), ("h.Name == a", High)] {
            assert_confidence(&RULE, "a.go", &file(before), expected);
        }
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import (\n\"archive/tar\"\n\"os\"\n\"path/filepath\"\n)\nfunc f(d string, h *tar.Header) { os.Stat(filepath.Join(d, h.Name)) }",
                "import (\n\"archive/tar\"\n\"path/filepath\"\n)\nfunc f(d string, t *Table) { g(filepath.Join(d, t.Name)) }",
                "import (\n\"archive/tar\"\n\"path/filepath\"\n)\nfunc f(d string) { for _, file := range d.list() { g(filepath.Join(d, file.Name)) } }",
                "import (\n\"archive/tar\"\n\"path/filepath\"\n)\nfunc f(d string, h *tar.Header, w *tar.Writer) { w.WriteHeader(h); os.Open(filepath.Join(d, h.Name)) }",
                "import (\n\"archive/tar\"\n\"path/filepath\"\n)\nfunc f(d string, h *tar.Header) { p := filepath.Join(d, h.Name); if !isWithinDir(p, d) { return }; g(p) }",
                "import \"path/filepath\"\nfunc f(d string, h *Header) { g(filepath.Join(d, h.Name)) }",
                "import (\n\"archive/tar\"\n\"path/filepath\"\n)\nfunc f(d string, h *tar.Header) { p := filepath.Join(d, h.Name); if !strings.HasPrefix(p, d) { return }; g(p) }",
            ],
        );
    }
}

//! Files and folders that everybody may change.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member};
use crate::go::scopes::assigned_value;

pub use crate::common::file_permissions::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_file_permissions);

fn check_file_permissions<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some((path, name)) = called_member(context, node) else { return };
    if !matches!(path, "os" | "io/ioutil") || context.is_test_file() {
        return;
    }
    // New files lose what the mask of the process takes; 0666, and 0777 for folders, is what most programs ask for.
    // Nothing is taken from `Chmod`.
    let wanted = match name {
        "Chmod" => 0o002,
        "OpenFile" | "WriteFile" => 0o003,
        _ => return,
    };
    // What is only read is not made.
    let only_reads = arguments_of(node).get(1).is_some_and(|flags| {
        let words = context.text(*flags).to_ascii_lowercase();
        words.contains("rdonly") || words.contains("readonly")
    });
    if name == "OpenFile" && only_reads || name == "WriteFile" && is_made_before(context, node) {
        return;
    }
    let Some(mode) = arguments_of(node).last().copied().filter(|mode| mode.kind() == "int_literal") else { return };
    if octal_value(context.text(mode)).is_some_and(|value| value & wanted == wanted) {
        out.push(context.report(&RULE, node, format!("{} lets everybody change it", context.text(mode))));
    }
}

/// `os.WriteFile(file.Name(), …)` of a file that `os.CreateTemp` made: it is there, with permissions of its own.
fn is_made_before(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let of = arguments_of(node).first().copied().filter(|path| context.text(*path).ends_with(".Name()"));
    let file = of.and_then(|path| field(path, "function")).and_then(|name| field(name, "operand"));
    let made = file.and_then(|file| assigned_value(context, file)).and_then(|made| called_member(context, made));
    matches!(made, Some(("os" | "io/ioutil", "CreateTemp" | "TempFile")))
}

fn octal_value(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("0o").or_else(|| text.strip_prefix("0O")).or_else(|| text.strip_prefix('0'))?;
    u32::from_str_radix(digits, 8).ok()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"os\"\nfunc f() { os.Chmod(\"a\", 0666) }",
                "import \"os\"\nfunc f() { os.WriteFile(\"a\", nil, 0o777) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"os\"\nfunc f() { os.Chmod(\"a\", 0644); os.Mkdir(\"a\", 0o777); os.WriteFile(\"a\", nil, 0666) }",
                "import \"os\"\nfunc f() { t, err := os.CreateTemp(\"\", \"a\"); g(err); os.WriteFile(t.Name(), nil, 0777) }",
                "import \"os\"\nfunc f(m os.FileMode) { os.Chmod(\"a\", m) }",
            ],
        );
    }
}

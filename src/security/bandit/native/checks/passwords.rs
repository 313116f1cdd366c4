//! Passwords and addresses that are written down. What bandit quotes of a password is not repeated.

use std::sync::LazyLock;

use regex::Regex;
use ruff_python_ast::{AnyNodeRef, Expr, Parameters};
use ruff_text_size::Ranged as _;
use tapps_base::finding::Severity::{Low, Medium};

use crate::bandit::native::call::CallView;
use crate::bandit::native::literal::is_constant;
use crate::bandit::native::text::TextNode;
use crate::bandit::native::verdict::{Judged, Lost, Verdict};

/// Whether a name is that of a password.
fn is_password_name(name: &str) -> bool {
    static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let words = "(?:pas+wo?r?d|pass(?:phrase)?|pwd|token|secrete?)";
        // A text may end in a line end behind its last word.
        Regex::new(&format!(r"(?i)(?:^{words}\n?\z|_{words}_|^{words}_|_{words}\n?\z)")).ok()
    });
    NAMES.as_ref().is_some_and(|names| names.is_match(name))
}

/// Hard-coded password.
const fn written_password(test: &'static str) -> Verdict {
    Verdict::new(test, (Low, Medium), 259, "Possible hardcoded password")
}

/// The name of a variable or attribute.
fn variable_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        _ => None,
    }
}

/// A text that is assigned to, compared with or kept under the name of a password.
pub(in crate::bandit::native) fn judge_password_text(
    node: &TextNode<'_>,
    ancestors: &[AnyNodeRef<'_>],
) -> Option<Verdict> {
    let is_password = |expr: &Expr| variable_name(expr).is_some_and(is_password_name);
    let found = match ancestors.last()? {
        AnyNodeRef::StmtAssign(assign) => assign.targets.iter().any(is_password),
        AnyNodeRef::ExprDict(dict) => {
            // Found by its place, since each of a hundred thousand keys asks.
            let item = dict.items.get(dict.items.partition_point(|item| item.value.start() < node.start))?;
            let is_key = item.key.as_ref().is_some_and(|key| key.start() == node.start);
            is_key && is_password_name(node.value) && is_constant(&item.value)
        }
        AnyNodeRef::ExprSubscript(_) => {
            let assigned = ancestors.iter().rev().nth(1).and_then(|node| node.as_stmt_assign())?;
            is_password_name(node.value) && assigned.value.is_string_literal_expr()
        }
        AnyNodeRef::ExprCompare(compare) => {
            is_password(&compare.left) && compare.comparators.first().is_some_and(Expr::is_string_literal_expr)
        }
        _ => false,
    };
    found.then(|| written_password("B105"))
}

/// A text that is passed by the name of a password.
pub(super) fn judge_password_argument(view: &CallView<'_, '_>) -> Judged {
    for keyword in view.keywords() {
        if keyword.value.is_string_literal_expr() {
            let name = keyword.arg.as_ref().ok_or(Lost)?;
            if is_password_name(name) {
                let line = view.lines.line(keyword.value.start());
                return Ok(Some(written_password("B106").on_line(Some(line))));
            }
        }
    }
    Ok(None)
}

/// A text as the default of a parameter with the name of a password. Parameters by position alone have no names here, but
/// their defaults are counted, as bandit counts them.
pub(in crate::bandit::native) fn judge_password_default(parameters: &Parameters) -> Option<Verdict> {
    let all = parameters.posonlyargs.iter().chain(&parameters.args);
    let defaults: Vec<&Expr> = all.filter_map(|parameter| parameter.default.as_deref()).collect();
    let without = parameters.args.len().saturating_sub(defaults.len());
    let named = parameters.args.iter().skip(without).zip(defaults);
    let mut found = named
        .filter(|(parameter, default)| default.is_string_literal_expr() && is_password_name(&parameter.parameter.name));
    found.next().map(|_| written_password("B107"))
}

/// Addresses and folders that a text names.
pub(in crate::bandit::native) fn judge_written_address(value: &str) -> Option<Verdict> {
    (value == "0.0.0.0").then(|| Verdict::new("B104", (Medium, Medium), 605, "Possible binding to all interfaces."))
}

pub(in crate::bandit::native) fn judge_temporary_path(value: &str) -> Option<Verdict> {
    let temporary = ["/tmp", "/var/tmp", "/dev/shm"].iter().any(|folder| value.starts_with(folder));
    temporary.then(|| Verdict::new("B108", (Medium, Medium), 377, "Probable insecure usage of temp file/directory."))
}

#[cfg(test)]
mod tests {
    use tapps_base::source::Source;

    use super::*;
    use crate::bandit::native::find_python_issues;

    #[test]
    fn names_of_passwords() {
        for (name, is) in [
            ("password", true),
            ("passwd", true),
            ("PASS", true),
            ("db_pwd", true),
            ("token_url", true),
            ("my_secret_key", true),
            ("secrete", true),
            ("token\n", true),
            ("compass", false),
            ("passport", false),
            ("tokens", false),
        ] {
            assert_eq!(is_password_name(name), is, "{name:?}");
        }
    }

    #[test]
    fn keys_of_a_dict_are_told_from_its_values() {
        let text = "a = {\n    **b,\n    'password': 'x',\n    f(): 'password',\n    ('token'): ('y'),\n    'secret': g(),\n    'z': 'pwd',\n}\n";
        let issues = find_python_issues(&Source::new("a.py", text.as_bytes())).unwrap();
        let told: Vec<_> = issues.iter().map(|issue| (issue.test.as_str(), issue.line)).collect();
        assert_eq!(told, [("B105", 3), ("B105", 5)]);
    }
}

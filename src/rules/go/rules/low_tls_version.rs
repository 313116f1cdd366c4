//! Versions of TLS that are broken.

use super::prelude::*;
use crate::go::calls::package_member;

pub use crate::common::low_tls_version::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["selector_expression"], check_low_tls_version);

const OLD: &[&str] = &["VersionSSL30", "VersionTLS10", "VersionTLS11"];

fn check_low_tls_version<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(("crypto/tls", version)) = package_member(context, node).filter(|(_, name)| OLD.contains(name)) else {
        return;
    };
    let settings = context.tree().ancestors_of(node).take_while(|at| at.kind() != "literal_value");
    let is_setting = settings.into_iter().any(|at| {
        let name = field(at, "key").or_else(|| field(at, "left")).map_or("", |name| context.text(name));
        matches!(name.rsplit('.').next(), Some("MinVersion" | "MaxVersion"))
    });
    if is_setting && !context.is_test_file() && !is_chosen_by_user(context, node) && !is_told_with_more(context, node) {
        out.push(context.report(&RULE, node, format!("`{version}` can be broken on the way")));
    }
}

/// True in a case that turns a setting of the user into a version.
fn is_chosen_by_user(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let mut within = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    within.any(|at| at.kind() == "expression_case")
}

/// True beside `InsecureSkipVerify: true`: where no certificate is checked, the version protects nothing either, and that is told.
fn is_told_with_more(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let settings = context.tree().ancestors_of(node).find(|at| at.kind() == "literal_value");
    settings.is_some_and(|settings| context.text(settings).contains("InsecureSkipVerify: "))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &["import \"crypto/tls\"\nfunc f(c *tls.Config) { c.MinVersion = tls.VersionTLS11 }"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"crypto/tls\"\nfunc f(c *tls.Config, o O) { switch o.least { case 10: c.MinVersion = tls.VersionTLS10 } }",
                "import \"crypto/tls\"\nvar c = tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10}",

                "import \"crypto/tls\"\nfunc f(c *tls.Config) { c.MinVersion = tls.VersionTLS13 }",
                "import \"crypto/tls\"\nfunc f(v uint16) bool { return v == tls.VersionTLS10 }",
            ],
        );
    }
}

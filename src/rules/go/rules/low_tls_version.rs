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
    if is_setting && !context.is_test_file() {
        out.push(context.report(&RULE, node, format!("`{version}` can be broken on the way")));
    }
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
                "import \"crypto/tls\"\nfunc f(c *tls.Config) { c.MinVersion = tls.VersionTLS13 }",
                "import \"crypto/tls\"\nfunc f(v uint16) bool { return v == tls.VersionTLS10 }",
            ],
        );
    }
}

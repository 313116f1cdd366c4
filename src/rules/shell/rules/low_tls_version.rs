//! Versions of TLS that are broken.

use super::prelude::*;

pub use crate::common::low_tls_version::RULE;

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command"], check_low_tls_version);

fn check_low_tls_version<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    const CURL: &[&str] = &["--sslv2", "--sslv3", "-2", "-3", "--tlsv1", "--tlsv1.0", "--tlsv1.1", "-1"];
    const WGET: &[&str] =
        &["--secure-protocol=SSLv2", "--secure-protocol=SSLv3", "--secure-protocol=TLSv1", "--secure-protocol=TLSv1_1"];
    let Some(call) = command_call(context, node).filter(|_| !context.is_test_file()) else { return };
    let option = match call.name {
        "curl" => call.option(context, CURL),
        "wget" => call.option(context, WGET),
        _ => None,
    };
    if let Some(option) = option {
        out.push(context.report(
            &RULE,
            option,
            format!("`{}` allows versions of TLS that are broken", context.text(option)),
        ));
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
            &[r#"curl --tlsv1.0 https://a.example"#, r#"wget --secure-protocol=SSLv3 https://a.example"#],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[r#"curl --tlsv1.2 https://a.example"#, r#"wget --secure-protocol=auto https://a.example"#, r#"ls -1"#],
        );
    }
}

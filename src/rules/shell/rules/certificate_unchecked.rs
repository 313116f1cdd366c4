//! Downloads from whoever answers.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "certificate-unchecked",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Without the check of certificates anybody on the way can answer in place of the server.",
    help: "Name the certificate with `--cacert`, or have it installed where the system looks.",
    explanation: "A certificate shows that the server is the one that was named. With `-k`, \
        `--no-check-certificate` or `http.sslVerify=false` whoever controls the network gives the \
        script what he likes, and it is run, unpacked or believed as if it came from the server.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
curl -k -o data.json https://data.example/latest.json
"#,
        good: r#"#!/bin/sh
curl --cacert own-ca.pem -f -o data.json https://data.example/latest.json
"#,
    }],
    cwe: Some("CWE-295"),
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner =
    ShellRunner::Kinds(&["command", "variable_assignment"], check_certificate_unchecked);

fn check_certificate_unchecked<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    const SWITCHES: &[(&str, &[&str])] = &[
        ("GIT_SSL_NO_VERIFY", &["1", "true"]),
        ("NODE_TLS_REJECT_UNAUTHORIZED", &["0"]),
        ("PYTHONHTTPSVERIFY", &["0"]),
    ];
    if node.kind() == "variable_assignment" {
        let (Some(name), Some(value)) = (field(node, "name"), field(node, "value")) else { return };
        let (name, value) = (context.text(name), unquoted(context.text(value)));
        if SWITCHES.iter().any(|(known, off)| *known == name && off.contains(&value)) {
            out.push(context.report(&RULE, node, format!("`{name}={value}` takes any certificate for the right one")));
        }
        return;
    }
    let Some(call) = command_call(context, node) else { return };
    let option = match call.name {
        "curl" => call.option(context, &["--insecure"]).or_else(|| call.short_option(context, 'k')),
        "wget" => call.option(context, &["--no-check-certificate"]),
        "git" => call.option(context, &["http.sslVerify=false", "http.sslverify=false"]),
        _ => None,
    };
    if let Some(option) = option {
        let (name, option_text) = (call.name, context.text(option));
        let message = format!("`{name} {option_text}` takes any certificate for the right one");
        out.push(context.report(&RULE, option, message));
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
            &[
                r#"curl -k https://a.example/x"#,
                r#"curl -fsSLk https://a.example/x"#,
                r#"sudo wget --no-check-certificate https://a.example/x"#,
                r#"git -c http.sslVerify=false pull"#,
                r#"GIT_SSL_NO_VERIFY=true git pull"#,
                r#"export NODE_TLS_REJECT_UNAUTHORIZED=0"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"curl -fsSL https://a.example/k"#,
                r#"curl --cacert ca.pem https://a.example/x"#,
                r#"echo curl --insecure"#,
                r#"tar -k x"#,
                r#"GIT_SSL_NO_VERIFY=0 git pull"#,
            ],
        );
    }
}

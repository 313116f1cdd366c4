//! Downloads that take an error for the file.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "curl-without-fail",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "Without `--fail`, curl ends well when the server says that there is no such file, and keeps its page.",
    help: "Add `--fail` (`-f`).",
    explanation: "An answer such as 404 or 500 is an answer for curl: the text of the error is written where the \
        file should be, and the exit code is 0. What comes next unpacks or runs a page of HTML. With \
        `--fail` curl ends with 22 and writes nothing.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
curl -L -o tool.tar.gz https://tool.example/tool.tar.gz
"#,
        good: r#"#!/bin/sh
curl --fail -L -o tool.tar.gz https://tool.example/tool.tar.gz
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command"], check_curl_without_fail);

fn check_curl_without_fail<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(call) = command_call(context, node).filter(|call| call.name == "curl") else { return };
    let keeps = call.option(context, &["--output", "--remote-name", "--remote-name-all"]).is_some()
        || call.short_option(context, 'o').is_some()
        || call.short_option(context, 'O').is_some();
    let asks = call.short_option(context, 'f').is_some()
        || call.short_option(context, 'w').is_some()
        || call.short_option(context, 'I').is_some()
        || call.texts(context).iter().any(|text| text.starts_with("--fail") || text.starts_with("--write-out"));
    // With the answer of the server left out there is nothing that could be taken for the file.
    let nowhere = call.texts(context).contains(&"/dev/null");
    let opaque = call.arguments.iter().any(|argument| matches!(argument.kind(), "simple_expansion" | "expansion"));
    if keeps && !asks && !nowhere && !opaque && !context.is_test_file() {
        out.push(context.report(&RULE, node, "the page about an error is kept as if it were the file"));
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
                r#"curl -o a.tar https://a.example/a.tar"#,
                r#"curl -sSLO https://a.example/a.tar"#,
                r#"curl --location --output a.tar https://a.example/a.tar"#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"curl -fsSLo a.tar https://a.example/a.tar"#,
                r#"curl --fail -O https://a.example/a.tar"#,
                r#"curl -o /dev/null https://a.example"#,
                r#"curl https://a.example"#,
                r#"curl -s -o a -w '%{http_code}' https://a.example"#,
                r#"curl $OPTIONS -O https://a.example/a"#,
            ],
        );
    }
}

//! Names of labels.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-label-key",
    aliases: &["hadolint:DL3048"],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "The label's name breaks the rules for labels, or is reserved.",
    help: "use lower-case words with dots and dashes, beginning with a letter",
    explanation: "Names of labels are lower-case words with dots and dashes, and `com.docker.*`, `io.docker.*` and \
        `org.dockerproject.*` are reserved. Tools that read labels miss the others or refuse them. The names below \
        `org.opencontainers.image` are what everybody understands.",
    examples: &[Example {
        path: "Dockerfile",
        bad: r#"FROM debian:12.8
LABEL Title="shop"
"#,
        good: r#"FROM debian:12.8
LABEL org.opencontainers.image.title="shop"
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_label_key;

fn check_label_key(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for label in file.instructions_named("LABEL") {
        for (key, _) in label.pairs() {
            let reserved =
                ["com.docker.", "io.docker.", "org.dockerproject."].iter().any(|start| key.starts_with(start));
            let letters = key.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'_' | b'/')
            });
            let edges =
                key.starts_with(|c: char| c.is_ascii_lowercase()) && key.ends_with(|c: char| c.is_ascii_alphanumeric());
            if !key.is_empty()
                && !key.contains('$')
                && (reserved || !letters || !edges || key.contains("..") || key.contains("--"))
            {
                sink.report_finding(label.place, format!("the label name `{key}` is not allowed"));
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nLABEL A=1\nLABEL com.docker.x=1\nLABEL a..b=1\n", &[2, 3, 4]),
                ("FROM a:1\nLABEL org.opencontainers.image.title=x \"a-b\"=c\n", &[]),
            ],
        );
    }
}

//! The shell replaced by a link.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-linked-shell",
    aliases: &["hadolint:DL4005"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "Replacing /bin/sh surprises everything that relies on it.",
    help: "use SHELL",
    explanation: "Replacing `/bin/sh` by bash changes every script of the distribution that expects a plain shell. The \
        instruction `SHELL` chooses the shell of the following `RUN` lines and leaves the system alone.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN ln -sf /bin/bash /bin/sh
",
        good: r#"FROM debian:12.8
SHELL ["/bin/bash", "-c"]
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_linked_shell;

fn check_linked_shell(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "ln") {
        if command.has_argument(&["/bin/sh"]) {
            sink.report_finding(FileLocation::line(command.line), "/bin/sh is replaced");
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
            &[("FROM a:1\nRUN ln -sf /bin/bash /bin/sh\n", &[2]), ("FROM a:1\nRUN ln -s /bin/a /bin/b\n", &[])],
        );
    }
}

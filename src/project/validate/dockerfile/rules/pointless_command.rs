//! Commands that make no sense during a build.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-pointless-command",
    aliases: &["hadolint:DL3001"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "The command does nothing useful while an image is built.",
    help: "leave it out, or run it in the container",
    explanation: "While an image is built there are no services to start, no mounted disks and no user at a terminal. \
        A command such as `service`, `mount`, `ssh`, `top` or `shutdown` has no effect that lasts. Run it in the \
        container, or leave it out.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN service nginx start
",
        good: r#"FROM debian:12.8
CMD ["nginx", "-g", "daemon off;"]
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_pointless_command;

const POINTLESS: [&str; 11] =
    ["free", "kill", "mount", "ps", "service", "shutdown", "ssh", "systemctl", "top", "umount", "vim"];

fn check_pointless_command(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs() {
        if POINTLESS.contains(&command.name()) {
            sink.report_finding(FileLocation::line(command.line), format!("`{}` does nothing useful in a build", command.name()));
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
            &[("FROM a:1\nRUN x && service y start\n", &[2]), ("FROM a:1\nRUN echo service\n", &[])],
        );
    }
}

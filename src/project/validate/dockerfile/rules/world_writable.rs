//! Files that anybody may write.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-world-writable",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "Anybody in the container may change what is there.",
    help: "give the rights to one user",
    explanation: "With 777 every process in the container may replace the file, also one that was taken over and has \
        no rights otherwise; a program that is later run as root may then be somebody else's. Give the right to the \
        one user who needs it.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN chmod -R 777 /app
",
        good: "FROM debian:12.8
RUN chown -R 1000:1000 /app && chmod -R 750 /app
",
    }],
    cwe: Some("CWE-732"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_world_writable;

fn check_world_writable(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "chmod") {
        let open = |word: &String| {
            matches!(word.as_str(), "777" | "0777" | "a+rwx" | "ugo+rwx" | "o+w" | "a+w" | "666" | "0666")
        };
        if command.arguments().iter().any(open) {
            sink.report_finding(FileLocation::line(command.line), "anybody may write these files");
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
            &[("FROM a:1\nRUN chmod -R 777 /x\n", &[2]), ("FROM a:1\nRUN chmod 755 /x\n", &[])],
        );
    }
}

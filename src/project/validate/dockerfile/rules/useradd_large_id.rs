//! Users with very high numbers.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-useradd-large-id",
    aliases: &["hadolint:DL3046"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "useradd writes a log as large as the user's number: gigabytes for a high one.",
    help: "add `--no-log-init`",
    explanation: "`useradd` writes a log that has room for every user number up to the new one. The file is sparse, \
        but image layers store the hole: gigabytes for a high number. `--no-log-init` leaves that log out.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN useradd -u 1000700000 app
",
        good: "FROM debian:12.8
RUN useradd --no-log-init -u 1000700000 app
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_useradd_large_id;

fn check_useradd_large_id(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "useradd") {
        let arguments = command.arguments();
        let after = arguments
            .iter()
            .position(|word| matches!(word.as_str(), "-u" | "--uid"))
            .and_then(|at| arguments.get(at + 1));
        let joined = arguments.iter().find_map(|word| word.strip_prefix("--uid=").or_else(|| word.strip_prefix("-u")));
        let id = after.map(String::as_str).or(joined).unwrap_or_default();
        if id.len() > 5
            && id.bytes().all(|byte| byte.is_ascii_digit())
            && !command.has_argument(&["--no-log-init"])
            && !command.has_short('l')
        {
            sink.report_finding(FileLocation::line(command.line), format!("the user number {id} makes useradd write a huge log"));
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
                ("FROM a:1\nRUN useradd -u 123456 x\n", &[2]),
                ("FROM a:1\nRUN useradd -l -u 123456 x && useradd -u 1000 y\n", &[]),
            ],
        );
    }
}

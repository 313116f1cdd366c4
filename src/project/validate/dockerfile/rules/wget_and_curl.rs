//! Both wget and curl.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-wget-and-curl",
    aliases: &["hadolint:DL4001"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "Two programs for one purpose make the image larger.",
    help: "use one of them",
    explanation: "Both programs fetch files. Installing and keeping up two of them for one purpose makes the image \
        larger and gives an attacker one more tool. Choose one.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN wget -q https://example.com/a
RUN curl -O https://example.com/b
",
        good: "FROM debian:12.8
RUN curl -O https://example.com/a
RUN curl -O https://example.com/b
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_wget_and_curl;

fn check_wget_and_curl(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for stage in 0..file.stages.len() {
        let in_stage = || file.runs_of_stage(stage);
        let first = |name: &'static str| in_stage().find(|(_, command)| command.name() == name);
        let (Some(wget), Some(curl)) = (first("wget"), first("curl")) else { continue };
        let later = if wget.1.line >= curl.1.line { "wget" } else { "curl" };
        for (_, command) in in_stage().filter(|(_, command)| command.name() == later) {
            sink.report_finding(FileLocation::line(command.line), "the stage uses both wget and curl");
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
                ("FROM a:1\nRUN wget -q x\nRUN curl x\n", &[3]),
                ("FROM a:1\nRUN wget -q x\nFROM b:1\nRUN curl x\n", &[]),
            ],
        );
    }
}

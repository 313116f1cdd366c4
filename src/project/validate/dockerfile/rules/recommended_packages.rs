//! Packages that nobody asked for.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-recommended-packages",
    aliases: &["hadolint:DL3015"],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "apt-get also installs what packages merely recommend.",
    help: "add `--no-install-recommends`",
    explanation: "Debian's packages recommend others, and `apt-get` installs these as well: documentation, tools, at \
        times a mail server. `--no-install-recommends` keeps the image to what was asked for.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN apt-get install -y curl=7.88.1-10
",
        good: "FROM debian:12.8
RUN apt-get install -y --no-install-recommends curl=7.88.1-10
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_recommended_packages;

fn check_recommended_packages(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs() {
        let lean =
            command.has_argument(&["--no-install-recommends", "APT::Install-Recommends=false", "APT::Install-Recommends=0"]);
        if command.runs_action(&["apt-get"], &["install"]) && !lean {
            sink.report_finding(FileLocation::line(command.line), "recommended packages are installed too");
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
                ("FROM a:1\nRUN apt-get install -y a=1\n", &[2]),
                ("FROM a:1\nRUN apt-get install -y --no-install-recommends a=1\n", &[]),
            ],
        );
    }
}

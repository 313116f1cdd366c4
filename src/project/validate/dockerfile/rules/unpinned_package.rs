//! Packages installed without a version.

use super::super::install::Installation;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-unpinned-package",
    aliases: &[
        "hadolint:DL3008",
        "hadolint:DL3013",
        "hadolint:DL3016",
        "hadolint:DL3018",
        "hadolint:DL3028",
        "hadolint:DL3033",
        "hadolint:DL3037",
        "hadolint:DL3041",
        "hadolint:DL3062",
    ],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "A package without a version is another one each day.",
    help: "fix the version, or take versions from a lock file",
    explanation: "Without a version the newest one on the day of the build is installed. Two builds of the same \
        Dockerfile then differ, and a bad release arrives without anybody having chosen it. Name versions, or install \
        from a lock file.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM python:3.13.1-slim
RUN pip install --no-cache-dir requests
",
        good: "FROM python:3.13.1-slim
RUN pip install --no-cache-dir requests==2.32.3
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_unpinned_package;

fn check_unpinned_package(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for (_, command) in file.runs() {
        let Some(installation) = Installation::from_command(command) else { continue };
        let loose = installation.unpinned();
        // `apt` is a rule of its own.
        if loose.is_empty() || command.name() == "apt" {
            continue;
        }
        let manager = installation.manager;
        let message =
            format!("{} installs {} without a version (as `{}`)", manager.name, loose.join(", "), manager.example);
        sink.report_finding(FileLocation::line(command.line), message);
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
                ("FROM a:1\nRUN apt-get update && \\\n  apt-get install -y a\nRUN npm i x\n", &[3, 4]),
                ("FROM a:1\nRUN pip install a==1 -r r.txt\n", &[]),
            ],
        );
    }
}

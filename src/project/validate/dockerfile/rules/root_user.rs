//! Images that end as root by their own word.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-root-user",
    aliases: &["hadolint:DL3002"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The container runs as root, so whoever takes over the process owns the container.",
    help: "end the last stage with USER and a user without rights",
    explanation: "The last `USER` is who the process runs as. As root it may change everything in the container, and a \
        fault in the kernel or a mount is all it needs to reach the machine. Use root for the steps that need it and \
        end with a user without rights.",
    examples: &[Example {
        path: "Dockerfile",
        bad: r#"FROM python:3.13.1-slim
USER root
CMD ["python", "-m", "app"]
"#,
        good: r#"FROM python:3.13.1-slim
USER root
RUN mkdir /data
USER 1000
CMD ["python", "-m", "app"]
"#,
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_root_user;

fn check_root_user(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for stage in 0..file.stages.len() {
        let last = file.of_stage(stage).filter(|instruction| instruction.is("USER")).last();
        let Some(user) = last else { continue };
        let name = user.words.first().map_or("", |word| word.split(':').next().unwrap_or_default());
        if matches!(name, "root" | "0") {
            sink.report_finding(user.place, "the last USER of the stage is root");
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
                ("FROM a:1\nUSER app\nUSER root\n", &[3]),
                ("FROM a:1\nUSER 0:0\nFROM b:1\nUSER app\n", &[2]),
                ("FROM a:1\nUSER root\nUSER 1000\n", &[]),
            ],
        );
    }
}

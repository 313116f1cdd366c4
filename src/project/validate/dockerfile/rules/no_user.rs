//! Images that never say whom they run as.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-no-user",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "No USER is set, so the container runs as whatever the base image says, mostly root.",
    help: "create a user and name it with USER",
    explanation: "Without `USER` the process runs as whoever the base image says, and that is nearly always root. Who \
        takes over the process then owns everything in the container, and has the best start for leaving it. Create a \
        user without rights and name it at the end.",
    examples: &[Example {
        path: "Dockerfile",
        bad: r#"FROM python:3.13.1-slim
CMD ["python", "-m", "app"]
"#,
        good: r#"FROM python:3.13.1-slim
RUN useradd --uid 1000 app
USER 1000
CMD ["python", "-m", "app"]
"#,
    }],
    cwe: Some("CWE-250"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_no_user;

fn check_no_user(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    let Some(stage) = file.stages.last() else { return };
    // A stage that goes on from another has its user.
    let mut index = file.stages.len() - 1;
    let mut image = stage.image.as_str();
    loop {
        if file.of_stage(index).any(|instruction| instruction.is("USER")) {
            return;
        }
        match file.stage_named(image, index).and_then(|at| Some((at, file.stages.get(at)?))) {
            Some((at, before)) => (index, image) = (at, before.image.as_str()),
            None => break,
        }
    }
    let runs = file.of_stage(file.stages.len() - 1).any(|i| matches!(i.keyword.as_str(), "CMD" | "ENTRYPOINT"));
    if runs && !image.contains("nonroot") && !image.contains('$') {
        sink.report_finding(stage.place, "nothing says whom the container runs as");
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
                ("FROM a:1\nCMD [\"x\"]\n", &[1]),
                ("FROM a:1 AS b\nUSER x\nFROM b\nCMD [\"x\"]\n", &[]),
                ("FROM a:1\nUSER x\nCMD [\"x\"]\n", &[]),
                ("FROM a:1\nRUN x\n", &[]),
            ],
        );
    }
}

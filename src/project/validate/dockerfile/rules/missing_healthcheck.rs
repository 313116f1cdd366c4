//! Images without a health check.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-missing-healthcheck",
    aliases: &["hadolint:DL3057"],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "Nothing tells whether the service in the container still works.",
    help: "add HEALTHCHECK, or let the orchestrator probe it",
    explanation: "A process can run and yet answer nobody. With `HEALTHCHECK` Docker asks the service itself and \
        others can wait for its answer. Orchestrators such as Kubernetes have probes of their own, where this is no \
        loss.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM nginx:1.27.3
EXPOSE 80
",
        good: r#"FROM nginx:1.27.3
EXPOSE 80
HEALTHCHECK CMD ["curl", "-f", "http://localhost/"]
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_missing_healthcheck;

fn check_missing_healthcheck(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    let Some(last) = file.stages.len().checked_sub(1) else { return };
    let serves = file.of_stage(last).any(|instruction| instruction.is("EXPOSE"));
    let checked = file.instructions_named("HEALTHCHECK").next().is_some();
    if let (true, false, Some(stage)) = (serves, checked, file.stages.get(last)) {
        sink.report_finding(stage.place, "the image serves a port and has no HEALTHCHECK");
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
                ("FROM a:1\nEXPOSE 80\n", &[1]),
                ("FROM a:1\nEXPOSE 80\nHEALTHCHECK CMD x\n", &[]),
                ("FROM a:1\nCMD [\"x\"]\n", &[]),
            ],
        );
    }
}

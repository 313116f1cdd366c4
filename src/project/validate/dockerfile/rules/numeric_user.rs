//! Users named by word.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-numeric-user",
    aliases: &["hadolint:DL3066"],
    category: Category::Maintainability,
    severity: Severity::Info,
    cost: 0,
    blocking: false,
    summary: "Orchestrators that demand a user other than root cannot tell it from a name.",
    help: "name the user by number",
    explanation: "Kubernetes with `runAsNonRoot` refuses an image whose user it knows by name only, since a name may \
        well stand for root. A number says it.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM python:3.13.1-slim
USER app
",
        good: "FROM python:3.13.1-slim
USER 1000
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_numeric_user;

fn check_numeric_user(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for user in file.instructions_named("USER") {
        let name = user.words.first().map_or("", |word| word.split(':').next().unwrap_or_default());
        if !name.is_empty()
            && name != "root"
            && !name.starts_with('$')
            && !name.bytes().all(|byte| byte.is_ascii_digit())
        {
            sink.report_finding(user.place, format!("the user `{name}` is named, not numbered"));
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
            &[("FROM a:1\nUSER app\n", &[2]), ("FROM a:1\nUSER 1000:1000\nUSER $U\n", &[])],
        );
    }
}

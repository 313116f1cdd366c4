//! Variables used in the ENV that sets them.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-env-refers-to-itself",
    aliases: &["hadolint:DL3044"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "All of an ENV is set at once, so a variable in it still has its old value.",
    help: "use an ENV of its own for the second variable",
    explanation: "All variables of one `ENV` get their values at once, so a reference to another one of the same \
        instruction sees the value from before: mostly nothing. Give the second variable an `ENV` of its own.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
ENV HOME_DIR=/opt/app BIN_DIR=$HOME_DIR/bin
",
        good: "FROM debian:12.8
ENV HOME_DIR=/opt/app
ENV BIN_DIR=$HOME_DIR/bin
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_env_refers_to_itself;

fn check_env_refers_to_itself(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for env in file.instructions_named("ENV") {
        let Some(stage) = env.stage else { continue };
        let before = file.of_stage(stage).take_while(|instruction| instruction.place.line < env.place.line);
        let sets = before.filter(|instruction| matches!(instruction.keyword.as_str(), "ENV" | "ARG"));
        let earlier: Vec<&str> = sets.flat_map(|instruction| instruction.pairs()).map(|(name, _)| name).collect();
        let pairs = env.pairs();
        let names = pairs.iter().map(|(name, _)| *name).filter(|name| !earlier.contains(name));
        for name in names {
            if let Some((user, _)) = pairs.iter().find(|(other, value)| *other != name && refers_to_variable(value, name)) {
                sink.report_finding(env.place, format!("`{user}` uses `{name}`, which the same ENV sets"));
                break;
            }
        }
    }
}

/// True when a value refers to a variable.
fn refers_to_variable(value: &str, name: &str) -> bool {
    value.match_indices('$').any(|(at, _)| {
        let rest = value.get(at + 1..).unwrap_or_default();
        let braced = rest.strip_prefix('{');
        let rest = braced.unwrap_or(rest);
        rest.strip_prefix(name).is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nENV A=1 B=$A\nENV C=1 D=${C}x\n", &[2, 3]),
                ("FROM a:1\nENV A=1\nENV B=$A C=$AB PATH=$PATH:/x\nENV A=2 D=$A\n", &[]),
            ],
        );
    }
}

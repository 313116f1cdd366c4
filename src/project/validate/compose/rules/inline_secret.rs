//! Secrets written into the file.

use super::super::model::services;
use super::prelude::*;
use crate::validate::secret_value;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "compose-inline-secret",
            Category::Security,
            Severity::High,
            "Whoever may read the file knows the secret, for ever.",
            "use `secrets`, or a variable from outside the repository: `${NAME:?}`",
        ),
        "CWE-798",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        let sections = [service.get("environment"), service.node.at(&["build", "args"])];
        for (name, value, place) in sections.into_iter().flatten().flat_map(Node::pairs) {
            if secret_value::is_written(name, value) {
                sink.say(place, format!("`{name}` of the service `{}` is written here", service.name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("services:\n  a:\n    environment:\n      POSTGRES_PASSWORD: hunter22\n", &[4]),
                ("services:\n  a:\n    environment:\n      - API_KEY=abc123\n      - B=${API_KEY:-abc}\n", &[4]),
                (
                    "services:\n  a:\n    environment:\n      POSTGRES_PASSWORD: ${PW:?}\n      POSTGRES_PASSWORD_FILE: /run/secrets/x\n      POSTGRES_USER: me\n",
                    &[],
                ),
            ],
        );
    }
}

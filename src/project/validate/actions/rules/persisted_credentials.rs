//! Tokens left in the checkout.

use super::super::model::{steps, uses};
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "actions-persisted-credentials",
            Category::Security,
            Severity::Low,
            "The token stays in the folder, where every later step and artifact has it.",
            "add `persist-credentials: false`",
        ),
        "CWE-522",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for step in steps(root) {
        let Some((_, _, at)) = uses(step).filter(|(name, ..)| *name == "actions/checkout") else { continue };
        let persisted = step.at(&["with", "persist-credentials"]).and_then(Node::text) != Some("false");
        if persisted {
            sink.say(at.place, "the checkout keeps the token in the folder");
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
                ("jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n", &[4]),
                (
                    "jobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n        with: {persist-credentials: false}\n",
                    &[],
                ),
            ],
        );
    }
}

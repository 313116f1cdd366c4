//! Services without a health check.

use super::super::model::services;
use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "compose-missing-healthcheck",
        Category::Maintainability,
        Severity::Low,
        "Nothing tells whether the service still works, and others cannot wait for it.",
        "add `healthcheck`",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        let disabled = service.node.at(&["healthcheck", "disable"]).is_some_and(Node::is_true);
        let lives = service.image().is_some() || service.get("build").is_some();
        if lives && (service.get("healthcheck").is_none() || disabled) && service.get("extends").is_none() {
            sink.say(service.key.place, format!("the service `{}` has no health check", service.name));
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
                ("services:\n  a:\n    image: x:1\n  b:\n    image: x:1\n    healthcheck: {disable: true}\n", &[2, 4]),
                ("services:\n  a:\n    image: x:1\n    healthcheck: {test: x}\n", &[]),
            ],
        );
    }
}

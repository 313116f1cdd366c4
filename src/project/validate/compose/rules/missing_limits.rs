//! Services without limits.

use super::super::model::services;
use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "compose-missing-limits",
        Category::Maintainability,
        Severity::Low,
        "One service can take all memory of the machine.",
        "set `deploy.resources.limits`, or `mem_limit` and `cpus`",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        let limited = service.node.at(&["deploy", "resources", "limits", "memory"]).is_some()
            || service.get("mem_limit").is_some();
        let lives = service.image().is_some() || service.get("build").is_some();
        if lives && !limited && service.get("extends").is_none() {
            sink.say(service.key.place, format!("the service `{}` may take all memory", service.name));
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
                ("services:\n  a:\n    image: x:1\n", &[2]),
                (
                    "services:\n  a:\n    image: x:1\n    mem_limit: 1g\n  b:\n    image: x:1\n    deploy: {resources: {limits: {memory: 1G}}}\n",
                    &[],
                ),
            ],
        );
    }
}

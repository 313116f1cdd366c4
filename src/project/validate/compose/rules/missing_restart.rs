//! Services that are not started again.

use super::super::model::services;
use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "compose-missing-restart",
        Category::Maintainability,
        Severity::Info,
        "A service that fails stays down.",
        "set `restart: unless-stopped`",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        let policy = service.get("restart").is_some() || service.node.at(&["deploy", "restart_policy"]).is_some();
        if service.image().is_some() && !policy && service.get("extends").is_none() {
            sink.say(service.key.place, format!("the service `{}` stays down when it fails", service.name));
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
                ("services:\n  a:\n    image: x:1\n    restart: always\n", &[]),
            ],
        );
    }
}

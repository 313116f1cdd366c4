//! Services that ask to be root.

use super::super::model::services;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "compose-root-user",
            Category::Security,
            Severity::Medium,
            "The service runs as root.",
            "name a user without rights",
        ),
        "CWE-250",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        let user = service
            .get("user")
            .filter(|user| user.text().is_some_and(|name| matches!(name.split(':').next(), Some("root" | "0"))));
        if let Some(user) = user {
            sink.say(user.place, format!("the service `{}` runs as root", service.name));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("services:\n  a:\n    user: \"0:0\"\n", &[3]), ("services:\n  a:\n    user: \"1000\"\n", &[])],
        );
    }
}

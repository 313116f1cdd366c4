//! Capabilities that give the machine away.

use super::super::model::services;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "compose-added-capability",
            Category::Security,
            Severity::Medium,
            "The capability is nearly as good as root on the machine.",
            "drop all capabilities and add the few that are needed",
        ),
        "CWE-250",
    ),
    hadolint: &[],
    run,
};

const STRONG: [&str; 9] =
    ["ALL", "BPF", "DAC_READ_SEARCH", "NET_ADMIN", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO", "SYS_TIME"];

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        for added in service.get("cap_add").map(Node::items).unwrap_or_default() {
            let name = added.text().unwrap_or_default().to_ascii_uppercase();
            if STRONG.contains(&name.strip_prefix("CAP_").unwrap_or(&name)) {
                sink.say(added.place, format!("the service `{}` is given {name}", service.name));
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
                ("services:\n  a:\n    cap_add: [SYS_ADMIN]\n", &[3]),
                ("services:\n  a:\n    cap_add:\n      - NET_BIND_SERVICE\n", &[]),
            ],
        );
    }
}

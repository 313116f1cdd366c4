//! Folders of the system that a container may write.

use super::super::model::services;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "compose-host-mount",
            Category::Security,
            Severity::Medium,
            "The container can change the system it runs on.",
            "mount a folder of its own, or read-only",
        ),
        "CWE-668",
    ),
    hadolint: &[],
    run,
};

const SYSTEM: [&str; 12] =
    ["/", "/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/root", "/run", "/sys", "/usr", "/var"];

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        for (source, writable, at) in service.host_mounts() {
            let trimmed = if source == "/" { source } else { source.trim_end_matches('/') };
            if SYSTEM.contains(&trimmed) && (writable || matches!(trimmed, "/" | "/etc" | "/root")) {
                sink.say(at.place, format!("the service `{}` gets the system folder `{source}`", service.name));
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
                ("services:\n  a:\n    volumes:\n      - /:/host\n      - /etc:/x:ro\n", &[4, 5]),
                ("services:\n  a:\n    volumes: [\"/etc/localtime:/etc/localtime:ro\", \"./x:/y\"]\n", &[]),
            ],
        );
    }
}

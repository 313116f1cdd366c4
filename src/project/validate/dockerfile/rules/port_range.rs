//! Ports that do not exist.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-port-range",
    aliases: &["hadolint:DL3011"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "There are no ports above 65535.",
    help: "name a port from 0 to 65535",
    explanation: "Ports go from 0 to 65535. A higher number is a typing mistake, and the builder refuses it.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
EXPOSE 80800
",
        good: "FROM debian:12.8
EXPOSE 8080
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_port_range;

fn check_port_range(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for expose in file.instructions_named("EXPOSE") {
        for word in &expose.words {
            let ports = word.split('/').next().unwrap_or_default();
            let wrong = ports.split('-').filter_map(|port| port.parse::<u64>().ok()).find(|port| *port > 65_535);
            if let Some(port) = wrong {
                sink.report_finding(expose.place, format!("there is no port {port}"));
            }
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
            &[
                ("FROM a:1\nEXPOSE 80 70000\nEXPOSE 1-99999/tcp\n", &[2, 3]),
                ("FROM a:1\nEXPOSE 80/udp $PORT 65535\n", &[]),
            ],
        );
    }
}

//! Ports that do not exist.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-port-range",
        Category::Maintainability,
        Severity::High,
        "There are no ports above 65535.",
        "name a port from 0 to 65535",
    ),
    hadolint: &["DL3011"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for expose in file.all("EXPOSE") {
        for word in &expose.words {
            let ports = word.split('/').next().unwrap_or_default();
            let wrong = ports.split('-').filter_map(|port| port.parse::<u64>().ok()).find(|port| *port > 65_535);
            if let Some(port) = wrong {
                sink.say(expose.place, format!("there is no port {port}"));
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
                ("FROM a:1\nEXPOSE 80 70000\nEXPOSE 1-99999/tcp\n", &[2, 3]),
                ("FROM a:1\nEXPOSE 80/udp $PORT 65535\n", &[]),
            ],
        );
    }
}

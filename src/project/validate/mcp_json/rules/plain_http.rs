//! Servers reached without encryption.

use super::super::model::servers;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "mcp-plain-http",
            Category::Security,
            Severity::Medium,
            "Everybody on the way can read and change what is said.",
            "use https",
        ),
        "CWE-319",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for server in servers(root) {
        let Some(url) = server.node.get("url") else { continue };
        let Some(rest) = url.text().unwrap_or_default().strip_prefix("http://") else { continue };
        let host = rest.split(['/', ':', '?']).next().unwrap_or_default();
        if !matches!(host, "localhost" | "127.0.0.1" | "[") && !rest.starts_with("[::1]") && !host.contains('$') {
            sink.say(url.place, format!("the server `{}` is reached without encryption", server.name));
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
                ("{\"mcpServers\": {\"a\": {\"url\": \"http://x.io/mcp\"}}}", &[1]),
                (
                    "{\"mcpServers\": {\"a\": {\"url\": \"http://localhost:1/mcp\"}, \"b\": {\"url\": \"https://x\"}}}",
                    &[],
                ),
            ],
        );
    }
}

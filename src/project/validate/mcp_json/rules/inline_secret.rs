//! Secrets written into a list of servers.

use super::super::model::servers;
use super::prelude::*;
use crate::validate::secret_value;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "mcp-inline-secret",
            Category::Security,
            Severity::High,
            "The file lies in the repository, and the secret with it.",
            "use a variable of the environment: `${NAME}`",
        ),
        "CWE-798",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for server in servers(root) {
        let sections = [server.node.get("env"), server.node.get("headers")];
        for (name, value, place) in sections.into_iter().flatten().flat_map(Node::pairs) {
            let bearer = name.eq_ignore_ascii_case("authorization") && !secret_value::is_filled_in(value);
            if bearer || secret_value::is_written(name, value) {
                sink.say(place, format!("`{name}` of the server `{}` is written here", server.name));
            }
        }
        let arguments = server.arguments();
        for pair in arguments.windows(2) {
            let [flag, value] = pair else { continue };
            if let (Some(flag), Some(text)) = (flag.text().and_then(|flag| flag.strip_prefix("--")), value.text())
                && !flag.contains('=')
                && !text.starts_with('-')
                && secret_value::is_written(flag, text)
            {
                sink.say(value.place, format!("`--{flag}` of the server `{}` is written here", server.name));
            }
        }
        for argument in &arguments {
            let pair = argument.text().and_then(|text| text.trim_start_matches('-').split_once('='));
            if pair.is_some_and(|(name, value)| secret_value::is_written(name, value)) {
                sink.say(argument.place, format!("an argument of the server `{}` is a secret", server.name));
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
                (
                    "{\"mcpServers\": {\"a\": {\"command\": \"x\",\n\"env\": {\"API_KEY\": \"abc123\",\n\"B\": \"${API_KEY}\"},\n\"args\": [\"--token\",\n\"abc123\"]}}}",
                    &[2, 5],
                ),
                (
                    "{\"mcpServers\": {\"a\": {\"url\": \"https://x\",\n\"headers\": {\"Authorization\": \"Bearer abc\"}}}}",
                    &[2],
                ),
                ("{\"mcpServers\": {\"a\": {\"command\": \"x\", \"env\": {\"API_KEY\": \"${API_KEY}\"}}}}", &[]),
            ],
        );
    }
}

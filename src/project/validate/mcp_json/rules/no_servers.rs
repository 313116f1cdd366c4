//! Lists that name no server.

use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "mcp-no-servers",
        Category::Maintainability,
        Severity::High,
        "Without `mcpServers` the file names no server.",
        "put the servers under `mcpServers`",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    let list = root.get("mcpServers").or_else(|| root.get("servers"));
    if list.is_none_or(|list| list.entries().is_empty() && !list.is_nothing() && list.text().is_some()) {
        sink.say(Place::FILE, "there is no object `mcpServers`");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(&super::CHECK, &[("{}", &[0]), ("{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}", &[])]);
    }
}

//! How a list of servers is looked at.

use super::super::yaml::YamlNode;

/// One server: its name, where that stands, and what is said of it.
pub(super) struct McpServerEntry<'n> {
    pub(super) name: &'n str,
    pub(super) key: &'n YamlNode,
    pub(super) node: &'n YamlNode,
}

/// The servers of a list; editors call it `mcpServers` or `servers`.
pub(super) fn servers(root: &YamlNode) -> Vec<McpServerEntry<'_>> {
    let list = root.get("mcpServers").or_else(|| root.get("servers"));
    let entries = list.map(YamlNode::entries).unwrap_or_default();
    entries.into_iter().filter_map(|(key, node)| Some(McpServerEntry { name: key.text()?, key, node })).collect()
}

impl<'n> McpServerEntry<'n> {
    pub(super) fn text(&self, name: &str) -> Option<&'n str> {
        self.node.get(name)?.text()
    }

    /// The program without its folder.
    pub(super) fn program(&self) -> Option<&'n str> {
        self.text("command").map(|command| command.rsplit(['/', '\\']).next().unwrap_or(command))
    }

    pub(super) fn arguments(&self) -> Vec<&'n YamlNode> {
        self.node.get("args").map(|list| list.items().iter().map(AsRef::as_ref).collect()).unwrap_or_default()
    }
}

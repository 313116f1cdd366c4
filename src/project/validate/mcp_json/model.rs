//! How a list of servers is looked at.

use super::super::yaml::Node;

/// One server: its name, where that stands, and what is said of it.
pub(super) struct Server<'n> {
    pub(super) name: &'n str,
    pub(super) key: &'n Node,
    pub(super) node: &'n Node,
}

/// The servers of a list; editors call it `mcpServers` or `servers`.
pub(super) fn servers(root: &Node) -> Vec<Server<'_>> {
    let list = root.get("mcpServers").or_else(|| root.get("servers"));
    let entries = list.map(Node::entries).unwrap_or_default();
    entries.into_iter().filter_map(|(key, node)| Some(Server { name: key.text()?, key, node })).collect()
}

impl<'n> Server<'n> {
    pub(super) fn text(&self, name: &str) -> Option<&'n str> {
        self.node.get(name)?.text()
    }

    /// The program without its folder.
    pub(super) fn program(&self) -> Option<&'n str> {
        self.text("command").map(|command| command.rsplit(['/', '\\']).next().unwrap_or(command))
    }

    pub(super) fn arguments(&self) -> Vec<&'n Node> {
        self.node.get("args").map(|list| list.items().iter().map(AsRef::as_ref).collect()).unwrap_or_default()
    }
}

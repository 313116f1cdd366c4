//! How a compose file is looked at.

use super::super::yaml::Node;

/// One service: its name, where that stands, and what is said of it.
pub(super) struct Service<'n> {
    pub(super) name: &'n str,
    pub(super) key: &'n Node,
    pub(super) node: &'n Node,
}

/// The services of a file.
pub(super) fn services(root: &Node) -> Vec<Service<'_>> {
    let entries = root.get("services").map(Node::entries).unwrap_or_default();
    entries.into_iter().filter_map(|(key, node)| Some(Service { name: key.text()?, key, node })).collect()
}

impl<'n> Service<'n> {
    pub(super) fn get(&self, name: &str) -> Option<&'n Node> {
        self.node.get(name)
    }

    pub(super) fn image(&self) -> Option<&'n str> {
        self.get("image").and_then(Node::text)
    }

    /// Folders of the machine that the service sees: source, whether it may write, and where that is said.
    pub(super) fn host_mounts(&self) -> Vec<(&'n str, bool, &'n Node)> {
        let volumes = self.get("volumes").map(Node::items).unwrap_or_default();
        let mount = |volume: &'n std::sync::Arc<Node>| match volume.text() {
            Some(text) => {
                let (source, rest) = text.split_once(':')?;
                Some((source, !rest.split(':').any(|part| part.split(',').any(|flag| flag == "ro")), volume.as_ref()))
            }
            None => {
                let source = volume.get("source").or_else(|| volume.get("src"))?;
                Some((source.text()?, !volume.get("read_only").is_some_and(Node::is_true), volume.as_ref()))
            }
        };
        let on_host = |source: &str| source.starts_with(['/', '.', '~']) || source.starts_with("${HOME}");
        volumes.iter().filter_map(mount).filter(|(source, ..)| on_host(source)).collect()
    }

    /// Ports of the machine that lead to the service: the address they are bound to, the port inside, and where that is said.
    pub(super) fn published(&self) -> Vec<(Option<&'n str>, &'n str, &'n Node)> {
        let ports = self.get("ports").map(Node::items).unwrap_or_default();
        ports.iter().filter_map(|port| published(port)).collect()
    }
}

fn published(port: &Node) -> Option<(Option<&str>, &str, &Node)> {
    let Some(text) = port.text() else {
        let target = port.get("target")?.text()?;
        port.get("published")?;
        return Some((port.get("host_ip").and_then(Node::text), target, port));
    };
    let text = text.split('/').next().unwrap_or(text);
    let (before, target) = text.rsplit_once(':')?;
    let address = match before.strip_prefix('[') {
        Some(v6) => v6.split(']').next(),
        None => before.rsplit_once(':').map(|(address, _)| address),
    };
    Some((address, target, port))
}

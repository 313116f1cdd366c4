//! How a compose file is looked at.

use super::super::yaml::YamlNode;

/// One service: its name, where that stands, and what is said of it.
pub(super) struct Service<'n> {
    pub(super) name: &'n str,
    pub(super) key: &'n YamlNode,
    pub(super) node: &'n YamlNode,
}

/// The services of a file.
pub(super) fn services(root: &YamlNode) -> Vec<Service<'_>> {
    let entries = root.get("services").map(YamlNode::entries).unwrap_or_default();
    entries.into_iter().filter_map(|(key, node)| Some(Service { name: key.text()?, key, node })).collect()
}

impl<'n> Service<'n> {
    pub(super) fn get(&self, name: &str) -> Option<&'n YamlNode> {
        self.node.get(name)
    }

    pub(super) fn image(&self) -> Option<&'n str> {
        self.get("image").and_then(YamlNode::text)
    }

    /// Folders of the machine that the service sees: source, whether it may write, and where that is said.
    pub(super) fn host_mounts(&self) -> Vec<(&'n str, bool, &'n YamlNode)> {
        let volumes = self.get("volumes").map(YamlNode::items).unwrap_or_default();
        let mount = |volume: &'n std::sync::Arc<YamlNode>| match volume.text() {
            Some(text) => {
                let (source, rest) = text.split_once(':')?;
                Some((source, !rest.split(':').any(|part| part.split(',').any(|flag| flag == "ro")), volume.as_ref()))
            }
            None => {
                let source = volume.get("source").or_else(|| volume.get("src"))?;
                Some((source.text()?, !volume.get("read_only").is_some_and(YamlNode::is_true), volume.as_ref()))
            }
        };
        let on_host = |source: &str| source.starts_with(['/', '.', '~']) || source.starts_with("${HOME}");
        volumes.iter().filter_map(mount).filter(|(source, ..)| on_host(source)).collect()
    }

    /// Ports of the machine that lead to the service: the address they are bound to, the port inside, and where that is said.
    pub(super) fn published_ports(&self) -> Vec<(Option<&'n str>, &'n str, &'n YamlNode)> {
        let ports = self.get("ports").map(YamlNode::items).unwrap_or_default();
        ports.iter().filter_map(|port| published_port(port)).collect()
    }
}

fn published_port(port: &YamlNode) -> Option<(Option<&str>, &str, &YamlNode)> {
    let Some(text) = port.text() else {
        let target = port.get("target")?.text()?;
        port.get("published")?;
        return Some((port.get("host_ip").and_then(YamlNode::text), target, port));
    };
    let text = text.split('/').next().unwrap_or(text);
    let (before, target) = text.rsplit_once(':')?;
    let address = match before.strip_prefix('[') {
        Some(v6) => v6.split(']').next(),
        None => before.rsplit_once(':').map(|(address, _)| address),
    };
    Some((address, target, port))
}

//! How a workflow is looked at.

use super::super::yaml::YamlNode;

/// One job: its name, where that stands, and what is said of it.
pub(super) struct Job<'n> {
    pub(super) name: &'n str,
    pub(super) key: &'n YamlNode,
    pub(super) node: &'n YamlNode,
}

/// The jobs of a workflow.
pub(super) fn jobs(root: &YamlNode) -> Vec<Job<'_>> {
    let entries = root.get("jobs").map(YamlNode::entries).unwrap_or_default();
    entries.into_iter().filter_map(|(key, node)| Some(Job { name: key.text()?, key, node })).collect()
}

impl<'n> Job<'n> {
    pub(super) fn steps(&self) -> Vec<&'n YamlNode> {
        self.node.get("steps").map(|steps| steps.items().iter().map(AsRef::as_ref).collect()).unwrap_or_default()
    }
}

/// Every step of every job.
pub(super) fn steps(root: &YamlNode) -> Vec<&YamlNode> {
    jobs(root).iter().flat_map(Job::steps).collect()
}

/// The events that start the workflow.
pub(super) fn events(root: &YamlNode) -> Vec<&str> {
    // YAML 1.1 reads the key `on` as true; here it is text.
    let Some(on) = root.get("on") else { return Vec::new() };
    let named = on.one_or_many().into_iter().filter_map(YamlNode::text);
    named.chain(on.entries().into_iter().filter_map(|(key, _)| key.text())).collect()
}

/// The expressions `${{ … }}` in a text, without the braces.
pub(super) fn expressions(text: &str) -> Vec<&str> {
    let after = text.split("${{").skip(1);
    after.filter_map(|rest| rest.split_once("}}")).map(|(inside, _)| inside.trim()).collect()
}

/// What a step uses: owner and name, and the version after `@`.
pub(super) fn action_reference(node: &YamlNode) -> Option<(&str, Option<&str>, &YamlNode)> {
    let at = node.get("uses")?;
    let text = at.text()?;
    Some(text.split_once('@').map_or((text, None, at), |(name, version)| (name, Some(version), at)))
}

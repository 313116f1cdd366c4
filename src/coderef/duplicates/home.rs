//! Where code that stands several times could stand once.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::Graph;
use crate::model::{EdgeKind, EdgeStatus, EdgeTarget, FileId, GraphNode};

/// Which file of the project imports which, directly.
#[derive(Debug, Default)]
pub struct FileImports<'g>(BTreeMap<&'g str, BTreeSet<&'g str>>);

impl<'g> FileImports<'g> {
    /// The proven imports of a graph.
    #[must_use]
    pub fn from_graph(graph: &'g Graph<'g>) -> Self {
        let index = graph.index();
        let path = |file: FileId| index.files.get(file.0 as usize).map(|file| file.path.as_str());
        let file_of = |node: GraphNode| match node {
            GraphNode::File(file) => Some(file),
            GraphNode::Element(id) => index.elements.get(id.0 as usize).map(|element| element.file),
        };
        let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for edge in &index.edges {
            if edge.kind != EdgeKind::Import || edge.status != EdgeStatus::Resolved {
                continue;
            }
            let EdgeTarget::Node(to) = &edge.to else { continue };
            let ends = file_of(edge.from).and_then(path).zip(file_of(*to).and_then(path));
            if let Some((from, to)) = ends.filter(|(from, to)| from != to) {
                imports.entry(from).or_default().insert(to);
            }
        }
        Self(imports)
    }

    fn of(&self, path: &str) -> BTreeSet<&'g str> {
        self.0.get(path).cloned().unwrap_or_default()
    }
}

/// The file or folder nearest to all places: the one file they stand in, a file that every other of them imports already, or
/// else the folder that holds them all (`.` for the project). The paths are sorted and single.
#[must_use]
pub fn propose_home(paths: &[&str], imports: &FileImports<'_>) -> String {
    if let [only] = paths {
        return (*only).to_owned();
    }
    let mut common: Option<BTreeSet<&str>> = None;
    for path in paths {
        let mut reached = imports.of(path);
        // A place that the others import can keep the code for all.
        reached.extend(paths.iter().copied().filter(|one| one == path));
        common = Some(match common {
            None => reached,
            Some(common) => common.intersection(&reached).copied().collect(),
        });
    }
    let folder = common_folder(paths);
    let near = |path: &&str| shared_parts(path, &folder);
    let common = common.unwrap_or_default();
    // The nearest of them; of equals the first by path.
    let nearest = common.iter().rev().max_by_key(|path| (paths.contains(path), near(path)));
    nearest.map_or_else(
        || if folder.is_empty() { ".".to_owned() } else { format!("{folder}/") },
        |path| (*path).to_owned(),
    )
}

fn common_folder(paths: &[&str]) -> String {
    let folders = |path: &str| -> Vec<String> {
        let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
        parts.pop();
        parts
    };
    let mut common = paths.first().map(|path| folders(path)).unwrap_or_default();
    for path in paths {
        let same = common.iter().zip(folders(path)).take_while(|(a, b)| *a == b).count();
        common.truncate(same);
    }
    common.join("/")
}

fn shared_parts(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_common_ancestor_is_proposed() {
        let imports: &[(&str, &[&str])] = &[
            ("app/web/a.py", &["app/util.py", "lib/base.py"]),
            ("app/web/b.py", &["lib/base.py", "app/util.py"]),
            ("app/cli/c.py", &["lib/base.py", "app/web/a.py"]),
        ];
        let imports = FileImports(imports.iter().map(|(from, to)| (*from, to.iter().copied().collect())).collect());
        for (paths, expected) in [
            (vec!["app/web/a.py"], "app/web/a.py"),
            (vec!["app/web/a.py", "app/web/b.py"], "app/util.py"),
            (vec!["app/cli/c.py", "app/web/a.py"], "app/web/a.py"),
            (vec!["app/cli/c.py", "app/web/b.py"], "lib/base.py"),
            (vec!["app/cli/d.py", "app/web/b.py"], "app/"),
            (vec!["a.py", "app/web/b.py"], "."),
        ] {
            assert_eq!(propose_home(&paths, &imports), expected, "{paths:?}");
        }
    }
}

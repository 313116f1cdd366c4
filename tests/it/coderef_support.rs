//! Small projects for the tests of code intelligence, and their indexes as readable lines.

use std::path::Path;
use std::time::Duration;

use tapps_base::call::Call;
use tapps_coderef::engine::{ScanOptions, scan};
use tapps_coderef::model::{CodebaseIndex, EdgeKind, EdgeTarget, GraphNode};
use tapps_sandbox::Boundary;

pub(crate) fn call() -> Call {
    Call::quiet(Duration::from_secs(600))
}

/// A project of some files.
pub(crate) fn project(files: &[(&str, &str)]) -> (tempfile::TempDir, Boundary) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let boundary = Boundary::open(folder.path()).unwrap();
    (folder, boundary)
}

/// The index of a folder, nothing kept and nothing ignored.
pub(crate) fn index(boundary: &Boundary) -> CodebaseIndex {
    let options = ScanOptions { include_ignored: true, fresh: true, ..ScanOptions::default() };
    scan(boundary, &options, &call()).unwrap()
}

pub(crate) fn index_of(root: &Path) -> CodebaseIndex {
    index(&Boundary::open(root).unwrap())
}

/// `file` or `file:path` of a node.
pub(crate) fn node(index: &CodebaseIndex, node: GraphNode) -> String {
    match node {
        GraphNode::File(id) => index.files[id.0 as usize].path.clone(),
        GraphNode::Element(id) => {
            let element = &index.elements[id.0 as usize];
            format!("{}:{}", index.files[element.file.0 as usize].path, element.path)
        }
    }
}

/// The edges of one kind as `from -> to` with the status when it is not `resolved`, sorted.
pub(crate) fn edges(index: &CodebaseIndex, kind: EdgeKind) -> Vec<String> {
    let shown = |edge: &tapps_coderef::model::Edge| {
        let to = match &edge.to {
            EdgeTarget::Node(to) => node(index, *to),
            EdgeTarget::Candidates { nodes, .. } => {
                nodes.iter().map(|to| node(index, *to)).collect::<Vec<_>>().join(" | ")
            }
            EdgeTarget::External { module, name } => format!("{module} {}", name.as_deref().unwrap_or("*")),
            EdgeTarget::Builtin(name) | EdgeTarget::Unknown(name) => name.clone(),
        };
        let status = serde_json::to_value(edge.status).unwrap();
        let status = status.as_str().filter(|status| *status != "resolved").map(|status| format!(" ({status})"));
        format!("{} -> {to}{}", node(index, edge.from), status.unwrap_or_default())
    };
    let mut found: Vec<String> = index.edges.iter().filter(|edge| edge.kind == kind).map(shown).collect();
    found.sort();
    found
}

//! The call edges of a small project that is written down in a test.

use std::ops::Range;
use std::time::Duration;

use super::engine::{ScanOptions, scan};
use super::model::{CodebaseIndex, EdgeKind, EdgeTarget, GraphNode};
use tapps_base::call::Call;
use tapps_sandbox::Boundary;

/// Code that no hand writes: many lines, each with its number.
pub(super) fn numbered_lines(numbers: Range<usize>, line: impl Fn(usize) -> String) -> String {
    numbers.map(|number| line(number) + "\n").collect()
}

/// The index of a project of some files.
pub(super) fn index_of_project(files: &[(&str, &str)]) -> CodebaseIndex {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let full = dir.path().join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, text).unwrap();
    }
    let options = ScanOptions { fresh: true, ..ScanOptions::default() };
    scan(&Boundary::open(dir.path()).unwrap(), &options, &Call::quiet(Duration::from_secs(60))).unwrap()
}

/// `file:element -> file:element`, or ` -> name (status)` for what leads to no element.
pub(super) fn calls_of_project(files: &[(&str, &str)]) -> Vec<String> {
    let index = index_of_project(files);
    let calls = index.edges.iter().filter(|edge| edge.kind == EdgeKind::Call);
    let told = calls.map(|edge| {
        let from = node_name(&index, edge.from);
        match &edge.to {
            EdgeTarget::Node(node) => format!("{from} -> {}", node_name(&index, *node)),
            EdgeTarget::Candidates { nodes, .. } => {
                let names: Vec<String> = nodes.iter().map(|node| node_name(&index, *node)).collect();
                format!("{from} -> {} (ambiguous)", names.join(" | "))
            }
            EdgeTarget::External { module, name } => {
                format!("{from} -> {module}:{} (external)", name.as_deref().unwrap_or("*"))
            }
            EdgeTarget::Builtin(name) => format!("{from} -> {name} (builtin)"),
            EdgeTarget::Unknown(name) => format!("{from} -> {name} ({})", edge.status.as_str()),
        }
    });
    told.collect()
}

fn node_name(index: &CodebaseIndex, node: GraphNode) -> String {
    match node {
        GraphNode::File(file) => index.files[file.0 as usize].path.clone(),
        GraphNode::Element(id) => {
            let element = &index.elements[id.0 as usize];
            format!("{}:{}", index.files[element.file.0 as usize].path, element.path)
        }
    }
}

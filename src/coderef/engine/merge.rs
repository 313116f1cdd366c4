//! One edge for all references of one kind from one origin to one target, and the edges of tests.

use rayon::prelude::*;

use crate::model::{Edge, EdgeKind, EdgeStatus, EdgeTarget, Element, ElementId, FileId, GraphNode, SourceFile};

fn edge_key(edge: &Edge) -> (GraphNode, EdgeKind, &EdgeTarget, EdgeStatus) {
    (edge.from, edge.kind, &edge.to, edge.status)
}

/// Merges, adds what tests reach, and sorts by origin, kind, target and status.
pub(super) fn merge_edges(mut found: Vec<Edge>, files: &[SourceFile], elements: &[Element]) -> Vec<Edge> {
    let file_of = |node: GraphNode| match node {
        GraphNode::File(file) => Some(file),
        GraphNode::Element(ElementId(id)) => elements.get(id as usize).map(|element| element.file),
    };
    let is_test =
        |node: GraphNode| file_of(node).and_then(|FileId(id)| files.get(id as usize)).is_some_and(|file| file.test);
    let reach = |edge: &Edge| match (&edge.kind, &edge.status, &edge.to) {
        (EdgeKind::Call, EdgeStatus::Resolved, EdgeTarget::Node(target)) if is_test(edge.from) && !is_test(*target) => {
            Some(Edge { kind: EdgeKind::Test, ..edge.clone() })
        }
        _ => None,
    };
    let reaches: Vec<Edge> = found.par_iter().filter_map(reach).collect();
    found.extend(reaches);
    found.par_sort_unstable_by(|a, b| edge_key(a).cmp(&edge_key(b)));
    found.dedup_by(|next, kept| {
        let same = edge_key(next) == edge_key(kept);
        if same {
            kept.sites.append(&mut next.sites);
        }
        same
    });
    found.par_iter_mut().for_each(|edge| {
        edge.sites.sort_unstable();
        edge.sites.dedup();
        edge.sites.shrink_to_fit();
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Language, Parse};

    fn file(path: &str, test: bool) -> SourceFile {
        let sha256 = String::new();
        let (language, parse) = (Language::TypeScript, Parse::Whole);
        SourceFile { path: path.into(), language, sha256, lines: 1, parse, test, cases: test, runs: false }
    }

    #[test]
    fn equal_edges_become_one_and_tests_reach_what_they_call() {
        let files = [file("a.ts", false), file("b.test.ts", true)];
        let edge = |site| Edge {
            from: GraphNode::File(FileId(1)),
            kind: EdgeKind::Call,
            status: EdgeStatus::Resolved,
            to: EdgeTarget::Node(GraphNode::File(FileId(0))),
            sites: vec![site],
        };
        let merged = merge_edges(vec![edge((9, 1)), edge((2, 3)), edge((9, 1))], &files, &[]);
        let told: Vec<_> = merged.iter().map(|edge| (edge.kind, edge.sites.as_slice())).collect();
        let sites: &[(u32, u32)] = &[(2, 3), (9, 1)];
        assert_eq!(told, [(EdgeKind::Call, sites), (EdgeKind::Test, sites)]);
    }
}

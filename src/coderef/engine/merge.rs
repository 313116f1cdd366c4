//! One edge for all references of one kind from one origin to one target, and the edges of tests.

use std::collections::BTreeMap;

use crate::coderef::model::{Edge, EdgeKind, Element, ElementId, File, FileId, Node, Status, Target};

type Key = (Node, EdgeKind, Target, Status);

/// Merges, adds what tests reach, and sorts by origin, kind, target and status.
pub(super) fn edges(found: Vec<Edge>, files: &[File], elements: &[Element]) -> Vec<Edge> {
    let file_of = |node: Node| match node {
        Node::File(file) => Some(file),
        Node::Element(ElementId(id)) => elements.get(id as usize).map(|element| element.file),
    };
    let is_test =
        |node: Node| file_of(node).and_then(|FileId(id)| files.get(id as usize)).is_some_and(|file| file.test);
    let mut merged: BTreeMap<Key, Vec<(u32, u32)>> = BTreeMap::new();
    for edge in found {
        let reaches = match (&edge.kind, &edge.status, &edge.to) {
            (EdgeKind::Call, Status::Resolved, Target::Node(target)) => is_test(edge.from) && !is_test(*target),
            _ => false,
        };
        if reaches {
            let key = (edge.from, EdgeKind::Test, edge.to.clone(), edge.status);
            merged.entry(key).or_default().extend(&edge.sites);
        }
        merged.entry((edge.from, edge.kind, edge.to, edge.status)).or_default().extend(edge.sites);
    }
    merged
        .into_iter()
        .map(|((from, kind, to, status), mut sites)| {
            sites.sort_unstable();
            sites.dedup();
            Edge { from, kind, status, to, sites }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coderef::model::{Lang, Parse};

    fn file(path: &str, test: bool) -> File {
        let sha256 = String::new();
        let (language, parse) = (Lang::TypeScript, Parse::Whole);
        File { path: path.into(), language, sha256, lines: 1, parse, test, cases: test, runs: false }
    }

    #[test]
    fn equal_edges_become_one_and_tests_reach_what_they_call() {
        let files = [file("a.ts", false), file("b.test.ts", true)];
        let edge = |site| Edge {
            from: Node::File(FileId(1)),
            kind: EdgeKind::Call,
            status: Status::Resolved,
            to: Target::Node(Node::File(FileId(0))),
            sites: vec![site],
        };
        let merged = edges(vec![edge((9, 1)), edge((2, 3)), edge((9, 1))], &files, &[]);
        let told: Vec<_> = merged.iter().map(|edge| (edge.kind, edge.sites.as_slice())).collect();
        let sites: &[(u32, u32)] = &[(2, 3), (9, 1)];
        assert_eq!(told, [(EdgeKind::Call, sites), (EdgeKind::Test, sites)]);
    }
}

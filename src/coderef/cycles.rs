//! Files that import each other in a circle.

use std::collections::BTreeSet;

use super::graph::Graph;
use super::model::{EdgeKind, EdgeStatus, FileId, GraphNode};

/// Groups of files in which each is reached from each other by imports that run; sorted, the largest first.
#[must_use]
pub fn of_files(graph: &Graph<'_>) -> Vec<Vec<FileId>> {
    let count = graph.index().files.len();
    let next: Vec<Vec<usize>> = (0..count).map(|file| imported_files(graph, file)).collect();
    let mut groups: Vec<Vec<FileId>> = strongly_connected_components(&next)
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|group| group.into_iter().map(file_id).collect())
        .collect();
    groups.sort_by(|a: &Vec<FileId>, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    groups
}

fn imported_files(graph: &Graph<'_>, file: usize) -> Vec<usize> {
    let steps = graph.outgoing(GraphNode::File(file_id(file)));
    let runs = steps.filter(|step| step.edge.kind == EdgeKind::Import && step.edge.status == EdgeStatus::Resolved);
    let targets: BTreeSet<usize> = runs
        .filter_map(|step| match step.node {
            GraphNode::File(id) => Some(id.0 as usize),
            GraphNode::Element(_) => None,
        })
        .collect();
    targets.into_iter().collect()
}

fn file_id(position: usize) -> FileId {
    FileId(u32::try_from(position).unwrap_or(u32::MAX))
}

/// Tarjan's strongly connected components, without recursion; each sorted.
#[must_use]
pub fn strongly_connected_components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut state = TarjanState {
        order: vec![None; next.len()],
        low: vec![0; next.len()],
        on: vec![false; next.len()],
        ..TarjanState::default()
    };
    for root in 0..next.len() {
        if state.order.get(root) == Some(&None) {
            state.visit(root, next);
        }
    }
    state.found
}

#[derive(Default)]
struct TarjanState {
    /// When each node was first seen.
    order: Vec<Option<usize>>,
    /// The earliest node on the stack that each is known to reach.
    low: Vec<usize>,
    on: Vec<bool>,
    stack: Vec<usize>,
    seen: usize,
    found: Vec<Vec<usize>>,
}

impl TarjanState {
    fn enter(&mut self, node: usize) {
        let Some(order) = self.order.get_mut(node) else { return };
        *order = Some(self.seen);
        if let Some((low, on)) = self.low.get_mut(node).zip(self.on.get_mut(node)) {
            (*low, *on) = (self.seen, true);
        }
        self.seen += 1;
        self.stack.push(node);
    }

    fn visit(&mut self, root: usize, next: &[Vec<usize>]) {
        self.enter(root);
        let mut work = vec![(root, 0)];
        while let Some((node, position)) = work.last_mut() {
            let (node, at) = (*node, *position);
            *position += 1;
            match next.get(node).and_then(|next| next.get(at)) {
                Some(&to) if self.order.get(to) == Some(&None) => {
                    self.enter(to);
                    work.push((to, 0));
                }
                Some(&to) => {
                    if self.on.get(to) == Some(&true) {
                        self.lower(node, self.order.get(to).copied().flatten());
                    }
                }
                None => {
                    work.pop();
                    if let Some((above, _)) = work.last() {
                        self.lower(*above, self.low.get(node).copied());
                    }
                    if self.low.get(node).copied() == self.order.get(node).copied().flatten() {
                        self.pop_component(node);
                    }
                }
            }
        }
    }

    fn lower(&mut self, node: usize, to: Option<usize>) {
        if let Some((low, to)) = self.low.get_mut(node).zip(to) {
            *low = (*low).min(to);
        }
    }

    fn pop_component(&mut self, node: usize) {
        let Some(start) = self.stack.iter().rposition(|on| *on == node) else { return };
        let mut group = self.stack.split_off(start);
        for member in &group {
            if let Some(on) = self.on.get_mut(*member) {
                *on = false;
            }
        }
        group.sort_unstable();
        self.found.push(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_whatever_hangs_on_them() {
        // 0 → 1 → 2 → 0, 2 → 3 → 4 → 3, 5 alone, 6 → 6.
        let next = vec![vec![1], vec![2], vec![0, 3], vec![4], vec![3], vec![], vec![6]];
        let mut found = strongly_connected_components(&next);
        found.sort();
        assert_eq!(found, [vec![0, 1, 2], vec![3, 4], vec![5], vec![6]]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let next: Vec<Vec<usize>> = (0..200_000).map(|n| vec![(n + 1) % 200_000]).collect();
        assert_eq!(strongly_connected_components(&next).len(), 1);
    }
}

//! Import cycles, and how strongly modules hang together: afferent and efferent coupling and instability after Martin.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reach::{ImportTiming, Links, is_test_code};
use tapps_base::Result;
use tapps_sandbox::Boundary;

/// From how many neighbours on a module is a hub.
const HUB: usize = 8;

/// The imports of a project, summed up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DependencyReport {
    /// Modules looked at.
    pub modules: usize,
    /// Imports from one of them to another.
    pub imports: usize,
    pub cycles_total: usize,
    /// Those of loading modules first, then by their first module.
    pub cycles: Vec<Cycle>,
    /// The most connected first.
    pub coupling: Vec<Coupling>,
}

/// A circle of imports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cycle {
    /// What the circle needs: imports when modules are loaded, calls of functions too, or type checkers' imports too.
    pub kind: ImportTiming,
    /// One shortest circle: each imports the next, and the last the first.
    pub modules: Vec<String>,
    /// Modules that all reach each other, these among them.
    pub entangled: usize,
}

/// How one module hangs together with the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Coupling {
    pub file: String,
    /// Modules that import it (Ca).
    pub afferent: usize,
    /// Modules it imports (Ce).
    pub efferent: usize,
    /// Ce / (Ca + Ce): 0 is what others lean on, 1 is what leans on others.
    pub instability: f64,
    /// It has many neighbours on both sides together.
    pub hub: bool,
}

/// The folder or file that a caller names, as the report takes it; `None` for the whole project.
///
/// # Errors
/// `file_not_found` and `path_denied`.
pub fn resolve_report_folder(boundary: &Boundary, path: &str) -> Result<Option<String>> {
    let path = boundary.resolve(path)?;
    boundary.kind(&path)?;
    Ok((!path.is_root()).then(|| path.as_str().to_owned()))
}

type Graph<'l> = BTreeMap<&'l str, BTreeMap<&'l str, ImportTiming>>;

/// Sums up the imports; test code is left out unless it is asked for, and with a folder everything outside it.
#[must_use]
pub fn build_dependency_report(links: &Links, with_tests: bool, below: Option<&str>) -> DependencyReport {
    let inside = |path: &str| {
        let here = below
            .is_none_or(|folder| path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')));
        here && (with_tests || !is_test_code(path))
    };
    let mut graph: Graph<'_> = BTreeMap::new();
    for (from, targets) in links.edges.iter().filter(|(from, _)| inside(from)) {
        let targets = targets.iter().filter(|(to, _)| inside(to)).map(|(to, link)| (to.as_str(), *link));
        graph.insert(from, targets.collect());
    }
    let cycles = cycles(&graph);
    DependencyReport {
        modules: graph.len(),
        imports: graph.values().map(BTreeMap::len).sum(),
        cycles_total: cycles.len(),
        cycles,
        coupling: coupling(&graph),
    }
}

fn coupling(graph: &Graph<'_>) -> Vec<Coupling> {
    let mut afferent: BTreeMap<&str, usize> = BTreeMap::new();
    for target in graph.values().flat_map(BTreeMap::keys) {
        *afferent.entry(target).or_default() += 1;
    }
    let one = |(file, targets): (&&str, &BTreeMap<&str, ImportTiming>)| {
        let (afferent, efferent) = (afferent.get(file).copied().unwrap_or_default(), targets.len());
        let all = afferent + efferent;
        #[expect(clippy::cast_precision_loss, reason = "far below the limit of whole numbers in f64")]
        let instability = if all == 0 { 0.0 } else { (efferent as f64 / all as f64 * 1000.0).round() / 1000.0 };
        Coupling {
            file: (*file).to_owned(),
            afferent,
            efferent,
            instability,
            hub: all >= HUB && afferent > 0 && efferent > 0,
        }
    };
    let mut all: Vec<Coupling> = graph.iter().map(one).collect();
    all.sort_by(|a, b| (b.afferent + b.efferent).cmp(&(a.afferent + a.efferent)).then_with(|| a.file.cmp(&b.file)));
    all
}

/// One circle for every set of modules that reach each other. A set that needs weaker imports is told only where it is
/// larger than what the stronger ones make.
fn cycles(graph: &Graph<'_>) -> Vec<Cycle> {
    let mut found = Vec::new();
    let mut known: Vec<BTreeSet<&str>> = Vec::new();
    for kind in [ImportTiming::Runtime, ImportTiming::Deferred, ImportTiming::TypeChecking] {
        let mut sets = strongly_connected_modules(graph, kind);
        sets.retain(|set| !known.iter().any(|other| !set.is_disjoint(other)));
        for set in &sets {
            found.push(Cycle { kind, modules: shortest(graph, set, kind), entangled: set.len() });
        }
        known.extend(sets);
    }
    found.sort_by(|a, b| (a.kind, &a.modules).cmp(&(b.kind, &b.modules)));
    found
}

/// Sets of at least two modules that all reach each other by imports of a kind or stronger (Tarjan, without recursion).
fn strongly_connected_modules<'l>(graph: &Graph<'l>, kind: ImportTiming) -> Vec<BTreeSet<&'l str>> {
    #[derive(Clone, Copy)]
    struct TarjanNode {
        index: usize,
        low: usize,
        open: bool,
    }
    let next = |node: &str| -> Vec<&'l str> {
        let targets = graph.get(node).into_iter().flatten();
        targets.filter(|(_, link)| **link <= kind).map(|(target, _)| *target).collect()
    };
    let mut seen: BTreeMap<&str, TarjanNode> = BTreeMap::new();
    let (mut sets, mut open) = (Vec::new(), Vec::new());
    for start in graph.keys().copied() {
        if seen.contains_key(start) {
            continue;
        }
        let mut work: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut entering = Some(start);
        loop {
            if let Some(node) = entering.take() {
                let index = seen.len();
                seen.insert(node, TarjanNode { index, low: index, open: true });
                open.push(node);
                work.push((node, next(node)));
            }
            let Some((node, targets)) = work.last_mut() else { break };
            let node = *node;
            if let Some(target) = targets.pop() {
                match seen.get(target).copied() {
                    None => entering = Some(target),
                    Some(other) if other.open => {
                        seen.entry(node).and_modify(|seen| seen.low = seen.low.min(other.index));
                    }
                    Some(_) => {}
                }
                continue;
            }
            work.pop();
            let Some(own) = seen.get(node).copied() else { continue };
            if let Some((parent, _)) = work.last() {
                seen.entry(parent).and_modify(|seen| seen.low = seen.low.min(own.low));
            }
            if own.low == own.index {
                let from = open.iter().rposition(|other| *other == node).unwrap_or_default();
                let set: BTreeSet<&str> = open.split_off(from).into_iter().collect();
                for member in &set {
                    seen.entry(member).and_modify(|seen| seen.open = false);
                }
                if set.len() > 1 {
                    sets.push(set);
                }
            }
        }
    }
    sets
}

/// A shortest circle within a set; of several the one that begins with the first module by name.
fn shortest(graph: &Graph<'_>, set: &BTreeSet<&str>, kind: ImportTiming) -> Vec<String> {
    let mut best: Vec<&str> = Vec::new();
    for start in set.iter().copied() {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        'search: while let Some(node) = queue.pop_front() {
            for (target, link) in graph.get(node).into_iter().flatten() {
                if *link > kind || !set.contains(target) {
                    continue;
                }
                if *target == start {
                    let mut circle: Vec<&str> =
                        std::iter::successors(Some(node), |at| before.get(at).copied()).collect();
                    circle.reverse();
                    if best.is_empty() || circle.len() < best.len() {
                        best = circle;
                    }
                    break 'search;
                }
                if *target != start && !before.contains_key(target) {
                    before.insert(target, node);
                    queue.push_back(target);
                }
            }
        }
        if best.len() == 2 {
            break;
        }
    }
    best.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(edges: &[(&str, &str, ImportTiming)]) -> Links {
        let mut links = Links::default();
        for (from, to, link) in edges {
            links.edges.entry((*from).to_owned()).or_default().insert((*to).to_owned(), *link);
            links.edges.entry((*to).to_owned()).or_default();
        }
        links
    }

    #[test]
    fn cycles_are_told_by_what_they_need() {
        use ImportTiming::{Deferred, Runtime, TypeChecking};
        let report = build_dependency_report(
            &links(&[
                ("a.py", "b.py", Runtime),
                ("b.py", "c.py", Runtime),
                ("c.py", "a.py", Runtime),
                ("c.py", "b.py", Runtime),
                ("d.py", "e.py", Runtime),
                ("e.py", "d.py", Deferred),
                ("f.py", "g.py", Runtime),
                ("g.py", "f.py", TypeChecking),
                ("a.py", "d.py", Runtime),
                ("tests/test_a.py", "a.py", Runtime),
            ]),
            false,
            None,
        );
        let seen: Vec<(ImportTiming, String, usize)> =
            report.cycles.iter().map(|cycle| (cycle.kind, cycle.modules.join(" "), cycle.entangled)).collect();
        assert_eq!(
            seen,
            [
                (Runtime, "b.py c.py".to_owned(), 3),
                (Deferred, "d.py e.py".to_owned(), 2),
                (TypeChecking, "f.py g.py".to_owned(), 2)
            ]
        );
        assert_eq!((report.modules, report.imports), (7, 9));
    }

    #[test]
    fn coupling_counts_both_sides() {
        use ImportTiming::Runtime;
        let report = build_dependency_report(
            &links(&[("a.py", "b.py", Runtime), ("c.py", "b.py", Runtime), ("b.py", "x/d.py", Runtime)]),
            false,
            None,
        );
        let first = &report.coupling[0];
        assert_eq!((first.file.as_str(), first.afferent, first.efferent), ("b.py", 2, 1));
        assert!((first.instability - 0.333).abs() < 1e-9 && !first.hub);
        assert!(report.cycles.is_empty());
    }

    #[test]
    fn long_chains_do_not_overflow_the_stack() {
        let names: Vec<String> = (0..50_000).map(|n| format!("m{n:05}.py")).collect();
        let mut links = Links::default();
        for (at, name) in names.iter().enumerate() {
            let next = names.get(at + 1).unwrap_or(&names[0]);
            links.edges.entry(name.clone()).or_default().insert(next.clone(), ImportTiming::Runtime);
        }
        let graph: Graph<'_> = links
            .edges
            .iter()
            .map(|(from, to)| (from.as_str(), to.iter().map(|(to, link)| (to.as_str(), *link)).collect()))
            .collect();
        assert_eq!(strongly_connected_modules(&graph, ImportTiming::Runtime)[0].len(), 50_000);
    }
}

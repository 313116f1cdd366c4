//! What changing, deleting or reworking an element touches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::graph::Graph;
use super::model::{EdgeKind, EdgeStatus, GraphNode, IndexProblem};
use super::query::{DEFAULT_DEPTH, Direction, GraphTraversalOptions, ReachedNode, depth_or_default, traverse_graph};
use super::target;
use super::view::NodeLocation;
use tapps_base::Result;

/// What is going to be done to the element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Operation {
    /// Its behaviour changes: callers are touched, and theirs.
    #[default]
    Modify,
    /// It goes away: importers, re-exports and heirs are touched as well.
    Delete,
    /// As modify, and the tests that reach it have to be kept going too.
    Refactor,
}

tapps_base::wire_enum! {
    /// How far-reaching it is, by the number of places.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum RiskLevel {
        Low = "LOW",
        Medium = "MEDIUM",
        High = "HIGH",
        Critical = "CRITICAL",
    }
}

impl RiskLevel {
    /// From 5 places on medium, from 20 high, from 50 critical.
    #[must_use]
    pub const fn from_affected_count(affected: usize) -> Self {
        match affected {
            0..5 => Self::Low,
            5..20 => Self::Medium,
            20..50 => Self::High,
            _ => Self::Critical,
        }
    }
}

/// A question about the consequences of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpactRequest {
    /// An element, `Class.method`, a file or a reference.
    pub element: String,
    pub operation: Operation,
    /// 1–10; none means [`DEFAULT_DEPTH`].
    pub max_depth: Option<u32>,
    /// Most dependents to give; none means all. What is counted does not change.
    pub limit: Option<usize>,
}

/// One place that is touched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Dependent {
    #[serde(flatten)]
    pub place: NodeLocation,
    /// How it refers to what is changed, or to what stands between.
    pub relationship: &'static str,
    /// Number of edges to what is changed.
    pub depth: u32,
    pub status: &'static str,
    /// Lines of the references in its file.
    pub lines: Vec<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ImpactReport {
    pub element: String,
    pub operation: Operation,
    /// What the element was taken for.
    pub matches: Vec<NodeLocation>,
    pub max_depth: u32,
    pub risk_level: RiskLevel,
    /// 0–100: 10 for each direct dependent up to 60, 2 for each transitive one up to 30, 0.5 for each further up to 10.
    pub risk_score: f64,
    /// At depth 1.
    pub direct: usize,
    /// At depths 2 and 3.
    pub transitive: usize,
    /// From depth 4 on.
    pub further: usize,
    /// All of them together.
    pub estimated_affected: usize,
    /// Files that hold something that is affected.
    pub affected_files: usize,
    /// References that may mean something else; they are not counted.
    pub uncertain: usize,
    pub total: usize,
    pub truncated: bool,
    /// What is affected, by depth, file and line; then what may be.
    pub dependents: Vec<Dependent>,
    /// Whether any test reaches it.
    pub tested: bool,
    /// Test files that reach it, through whatever stands between.
    pub tests: Vec<String>,
    /// Configuration that could not be used, so that fewer modules are found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<IndexProblem>,
}

impl ImpactReport {
    /// The same without the references of its rows, which name and file say as well.
    #[must_use]
    pub fn with_short_rows(mut self) -> Self {
        self.dependents.iter_mut().for_each(|dependent| dependent.place.reference.clear());
        self
    }
}

/// Says what a change to an element touches.
///
/// # Errors
/// `invalid_argument` for an element that is not there or a depth out of range.
pub fn analyze_element_impact(graph: &Graph<'_>, request: &ImpactRequest) -> Result<ImpactReport> {
    let starts = target::find_target_nodes(graph, &request.element)?;
    impact_of(graph, &starts, request)
}

/// Says what a change to some nodes touches, whatever they are called in the request.
///
/// # Errors
/// `invalid_argument` for a depth out of range.
pub fn impact_of(graph: &Graph<'_>, starts: &[GraphNode], request: &ImpactRequest) -> Result<ImpactReport> {
    let max_depth = depth_or_default(request.max_depth, DEFAULT_DEPTH)?;
    // Who imports an importer is not touched by what goes away behind it; a file that was named is another matter.
    let search = GraphTraversalOptions {
        direction: Direction::Inbound,
        kinds: followed_edge_kinds(request.operation),
        max_depth,
        through_files: starts.iter().any(|start| matches!(start, GraphNode::File(_))),
    };
    let found = traverse_graph(graph, starts, &search);
    // A file that says it exports what it holds is no dependent of it.
    let own_file = |found: &ReachedNode| {
        found.kind == EdgeKind::Export && starts.iter().any(|start| graph.file_id(*start) == graph.file_id(found.node))
    };
    let is_test = |node: GraphNode| graph.file(node).is_some_and(|file| file.test);
    let counted = |found: &&ReachedNode| {
        !starts.contains(&found.node)
            && !own_file(found)
            && (request.operation == Operation::Refactor || !is_test(found.node))
    };
    let touched: Vec<&ReachedNode> = found.iter().filter(counted).collect();
    let (certain, uncertain): (Vec<&ReachedNode>, Vec<&ReachedNode>) =
        touched.into_iter().partition(|found| found.status != EdgeStatus::Ambiguous);
    let at =
        |depths: std::ops::RangeInclusive<u32>| certain.iter().filter(|found| depths.contains(&found.depth)).count();
    let (direct, transitive, further) = (at(1..=1), at(2..=3), at(4..=u32::MAX));
    let mut files: Vec<_> = certain.iter().filter_map(|found| graph.file_id(found.node)).collect();
    files.sort_unstable();
    files.dedup();
    let tests = reaching_test_files(graph, starts);
    let mut dependents: Vec<Dependent> =
        certain.iter().chain(&uncertain).filter_map(|found| dependent(graph, found, is_test(found.node))).collect();
    let total = dependents.len();
    let truncated = request.limit.is_some_and(|limit| limit < total);
    dependents.truncate(request.limit.unwrap_or(total));
    Ok(ImpactReport {
        element: request.element.clone(),
        operation: request.operation,
        matches: starts.iter().filter_map(|node| NodeLocation::from_node(graph, *node)).collect(),
        max_depth,
        risk_level: RiskLevel::from_affected_count(certain.len()),
        risk_score: score(direct, transitive, further),
        direct,
        transitive,
        further,
        estimated_affected: certain.len(),
        affected_files: files.len(),
        uncertain: uncertain.len(),
        total,
        truncated,
        dependents,
        tested: !tests.is_empty(),
        tests,
        problems: graph.index().problems.clone(),
    })
}

const fn followed_edge_kinds(operation: Operation) -> &'static [EdgeKind] {
    match operation {
        Operation::Modify | Operation::Refactor => &[EdgeKind::Call],
        Operation::Delete => {
            &[EdgeKind::Call, EdgeKind::Import, EdgeKind::Export, EdgeKind::Extends, EdgeKind::Implements]
        }
    }
}

fn score(direct: usize, transitive: usize, further: usize) -> f64 {
    let part = |count: usize, weight: f64, most: f64| (count as f64 * weight).min(most);
    part(direct, 10.0, 60.0) + part(transitive, 2.0, 30.0) + part(further, 0.5, 10.0)
}

/// The files of tests from which the nodes are reached, at whatever depth.
fn reaching_test_files(graph: &Graph<'_>, starts: &[GraphNode]) -> Vec<String> {
    let kinds = [EdgeKind::Call, EdgeKind::Test, EdgeKind::Extends, EdgeKind::Implements];
    let search = GraphTraversalOptions {
        direction: Direction::Inbound,
        kinds: &kinds,
        max_depth: u32::MAX,
        through_files: false,
    };
    let reached = traverse_graph(graph, starts, &search);
    let certain = reached.iter().filter(|found| found.status != EdgeStatus::Ambiguous);
    let files = certain.filter_map(|found| graph.file(found.node)).filter(|file| file.test);
    let mut paths: Vec<String> = files.map(|file| file.path.clone()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

fn dependent(graph: &Graph<'_>, found: &ReachedNode, test: bool) -> Option<Dependent> {
    Some(Dependent {
        place: NodeLocation::from_node(graph, found.node)?,
        relationship: found.kind.as_str(),
        depth: found.depth,
        status: found.status.as_str(),
        lines: found.lines.clone(),
        test,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CodebaseIndex, ElementKind};
    use crate::sample::Sample;

    /// `Base.run` is called by `work`, that by `main`, that by a test; `Heir` extends `Base`; `b.ts` imports it.
    fn sample(callers: usize) -> CodebaseIndex {
        let mut sample = Sample::new();
        let (a, b, c) = (sample.file("a.ts"), sample.file("b.ts"), sample.file("c.ts"));
        let spec = sample.file("test/b.ts");
        let base = sample.element(a, ElementKind::Class, "Base");
        let run = sample.member(base, ElementKind::Method, "run");
        let own = sample.member(base, ElementKind::Method, "own");
        let work = sample.element(b, ElementKind::Function, "work");
        let main = sample.element(b, ElementKind::Function, "main");
        let heir = sample.element(b, ElementKind::Class, "Heir");
        let more: Vec<GraphNode> =
            (0..callers).map(|n| sample.element(b, ElementKind::Function, &format!("more{n}"))).collect();
        let check = sample.element(spec, ElementKind::Function, "check");
        sample.edge(own, EdgeKind::Call, run, &[3]);
        sample.edge(work, EdgeKind::Call, run, &[4, 5]);
        sample.edge(main, EdgeKind::Call, work, &[12]);
        sample.edge(check, EdgeKind::Call, main, &[2]);
        sample.edge(check, EdgeKind::Call, run, &[3]);
        sample.edge(heir, EdgeKind::Extends, base, &[20]);
        sample.edge(GraphNode::File(b), EdgeKind::Import, GraphNode::File(a), &[1]);
        sample.edge(GraphNode::File(b), EdgeKind::Import, base, &[1]);
        sample.edge(GraphNode::File(a), EdgeKind::Export, base, &[1]);
        sample.edge(GraphNode::File(c), EdgeKind::Import, GraphNode::File(b), &[1]);
        for node in more {
            sample.edge(node, EdgeKind::Call, run, &[9]);
        }
        sample.candidates(heir, &[run], &[33]);
        sample.index()
    }

    fn ask(callers: usize, element: &str, operation: Operation, max_depth: Option<u32>) -> ImpactReport {
        let index = sample(callers);
        let request = ImpactRequest { element: element.to_owned(), operation, max_depth, limit: None };
        analyze_element_impact(&Graph::new(&index), &request).unwrap()
    }

    fn names(report: &ImpactReport) -> Vec<&str> {
        report.dependents.iter().map(|dependent| &*dependent.place.name).collect()
    }

    #[test]
    fn the_operation_decides_what_counts() {
        let modify = ask(0, "Base", Operation::Modify, None);
        assert_eq!(names(&modify), ["work", "main", "Heir"]);
        assert_eq!((modify.direct, modify.transitive, modify.uncertain), (1, 1, 1));
        assert_eq!((modify.risk_level, modify.risk_score), (RiskLevel::Low, 12.0));
        let delete = ask(0, "Base", Operation::Delete, None);
        assert_eq!(names(&delete), ["b.ts", "work", "Heir", "main"]);
        assert_eq!((delete.direct, delete.transitive, delete.estimated_affected), (3, 1, 4));
        let refactor = ask(0, "Base", Operation::Refactor, None);
        assert_eq!(names(&refactor), ["work", "check", "main", "Heir"]);
        assert!(refactor.dependents.iter().map(|dependent| dependent.test).collect::<Vec<_>>()[1]);
        for report in [&modify, &delete, &refactor] {
            assert_eq!((report.tested, &report.tests), (true, &vec!["test/b.ts".to_owned()]));
        }
        assert_eq!(ask(0, "Heir", Operation::Modify, None).tests, Vec::<String>::new());
        assert_eq!(names(&ask(0, "Base.run", Operation::Modify, Some(1))), ["own", "work", "Heir"].map(own_name));
    }

    fn own_name(name: &'static str) -> &'static str {
        if name == "own" { "Base.own" } else { name }
    }

    #[test]
    fn the_level_follows_the_number_and_the_score_the_depth() {
        for (callers, level, score) in [
            (2, RiskLevel::Low, 32.0),
            (3, RiskLevel::Medium, 42.0),
            (18, RiskLevel::High, 62.0),
            (48, RiskLevel::Critical, 62.0),
        ] {
            let report = ask(callers, "Base", Operation::Modify, None);
            assert_eq!((report.risk_level, report.risk_score), (level, score), "{callers}");
            assert_eq!(report.estimated_affected, callers + 2);
        }
        assert!((score(100, 100, 100) - 100.0).abs() < f64::EPSILON);
        assert!((score(0, 0, 3) - 1.5).abs() < f64::EPSILON);
    }

    #[test]
    fn a_limit_shortens_the_list_and_not_the_counts() {
        let index = sample(10);
        let request =
            ImpactRequest { element: "Base".to_owned(), operation: Operation::Modify, max_depth: None, limit: Some(2) };
        let report = analyze_element_impact(&Graph::new(&index), &request).unwrap();
        assert_eq!((report.dependents.len(), report.total, report.truncated), (2, 13, true));
        assert_eq!(report.estimated_affected, 12);
    }
}

//! What the tests reach: by edges alone, or by what a run has recorded.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::graph::Graph;
use super::model::{EdgeKind, EdgeStatus, ElementKind, FileId, GraphNode};
use super::view::NodeLocation;

/// How many edges away from a test something still counts as reached.
pub const REACH: u32 = 3;

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum CoverageDetail {
    /// Figures for the project and each file.
    #[default]
    Summary,
    /// Also every element that no test reaches.
    Detailed,
}

/// What coverage reports say, by file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedCoverage {
    pub files: BTreeMap<String, RecordedFile>,
    /// Files whose recorded lines are those of another text, with how it shows.
    pub stale: BTreeMap<String, String>,
}

/// Lines of one file, 1-based and sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedFile {
    pub executed: Vec<u32>,
    pub missing: Vec<u32>,
    /// Project-relative paths of the reports.
    pub reports: Vec<String>,
}

/// Where figures come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CoverageSource {
    /// Resolved edges from test files, at most [`REACH`] of them.
    StaticReach,
    /// Lines that ran, as reports say.
    Recorded,
    /// Some files by reports, the others by edges.
    Mixed,
}

/// Covered of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct CoverageTally {
    pub covered: usize,
    pub total: usize,
    /// 0–100 with one decimal; 100 of nothing.
    pub percentage: f64,
}

impl CoverageTally {
    fn from_counts(covered: usize, total: usize) -> Self {
        let share = if total == 0 { 1.0 } else { covered as f64 / total as f64 };
        Self { covered, total, percentage: (share * 1000.0).round() / 10.0 }
    }
}

/// One file that is not of tests.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModuleCoverage {
    pub file: String,
    pub source: CoverageSource,
    /// Functions and classes.
    #[serde(flatten)]
    pub elements: CoverageTally,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<CoverageTally>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CoverageReport {
    pub source: CoverageSource,
    pub format: CoverageDetail,
    pub test_files: usize,
    /// Functions and classes together.
    pub overall: CoverageTally,
    pub functions: CoverageTally,
    pub classes: CoverageTally,
    /// Lines, of the files that were recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<CoverageTally>,
    /// The reports that were used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<String>,
    /// Files whose recorded lines do not fit the text as it is now; they are judged by edges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
    /// Of modules, or of what is uncovered when that was asked for.
    pub total: usize,
    pub truncated: bool,
    /// The least covered first.
    pub modules: Vec<ModuleCoverage>,
    /// By file and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncovered: Option<Vec<NodeLocation>>,
}

/// Says what the tests reach.
#[must_use]
pub fn build_coverage_report(
    graph: &Graph<'_>,
    recorded: &RecordedCoverage,
    detail: CoverageDetail,
    limit: Option<usize>,
) -> CoverageReport {
    let reached = reached_by_tests(graph);
    let mut modules = Vec::new();
    let mut uncovered = Vec::new();
    let (mut functions, mut classes, mut lines) = ((0, 0), (0, 0), (0, 0));
    let mut reports = BTreeSet::new();
    for (position, file) in graph.index().files.iter().enumerate() {
        let id = FileId(u32::try_from(position).unwrap_or(u32::MAX));
        let data = recorded.files.get(&file.path);
        let (mut covered, mut total) = (0, 0);
        if file.test {
            continue;
        }
        for (element, node) in graph.elements_of(id).map(|(id, element)| (element, GraphNode::Element(id))) {
            let tally = match element.kind {
                ElementKind::Class => &mut classes,
                _ if element.metrics.is_some() => &mut functions,
                _ => continue,
            };
            let is_covered = match data {
                Some(data) => node_ran(graph, data, node),
                None => graph.with_members(node).iter().any(|node| reached.contains(node)),
            };
            total += 1;
            tally.1 += 1;
            if is_covered {
                covered += 1;
                tally.0 += 1;
            } else {
                uncovered.extend(NodeLocation::from_node(graph, node));
            }
        }
        let of_lines = data.map(|data| (data.executed.len(), data.executed.len() + data.missing.len()));
        if let (Some(data), Some(of_lines)) = (data, of_lines) {
            reports.extend(data.reports.iter().cloned());
            lines = (lines.0 + of_lines.0, lines.1 + of_lines.1);
        }
        if total > 0 || data.is_some() {
            modules.push(ModuleCoverage {
                file: file.path.clone(),
                source: if data.is_some() { CoverageSource::Recorded } else { CoverageSource::StaticReach },
                elements: CoverageTally::from_counts(covered, total),
                lines: of_lines.map(|(covered, total)| CoverageTally::from_counts(covered, total)),
            });
        }
    }
    modules.sort_by(|a, b| {
        a.elements.percentage.total_cmp(&b.elements.percentage).then_with(|| b.elements.total.cmp(&a.elements.total))
    });
    let source = overall_source(&modules);
    let detailed = detail == CoverageDetail::Detailed;
    let total = if detailed { uncovered.len() } else { modules.len() };
    let most = limit.unwrap_or(usize::MAX);
    let truncated = total > most;
    modules.truncate(most);
    uncovered.truncate(most);
    CoverageReport {
        source,
        format: detail,
        test_files: graph.index().files.iter().filter(|file| file.test).count(),
        overall: CoverageTally::from_counts(functions.0 + classes.0, functions.1 + classes.1),
        functions: CoverageTally::from_counts(functions.0, functions.1),
        classes: CoverageTally::from_counts(classes.0, classes.1),
        lines: (source != CoverageSource::StaticReach).then(|| CoverageTally::from_counts(lines.0, lines.1)),
        reports: reports.into_iter().collect(),
        stale: recorded.stale.keys().cloned().collect(),
        total,
        truncated,
        modules,
        uncovered: detailed.then_some(uncovered),
    }
}

fn overall_source(modules: &[ModuleCoverage]) -> CoverageSource {
    let recorded = modules.iter().filter(|module| module.source == CoverageSource::Recorded).count();
    match recorded {
        0 => CoverageSource::StaticReach,
        all if all == modules.len() => CoverageSource::Recorded,
        _ => CoverageSource::Mixed,
    }
}

/// A class has run when one of its methods has.
fn node_ran(graph: &Graph<'_>, data: &RecordedFile, node: GraphNode) -> bool {
    let members = graph.with_members(node);
    let mut bodies = members.iter().filter_map(|node| graph.element(*node)).filter(|element| element.metrics.is_some());
    match graph.element(node) {
        Some(class) if class.metrics.is_none() && bodies.clone().next().is_none() => {
            body_has_run(data, class.span.line, class.span.end_line)
        }
        Some(function) if function.metrics.is_some() => body_has_run(data, function.span.line, function.span.end_line),
        _ => bodies.any(|element| body_has_run(data, element.span.line, element.span.end_line)),
    }
}

/// A body has run when a line after that of the name has; the name's own runs with the definition. What stands on one
/// line has only that.
fn body_has_run(data: &RecordedFile, line: u32, end_line: u32) -> bool {
    let within = |lines: &[u32]| lines.iter().any(|at| (line + 1..=end_line).contains(at));
    within(&data.executed) || !within(&data.missing) && data.executed.contains(&line)
}

/// What tests call, or import by name, and what that calls.
#[must_use]
pub fn reached_by_tests(graph: &Graph<'_>) -> BTreeSet<GraphNode> {
    let index = graph.index();
    let number = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    let tests = index.files.iter().enumerate().filter(|(_, file)| file.test);
    let mut frontier: Vec<GraphNode> =
        tests.flat_map(|(position, _)| graph.with_members(GraphNode::File(FileId(number(position))))).collect();
    let mut reached: BTreeSet<GraphNode> = frontier.iter().copied().collect();
    for depth in 1..=REACH {
        let mut next = Vec::new();
        for from in frontier {
            for step in graph.outgoing(from).filter(|step| step.edge.status == EdgeStatus::Resolved) {
                let runs = match step.edge.kind {
                    EdgeKind::Call | EdgeKind::Test | EdgeKind::Extends => true,
                    // A test names what it is about; what other files import is no sign that it is used.
                    EdgeKind::Import => depth == 1 && matches!(step.node, GraphNode::Element(_)),
                    EdgeKind::Export | EdgeKind::Implements => false,
                };
                if runs && reached.insert(step.node) {
                    next.push(step.node);
                }
            }
        }
        frontier = next;
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CodebaseIndex, ElementMetrics};
    use crate::sample::Sample;

    const SOME: ElementMetrics =
        ElementMetrics { cyclomatic: 1, cyclomatic_total: 1, cognitive: 0, nesting: 0, parameters: 0, lines: 8 };

    /// A chain of calls from a test: `one` imports nothing, `named` is only imported, `index.ts` has a tempting name.
    fn sample() -> CodebaseIndex {
        let mut sample = Sample::new();
        let (a, b, spec) = (sample.file("src/a.ts"), sample.file("src/index.ts"), sample.file("test/index.test.ts"));
        let chain: Vec<GraphNode> =
            ["one", "two", "three", "four"].map(|name| sample.element(a, ElementKind::Function, name)).into();
        let named = sample.element(a, ElementKind::Function, "named");
        let class = sample.element(b, ElementKind::Class, "Box");
        let open = sample.member(class, ElementKind::Method, "open");
        let shut = sample.member(class, ElementKind::Method, "shut");
        let check = sample.element(spec, ElementKind::Function, "check");
        for node in chain.iter().copied().chain([named, open, shut, check]) {
            sample.measure(node, SOME);
        }
        sample.edge(check, EdgeKind::Call, chain[0], &[3]);
        for pair in chain.windows(2) {
            sample.edge(pair[0], EdgeKind::Call, pair[1], &[5]);
        }
        sample.edge(GraphNode::File(spec), EdgeKind::Import, named, &[1]);
        sample.edge(GraphNode::File(a), EdgeKind::Import, class, &[1]);
        sample.index()
    }

    fn names(report: &CoverageReport) -> Vec<&str> {
        report.uncovered.iter().flatten().map(|place| &*place.name).collect()
    }

    #[test]
    fn reach_ends_after_three_edges_and_names_prove_nothing() {
        let index = sample();
        let report =
            build_coverage_report(&Graph::new(&index), &RecordedCoverage::default(), CoverageDetail::Detailed, None);
        assert_eq!(names(&report), ["four", "Box", "Box.open", "Box.shut"]);
        assert_eq!((report.source, report.test_files), (CoverageSource::StaticReach, 1));
        assert_eq!(report.functions, CoverageTally { covered: 4, total: 7, percentage: 57.1 });
        assert_eq!(report.classes, CoverageTally { covered: 0, total: 1, percentage: 0.0 });
        let files: Vec<(&str, usize, usize)> = report
            .modules
            .iter()
            .map(|module| (&*module.file, module.elements.covered, module.elements.total))
            .collect();
        assert_eq!(files, [("src/index.ts", 0, 3), ("src/a.ts", 4, 5)]);
        let summary =
            build_coverage_report(&Graph::new(&index), &RecordedCoverage::default(), CoverageDetail::Summary, Some(1));
        assert_eq!((summary.total, summary.truncated, summary.uncovered), (2, true, None));
    }

    #[test]
    fn recorded_lines_come_before_edges() {
        let index = sample();
        let mut recorded = RecordedCoverage::default();
        // `open` stands at 11–19, `shut` at 21–29; the line of a definition runs when the file is loaded.
        let lines = RecordedFile {
            executed: vec![1, 11, 12, 21],
            missing: vec![22, 23],
            reports: vec!["coverage/lcov.info".to_owned()],
        };
        recorded.files.insert("src/index.ts".to_owned(), lines);
        let report = build_coverage_report(&Graph::new(&index), &recorded, CoverageDetail::Detailed, None);
        assert_eq!(names(&report), ["four", "Box.shut"]);
        assert_eq!((report.source, report.reports), (CoverageSource::Mixed, vec!["coverage/lcov.info".to_owned()]));
        assert_eq!(report.lines, Some(CoverageTally { covered: 4, total: 6, percentage: 66.7 }));
    }
}

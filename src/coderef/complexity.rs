//! How hard elements are to understand and to change.

use schemars::JsonSchema;
use serde::Serialize;

use super::graph::Graph;
use super::model::{ElementMetrics, GraphNode};
use super::target;
use super::view::NodeLocation;
use tapps_base::{Error, Result};

/// Weight, full value, measure.
type ComplexityScoreTerm = (f64, f64, fn(&ElementMetrics) -> u32);

/// What each measure contributes to the score, and from which value on it contributes all of it. The weights add to 1.
const PARTS: [ComplexityScoreTerm; 5] = [
    (0.35, 15.0, |metrics| metrics.cyclomatic.saturating_sub(1)),
    (0.30, 25.0, |metrics| metrics.cognitive),
    (0.15, 200.0, |metrics| metrics.lines),
    (0.10, 5.0, |metrics| metrics.nesting),
    (0.10, 8.0, |metrics| metrics.parameters),
];

tapps_base::wire_enum! {
    /// How much care something asks for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
    pub enum ComplexityRisk {
        Low = "low",
        Medium = "medium",
        High = "high",
        Critical = "critical",
    }
}

impl ComplexityRisk {
    /// Up to 3 low, up to 5 medium, up to 8 high.
    fn from_score(score: f64) -> Self {
        match score {
            score if score <= 3.0 => Self::Low,
            score if score <= 5.0 => Self::Medium,
            score if score <= 8.0 => Self::High,
            _ => Self::Critical,
        }
    }
}

/// The measures of one function-like element.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FunctionComplexity {
    #[serde(flatten)]
    pub place: NodeLocation,
    /// 0 for an empty function, 10 where every measure is at or above its limit; one decimal.
    pub score: f64,
    pub risk: ComplexityRisk,
    #[serde(flatten)]
    pub metrics: ElementMetrics,
}

/// What several elements add up to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct ComplexitySummary {
    /// Function-like elements.
    pub functions: usize,
    pub cyclomatic_sum: u32,
    pub cyclomatic_mean: f64,
    pub cyclomatic_most: u32,
    pub cognitive_sum: u32,
    pub score_most: f64,
    pub score_mean: f64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ComplexityReport {
    pub element: String,
    /// What the element was taken for.
    pub matches: Vec<NodeLocation>,
    pub summary: ComplexitySummary,
    pub total: usize,
    pub truncated: bool,
    /// The element itself, or what a class or file holds; the hardest first.
    pub functions: Vec<FunctionComplexity>,
}

/// Measures an element, the members of a class, or everything in a file.
///
/// # Errors
/// `invalid_argument` for an element that is not there or has no code of its own.
pub fn build_complexity_report(graph: &Graph<'_>, element: &str, limit: Option<usize>) -> Result<ComplexityReport> {
    let matches = target::find_target_nodes(graph, element)?;
    let mut nodes: Vec<GraphNode> = matches.iter().flat_map(|node| graph.with_members(*node)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let mut functions = measure_nodes(graph, &nodes);
    if functions.is_empty() {
        let kind =
            matches.iter().find_map(|node| NodeLocation::from_node(graph, *node)).map_or("element", |place| place.kind);
        let what = tapps_base::log_text(element);
        return Err(Error::invalid(format!("the {kind} `{what}` holds no function that could be measured"))
            .hint("name a function, a method, a class or a file with some"));
    }
    let summary = summarize_complexity(&functions);
    let total = functions.len();
    let truncated = limit.is_some_and(|limit| limit < total);
    functions.truncate(limit.unwrap_or(total));
    let matches = matches.iter().filter_map(|node| NodeLocation::from_node(graph, *node)).collect();
    Ok(ComplexityReport { element: element.to_owned(), matches, summary, total, truncated, functions })
}

/// The measures of all nodes that have some, the hardest first.
#[must_use]
pub fn measure_nodes(graph: &Graph<'_>, nodes: &[GraphNode]) -> Vec<FunctionComplexity> {
    let one = |node: &GraphNode| {
        let metrics = graph.element(*node)?.metrics?;
        let score = complexity_score(&metrics);
        Some(FunctionComplexity {
            place: NodeLocation::from_node(graph, *node)?,
            score,
            risk: ComplexityRisk::from_score(score),
            metrics,
        })
    };
    let mut all: Vec<FunctionComplexity> = nodes.iter().filter_map(one).collect();
    let key = |measured: &FunctionComplexity| (measured.metrics.cognitive, measured.metrics.cyclomatic);
    all.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| key(b).cmp(&key(a))).then_with(|| a.place.cmp(&b.place))
    });
    all
}

/// 0–10 with one decimal.
#[must_use]
pub fn complexity_score(metrics: &ElementMetrics) -> f64 {
    let share = |limit: f64, value: u32| (f64::from(value) / limit).min(1.0);
    let sum: f64 = PARTS.iter().map(|(weight, limit, value)| weight * share(*limit, value(metrics))).sum();
    (sum * 100.0).round() / 10.0
}

fn summarize_complexity(functions: &[FunctionComplexity]) -> ComplexitySummary {
    let count = functions.len().max(1) as f64;
    let sum =
        |value: fn(&ElementMetrics) -> u32| functions.iter().map(|function| value(&function.metrics)).sum::<u32>();
    let cyclomatic_sum = sum(|metrics| metrics.cyclomatic);
    let rounded = |value: f64| (value * 100.0).round() / 100.0;
    ComplexitySummary {
        functions: functions.len(),
        cyclomatic_sum,
        cyclomatic_mean: rounded(f64::from(cyclomatic_sum) / count),
        cyclomatic_most: functions.iter().map(|function| function.metrics.cyclomatic).max().unwrap_or_default(),
        cognitive_sum: sum(|metrics| metrics.cognitive),
        score_most: functions.iter().map(|function| function.score).fold(0.0, f64::max),
        score_mean: rounded(functions.iter().map(|function| function.score).sum::<f64>() / count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ElementKind;
    use crate::sample::Sample;

    fn metrics(cyclomatic: u32, cognitive: u32, lines: u32, nesting: u32, parameters: u32) -> ElementMetrics {
        ElementMetrics { cyclomatic, cyclomatic_total: cyclomatic, cognitive, nesting, parameters, lines }
    }

    #[test]
    fn both_ends_of_the_score_are_reached() {
        for (given, expected, level) in [
            (metrics(1, 0, 0, 0, 0), 0.0, ComplexityRisk::Low),
            (metrics(4, 5, 30, 1, 2), 2.0, ComplexityRisk::Low),
            (metrics(9, 10, 60, 3, 3), 4.5, ComplexityRisk::Medium),
            (metrics(12, 18, 120, 4, 4), 6.9, ComplexityRisk::High),
            (metrics(16, 25, 200, 5, 8), 10.0, ComplexityRisk::Critical),
            (metrics(90, 250, 2000, 15, 18), 10.0, ComplexityRisk::Critical),
        ] {
            let found = complexity_score(&given);
            assert_eq!((found, ComplexityRisk::from_score(found)), (expected, level), "{given:?}");
        }
        let weights: f64 = PARTS.iter().map(|part| part.0).sum();
        assert!((weights - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_class_is_what_its_methods_are() {
        let mut sample = Sample::new();
        let file = sample.file("a.ts");
        let class = sample.element(file, ElementKind::Class, "Query");
        let easy = sample.member(class, ElementKind::Method, "easy");
        let hard = sample.member(class, ElementKind::Method, "hard");
        sample.element(file, ElementKind::Constant, "LIMIT");
        sample.measure(easy, metrics(1, 0, 3, 0, 0));
        sample.measure(hard, metrics(10, 12, 50, 3, 2));
        let index = sample.index();
        let graph = Graph::new(&index);
        let report = build_complexity_report(&graph, "Query", None).unwrap();
        let names: Vec<&str> = report.functions.iter().map(|function| &*function.place.name).collect();
        assert_eq!(names, ["Query.hard", "Query.easy"]);
        assert_eq!((report.summary.functions, report.summary.cyclomatic_sum), (2, 11));
        assert_eq!((report.summary.cyclomatic_mean, report.summary.cyclomatic_most), (5.5, 10));
        let json = serde_json::to_value(&report.functions[0]).unwrap();
        assert_eq!((&json["cyclomatic"], &json["type"]), (&10.into(), &"method".into()));
        assert_eq!(build_complexity_report(&graph, "a.ts", Some(1)).unwrap().functions.len(), 1);
        let error = build_complexity_report(&graph, "LIMIT", None).unwrap_err();
        assert_eq!(error.message(), "the constant `LIMIT` holds no function that could be measured");
    }
}

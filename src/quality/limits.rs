//! Limits on single metrics: of a file as a whole, of each function in it, and of what a change makes of both.

use tapps_base::finding::{Severity, Tool};
use tapps_coderef::family::parse_source_file;
use tapps_coderef::model::ElementMetrics;
use tapps_config::{Metric, MetricLimits, MetricPlace};
use tapps_project::assess::is_breach;

use crate::result::FileScore;

/// Most functions that are named for one limit.
const MOST_NAMED: usize = 5;

/// Which limits a file passes by; `text` is what was scored.
pub(crate) fn passed_limits(score: &FileScore, text: Option<&str>, limits: &MetricLimits) -> Vec<String> {
    let mut passed = Vec::new();
    for (metric, limit) in of_place(limits, MetricPlace::File) {
        let count = count_in_file(metric, score);
        if f64::from(count) > limit {
            passed.push(describe_count(metric, count, limit));
        }
    }
    let of_functions: Vec<(Metric, f64)> = of_place(limits, MetricPlace::Function).collect();
    let language = score.language.filter(|_| !of_functions.is_empty() && score.overall.is_some());
    let (Some(language), Some(text)) = (language, text) else { return passed };
    let elements = parse_source_file(&score.file, language.language(), text).elements;
    for (metric, limit) in of_functions {
        let above = elements.iter().filter_map(|element| {
            let value = function_metric(metric, &element.metrics?);
            (f64::from(value) > limit)
                .then(|| describe_function(metric, (&element.path, element.span.line), value, limit))
        });
        passed.extend(first_of(metric, above.collect()));
    }
    passed
}

/// The limits on one kind of place.
pub(crate) fn of_place(limits: &MetricLimits, place: MetricPlace) -> impl Iterator<Item = (Metric, f64)> + '_ {
    limits.set_limits().filter(move |(metric, _)| metric.profile().place == place)
}

/// The first few of what is said of functions, and how many more there are.
pub(crate) fn first_of(metric: Metric, mut said: Vec<String>) -> Vec<String> {
    let more = said.len().saturating_sub(MOST_NAMED);
    said.truncate(MOST_NAMED);
    if more > 0 {
        said.push(format!("{}: and {more} more", metric.as_str()));
    }
    said
}

pub(crate) fn describe_count(metric: Metric, count: u32, limit: f64) -> String {
    format!("{}: {count} > {limit} maximum", metric.as_str())
}

pub(crate) fn describe_function(metric: Metric, (name, line): (&str, u32), value: u32, limit: f64) -> String {
    let unit = metric.profile().unit;
    format!("{}: `{name}` at line {line} has {value}{unit} > {limit} maximum", metric.as_str())
}

/// A number of one function; nothing of a metric that is none of functions.
pub(crate) const fn function_metric(metric: Metric, metrics: &ElementMetrics) -> u32 {
    match metric {
        Metric::CognitiveComplexity => metrics.cognitive,
        Metric::CyclomaticComplexity => metrics.cyclomatic,
        Metric::FunctionLength => metrics.lines,
        Metric::Nesting => metrics.nesting,
        Metric::Parameters => metrics.parameters,
        _ => 0,
    }
}

/// What is counted in a file.
pub(crate) fn count_in_file(metric: Metric, score: &FileScore) -> u32 {
    let findings = score.findings.iter();
    let of = |severity: Severity| score.findings.iter().filter(|one| one.severity == severity).count();
    let count = match metric {
        Metric::Suppressions => score.suppressions.len(),
        Metric::ContractBreaches => findings.filter(|one| is_breach(one)).count(),
        Metric::Findings => findings.filter(|one| one.severity > Severity::Info).count(),
        Metric::CriticalFindings => of(Severity::Critical),
        Metric::HighFindings => of(Severity::High),
        Metric::MediumFindings => of(Severity::Medium),
        Metric::LowFindings => of(Severity::Low),
        Metric::ProjectFindings => findings.filter(|one| one.tool == Tool::Project).count(),
        _ => 0,
    };
    u32::try_from(count).unwrap_or(u32::MAX)
}

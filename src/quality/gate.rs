//! The verdict on a scored file.

use crate::blocking::is_blocking;
use crate::limits::passed_limits;
use crate::result::{FileGate, FileScore, NotMeasured};
use crate::weights::CategoryWeights;
use tapps_base::finding::{Category, Confidence, Finding, Severity};
use tapps_config::{Gate, SecurityFindings};

/// How near to a limit a value must be to be worth a warning, in points of its own scale.
const NEAR: f64 = 0.5;

/// What besides the preset decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Demands {
    /// Results of unverified tools fail.
    pub verified: bool,
    /// Missing coverage data fails instead of warning.
    pub coverage: bool,
}

/// The limit on the sum of the categories.
const OVERALL: &str = "overall";

/// One limit and what it was compared with.
struct Limit {
    name: &'static str,
    value: Option<f64>,
    minimum: f64,
    unit: &'static str,
}

/// Judges one file by the limits of a preset; `text` is what was scored, where it is code.
#[must_use]
pub fn judge_file(
    result: FileScore,
    text: Option<&str>,
    gate: &Gate,
    demands: Demands,
    weights: &CategoryWeights,
) -> FileGate {
    let mut failures: Vec<String> =
        result.blocking.iter().map(|b| format!("{} at line {}: {}", b.rule, b.line, b.message)).collect();
    let (mut warnings, mut lacking) = (Vec::new(), Vec::new());
    let unverified = demands.verified && !result.toolchain.verified;
    if unverified {
        failures.push("toolchain: not verified against its lock".to_owned());
    }
    // A text file has a score where a tool of the project's own was asked about it.
    if result.language.is_some() || result.overall.is_some() || result.degraded {
        failures.extend(security_failures(&result, gate.security_findings));
        for limit in limits(&result, gate, weights) {
            // A sum from which something is missing decides nothing.
            let incomplete = result.degraded && limit.name == OVERALL;
            limit.check(if incomplete { &mut lacking } else { &mut failures }, &mut warnings);
        }
        if let Some((most, percent)) = gate.duplication.zip(result.duplication).filter(|(most, percent)| percent > most)
        {
            failures.push(format!("duplication: {percent:.1}% > {most:.1}% maximum"));
        }
        failures.extend(passed_limits(&result, text, &gate.limits));
        report_unmeasured(&result, &mut lacking, &mut warnings);
        let has_coverage = result.coverage.as_ref().is_some_and(|coverage| coverage.percent.is_some());
        if result.language.is_some() && !has_coverage {
            let text = "test_coverage: no coverage data, the limit was not checked".to_owned();
            if demands.coverage { failures.push(text) } else { warnings.push(text) }
        }
    }
    let undecided = !lacking.is_empty() && failures.len() == usize::from(unverified);
    failures.append(&mut lacking);
    FileGate {
        file: result.file.clone(),
        passed: failures.is_empty(),
        undecided,
        score: result.overall,
        threshold: gate.overall,
        recommendation: recommendation(&result, failures.is_empty()),
        failures,
        warnings,
        blocking: result.blocking.clone(),
        new_findings: result.findings.len(),
        result,
    }
}

/// Thousandths that such a finding asks for at least; of several on a line only the dearest asks for any.
const GRAVE: u32 = 1_000;

/// Security findings that fail the gate by themselves, in the order of the file.
fn security_failures(result: &FileScore, limit: SecurityFindings) -> Vec<String> {
    let least = match limit {
        SecurityFindings::Off => return Vec::new(),
        SecurityFindings::High => Severity::High,
        SecurityFindings::Medium => Severity::Medium,
    };
    let counts = |finding: &&Finding| {
        finding.category == Category::Security
            && finding.severity >= least
            && finding.confidence == Confidence::High
            && finding.cost >= GRAVE
            && !is_blocking(finding)
    };
    let say = |finding: &Finding| format!("{} at line {}: {}", finding.rule, finding.line, finding.message);
    result.findings.iter().filter(counts).map(say).collect()
}

/// Overall first, then the categories by weight.
fn limits(result: &FileScore, gate: &Gate, weights: &CategoryWeights) -> Vec<Limit> {
    let mut limits = vec![Limit { name: OVERALL, value: result.overall, minimum: gate.overall, unit: "" }];
    for category in weights.heaviest_first() {
        let score = result.categories.get(&category).and_then(|category| category.score);
        let limit = match category {
            Category::Security => Some((score, gate.security, "")),
            Category::Maintainability => gate.maintainability.map(|minimum| (score, minimum, "")),
            Category::TestCoverage => {
                Some((result.coverage.as_ref().and_then(|coverage| coverage.percent), gate.coverage, "%"))
            }
            _ => None,
        };
        if let Some((value, minimum, unit)) = limit {
            limits.push(Limit { name: category.as_str(), value, minimum, unit });
        }
    }
    limits
}

impl Limit {
    /// An unmeasured value is not this function's business: see [`report_unmeasured`].
    fn check(&self, failures: &mut Vec<String>, warnings: &mut Vec<String>) {
        let Self { name, minimum, unit, .. } = self;
        let Some(value) = self.value else { return };
        if value < *minimum {
            failures
                .push(format!("{name}: {}{unit} < {minimum:.1}{unit} minimum", describe_missed_limit(value, *minimum)));
        } else if value - minimum < NEAR {
            warnings.push(format!("{name}: {value:.1}{unit} is close to the {minimum:.1}{unit} minimum"));
        }
    }
}

/// A value that misses its limit, with as many decimals as it takes to be seen to miss it.
fn describe_missed_limit(value: f64, minimum: f64) -> String {
    (1..=6)
        .map(|decimals| format!("{value:.decimals$}"))
        .find(|text| text.parse::<f64>().is_ok_and(|shown| shown < minimum))
        .unwrap_or_else(|| value.to_string())
}

/// Nothing unmeasured counts as clean: what was to be measured and could not be fails.
fn report_unmeasured(result: &FileScore, failures: &mut Vec<String>, warnings: &mut Vec<String>) {
    if result.overall.is_none() && result.blocking.is_empty() {
        failures.push("overall: nothing could be measured".to_owned());
    }
    for NotMeasured { category, reason, failed, .. } in &result.not_measured {
        let text = format!("{}: not measured: {reason}", category.as_str());
        // One unreadable file needs one reason, which is blocking already.
        let said = result.overall.is_none() && !result.blocking.is_empty();
        match (said, *failed) {
            (true, _) => {}
            (false, true) => failures.push(text),
            (false, false) => warnings.push(text),
        }
    }
}

fn recommendation(result: &FileScore, passed: bool) -> String {
    let first = result.suggestions.first();
    match (passed, first) {
        (true, None) if result.overall.is_none() => "only secrets were looked for: such a file has no score".to_owned(),
        (true, None) => "nothing to do".to_owned(),
        (true, Some(suggestion)) => format!("passed; the cheapest gain is {}", describe_suggestion(suggestion)),
        (false, Some(suggestion)) => format!("first: {}", describe_suggestion(suggestion)),
        (false, None) => "see the failures".to_owned(),
    }
}

fn describe_suggestion(suggestion: &crate::result::Suggestion) -> String {
    let place = if suggestion.line > 0 { format!(" (line {})", suggestion.line) } else { String::new() };
    format!("{}{place}", suggestion.action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_miss_is_shown_as_a_miss() {
        for (value, minimum, text) in [(6.2, 7.0, "6.2"), (69.96, 70.0, "69.96"), (69.999_6, 70.0, "69.9996")] {
            assert_eq!(describe_missed_limit(value, minimum), text);
        }
    }

    #[test]
    fn limits_fail_below_and_warn_just_above() {
        for (value, failures, warnings) in [(6.9, 1, 0), (7.0, 0, 1), (7.49, 0, 1), (7.5, 0, 0)] {
            let limit = Limit { name: "security", value: Some(value), minimum: 7.0, unit: "" };
            let (mut failed, mut warned) = (Vec::new(), Vec::new());
            limit.check(&mut failed, &mut warned);
            assert_eq!((failed.len(), warned.len()), (failures, warnings), "{value}");
        }
    }
}

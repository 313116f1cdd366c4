//! Test coverage: what the tests are known to run, else how near they come.

use super::{Assessment, file_level_finding};
use crate::Snapshot;
use crate::coverage::{FileCoverage, Lookup, ProjectCoverage};
use crate::reach::{Distance, ModuleFacts, is_test_code};
use crate::rules::{coverage_not_measured, stale_coverage, uncovered_lines, untested_module};
use tapps_base::Result;
use tapps_base::finding::Finding;
use tapps_base::language::has_no_ending;
use tapps_base::rule::Rule;
use tapps_base::source::Source;

/// What a category can lose, in thousandths of a point.
const WHOLE: u64 = 10_000;
/// Uncovered regions that are named one by one; the others are said in one finding.
const NAMED: usize = 5;
/// What it costs besides, when tests reach a module only through one other, and through more.
const THROUGH_ONE: u32 = 1_000;
const THROUGH_MORE: u32 = 2_000;

/// Judges how far the tests run a file.
///
/// Test code and modules without anything to run cost nothing. With coverage data of the file as it is now, the
/// uncovered share is lost. Without, half is lost when a test imports the module, more when tests only reach it through
/// others, and all when none does.
///
/// # Errors
/// `internal` when the system gives no threads to parse on.
pub fn test_coverage(project: &Snapshot, source: &Source, coverage: &ProjectCoverage) -> Result<Assessment> {
    let nothing = |details: &str| Assessment {
        details: details.to_owned(),
        origin: "not applicable".to_owned(),
        ..Assessment::default()
    };
    if is_test_code(source.path()) {
        return Ok(nothing("test code is not itself measured"));
    }
    // The listing of the project goes by endings.
    if has_no_ending(source.path()) {
        return Ok(nothing("which tests run a script without an ending is not known"));
    }
    let lookup = coverage.of_file(source)?;
    if !has_logic(project, source)? {
        let mut verdict = nothing("there is nothing in the file to test");
        if let Lookup::Measured(lines) = &lookup {
            verdict.coverage_percent = Some(lines.percent());
        }
        return Ok(verdict);
    }
    Ok(match lookup {
        Lookup::Measured(lines) => assess_measured(source, &lines),
        Lookup::Stale { origin, reason } => {
            let why = format!("{} was recorded before the file changed: {reason}", origin.path);
            assess_by_reach(project, source, &stale_coverage::RULE, &why)
        }
        Lookup::Absent => {
            let why = match coverage.problems().first() {
                Some(problem) => format!("{} cannot be used: {}", problem.path, problem.reason),
                None if coverage.origins().next().is_some() => "the coverage data does not name the file".to_owned(),
                None => "no coverage data".to_owned(),
            };
            assess_by_reach(project, source, &coverage_not_measured::RULE, &why)
        }
    })
}

fn has_logic(project: &Snapshot, source: &Source) -> Result<bool> {
    match project.modules.get(source.path()) {
        Some(module) => Ok(module.logic),
        None => Ok(ModuleFacts::from_bytes(source.path(), source.bytes(), false).logic),
    }
}

/// Missing lines with no executed line between them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Region {
    /// The missing lines, at least one.
    lines: Vec<u32>,
}

impl Region {
    fn bounds(&self) -> (u32, u32) {
        (self.lines.first().copied().unwrap_or(0), self.lines.last().copied().unwrap_or(0))
    }
}

fn regions(lines: &FileCoverage) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let mut executed = lines.executed.iter().copied().peekable();
    for &line in &lines.missing {
        let mut apart = regions.is_empty();
        while executed.next_if(|&ran| ran < line).is_some() {
            apart = true;
        }
        match regions.last_mut() {
            Some(region) if !apart => region.lines.push(line),
            _ => regions.push(Region { lines: vec![line] }),
        }
    }
    regions
}

fn assess_measured(source: &Source, lines: &FileCoverage) -> Assessment {
    let (total, missing) = (lines.executable() as u64, lines.missing.len() as u64);
    // Rounded to whole thousandths of a point; a single missing line of very many may come to nothing.
    let lost = if total == 0 { 0 } else { (2 * WHOLE * missing + total) / (2 * total) };
    let mut regions = regions(lines);
    regions.sort_by_key(|region| (std::cmp::Reverse(region.lines.len()), region.bounds()));
    let rest = regions.split_off(regions.len().min(NAMED));
    let mut share = Share { lost, missing, counted: 0, given: 0 };
    let mut findings: Vec<Finding> = Vec::new();
    for region in &regions {
        let cost = share.cost_of_lines(region.lines.len() as u64);
        findings.push(uncovered(source, region, cost));
    }
    if !rest.is_empty() {
        let count: usize = rest.iter().map(|region| region.lines.len()).sum();
        let message = format!(
            "{} did not run in {} more {}",
            format_count(count, "line"),
            rest.len(),
            pluralize_noun(rest.len(), "place")
        );
        let cost = share.cost_of_lines(count as u64);
        findings.push(file_level_finding(&uncovered_lines::RULE, source, message, "rest").costing(cost));
    }
    findings.sort_by(Finding::order);
    let origins: Vec<String> = lines.origins.iter().map(|o| format!("{} (sha256 {})", o.path, o.sha256)).collect();
    let names: Vec<&str> = lines.origins.iter().map(|origin| origin.path.as_str()).collect();
    let ran = lines.executed.len();
    let details = format!(
        "{ran} of {} ran ({:.1} %), by {}",
        format_count(lines.executable(), "executable line"),
        lines.percent(),
        names.join(", ")
    );
    Assessment { details, findings, coverage_percent: Some(lines.percent()), origin: origins.join(", ") }
}

/// Hands out a cost over all missing lines so that the parts add up to it exactly.
struct Share {
    lost: u64,
    missing: u64,
    counted: u64,
    given: u64,
}

impl Share {
    fn cost_of_lines(&mut self, lines: u64) -> u32 {
        self.counted += lines;
        let until_now = self.lost * self.counted / self.missing.max(1);
        let cost = until_now - self.given;
        self.given = until_now;
        u32::try_from(cost).unwrap_or(u32::MAX)
    }
}

fn uncovered(source: &Source, region: &Region, cost: u32) -> Finding {
    let (first, last) = region.bounds();
    let count = region.lines.len();
    let message = format!("{} did not run in any test", format_count(count, "line"));
    let text: Vec<String> = region.lines.iter().map(|&line| source.line(line).into_owned()).collect();
    let mut finding = uncovered_lines::RULE.finding(message).at(first, 0, last).costing(cost).anchored(text.join("\n"));
    source.path().clone_into(&mut finding.file);
    finding.seal("");
    finding
}

/// Without coverage data: what the import graph says, with the reason why there is no more.
fn assess_by_reach(project: &Snapshot, source: &Source, rule: &Rule, why: &str) -> Assessment {
    let origin = "static reach".to_owned();
    let Some(by) = project.reach().of_file(source.path()) else {
        let tests = project.reach().tests().len();
        let said = if tests == 0 {
            "the project has no test with an assertion".to_owned()
        } else {
            "no test reaches it".to_owned()
        };
        let finding = file_level_finding(&untested_module::RULE, source, format!("{said}, and {why}"), "module");
        let details = format!("static reach: {said}; {why}");
        return Assessment { details, findings: vec![finding], coverage_percent: None, origin };
    };
    let (how, more) = match by.distance {
        Distance::Direct => ("imported by".to_owned(), 0),
        Distance::Transitive(2) => ("reached through one module by".to_owned(), THROUGH_ONE),
        Distance::Transitive(depth) => (format!("reached through {} modules by", depth - 1), THROUGH_MORE),
    };
    let said = format!("{how} {}", by.test);
    let finding =
        file_level_finding(rule, source, format!("{said}, but which lines run is not known: {why}"), "module");
    let cost = finding.cost + more;
    let details = format!("static reach, at most 5 of 10: {said}; {why}");
    Assessment { details, findings: vec![finding.costing(cost)], coverage_percent: None, origin }
}

fn pluralize_noun(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

fn format_count(count: usize, word: &str) -> String {
    format!("{count} {}", pluralize_noun(count, word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(executed: &[u32], missing: &[u32]) -> FileCoverage {
        FileCoverage { executed: executed.into(), missing: missing.into(), excluded: vec![], origins: vec![] }
    }

    fn source(count: usize) -> Source {
        Source::new("a.py", "x = 1\n".repeat(count).into_bytes())
    }

    #[test]
    fn regions_end_at_executed_lines_and_span_what_cannot_run() {
        let bounds: Vec<(u32, u32)> = regions(&lines(&[1, 6], &[2, 3, 5, 7, 20])).iter().map(Region::bounds).collect();
        assert_eq!(bounds, [(2, 5), (7, 20)]);
    }

    #[test]
    fn the_largest_regions_are_named_and_the_rest_is_one_finding() {
        let missing = [2, 4, 5, 7, 9, 11, 13, 15];
        let executed = [1, 3, 6, 8, 10, 12, 14];
        let verdict = assess_measured(&source(20), &lines(&executed, &missing));
        let places: Vec<(u32, u32, u32)> = verdict.findings.iter().map(|f| (f.line, f.end_line, f.cost)).collect();
        // 8 of 15 lines are 5,333 thousandths, 666.6 a line.
        assert_eq!(places, [(0, 0, 1334), (2, 2, 666), (4, 5, 1333), (7, 7, 667), (9, 9, 667), (11, 11, 666)]);
        assert_eq!(verdict.total_cost(), 5333);
        assert_eq!(verdict.coverage_percent, Some(100.0 * 7.0 / 15.0));
    }

    #[test]
    fn no_executable_lines_cost_nothing() {
        assert_eq!(assess_measured(&source(1), &lines(&[], &[])).total_cost(), 0);
    }

    proptest! {
        #[test]
        fn costs_add_up_to_the_uncovered_share(ran in proptest::collection::vec(any::<bool>(), 1..400)) {
            let pick = |wanted| (1_u32..).zip(&ran).filter(|(_, ran)| **ran == wanted).map(|(line, _)| line).collect();
            let lines = FileCoverage { executed: pick(true), missing: pick(false), excluded: vec![], origins: vec![] };
            let verdict = assess_measured(&source(ran.len()), &lines);
            let share = 10_000.0 * lines.missing.len() as f64 / ran.len() as f64;
            prop_assert!((f64::from(verdict.total_cost()) - share).abs() <= 0.5);
            prop_assert!(verdict.findings.len() <= NAMED + 1);
        }
    }
}

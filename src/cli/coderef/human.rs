//! Answers for people.

use std::fmt::Write as _;

use crate::cli::human::style::{Style, pluralize_count, render_bar};
use tapps_base::log_text;
use tapps_coderef::complexity::{ComplexityReport, ComplexityRisk};
use tapps_coderef::contracts::ForbiddenImport;
use tapps_coderef::coverage::{CoverageReport, CoverageSource, CoverageTally};
use tapps_coderef::export::ExportReport;
use tapps_coderef::impact::{ImpactReport, RiskLevel};
use tapps_coderef::model::Parse;
use tapps_coderef::query::{Chain, QueryAnswer, QueryReport, QueryResult};
use tapps_coderef::scan::ScanReport;
use tapps_coderef::view::NodeLocation;

/// Most files that could not be read that are named.
const UNREAD_SHOWN: usize = 20;

/// `kind name file:line`.
fn render_element_place(place: &NodeLocation, style: Style) -> String {
    let at = if place.kind == "file" { place.file.clone() } else { format!("{}:{}", place.file, place.line) };
    format!("{:<11} {} {}", place.kind, style.bold(log_text(&place.name)), style.dim(log_text(&at)))
}

/// Several elements under one name are worth knowing of.
fn render_name_matches(matches: &[NodeLocation], asked: &str, style: Style) -> String {
    let mut text = String::new();
    if matches.len() > 1 {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} things are called {}:", matches.len(), style.bold(log_text(asked)));
        for one in matches {
            let _ = writeln!(text, "  {}", render_element_place(one, style));
        }
    }
    text
}

/// The elements of a project.
pub(super) fn render_scan_report(report: &ScanReport, style: Style) -> String {
    let mut text = String::new();
    let mut file = "";
    for element in &report.elements {
        if element.place.file != file {
            file = &element.place.file;
            let _ = writeln!(text, "{}", style.bold(log_text(file)));
        }
        let what = element.signature.as_deref().unwrap_or(&element.place.name);
        let exported = if element.exported { style.good("+") } else { " ".to_owned() };
        let _ = writeln!(text, "{:>6} {exported} {:<11} {}", element.place.line, element.place.kind, log_text(what));
    }
    let kinds: Vec<String> = report.by_type.iter().map(|(kind, number)| format!("{kind} {number}")).collect();
    let shown = if report.truncated { format!("{} of ", report.elements.len()) } else { String::new() };
    let found = pluralize_count(report.elements_found, "element");
    let _ = writeln!(
        text,
        "{}",
        style.dim(format!("{shown}{found} in {}: {}", pluralize_count(report.files, "file"), kinds.join(", ")))
    );
    for unread in report.unread.iter().take(UNREAD_SHOWN) {
        let why = match &unread.parse {
            Parse::Whole => String::new(),
            Parse::Broken { line, message } => format!("line {line}: {message}"),
            Parse::Skipped { reason } => reason.clone(),
        };
        let _ = writeln!(text, "{} {}: {}", style.fair("not read whole:"), log_text(&unread.file), log_text(&why));
    }
    let more = report.unread.len().saturating_sub(UNREAD_SHOWN);
    if more > 0 {
        let _ = writeln!(text, "{} {}", style.fair("not read whole:"), pluralize_count(more, "other file"));
    }
    text
}

/// What something refers to, or what refers to it.
pub(super) fn render_query_report(report: &QueryReport, style: Style) -> String {
    if let Some(allowed) = report.allowed {
        return may_import_lines(report, allowed, style);
    }
    let mut text = render_name_matches(&report.matches, &report.target, style);
    for answer in &report.results {
        text += &match answer {
            QueryAnswer::Found(result) => result_line(result, style),
            QueryAnswer::Path(chain) => chain_line(chain, style),
            QueryAnswer::Forbidden(forbidden) => forbidden_lines(forbidden, style),
        };
    }
    for outside in &report.outside {
        let name = outside.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "  outside     {}{name} {}",
            log_text(&outside.module),
            style.dim(render_line_numbers(&outside.lines))
        );
    }
    let shown = if report.truncated { format!("{} of ", report.results.len()) } else { String::new() };
    let _ = writeln!(text, "{}", style.dim(format!("{shown}{}", pluralize_count(report.total, "result"))));
    if let Some(not) = report.not_followed {
        let parts = [
            (not.ambiguous, "ambiguous"),
            (not.unresolved, "unresolved"),
            (not.dynamic, "dynamic"),
            (not.builtin, "of the language"),
        ];
        let said: Vec<String> =
            parts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
        let _ = writeln!(text, "{}", style.dim(format!("not followed: {}", said.join(", "))));
    }
    text
}

fn may_import_lines(report: &QueryReport, allowed: bool, style: Style) -> String {
    let forbidden = report.results.iter().map(|answer| match answer {
        QueryAnswer::Forbidden(forbidden) => forbidden_lines(forbidden, style),
        QueryAnswer::Found(_) | QueryAnswer::Path(_) => String::new(),
    });
    let verdict = if allowed { style.good("yes") } else { style.bad("no") };
    let asked = pluralize_count(report.contracts.unwrap_or_default(), "contract");
    forbidden.collect::<String>() + &format!("{verdict} by {asked}\n")
}

fn forbidden_lines(forbidden: &ForbiddenImport, style: Style) -> String {
    let mut text = format!("{} {}\n", style.bold(log_text(&forbidden.contract)), log_text(&forbidden.says));
    for link in &forbidden.chain {
        let line = if link.line == 0 { " (not written)".to_owned() } else { format!(":{}", link.line) };
        let place = style.dim(format!("{}{line}", log_text(&link.importer)));
        let _ = writeln!(text, "  {place} → {}", log_text(&link.imported));
    }
    text
}

fn result_line(result: &QueryResult, style: Style) -> String {
    let indent = "  ".repeat(result.depth as usize);
    let status = if result.status == "resolved" { String::new() } else { format!(" {}", style.fair(result.status)) };
    format!(
        "{indent}{} {}{status}\n",
        render_element_place(&result.place, style),
        style.dim(render_line_numbers(&result.lines))
    )
}

fn chain_line(chain: &Chain, style: Style) -> String {
    let mut text = String::new();
    for link in &chain.steps {
        let how =
            link.relationship.map_or_else(String::new, |how| format!("{how} {} → ", render_line_numbers(&link.lines)));
        let indent = if link.relationship.is_some() { "  " } else { "" };
        let _ = writeln!(text, "{indent}{}{}", style.dim(how), render_element_place(&link.place, style));
    }
    text
}

fn render_line_numbers(lines: &[u32]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    format!("@{}", lines.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
}

/// What a change touches.
pub(super) fn render_impact_report(report: &ImpactReport, style: Style) -> String {
    let mut text = render_name_matches(&report.matches, &report.element, style);
    let risk = match report.risk_level {
        RiskLevel::Low => style.good(report.risk_level.as_str()),
        RiskLevel::Medium => style.fair(report.risk_level.as_str()),
        RiskLevel::High | RiskLevel::Critical => style.bad(report.risk_level.as_str()),
    };
    let _ = writeln!(
        text,
        "{risk} risk, score {}: {} in {} ({} direct, {} transitive, {} further)",
        report.risk_score,
        pluralize_count(report.estimated_affected, "place"),
        pluralize_count(report.affected_files, "file"),
        report.direct,
        report.transitive,
        report.further
    );
    for dependent in &report.dependents {
        let indent = "  ".repeat(dependent.depth as usize);
        let marks = [(dependent.test, "test"), (dependent.status == "ambiguous", "ambiguous")];
        let marks: String = marks.iter().filter(|mark| mark.0).map(|mark| format!(" {}", style.fair(mark.1))).collect();
        let at = style.dim(format!("{} {}", dependent.relationship, render_line_numbers(&dependent.lines)));
        let _ = writeln!(text, "{indent}{} {at}{marks}", render_element_place(&dependent.place, style));
    }
    if report.truncated {
        let _ = writeln!(text, "{}", style.dim(format!("{} of {}", report.dependents.len(), report.total)));
    }
    match report.tests.as_slice() {
        [] => text += &format!("{}\n", style.fair("no test reaches it")),
        tests => {
            let _ = writeln!(text, "reached by {}:", pluralize_count(tests.len(), "test file"));
            for test in tests {
                let _ = writeln!(text, "  {}", log_text(test));
            }
        }
    }
    text
}

/// How hard something is to understand.
pub(super) fn render_complexity_report(report: &ComplexityReport, style: Style) -> String {
    let mut text = render_name_matches(&report.matches, &report.element, style);
    let _ = writeln!(text, "{}", style.dim("score  cyclomatic  cognitive  nesting  parameters  lines"));
    for function in &report.functions {
        let score = format!("{:>5.1}", function.score);
        let score = match function.risk {
            ComplexityRisk::Low => style.good(score),
            ComplexityRisk::Medium => style.fair(score),
            ComplexityRisk::High | ComplexityRisk::Critical => style.bad(score),
        };
        let own = &function.metrics;
        let _ = writeln!(
            text,
            "{score}  {:>10}  {:>9}  {:>7}  {:>10}  {:>5}  {}",
            own.cyclomatic,
            own.cognitive,
            own.nesting,
            own.parameters,
            own.lines,
            render_element_place(&function.place, style)
        );
    }
    let all = &report.summary;
    let sum = format!(
        "{}: cyclomatic {} in sum, {} in the mean, {} at most",
        pluralize_count(all.functions, "function"),
        all.cyclomatic_sum,
        all.cyclomatic_mean,
        all.cyclomatic_most
    );
    let _ = writeln!(text, "{}", style.dim(sum));
    text
}

/// What the tests reach.
pub(super) fn render_coverage_report(report: &CoverageReport, style: Style) -> String {
    let mut text = String::new();
    for module in &report.modules {
        let share = module.elements.percentage / 100.0;
        let of_lines =
            module.lines.map(|lines| format!(", lines {}", render_coverage_tally(&lines))).unwrap_or_default();
        let _ = writeln!(
            text,
            "{} {:>5.1} %  {} {}",
            style.color_by_share(share, render_bar(share)),
            module.elements.percentage,
            log_text(&module.file),
            style.dim(format!("{}{of_lines}", render_coverage_tally(&module.elements)))
        );
    }
    for one in report.uncovered.iter().flatten() {
        let _ = writeln!(text, "{} {}", style.bad("not reached"), render_element_place(one, style));
    }
    let source = match report.source {
        CoverageSource::StaticReach => "by calls and imports from tests, without running them".to_owned(),
        CoverageSource::Recorded => format!("as recorded in {}", report.reports.join(", ")),
        CoverageSource::Mixed => {
            format!("as recorded in {}, else by calls and imports from tests", report.reports.join(", "))
        }
    };
    let overall = format!(
        "{:.1} % of functions and classes ({}) are reached by {}, {source}",
        report.overall.percentage,
        render_coverage_tally(&report.overall),
        pluralize_count(report.test_files, "test file")
    );
    let _ = writeln!(text, "{}", style.bold(overall));
    for file in &report.stale {
        let _ = writeln!(text, "{} what is recorded of {} is of another text", style.fair("note:"), log_text(file));
    }
    text
}

fn render_coverage_tally(tally: &CoverageTally) -> String {
    format!("{} of {}", tally.covered, tally.total)
}

/// What was written where.
pub(super) fn render_export_report(report: &ExportReport, _style: Style) -> String {
    let path = report.output_path.as_deref().unwrap_or_default();
    format!(
        "{}: {}, {}, {} bytes\n",
        log_text(path),
        pluralize_count(report.nodes, "node"),
        pluralize_count(report.edges, "edge"),
        report.bytes
    )
}

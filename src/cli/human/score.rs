//! A score report for people: the number, where it comes from, what to change first.

use std::fmt::Write as _;

use super::finding::render_finding;
use super::style::{Style, pluralize_count, render_bar};
use tapps_base::finding::{Category, Finding};
use tapps_quality::result::{AnalysisMode, FileScore, ProjectConfiguration, ScoreReport, short_digest};
use tapps_security::secrets::MaskedSource;

/// Rules drawn per file unless all findings are asked for.
const MOST_FINDINGS: usize = 10;
/// Further lines named per rule.
const MOST_LINES: usize = 8;

/// How much to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreDetail {
    pub all: bool,
}

/// Draws a report; `source` gives a file's text for excerpts.
#[must_use]
pub fn draw_report(
    report: &ScoreReport,
    source: &dyn Fn(&str) -> Option<MaskedSource>,
    style: Style,
    detail: ScoreDetail,
) -> String {
    let mut out = String::new();
    match report.files.as_slice() {
        [file] => out.push_str(&draw_file(file, source(&file.file).as_ref(), style, detail)),
        files => out.push_str(&draw_table(files, style)),
    }
    for skipped in &report.skipped {
        let _ = writeln!(out, "{}", style.dim(format!("skipped {}: {}", skipped.file, skipped.reason)));
    }
    if let (Some(mean), true) = (report.mean, report.files.len() > 1) {
        let _ = writeln!(
            out,
            "\n{} · mean {}",
            pluralize_count(report.total, "file"),
            style.color_by_share(mean / 100.0, format!("{mean:.1}"))
        );
    }
    out.push_str(&draw_configuration(report.configuration.as_ref(), style));
    if let Some(file) = report.files.first() {
        let _ = writeln!(out, "\n{}", style.dim(footer(file, report.meta.elapsed_ms)));
    }
    out.push_str(&draw_types(report.files.iter(), style));
    out
}

/// One file in full.
#[must_use]
pub fn draw_file(file: &FileScore, source: Option<&MaskedSource>, style: Style, detail: ScoreDetail) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}\n", headline(file, style));
    for (category, score) in &file.categories {
        let name = format!("{:<16}", category.as_str());
        match score.score {
            Some(value) => {
                let drawn = style.color_by_share(value / 10.0, format!("{value:>5.1}  {}", render_bar(value / 10.0)));
                let _ = writeln!(out, "  {name}{drawn}  {}", style.dim(&score.details));
            }
            None => {
                let _ = writeln!(out, "  {name}{}", style.dim(format!("    –  not measured: {}", score.details)));
            }
        }
    }
    out.push_str(&draw_findings(file, source, style, detail));
    out.push_str(&draw_suggestions(file, style));
    out
}

fn headline(file: &FileScore, style: Style) -> String {
    let name = style.bold(&file.file);
    let note = match (file.mode, file.degraded) {
        (AnalysisMode::Quick, _) => style.dim(" (quick: measured categories only)"),
        (AnalysisMode::Full, true) => style.fair(" (degraded: not everything could be measured)"),
        (AnalysisMode::Full, false) => String::new(),
    };
    match file.overall {
        Some(overall) => {
            format!("{name}  {} / 100{note}", style.color_by_share(overall / 100.0, format!("{overall:.1}")))
        }
        None => format!("{name}  {}", style.bad("not scored")),
    }
}

/// Findings in the order in which they matter: what costs most first, then what is most severe, then by place.
fn by_weight(findings: &[Finding]) -> Vec<&Finding> {
    let mut sorted: Vec<&Finding> = findings.iter().filter(|finding| finding.line > 0).collect();
    sorted.sort_by(|a, b| {
        let blocks = |finding| tapps_quality::blocking::is_blocking(finding);
        (blocks(b).cmp(&blocks(a)))
            .then(b.points.total_cmp(&a.points))
            .then(b.severity.cmp(&a.severity))
            .then(a.order(b))
    });
    sorted
}

fn draw_findings(file: &FileScore, source: Option<&MaskedSource>, style: Style, detail: ScoreDetail) -> String {
    let sorted = by_weight(&file.findings);
    let groups = if detail.all { one_by_one(&sorted) } else { by_rule(&sorted) };
    let most = if detail.all { usize::MAX } else { MOST_FINDINGS };
    let mut out = String::new();
    for group in groups.iter().take(most) {
        let Some((first, others)) = group.split_first() else { continue };
        // Coverage findings name whole regions; their place says enough.
        let excerpt = source.filter(|_| first.category != Category::TestCoverage);
        let _ = write!(out, "\n{}\n", render_finding(first, excerpt, style));
        if !others.is_empty() {
            let _ = writeln!(out, "{}", style.dim(render_other_lines(others)));
        }
    }
    let hidden: usize = groups.iter().skip(most).map(Vec::len).sum();
    if hidden > 0 {
        let _ = writeln!(
            out,
            "\n{}",
            style.dim(format!("… {}: --all shows them", pluralize_count(hidden, "more finding")))
        );
    }
    out
}

fn one_by_one<'f>(findings: &[&'f Finding]) -> Vec<Vec<&'f Finding>> {
    findings.iter().map(|&finding| vec![finding]).collect()
}

/// Findings of one rule together, in the order of the first of each.
fn by_rule<'f>(findings: &[&'f Finding]) -> Vec<Vec<&'f Finding>> {
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for &finding in findings {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| first.rule == finding.rule)) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// Where else a rule fires, for example `also at lines 12, 40 and 9 more`.
fn render_other_lines(others: &[&Finding]) -> String {
    let shown: Vec<String> = others.iter().take(MOST_LINES).map(|finding| finding.line.to_string()).collect();
    let rest = others.len().saturating_sub(MOST_LINES);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let points: f64 = others.iter().map(|finding| finding.points).sum();
    let cost = if points > 0.0 { format!(" ({points:.2} points)") } else { String::new() };
    format!("    also at line{} {}{more}{cost}", if others.len() == 1 { "" } else { "s" }, shown.join(", "))
}

fn draw_suggestions(file: &FileScore, style: Style) -> String {
    let mut out = String::new();
    if file.suggestions.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\n{}", style.bold("what to change first"));
    for (rank, suggestion) in file.suggestions.iter().enumerate() {
        let gain = if suggestion.points > 0.0 { format!("+{:.1}", suggestion.points) } else { String::new() };
        let place = if suggestion.line > 0 { format!("line {}: ", suggestion.line) } else { String::new() };
        let rule = style.dim(format!("({})", suggestion.rule));
        let _ =
            writeln!(out, "  {}. {} {place}{} {rule}", rank + 1, style.good(format!("{gain:>6}")), suggestion.action);
    }
    out
}

/// Many files: worst first, one line each.
fn draw_table(files: &[FileScore], style: Style) -> String {
    let mut sorted: Vec<&FileScore> = files.iter().collect();
    sorted.sort_by(|a, b| {
        let key = |file: &FileScore| file.overall.unwrap_or(-1.0);
        key(a).total_cmp(&key(b)).then(a.file.cmp(&b.file))
    });
    let mut out = String::new();
    for file in sorted {
        let score =
            file.overall.map_or_else(|| style.bad("   –"), |s| style.color_by_share(s / 100.0, format!("{s:>5.1}")));
        let first = file.suggestions.first().map_or_else(String::new, |suggestion| {
            let place = if suggestion.line > 0 { format!(":{}", suggestion.line) } else { String::new() };
            format!("{}{place}", suggestion.rule)
        });
        let blocked = if file.blocking.is_empty() { String::new() } else { style.bad(" blocked") };
        let _ = writeln!(out, "  {score}  {}{blocked}  {}", file.file, style.dim(first));
    }
    out
}

/// Whose rules held, when they are the project's, and which of its keys are not followed.
#[must_use]
pub fn draw_configuration(configuration: Option<&ProjectConfiguration>, style: Style) -> String {
    let Some(ProjectConfiguration { followed, left_out }) = configuration else { return String::new() };
    let mut out = String::new();
    let files = if followed.is_empty() { "none found".to_owned() } else { followed.join(", ") };
    let _ = writeln!(out, "{}", style.dim(format!("rules of the project: {files}")));
    if !left_out.is_empty() {
        let _ = writeln!(out, "{} not followed: {}", style.fair("!"), left_out.join(", "));
    }
    out
}

/// Which types of libraries were read with the files, and what of them was left out; nothing where there were none.
#[must_use]
pub fn draw_types<'f>(mut files: impl Iterator<Item = &'f FileScore>, style: Style) -> String {
    let Some(types) = files.find_map(|file| file.toolchain.types.as_ref()) else { return String::new() };
    let mut out = String::new();
    let short = short_digest(&types.digest);
    let counts = format!("{} locked, {} as installed, {} without", types.locked, types.as_installed, types.without);
    let _ = writeln!(out, "{}", style.dim(format!("types of libraries {short} ({counts})")));
    for left_out in &types.left_out {
        let _ = writeln!(out, "{} no types of {left_out}", style.fair("!"));
    }
    out
}

/// Which bytes made the score, and how long it took.
#[must_use]
pub fn footer(file: &FileScore, elapsed_ms: u64) -> String {
    let verified = if file.toolchain.verified { "verified" } else { "NOT verified" };
    let short = short_digest(&file.toolchain.fingerprint);
    let tools: Vec<String> = file.tool_versions.iter().map(|(tool, version)| format!("{tool} {version}")).collect();
    format!("toolchain {short} {verified} ({}) · {elapsed_ms} ms", tools.join(", "))
}

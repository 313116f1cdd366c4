//! A verdict for people: failures first, with what to do about them.

use std::fmt::Write as _;

use super::score::{draw_configuration, draw_types, footer};
use super::style::{Style, pluralize_count};
use tapps_quality::result::{FileGate, GateReport};

/// So many files are named one by one when they pass.
const FEW: usize = 10;

/// Draws a gate report; `all` names every file that passes.
#[must_use]
pub fn draw_report(report: &GateReport, all: bool, style: Style) -> String {
    let mut out = String::new();
    let common = common_warnings(&report.files);
    for file in report.files.iter().filter(|file| !file.passed) {
        out.push_str(&draw_failure(file, &common, style));
    }
    // What passes needs no line when there is much of it.
    let passed = || report.files.iter().filter(|file| file.passed);
    let shown = if all || report.files.len() <= FEW { report.files.len() } else { 0 };
    for file in passed().take(shown) {
        let score = file.score.map_or_else(|| "no code".to_owned(), |score| format!("{score:.1}"));
        let _ = writeln!(out, "{} {}  {}", style.good("pass"), file.file, style.dim(score));
        draw_warnings(&mut out, file, &common, style);
    }
    if passed().count() > 0 && shown == 0 {
        let _ = writeln!(out, "{} {}", style.good("pass"), pluralize_count(passed().count(), "file"));
    }
    for warning in &common {
        let _ = writeln!(out, "{} every file: {warning}", style.fair("!"));
    }
    for skipped in &report.skipped {
        let _ = writeln!(out, "{}", style.dim(format!("skip {}: {}", skipped.file, skipped.reason)));
    }
    out.push_str(&draw_configuration(report.configuration.as_ref(), style));
    let verdict = if report.passed { style.good("gate passed") } else { style.bad("gate failed") };
    let tally = if report.failed > 0 {
        format!("{} of {} failed", report.failed, pluralize_count(report.total, "file"))
    } else {
        pluralize_count(report.total, "file")
    };
    let _ = writeln!(out, "\n{} · preset {} · {tally}", style.bold(verdict), report.preset);
    if let Some(file) = report.files.first() {
        let _ = writeln!(out, "{}", style.dim(footer(&file.result, report.meta.elapsed_ms)));
    }
    out.push_str(&draw_types(report.files.iter().map(|file| &file.result), style));
    out
}

/// Warnings that every one of several files has; they are said once.
fn common_warnings(files: &[FileGate]) -> Vec<&str> {
    let Some((first, others)) = files.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Vec::new();
    };
    let everywhere = |warning: &&String| others.iter().all(|file| file.warnings.contains(warning));
    first.warnings.iter().filter(everywhere).map(String::as_str).collect()
}

fn draw_failure(file: &FileGate, common: &[&str], style: Style) -> String {
    let mut out = String::new();
    let score =
        file.score.map_or_else(|| "not scored".to_owned(), |score| format!("{score:.1} of {:.0}", file.threshold));
    let _ = writeln!(out, "{} {}  {}", style.bad("FAIL"), style.bold(&file.file), style.dim(score));
    for failure in &file.failures {
        let _ = writeln!(out, "     {} {failure}", style.bad("✗"));
    }
    draw_warnings(&mut out, file, common, style);
    let _ = writeln!(out, "     {} {}\n", style.good("→"), file.recommendation);
    out
}

fn draw_warnings(out: &mut String, file: &FileGate, common: &[&str], style: Style) {
    for warning in file.warnings.iter().filter(|warning| !common.contains(&warning.as_str())) {
        let _ = writeln!(out, "     {} {warning}", style.fair("!"));
    }
}

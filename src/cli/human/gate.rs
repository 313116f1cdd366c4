//! A verdict for people: failures first, with what to do about them.

use std::fmt::Write as _;

use super::score::footer;
use super::style::{Style, count};
use crate::quality::result::{FileGate, GateReport};

/// Draws a gate report.
#[must_use]
pub fn draw_report(report: &GateReport, style: Style) -> String {
    let mut out = String::new();
    for file in report.files.iter().filter(|file| !file.passed) {
        out.push_str(&draw_failure(file, style));
    }
    for file in report.files.iter().filter(|file| file.passed) {
        let score = file.score.map_or_else(|| "no code".to_owned(), |score| format!("{score:.1}"));
        let _ = writeln!(out, "{} {}  {}", style.good("pass"), file.file, style.dim(score));
        draw_warnings(&mut out, file, style);
    }
    for skipped in &report.skipped {
        let _ = writeln!(out, "{}", style.dim(format!("skip {}: {}", skipped.file, skipped.reason)));
    }
    let verdict = if report.passed { style.good("gate passed") } else { style.bad("gate failed") };
    let tally = if report.failed > 0 {
        format!("{} of {} failed", report.failed, count(report.total, "file"))
    } else {
        count(report.total, "file")
    };
    let _ = writeln!(out, "\n{} · preset {} · {tally}", style.bold(verdict), report.preset);
    if let Some(file) = report.files.first() {
        let _ = writeln!(out, "{}", style.dim(footer(&file.result, report.meta.elapsed_ms)));
    }
    out
}

fn draw_failure(file: &FileGate, style: Style) -> String {
    let mut out = String::new();
    let score =
        file.score.map_or_else(|| "not scored".to_owned(), |score| format!("{score:.1} of {:.0}", file.threshold));
    let _ = writeln!(out, "{} {}  {}", style.bad("FAIL"), style.bold(&file.file), style.dim(score));
    for failure in &file.failures {
        let _ = writeln!(out, "     {} {failure}", style.bad("✗"));
    }
    draw_warnings(&mut out, file, style);
    let _ = writeln!(out, "     {} {}\n", style.good("→"), file.recommendation);
    out
}

fn draw_warnings(out: &mut String, file: &FileGate, style: Style) {
    for warning in &file.warnings {
        let _ = writeln!(out, "     {} {warning}", style.fair("!"));
    }
}

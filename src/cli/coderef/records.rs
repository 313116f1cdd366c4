//! References, drift and tags for people.

use std::fmt::Write as _;

use crate::cli::human::style::{Style, pluralize_count};
use tapps_base::log_text;
use tapps_coderef::codebase::{PatternsReport, SavedReport};
use tapps_coderef::comment_tag::TagReport;
use tapps_coderef::drift::{Drift, DriftReport, DriftStatus};
use tapps_coderef::validate::ValidationReport;

/// What was found of each pattern.
pub(super) fn render_patterns_report(report: &PatternsReport, style: Style) -> String {
    let mut text = String::new();
    for found in &report.patterns {
        let about = style.dim(format!("{}, {}", found.pattern.title, pluralize_count(found.total, "place")));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {about}", style.bold(&found.pattern.id));
        for place in &found.evidence {
            let element = place.element.as_deref().unwrap_or_default();
            let detail = style.dim(log_text(place.detail.as_deref().unwrap_or_default()));
            let _ = writeln!(text, "  {}:{} {} {detail}", log_text(&place.file), place.line, log_text(element));
        }
    }
    let _ = writeln!(text, "{}", style.dim(pluralize_count(report.total, "pattern")));
    text
}

/// The references of files.
pub(super) fn render_validation_report(report: &ValidationReport, style: Style) -> String {
    let mut text = String::new();
    for wrong in &report.errors {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{}:{}:{} {} {}",
            log_text(&wrong.file),
            wrong.line,
            wrong.column,
            style.bad(log_text(&wrong.reference)),
            log_text(&wrong.error)
        );
        for suggestion in &wrong.suggestions {
            let _ = writeln!(text, "  perhaps {}", log_text(suggestion));
        }
    }
    let found = format!(
        "{} in {}, {} invalid",
        pluralize_count(report.total, "reference"),
        pluralize_count(report.files, "file"),
        report.invalid
    );
    let _ = writeln!(text, "{}", style.bold(found));
    text
}

/// An index was saved.
pub(super) fn render_saved_report(report: &SavedReport, _style: Style) -> String {
    format!("{}: {}\n", log_text(&report.index_path), pluralize_count(report.elements, "element"))
}

/// What has drifted.
pub(super) fn render_drift_report(report: &DriftReport, style: Style) -> String {
    let mut text = String::new();
    for one in &report.drifted {
        let _ = writeln!(
            text,
            "{} {}{}",
            render_drift_status(one.status, style),
            log_text(&one.reference),
            render_drift_suggestions(one)
        );
    }
    let sum = format!(
        "{} of {} drifted, {:.1} %",
        report.drifted.len(),
        pluralize_count(report.total, "saved element"),
        report.percent
    );
    let _ = writeln!(text, "{}", style.bold(sum));
    text
}

fn render_drift_suggestions(drift: &Drift) -> String {
    match drift.suggestions.as_slice() {
        [] => String::new(),
        found => format!(" → {}", log_text(&found.join(" or "))),
    }
}

fn render_drift_status(status: DriftStatus, style: Style) -> String {
    let word = serde_json::to_value(status).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default();
    let word = format!("{word:<9}");
    match status {
        DriftStatus::Missing | DriftStatus::Ambiguous => style.bad(word),
        DriftStatus::Added => style.good(word),
        _ => style.fair(word),
    }
}

/// What was tagged, or would be.
pub(super) fn render_tag_report(report: &TagReport, style: Style) -> String {
    let mut text = String::new();
    for file in &report.files {
        if let Some(diff) = &file.diff {
            text.push_str(&style.color_diff(diff));
        }
        if let Some(why) = &file.skipped {
            let _ = writeln!(text, "{} {}: {}", style.fair("left alone:"), log_text(&file.path), log_text(why));
        }
        for stale in &file.stale {
            let _ = writeln!(text, "{} {}: {}", style.fair("not right:"), log_text(&file.path), log_text(stale));
        }
    }
    let done = if report.dry_run { "would be inserted" } else { "inserted" };
    let sum = format!(
        "{} {done}, {} updated, {} unchanged, {} not right",
        pluralize_count(report.inserted, "tag"),
        report.updated,
        report.unchanged,
        report.stale
    );
    let _ = writeln!(text, "{}", style.bold(sum));
    text
}

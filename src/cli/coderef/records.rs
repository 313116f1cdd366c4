//! References, drift and tags for people.

use std::fmt::Write as _;

use crate::cli::human::style::{Style, pluralize_count};
use tapps_base::log_text;
use tapps_coderef::codebase::{PatternsReport, SavedReport};
use tapps_coderef::comment_tag::TagReport;
use tapps_coderef::drift::{Drift, DriftReport, DriftStatus};
use tapps_coderef::duplicates::report::DuplicatesReport;
use tapps_coderef::duplicates::similar::SimilarReport;
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

/// Families of clones.
pub(super) fn render_duplicates_report(report: &DuplicatesReport, style: Style) -> String {
    let mut text = String::new();
    for family in &report.families {
        let size = format!("{}, {} tokens", pluralize_count(family.statements, "statement"), family.tokens);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {}", style.bold(family.kind.as_str()), style.dim(size));
        for place in &family.places {
            let element = log_text(place.element.as_deref().unwrap_or_default());
            let _ = writeln!(text, "  {}:{}-{} {element}", log_text(&place.file), place.line, place.end_line);
        }
        if !family.differs.is_empty() {
            let _ = writeln!(text, "  {}", style.dim(format!("differs: {}", log_text(&family.differs))));
        }
        let _ = writeln!(text, "  {}", style.dim(format!("could stand in {}", log_text(&family.home))));
    }
    let sum = format!(
        "{} in {}, {:.1} % of {}",
        pluralize_count(report.total, "family").replace("familys", "families"),
        pluralize_count(report.files, "file"),
        report.duplicated_percent,
        pluralize_count(report.statements, "statement")
    );
    let _ = writeln!(text, "{}", style.bold(sum));
    let left_out: Vec<String> =
        report.left_out.files.iter().map(|(reason, count)| format!("{count} {}", reason.replace('_', " "))).collect();
    let left_out = if left_out.is_empty() { "no file".to_owned() } else { left_out.join(", ") };
    let imports = pluralize_count(report.left_out.imports, "import");
    let licences = pluralize_count(report.left_out.licences, "licence");
    let _ = writeln!(text, "{}", style.dim(format!("left out: {left_out}; {imports}, {licences}")));
    text
}

/// What exists already.
pub(super) fn render_similar_report(report: &SimilarReport, style: Style) -> String {
    let mut text = String::new();
    for one in &report.similar {
        let place = format!("{}:{}", log_text(&one.place.file), one.place.line);
        let _ = writeln!(text, "{:.2} {} {place}", one.likeness, style.bold(log_text(&one.place.name)));
        let _ = writeln!(text, "     {}", log_text(&one.signature));
        if let Some(doc) = &one.doc {
            let _ = writeln!(text, "     {}", style.dim(log_text(doc)));
        }
        let callers = match one.called_at.as_slice() {
            [] => "no caller".to_owned(),
            at => format!("{}: {}", pluralize_count(one.callers, "caller"), log_text(&at.join(", "))),
        };
        let _ = writeln!(text, "     {}", style.dim(format!("{}; {callers}", log_text(&one.because))));
    }
    let shown = format!("{} of {}", report.similar.len(), pluralize_count(report.total, "element"));
    let _ = writeln!(text, "{}", style.dim(shown));
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

//! What an agent is told of the verdict on its change: why it is blocked, and what to mend first.

use std::fmt::Write as _;

use tapps_base::log_text;
use tapps_quality::change::report::ChangeReport;

/// Most reasons that are told; the first repairs stand beneath.
const REASONS: usize = 5;

/// The reasons and the first repairs, a line each.
#[must_use]
pub(super) fn describe_block(report: &ChangeReport) -> String {
    let mut text = String::new();
    for reason in report.reasons.iter().take(REASONS) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "- {}", log_text(reason));
    }
    if let Some(more) = report.reasons.len().checked_sub(REASONS).filter(|more| *more > 0) {
        let _ = writeln!(text, "- and {more} more");
    }
    if !report.next.is_empty() {
        text.push_str("Mend first:\n");
    }
    for (number, repair) in report.next.iter().enumerate() {
        let place = format!("{}:{}", log_text(&repair.file), repair.line);
        let _ = writeln!(text, "{}. {place}: {} ({})", number + 1, log_text(&repair.action), repair.rule);
    }
    text
}

/// Why nothing can be said of the change.
#[must_use]
pub(super) fn describe_gaps(report: &ChangeReport) -> String {
    let reasons: Vec<&str> = report.reasons.iter().take(REASONS).map(String::as_str).collect();
    format!("nothing that was measured blocks the change, but: {}\n", log_text(&reasons.join("; ")))
}

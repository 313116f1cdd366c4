//! Tags for people.

use std::fmt::Write as _;

use super::style::{Style, pluralize_count};
use tapps_base::log_text;
use tapps_tags::report::{
    FilesReport, FindReport, InfoReport, ReplaceReport, Searched, TagsReport, UntaggedReport, ValidateReport,
};

/// Most notes that could not be read that are named.
const UNREADABLE_SHOWN: usize = 20;

/// The tags of a vault.
#[must_use]
pub fn render_tag_list(report: &TagsReport, style: Style) -> String {
    let width = report.tags.first().map_or(1, |tag| tag.count.to_string().len());
    let mut text = String::new();
    for tag in &report.tags {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:>width$} {}", tag.count, style.bold(log_text(&tag.name)));
    }
    text + &render_search_end(report.tags.len(), report.total, "tag", &report.searched, style)
}

/// The notes that have some tags.
#[must_use]
pub fn render_found_notes(report: &FindReport, style: Style) -> String {
    let mut text = String::new();
    for note in &report.files {
        let _ = writeln!(text, "{} {}", log_text(&note.path), style.dim(log_text(&note.tags.join(", "))));
    }
    text + &render_search_end(report.files.len(), report.total, "note", &report.searched, style)
}

/// Tags with their notes.
#[must_use]
pub fn render_tag_info(report: &InfoReport, style: Style) -> String {
    let mut text = String::new();
    for tag in &report.tags {
        let _ = writeln!(text, "{} {}", style.bold(log_text(&tag.name)), style.dim(pluralize_count(tag.count, "note")));
        for file in &tag.files {
            let _ = writeln!(text, "  {}", log_text(file));
        }
        if tag.files_truncated {
            let _ = writeln!(text, "  {}", style.dim(format!("and {} more", tag.count - tag.files.len())));
        }
    }
    text + &render_unreadable_notes(&report.searched, style)
}

/// The notes without tags.
#[must_use]
pub fn render_untagged_notes(report: &UntaggedReport, style: Style) -> String {
    let lines: String = report.files.iter().map(|file| format!("{}\n", log_text(file))).collect();
    lines + &render_search_end(report.files.len(), report.total, "note", &report.searched, style)
}

/// Which texts can be tags.
#[must_use]
pub fn render_tag_validation(report: &ValidateReport, style: Style) -> String {
    let mut text = String::new();
    for result in &report.results {
        let tag = style.bold(log_text(&result.tag));
        if result.is_valid {
            let _ = writeln!(text, "{} {tag}", style.good("valid  "));
            continue;
        }
        let _ = write!(text, "{} {tag}: {}", style.bad("invalid"), log_text(&result.issues.join("; ")));
        match result.suggestions.as_slice() {
            [] => text.push('\n'),
            better => {
                let _ = writeln!(text, "; try {}", log_text(&better.join(" or ")));
            }
        }
    }
    text
}

/// The tags of some notes.
#[must_use]
pub fn render_note_tags(report: &FilesReport, style: Style) -> String {
    let mut text = String::new();
    for file in &report.files {
        let _ = writeln!(text, "{}: {}", log_text(&file.path), log_text(&file.tags.join(", ")));
        if !file.invalid.is_empty() {
            let _ = writeln!(text, "  {} {}", style.fair("not tags:"), log_text(&file.invalid.join(", ")));
        }
        if let Some(error) = &file.error {
            let _ = writeln!(text, "  {} {}", style.bad("error:"), log_text(&error.message));
        }
    }
    text
}

/// What a batch of replacements did, or would do.
#[must_use]
pub fn render_tag_replacement(report: &ReplaceReport, style: Style) -> String {
    let mut text = String::new();
    for note in &report.modified_files {
        match &note.diff {
            Some(diff) => text.push_str(&style.color_diff(diff)),
            None => {
                let _ = writeln!(
                    text,
                    "{} {}",
                    log_text(&note.path),
                    style.dim(pluralize_count(note.occurrences as usize, "tag"))
                );
            }
        }
    }
    for failed in &report.failed_files {
        let _ = writeln!(text, "{} {}", style.bad("left alone:"), log_text(&failed.failure.message));
    }
    if let Some(done) = report.resumed_after {
        let _ = writeln!(text, "{} changed by the run before", pluralize_count(done, "note"));
    }
    if let Some(other) = &report.interrupted {
        let left = format!("{} of {} notes are written", other.done, other.notes);
        let _ = writeln!(text, "{} an earlier batch is unfinished: {left}; run `tags resume`", style.fair("note:"));
    }
    let (tags, notes) = (pluralize_count(report.occurrences as usize, "tag"), pluralize_count(report.total, "note"));
    let said = if report.dry_run { "would be replaced; write it with --write" } else { "replaced" };
    let _ = writeln!(text, "{}", style.bold(format!("{tags} in {notes} {said}")));
    text + &render_unreadable_notes(&report.searched, style)
}

/// What finishing a broken-off batch did.
#[must_use]
pub fn render_resumed_replacement(report: &Option<ReplaceReport>, style: Style) -> String {
    match report {
        Some(report) => render_tag_replacement(report, style),
        None => "no batch was broken off\n".to_owned(),
    }
}

/// What stands below a list: how much of it is shown, and what could not be searched.
fn render_search_end(shown: usize, total: usize, noun: &str, searched: &Searched, style: Style) -> String {
    render_shown_count(shown, total, noun, style) + &render_unreadable_notes(searched, style)
}

fn render_shown_count(shown: usize, total: usize, noun: &str, style: Style) -> String {
    let all = pluralize_count(total, noun);
    let said = if shown < total { format!("{shown} of {all}") } else { all };
    format!("{}\n", style.dim(said))
}

/// What could not be read.
fn render_unreadable_notes(searched: &Searched, style: Style) -> String {
    let mut text = String::new();
    for note in searched.unreadable.iter().take(UNREADABLE_SHOWN) {
        let _ = writeln!(text, "{} {}: {}", style.fair("not read:"), log_text(&note.path), log_text(&note.reason));
    }
    let more = searched.unreadable.len().saturating_sub(UNREADABLE_SHOWN);
    if more > 0 {
        let _ = writeln!(text, "{} {}", style.fair("not read:"), pluralize_count(more, "other note"));
    }
    text
}

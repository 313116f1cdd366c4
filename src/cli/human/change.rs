//! The verdict on a change for people: what blocks first, then each file with what the change did to it.

use std::fmt::Write as _;

use super::style::{Style, pluralize_count};
use tapps_base::log_text;
use tapps_quality::change::report::{
    ChangeFinding, ChangeReport, ChangeVerdict, FileChange, FileStatus, FindingState, PatchCoverageState,
};

/// Most findings that are shown of one file.
const SHOWN: usize = 20;
/// Most files that are named although there is nothing to say of them.
const NAMED: usize = 10;

/// Draws the verdict on a change.
#[must_use]
pub fn draw_change(report: &ChangeReport, style: Style) -> String {
    let mut out = String::new();
    let quiet = |file: &&FileChange| {
        file.passed && shown_findings(file).next().is_none() && file.told_evasions().next().is_none()
    };
    for file in report.files.iter().filter(|file| !quiet(file)) {
        draw_file(&mut out, file, style);
    }
    let unmoved: Vec<&FileChange> = report.files.iter().filter(quiet).collect();
    for file in unmoved.iter().take(NAMED) {
        draw_file(&mut out, file, style);
    }
    if let Some(more) = unmoved.len().checked_sub(NAMED).filter(|more| *more > 0) {
        let told = format!("{} without new or mended findings", pluralize_count(more, "more file"));
        let _ = writeln!(out, "{}", style.dim(told));
    }
    for skipped in &report.skipped {
        let _ = writeln!(out, "{}", style.dim(format!("skip {}: {}", log_text(&skipped.file), skipped.reason)));
    }
    for path in &report.left_alone {
        let _ = writeln!(out, "{}", style.dim(format!("left alone {}: a repository of its own", log_text(path))));
    }
    for one in report.policy.changes.iter().filter(|one| !one.what.is_empty()) {
        let what = format!("settings changed, and not followed: {} {}", one.file, one.what.join("; "));
        let _ = writeln!(out, "{} {}", style.fair("!"), log_text(&what));
    }
    for note in report.notes.iter().chain(&report.policy.note) {
        let _ = writeln!(out, "{} {}", style.fair("!"), log_text(note));
    }
    let others = report.reasons.iter().filter(|reason| !report.files.iter().any(|file| reason.starts_with(&file.file)));
    for reason in others {
        let _ = writeln!(out, "{} {}", style.bad("✗"), log_text(reason));
    }
    draw_coverage(&mut out, report, style);
    if !report.next.is_empty() {
        let _ = writeln!(out, "\nfirst:");
    }
    for repair in &report.next {
        let place = format!("{}:{}", log_text(&repair.file), repair.line);
        let _ = writeln!(out, "  {} {place} {} ({})", style.good("→"), log_text(&repair.action), repair.rule);
    }
    draw_verdict(&mut out, report, style);
    out
}

fn draw_file(out: &mut String, file: &FileChange, style: Style) {
    let mark = if file.passed { style.good("pass") } else { style.bad("FAIL") };
    let name = match (&file.old_file, file.status) {
        (Some(old), FileStatus::Copied) => format!("{} (copied from {})", log_text(&file.file), log_text(old)),
        (Some(old), _) => format!("{} → {}", log_text(old), log_text(&file.file)),
        (None, FileStatus::Modified) => log_text(&file.file).to_string(),
        (None, status) => format!("{} ({})", log_text(&file.file), status.as_str()),
    };
    let _ = writeln!(out, "{mark} {}  {}", style.bold(name), style.dim(describe_scores(file)));
    if let Some(because) = &file.because {
        let _ = writeln!(out, "     it uses {}", log_text(because));
    }
    for reason in &file.blocked {
        let _ = writeln!(out, "     {} {}", style.bad("✗"), log_text(reason));
    }
    for one in file.told_evasions() {
        let _ = writeln!(out, "     {} {}", style.fair("!"), log_text(&one.describe()));
    }
    for one in file.forgiven_suppressions() {
        let _ = writeln!(out, "     {} {}", style.dim("suppression"), log_text(&one.describe()));
    }
    for one in file.idle_suppressions() {
        let _ = writeln!(out, "     {} {}", style.dim("old suppression"), log_text(&one.describe()));
    }
    for gap in &file.not_measured {
        let _ =
            writeln!(out, "     {} {}: not measured: {}", style.bad("✗"), gap.category.as_str(), log_text(&gap.reason));
    }
    for one in shown_findings(file).take(SHOWN) {
        let _ = writeln!(out, "     {}", describe_finding(one, style));
    }
    if let Some(more) = shown_findings(file).count().checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(out, "     {}", style.dim(format!("and {more} more")));
    }
    if let Some(coverage) = file.coverage.as_ref().filter(|coverage| !coverage.missing.is_empty()) {
        let _ = writeln!(
            out,
            "     {}",
            style.dim(format!("changed and never run: {}", describe_lines(&coverage.missing)))
        );
    }
}

fn shown_findings(file: &FileChange) -> impl Iterator<Item = &ChangeFinding> {
    file.findings.iter().filter(|one| one.state != FindingState::Existing)
}

fn describe_scores(file: &FileChange) -> String {
    match (file.before, file.after) {
        (Some(before), Some(after)) => format!("{before:.1} → {after:.1}"),
        (None, Some(after)) => format!("{after:.1}"),
        (Some(before), None) if file.status == FileStatus::Deleted => format!("was {before:.1}"),
        (Some(before), None) => format!("{before:.1} → cannot be scored"),
        (None, None) => "no code".to_owned(),
    }
}

fn describe_finding(one: &ChangeFinding, style: Style) -> String {
    let finding = &one.finding;
    let (sign, points) = match one.state {
        FindingState::New => (style.bad("+"), -finding.points),
        FindingState::Worsened => (style.fair("~"), one.points_before - finding.points),
        FindingState::Mended => (style.good("-"), one.points_before),
        FindingState::Existing => (style.dim(" "), 0.0),
    };
    let was = one.measured_before.map(|was| format!(" (was {was})")).unwrap_or_default();
    let points = if points.abs() < 0.005 { String::new() } else { format!(" {points:+.2}") };
    let place = if finding.line > 0 { format!("line {}: ", finding.line) } else { String::new() };
    format!("{sign} {place}{}{was} ({}){points}", log_text(&finding.message), finding.rule)
}

/// Lines as ranges.
fn describe_lines(lines: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    let range = |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.iter().map(range).collect::<Vec<_>>().join(", ")
}

fn draw_coverage(out: &mut String, report: &ChangeReport, style: Style) {
    let coverage = &report.patch_coverage;
    if coverage.state == PatchCoverageState::Measured {
        let percent = coverage.percent.unwrap_or_default();
        let told =
            format!("{} of {} changed lines that can run ran ({percent:.1} %)", coverage.covered, coverage.executable);
        let _ = writeln!(out, "{}", style.dim(told));
    }
    for refused in &coverage.refused {
        let told = format!("coverage of {} is of other text: {}", log_text(&refused.file), log_text(&refused.reason));
        let _ = writeln!(out, "{} {told}", style.fair("!"));
    }
}

fn draw_verdict(out: &mut String, report: &ChangeReport, style: Style) {
    let word = match report.verdict {
        ChangeVerdict::Blocked => style.bad(report.verdict.as_str()),
        ChangeVerdict::Worse => style.fair(report.verdict.as_str()),
        ChangeVerdict::Improved | ChangeVerdict::Neutral => style.good(report.verdict.as_str()),
    };
    let counts = &report.counts;
    let tally = format!("{} new, {} worsened, {} mended", counts.new, counts.worsened, counts.mended);
    let short = |tree: &str| tree.chars().take(10).collect::<String>();
    let sides = format!(
        "{} {} → {} {}",
        log_text(&report.base.origin),
        short(report.base.commit.as_deref().unwrap_or(&report.base.tree)),
        log_text(&report.head.origin),
        short(&report.head.tree)
    );
    let _ = writeln!(
        out,
        "\n{} · preset {} · {tally} · {:+.1} points",
        style.bold(word),
        report.preset,
        report.points.delta
    );
    let _ = writeln!(out, "{}", style.dim(format!("{sides} · {} ms", report.meta.elapsed_ms)));
}

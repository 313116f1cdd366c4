//! One Markdown comment on a change; the marker in its first line is how a later run finds and replaces it.

use std::fmt::Write as _;

use super::markdown::{escape, format_score, inline_code, made_by};
use super::{Form, Readers};
use crate::document::QualityReport;
use tapps_quality::change::report::{
    ChangeFinding, ChangeReport, FileChange, FileStatus, FindingState, PatchCoverageState,
};

/// The format.
pub(super) const FORM: Form = Form {
    ending: "md",
    media_type: "text/markdown",
    readers: Readers::People,
    render: |report| Ok(render_comment(report)),
};

/// Never changes, so that the comment of any earlier version is found.
const MARKER: &str = "<!-- tapps-mcp: verdict -->";

/// Most files that are shown.
const FILES: usize = 30;
/// Most findings that are shown of one file.
const FINDINGS: usize = 10;

fn render_comment(report: &QualityReport) -> String {
    let mut text = format!("{MARKER}\n");
    match &report.change {
        Some(change) => write_change(change, &mut text),
        None => {
            let word = if report.passed == Some(false) { "failed" } else { "passed" };
            let (failed, files) = (report.summary.failed, report.summary.files);
            // Writing to a String cannot fail.
            let _ = writeln!(text, "## Quality: **{word}**\n\n{failed} of {files} files failed.\n");
            for file in report.files.iter().filter(|file| file.failed()).take(FILES) {
                let first = file.failures.first().map(|failure| escape(failure)).unwrap_or_default();
                let _ = writeln!(text, "- {} {first}", inline_code(&file.file));
            }
        }
    }
    let _ = writeln!(text, "\n{}", made_by(report));
    text
}

/// What a change did, without a heading of its own level one. Writing to a String cannot fail, so what `writeln!` gives is
/// dropped.
pub(super) fn write_change(change: &ChangeReport, text: &mut String) {
    let counts = &change.counts;
    let _ = writeln!(text, "## Quality of the change: **{}**\n", change.verdict.as_str());
    let _ = writeln!(
        text,
        "{} new, {} worsened and {} mended findings; {:+.1} points by preset {}.\n",
        counts.new,
        counts.worsened,
        counts.mended,
        change.points.delta,
        inline_code(&change.preset)
    );
    for reason in change.reasons.iter().take(FILES) {
        let _ = writeln!(text, "- **blocks** {}", escape(reason));
    }
    write_coverage(change, text);
    if !change.files.is_empty() {
        let _ = writeln!(text, "\n| file | before | after | new | worsened | mended |");
        let _ = writeln!(text, "| --- | ---: | ---: | ---: | ---: | ---: |");
    }
    for file in change.files.iter().take(FILES) {
        let count = |state| file.findings_in(state).count();
        let _ = writeln!(
            text,
            "| {}{} | {} | {} | {} | {} | {} |",
            inline_code(&file.file),
            match (&file.old_file, file.status) {
                (_, FileStatus::Modified) => String::new(),
                (Some(old), status) => format!(" ({} from {})", status.as_str(), inline_code(old)),
                (None, status) => format!(" ({})", status.as_str()),
            },
            format_score(file.before),
            format_score(file.after),
            count(FindingState::New),
            count(FindingState::Worsened),
            count(FindingState::Mended)
        );
    }
    if let Some(more) = change.files.len().checked_sub(FILES).filter(|more| *more > 0) {
        let _ = writeln!(text, "\nand {more} more files");
    }
    for file in change.files.iter().take(FILES) {
        write_findings(file, text);
    }
    if !change.next.is_empty() {
        let _ = writeln!(text, "\n**First**\n");
    }
    for repair in &change.next {
        let place = inline_code(&format!("{}:{}", repair.file, repair.line));
        let _ = writeln!(text, "1. {place} {} ({})", escape(&repair.action), inline_code(&repair.rule));
    }
    write_policy(change, text);
    for note in &change.notes {
        let _ = writeln!(text, "\n_{}_", escape(note));
    }
    let short = |tree: &str| tree.chars().take(10).collect::<String>();
    let (base, head) = (&change.base, &change.head);
    let _ = writeln!(
        text,
        "\nCompared {} ({}) with {} ({}).",
        inline_code(&short(base.commit.as_deref().unwrap_or(&base.tree))),
        escape(&base.origin),
        inline_code(&short(head.commit.as_deref().unwrap_or(&head.tree))),
        escape(&head.origin)
    );
}

/// What the change hides with a reason, and what it does to settings.
fn write_policy(change: &ChangeReport, text: &mut String) {
    let forgiven = || change.files.iter().flat_map(|file| file.forgiven_suppressions().map(move |one| (file, one)));
    if forgiven().next().is_some() {
        let _ = writeln!(text, "\n**New suppressions**\n");
    }
    for (file, one) in forgiven().take(FILES) {
        let _ = writeln!(text, "- {} {}", inline_code(&file.file), escape(&one.describe()));
    }
    let idle = || change.files.iter().flat_map(|file| file.idle_suppressions().map(move |one| (file, one)));
    if idle().next().is_some() {
        let _ = writeln!(text, "\n**Old suppressions that can go**\n");
    }
    for (file, one) in idle().take(FILES) {
        let _ = writeln!(text, "- {} {}", inline_code(&file.file), escape(&one.describe()));
    }
    let told = || change.files.iter().flat_map(|file| file.told_evasions().map(move |one| (file, one)));
    if told().next().is_some() {
        let _ = writeln!(text, "\n**To look at**\n");
    }
    for (file, one) in told().take(FILES) {
        let _ = writeln!(text, "- {} {}", inline_code(&file.file), escape(&one.describe()));
    }
    if change.policy.changes.iter().any(|one| !one.what.is_empty()) {
        let _ = writeln!(text, "\n**Settings that the change alters**; it is judged by those of the base\n");
    }
    for one in change.policy.changes.iter().filter(|one| !one.what.is_empty()).take(FILES) {
        let _ = writeln!(text, "- {} {}", inline_code(&one.file), escape(&one.what.join("; ")));
    }
    if let Some(note) = &change.policy.note {
        let _ = writeln!(text, "\n_{}_", escape(note));
    }
}

fn write_coverage(change: &ChangeReport, text: &mut String) {
    let coverage = &change.patch_coverage;
    if coverage.state == PatchCoverageState::Measured {
        let _ = writeln!(
            text,
            "\nTests ran {} of {} changed lines that can run ({:.1} %, {:.0} % wanted).",
            coverage.covered,
            coverage.executable,
            coverage.percent.unwrap_or_default(),
            coverage.minimum
        );
    }
}

fn write_findings(file: &FileChange, text: &mut String) {
    let shown: Vec<&ChangeFinding> =
        file.findings_in(FindingState::New).chain(file.findings_in(FindingState::Worsened)).collect();
    if shown.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n**{}**\n", inline_code(&file.file));
    for one in shown.iter().take(FINDINGS) {
        let finding = &one.finding;
        let place = if finding.line > 0 { format!("line {}: ", finding.line) } else { String::new() };
        let was = one.measured_before.map(|was| format!(" (was {was})")).unwrap_or_default();
        let _ = writeln!(
            text,
            "- {} {place}{}{was} (−{:.2})",
            inline_code(&finding.rule),
            escape(&finding.message),
            finding.points - one.points_before
        );
    }
    if let Some(more) = shown.len().checked_sub(FINDINGS).filter(|more| *more > 0) {
        let _ = writeln!(text, "- and {more} more");
    }
}

//! A brief as text.

use std::fmt::Write as _;

use super::ProjectBrief;

/// The brief in Markdown, one list for each section that has something to say.
pub(super) fn render_brief_markdown(brief: &ProjectBrief) -> String {
    let languages: Vec<&str> = brief.languages.iter().map(|share| share.language).collect();
    let mut text = format!("# {}\n\n", brief.project);
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "files: {}, lines: {}, elements: {}; languages: {}",
        brief.files,
        brief.lines,
        brief.elements,
        languages.join(", ")
    );
    if brief.test_files > 0 {
        let reached = brief.reached_by_tests;
        let _ = writeln!(
            text,
            "test files: {}; they reach {} of {} functions and classes",
            brief.test_files, reached.covered, reached.total
        );
    }
    let folders = brief.folders.iter().map(|folder| {
        let exports =
            if folder.exports.is_empty() { String::new() } else { format!("; exports: {}", folder.exports.join(", ")) };
        format!("{}, files: {}{exports}", folder.path, folder.files)
    });
    section(&mut text, "Folders", folders);
    section(&mut text, "Entry points", brief.entry_points.iter().cloned());
    let central = brief.central.iter().map(|central| {
        let doc = central.doc.as_ref().map(|doc| format!(": {doc}")).unwrap_or_default();
        format!("`{}`, used by {}{doc}", central.reference, central.used_by)
    });
    section(&mut text, "Central", central);
    let hardest = brief
        .hardest
        .iter()
        .map(|hard| format!("`{}`, score {}, cyclomatic {}", hard.reference, hard.score, hard.cyclomatic));
    section(&mut text, "Hardest", hardest);
    section(
        &mut text,
        "Packages",
        brief.packages.iter().map(|one| format!("`{}`, importing files: {}", one.name, one.files)),
    );
    section(&mut text, "Import cycles", brief.cycles.iter().map(|cycle| cycle.join(", ")));
    section(&mut text, "Not read whole", brief.unread.iter().cloned());
    text
}

fn section(text: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let lines: Vec<String> = items.map(|item| format!("- {item}\n")).collect();
    if !lines.is_empty() {
        let _ = write!(text, "\n## {title}\n\n{}", lines.concat());
    }
}

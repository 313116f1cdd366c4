//! One finding with its source line, in the manner of rustc. Lines come from masked sources only.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::style::Style;
use tapps_base::finding::{Confidence, Finding, Severity, Tool};
use tapps_security::secrets::MaskedSource;

/// Lines shown of a finding that spans more.
const MOST_LINES: u32 = 3;
/// Longer lines are not shown: they are generated, and nobody reads them.
const LONGEST_LINE: usize = 400;

/// Draws a finding; without a source (or for a secret, whose line must not be shown) only its place is named.
#[must_use]
pub fn render_finding(finding: &Finding, source: Option<&MaskedSource>, style: Style) -> String {
    let level = match finding.severity {
        Severity::Info => Level::INFO,
        Severity::Low | Severity::Medium => Level::WARNING,
        Severity::High | Severity::Critical => Level::ERROR,
    };
    let severity = match finding.severity {
        Severity::Info => "info",
        Severity::Low => "low",
        Severity::Medium => "medium",
        Severity::High => "high",
        Severity::Critical => "critical",
    };
    let title = level.with_name(severity).primary_title(finding.message.as_str()).id(finding.rule.as_str());
    let mut notes = Vec::new();
    if finding.confidence == Confidence::Low {
        notes.push(Level::NOTE.with_name("confidence").message("low"));
    }
    if finding.points > 0.0 {
        notes.push(Level::NOTE.with_name("costs").message(format!("{:.2} points", finding.points)));
    }
    let help = match &finding.fix {
        Some(fix) if fix.safe => Some(format!("{} (`--fix` does it)", fix.message)),
        Some(fix) => Some(fix.message.clone()),
        None => finding.help.clone(),
    };
    notes.extend(help.map(|help| Level::HELP.message(help)));

    let shown = source
        .filter(|_| finding.tool != Tool::Secrets && finding.line > 0)
        .and_then(|source| excerpt(finding, source));
    let place = format!("{}:{}:{}", finding.file, finding.line, finding.column.max(1));
    let group = match &shown {
        Some((text, span)) => title.element(
            Snippet::source(text.as_str())
                .line_start(finding.line as usize)
                .path(finding.file.as_str())
                .fold(false)
                .annotation(AnnotationKind::Primary.span(span.clone())),
        ),
        None => title.element(Level::NOTE.with_name("in").message(if finding.line > 0 {
            place
        } else {
            finding.file.clone()
        })),
    };
    let report = [group.elements(notes)];
    let renderer = if style.colour { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Unicode).render(&report)
}

/// The lines of a finding and the byte range in them to underline.
fn excerpt(finding: &Finding, source: &MaskedSource) -> Option<(String, Range<usize>)> {
    let last = finding.end_line.min(finding.line + MOST_LINES - 1);
    let lines: Vec<String> = (finding.line..=last).map(|number| source.line(number).into_owned()).collect();
    let first = lines.first().filter(|line| line.len() <= LONGEST_LINE)?.clone();
    let skip = finding.column.saturating_sub(1) as usize;
    let start = first.char_indices().nth(skip).map_or_else(|| first.trim_end().len(), |(at, _)| at);
    let indent = first.len() - first.trim_start().len();
    let start = if finding.column == 0 { indent } else { start };
    // A word is underlined, or the rest of the line when there is none.
    let word = first[start..].find(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|&length| length > 0);
    let end = word.map_or_else(|| first.trim_end().len().max(start), |length| start + length);
    let text = if finding.end_line > finding.line { first.clone() } else { lines.join("\n") };
    Some((text, start..end.max(start)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::source::Source;
    use tapps_quality::rules;

    fn masked(bytes: &[u8]) -> MaskedSource {
        MaskedSource::from_source(&Source::new("a.py", bytes))
    }

    #[test]
    fn shows_the_line_and_underlines_the_word() {
        let source = masked(b"import os\nx = undefined_name\n");
        let mut finding = rules::find_rule("ruff:F821").unwrap().finding("Undefined name `undefined_name`").at(2, 5, 2);
        finding.file = "a.py".to_owned();
        finding.points = 1.25;
        let drawn = render_finding(&finding, Some(&source), Style { colour: false });
        assert!(drawn.contains("high[ruff:F821]: Undefined name `undefined_name`"), "{drawn}");
        assert!(drawn.contains("x = undefined_name"), "{drawn}");
        assert!(drawn.contains("━━━━━━━━━━━━━━") || drawn.contains("^^^^^^^^^^^^^^"), "{drawn}");
        assert!(drawn.contains("1.25 points"), "{drawn}");
    }

    #[test]
    fn never_shows_the_line_of_a_secret() {
        let source = masked(b"key = 'hunter2-hunter2'\n");
        let finding = rules::find_rule("secrets:hard-coded-password").unwrap().finding("a password").at(1, 1, 1);
        assert!(!render_finding(&finding, Some(&source), Style { colour: false }).contains("hunter2"));
    }
}

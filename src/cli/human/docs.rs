//! Documentation for people.

use std::fmt::Write as _;

use super::style::Style;
use tapps_base::log_text;
use tapps_docs::lookup::{DocsOrigin, LookupAnswer};

/// An answer, symbols first.
#[must_use]
pub fn render_docs_answer(answer: &LookupAnswer, style: Style) -> String {
    let source = match answer.source {
        DocsOrigin::Environment => "installed",
        DocsOrigin::Bundle => "bundle",
        DocsOrigin::Cache => "cache",
        DocsOrigin::Context7 => "Context7",
    };
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} {}",
        style.bold(format!("{} {}", answer.library, answer.version)),
        style.dim(format!("({source}, sha256 {:.16})", answer.provenance.sha256))
    );
    if let Some(asked) = &answer.corrected_from {
        let _ = writeln!(text, "{}", style.fair(format!("taken for `{}`", log_text(asked))));
    }
    if answer.stale {
        let _ = writeln!(text, "{}", style.fair("kept for a while; a fresh answer is being fetched"));
    }
    if let Some(note) = &answer.note {
        let _ = writeln!(text, "{}", style.fair(log_text(note)));
    }
    for symbol in &answer.symbols {
        let _ = writeln!(text, "\n{}\n  {}", style.bold(log_text(&symbol.path)), log_text(&symbol.signature));
        if !symbol.doc.is_empty() {
            let _ = writeln!(text, "  {}", log_text(&symbol.doc));
        }
        if let Some(why) = &symbol.deprecated {
            let _ = writeln!(text, "  {}", style.bad(format!("deprecated: {}", log_text(why))));
        }
    }
    for snippet in &answer.snippets {
        let _ =
            writeln!(text, "\n{}", style.dim(format!("── {} ({})", log_text(&snippet.title), log_text(&snippet.at))));
        for line in snippet.text.lines() {
            let _ = writeln!(text, "{}", log_text(line));
        }
    }
    text
}

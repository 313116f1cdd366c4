//! Sections of a README as a reader sees them: pictures, badges and the tags around them say nothing to a model.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Code first, so that nothing inside of it is taken for a picture or a tag; it alone has a group.
static DECORATION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let code = r"(^[ \t]*```.*?(?:^[ \t]*```[^\n]*|\z)|``.+?``|`[^`\n]*`)";
    let linked_picture = r"\[\s*!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])\s*\](?:\([^)]*\)|\[[^\]]*\])";
    let picture = r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])";
    let directive = r"^[ \t]*\.\. (?:\|[^|\n]+\| )?image::[^\n]*(?:\n[ \t]+:[a-z]+:[^\n]*)*";
    let tag = r"</?(?i:a|b|br|center|div|em|h[1-6]|hr|i|img|p|picture|source|span|strong|sub|sup)(?:\s[^<>]*)?/?>";
    Regex::new(&format!("(?ms){code}|{linked_picture}|{picture}|{directive}|{tag}")).ok()
});

/// A text without its decoration; lines that held nothing else are gone.
pub(super) fn without_decoration(text: &str) -> Cow<'_, str> {
    let Some(decoration) = DECORATION.as_ref() else { return Cow::Borrowed(text) };
    // A mark where something was, to tell lines that are empty now from those that were.
    let marked = decoration.replace_all(text, |found: &Captures<'_>| {
        found.get(1).map_or_else(|| "\0".to_owned(), |code| code.as_str().to_owned())
    });
    if !marked.contains('\0') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(marked.len());
    for line in marked.lines() {
        let kept = line.replace('\0', "");
        let is_gone = kept.len() < line.len() && kept.trim().is_empty();
        let is_second_gap = kept.is_empty() && (plain.is_empty() || plain.ends_with("\n\n"));
        if !is_gone && !is_second_gap {
            plain.push_str(if kept.len() < line.len() { kept.trim() } else { line });
            plain.push('\n');
        }
    }
    plain.truncate(plain.trim_end().len());
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::badges("[![CI](https://a.io/ci.svg)](https://a.io)\n[![PyPI][p]][q]\n\nA client.", "A client.")]
    #[case::heading(
        "<h1 align=\"center\">\n\n![logo](https://a.io/b.svg)\n\n</h1>\n\nlib is a client.",
        "lib is a client."
    )]
    #[case::over_lines("<p align=\"center\">\n  <img src=\"x.png\"\n   alt=\"y\">\n</p>\nText", "Text")]
    #[case::within_a_line("See <a href=\"https://a.io\">the guide</a> first.", "See the guide first.")]
    #[case::restructured(".. image:: https://a.io/x.svg\n   :target: https://a.io\n   :alt: x\n\nText", "Text")]
    #[case::code_span("Write `<p>` or ``![x](y)``, `Vec<b>`.", "Write `<p>` or ``![x](y)``, `Vec<b>`.")]
    #[case::fence("a\n\n```html\n<p>\n\n\n</p>\n```\n", "a\n\n```html\n<p>\n\n\n</p>\n```\n")]
    #[case::open_fence("![x](y)\n```\n<p>", "```\n<p>")]
    #[case::generics("Map<String, a> and x < b > y", "Map<String, a> and x < b > y")]
    #[case::nothing_else("![a](b)", "")]
    fn what_is_said_stays(#[case] text: &str, #[case] plain: &str) {
        assert_eq!(without_decoration(text), plain);
    }
}

//! What prose says: first sentences, versions, examples, sections.

use std::sync::LazyLock;

use regex::Regex;

use super::symbol::Guide;

/// Longest first sentence, in characters.
const LINE: usize = 200;
/// Most of a documentation text that is kept for search, in characters.
const DETAILS: usize = 600;
/// Longest example, in characters.
const EXAMPLE: usize = 700;
/// Longest section of a guide, in characters; a longer one is cut at a line end.
const SECTION: usize = 4_000;
/// Most sections of one file.
const SECTIONS: usize = 200;

/// What the documentation of one symbol says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doc {
    pub line: String,
    pub since: Option<String>,
    pub deprecated: Option<String>,
    pub example: Option<String>,
    pub details: String,
}

impl Doc {
    /// Reads a documentation text.
    #[must_use]
    pub fn parse_doc(text: &str) -> Self {
        static SINCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(r"(?i)(?:versionadded::|@since|\b(?:new|added) in(?: version)?:?)\s+v?(\d+(?:\.\d+)*)").ok()
        });
        static DEPRECATED: LazyLock<Option<Regex>> = LazyLock::new(|| {
            Regex::new(
                r"(?m)^\s*(?:\.\. deprecated::|@deprecated\b|Deprecated(?: since(?: version)?:?|:))[ \t]*([^\n]*)",
            )
            .ok()
        });
        let dedented = dedent(text);
        let group = |regex: &LazyLock<Option<Regex>>| {
            let found = regex.as_ref()?.captures(&dedented)?;
            Some(squeeze(found.get(1)?.as_str()))
        };
        let deprecated = group(&DEPRECATED).map(|why| if why.is_empty() { "deprecated".to_owned() } else { why });
        Self {
            line: first_sentence(&dedented),
            since: group(&SINCE),
            deprecated,
            example: example(&dedented),
            details: clip(&squeeze(&dedented), DETAILS),
        }
    }
}

/// All white space as single spaces.
#[must_use]
pub fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}

/// At most `most` characters, with a mark where something was cut.
#[must_use]
pub fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
    }
}

/// A documentation text without the indentation its lines share.
fn dedent(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_start();
    let rest: Vec<&str> = lines.collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = rest.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut dedented = first.to_owned();
    for line in rest {
        dedented.push('\n');
        dedented.push_str(line.get(shared..).unwrap_or_default().trim_end());
    }
    dedented
}

fn first_sentence(text: &str) -> String {
    let paragraph = text.trim_start().split("\n\n").next().unwrap_or_default();
    let paragraph = squeeze(paragraph);
    let end = paragraph
        .match_indices(". ")
        .map(|(at, _)| at + 1)
        .find(|end| paragraph.get(*end..).is_some_and(|rest| rest.trim_start().starts_with(char::is_uppercase)));
    clip(paragraph.get(..end.unwrap_or(paragraph.len())).unwrap_or_default(), LINE)
}

/// The first fenced block, session of an interpreter, or indented block after `::`.
fn example(text: &str) -> Option<String> {
    fenced(text).or_else(|| session(text)).or_else(|| literal(text)).map(|found| clip(&found, EXAMPLE))
}

fn fenced(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.trim_start().starts_with("```"));
    lines.next()?;
    some_lines(lines.take_while(|line| !line.trim_start().starts_with("```")))
}

fn session(text: &str) -> Option<String> {
    let lines = text.lines().skip_while(|line| !line.trim_start().starts_with(">>>"));
    some_lines(lines.take_while(|line| !line.trim().is_empty()))
}

fn literal(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| {
        let line = line.trim_end();
        !(line.ends_with("::") && !line.trim_start().starts_with("..") || line.contains("code-block::"))
    });
    let opening = lines.next()?;
    let outer = opening.len() - opening.trim_start().len();
    let deeper = |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > outer;
    some_lines(lines.take_while(deeper).skip_while(|line| line.trim().is_empty() || line.trim().starts_with(':')))
}

fn some_lines<'t>(lines: impl Iterator<Item = &'t str>) -> Option<String> {
    let joined = dedent(&format!("\n{}", lines.collect::<Vec<_>>().join("\n")));
    let trimmed = joined.trim_matches('\n').trim_end();
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// The sections of a markdown or reStructuredText file.
#[must_use]
pub fn split_sections(file: &str, text: &str) -> Vec<Guide> {
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut styles: Vec<char> = Vec::new();
    let mut guides = Vec::new();
    let mut body = String::new();
    let mut fence = false;
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        fence ^= line.trim_start().starts_with("```");
        let heading = (!fence).then(|| heading(line, lines.get(at + 1).copied(), &mut styles)).flatten();
        at += 1;
        let Some((level, title, used)) = heading else {
            body.push_str(line);
            body.push('\n');
            continue;
        };
        close_section(file, &open, &mut body, &mut guides);
        open.retain(|(above, _)| *above < level);
        open.push((level, title));
        at += used;
    }
    close_section(file, &open, &mut body, &mut guides);
    guides.truncate(SECTIONS);
    guides
}

/// Level, title and further lines used, when a heading begins here.
fn heading(line: &str, next: Option<&str>, styles: &mut Vec<char>) -> Option<(usize, String, usize)> {
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&hashes) && line.get(hashes..).is_some_and(|rest| rest.starts_with(' ')) {
        return Some((hashes, line.trim_matches(['#', ' ']).to_owned(), 0));
    }
    let under = next?.trim_end();
    let mark = under.chars().next().filter(|mark| "=-~^\"'*+#".contains(*mark))?;
    let title = line.trim();
    let drawn =
        under.len() >= 3 && under.chars().all(|found| found == mark) && under.len() + 2 >= title.chars().count();
    if !drawn || title.is_empty() || title.starts_with(['|', '+', '=', '-', ':', '*']) {
        return None;
    }
    let level = styles.iter().position(|style| *style == mark).unwrap_or_else(|| {
        styles.push(mark);
        styles.len() - 1
    });
    Some((level + 1, title.to_owned(), 1))
}

fn close_section(file: &str, open: &[(usize, String)], body: &mut String, guides: &mut Vec<Guide>) {
    let text = std::mem::take(body);
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    let heading = open.iter().map(|(_, title)| title.as_str()).collect::<Vec<_>>().join(" › ");
    guides.push(Guide { file: file.to_owned(), heading, text: clip(text, SECTION) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documentation_text_gives_its_parts() {
        let doc = Doc::parse_doc(
            "Send a request. Then\n    wait for it.\n\n    .. versionadded:: 2.1\n    .. deprecated:: 3.0 use get\n\n    Usage::\n\n      \
             >>> send(1)\n      2\n\n    End.",
        );
        assert_eq!(doc.line, "Send a request.");
        assert_eq!(doc.since.as_deref(), Some("2.1"));
        assert_eq!(doc.deprecated.as_deref(), Some("3.0 use get"));
        assert_eq!(doc.example.as_deref(), Some(">>> send(1)\n2"));
        let fenced = Doc::parse_doc("Does it\n\n```python\na = 1\n  b\n```\nNew in version 4");
        assert_eq!((fenced.example.as_deref(), fenced.since.as_deref()), (Some("a = 1\n  b"), Some("4")));
        assert_eq!(Doc::parse_doc(""), Doc::default());
    }

    #[test]
    fn a_page_falls_into_sections() {
        let markdown = "intro\n# One\na\n## Two\n```\n# no heading\n```\n# Three\n\n";
        let found: Vec<_> = split_sections("R.md", markdown).into_iter().map(|g| (g.heading, g.text)).collect();
        let expected = [("", "intro"), ("One", "a"), ("One › Two", "```\n# no heading\n```")];
        assert_eq!(found, expected.map(|(h, t)| (h.to_owned(), t.to_owned())));
        let rst = "Top\n===\nx\n\nSub\n---\ny\n\nNext\n====\nz\n";
        let found: Vec<_> = split_sections("R.rst", rst).into_iter().map(|g| g.heading).collect();
        assert_eq!(found, ["Top", "Top › Sub", "Next"]);
    }
}

//! Hashtags in the body of a note: where a reader of the rendered text would see one.
//!
//! What is text and what is code, link, HTML or mathematics is decided by a CommonMark parser; comments between `%%` and
//! bare addresses are recognised here.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::grammar;

/// Text that is rendered as it stands, without markup in between.
#[derive(Debug, Clone)]
struct Run {
    span: Range<usize>,
    /// Runs of one paragraph, heading, list item or cell have the same number.
    block: u32,
}

/// Appends the spans, without `#`, of all hashtags at or after `from`.
pub fn find_markdown_hashtags(text: &str, from: usize, found: &mut Vec<Range<usize>>) {
    let Some(body) = text.get(from..) else { return };
    // Most of the time goes into parsing: a text without anything like a hashtag is not parsed.
    if !has_candidate(body) {
        return;
    }
    let runs = visible_text_runs(body);
    for run in outside_comments(body, &runs) {
        let first = found.len();
        tags_of_run(body, run, found);
        for span in found.iter_mut().skip(first) {
            *span = span.start + from..span.end + from;
        }
    }
}

fn has_candidate(body: &str) -> bool {
    body.match_indices('#').any(|(at, _)| {
        let follows = body[at + 1..].chars().next().is_some_and(grammar::is_tag_char);
        follows && body[..at].chars().next_back().is_none_or(|before| before != '#')
    })
}

/// All rendered text outside code, links, images, HTML and mathematics; what adjoins is one run.
fn visible_text_runs(body: &str) -> Vec<Run> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_WIKILINKS;
    let mut runs: Vec<Run> = Vec::new();
    let (mut hidden, mut block) = (0_u32, 0_u32);
    for (event, span) in Parser::new_ext(body, options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::Link { .. } | Tag::Image { .. }) => hidden += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Link | TagEnd::Image) => {
                hidden = hidden.saturating_sub(1);
            }
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {}
            Event::Start(_) | Event::End(_) => block += 1,
            Event::Text(_) if hidden == 0 => match runs.last_mut() {
                Some(last) if last.span.end == span.start && last.block == block => last.span.end = span.end,
                _ => runs.push(Run { span, block }),
            },
            _ => {}
        }
    }
    runs
}

/// The parts of the runs that are not inside `%% … %%`.
///
/// A comment that opens a line goes on until it is closed, over any number of paragraphs; one that opens within a line
/// has to be closed in the same paragraph, otherwise the signs are what they look like.
fn outside_comments(body: &str, runs: &[Run]) -> Vec<Range<usize>> {
    if !body.contains("%%") {
        return runs.iter().map(|run| run.span.clone()).collect();
    }
    let marks: Vec<(usize, u32)> = runs
        .iter()
        .flat_map(|run| {
            let text = body.get(run.span.clone()).unwrap_or_default();
            text.match_indices("%%").map(|(at, _)| (run.span.start + at, run.block))
        })
        .collect();
    let mut comments: Vec<Range<usize>> = Vec::new();
    let mut marks = marks.into_iter().peekable();
    while let Some((open, block)) = marks.next() {
        let line = body[..open].rfind('\n').map_or(0, |at| at + 1);
        let opens_line = body[line..open].trim().is_empty();
        match marks.peek() {
            Some(&(close, of)) if opens_line || of == block => {
                comments.push(open..close + 2);
                marks.next();
            }
            None if opens_line => comments.push(open..body.len()),
            _ => {}
        }
    }
    let mut shown = Vec::new();
    let mut comments = comments.into_iter().peekable();
    for run in runs {
        let mut start = run.span.start;
        while let Some(comment) = comments.peek().filter(|comment| comment.start < run.span.end) {
            if start < comment.start {
                shown.push(start..comment.start);
            }
            start = start.max(comment.end);
            if comment.end > run.span.end {
                break;
            }
            comments.next();
        }
        if start < run.span.end {
            shown.push(start..run.span.end);
        }
    }
    shown
}

/// The hashtags of one run; what precedes the run is markup or the start of a line.
fn tags_of_run(body: &str, run: Range<usize>, found: &mut Vec<Range<usize>>) {
    let Some(text) = body.get(run.clone()) else { return };
    let escaped = body[..run.start].ends_with('\\');
    let mut word = WordTracker::default();
    let mut last_end = usize::MAX;
    for (at, _) in text.match_indices('#') {
        let in_address = word.advance(text, at);
        let before = text[..at].chars().next_back();
        let free = match before {
            None => !escaped,
            Some(before) => grammar::may_precede(before) || last_end == at,
        };
        if !free || in_address {
            continue;
        }
        let tag = grammar::leading_tag(&text[at + 1..]);
        if !tag.is_empty() {
            last_end = at + 1 + tag.len();
            found.push(run.start + at + 1..run.start + last_end);
        }
    }
}

/// Follows the word that a position stands in, to tell whether it is an address. Every byte is looked at once.
#[derive(Debug, Default)]
struct WordTracker {
    seen: usize,
    start: usize,
    address: bool,
}

impl WordTracker {
    /// True when the word around `at`, as far as it stands before it, is an address. `at` never goes back.
    fn advance(&mut self, text: &str, at: usize) -> bool {
        let fresh = &text[self.seen..at];
        if let Some((delimiter, c)) = fresh.char_indices().rfind(|(_, c)| c.is_whitespace() || "<>\"".contains(*c)) {
            self.start = self.seen + delimiter + c.len_utf8();
            self.address = false;
        }
        if !self.address {
            let head = text[self.start..at].trim_start_matches(['(', '[', '*', '_', '\'']);
            // What lies before the last `#` has been searched: a scheme's `://` holds none.
            let tail = &text[self.seen.max(self.start)..at];
            self.address = tail.contains("://") || head.starts_with("www.") || head.starts_with("mailto:");
        }
        self.seen = at;
        self.address
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn read(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        find_markdown_hashtags(text, 0, &mut found);
        found.into_iter().map(|span| &text[span]).collect()
    }

    #[rstest]
    #[case::plain("#alpha and #beta", &["alpha", "beta"])]
    #[case::nested("#project/alpha/ #a//b", &["project/alpha", "a//b"])]
    #[case::unicode("#日本語タグ #über #🚀", &["日本語タグ", "über", "🚀"])]
    #[case::short("#a #go #ffffff", &["a", "go", "ffffff"])]
    #[case::numbers("#1984 #1984a #2024/01", &["1984a", "2024/01"])]
    #[case::heading("# Title #one\n## #two\n#Heading\n", &["one", "two", "Heading"])]
    #[case::not_at_a_boundary("a#b ##c x/#d &#35; é#e mail@#f", &[])]
    #[case::chain("#one#two x#three#four", &["one", "two"])]
    #[case::punctuation("(#a) \"#b\" #c, #d. #e: [#f] {#g} ,#h", &["a", "b", "c", "d", "e", "f", "g", "h"])]
    #[case::emphasis("**#bold** *#it* ~~#gone~~ ==#mark== _#under_", &["bold", "it", "gone", "mark", "under"])]
    #[case::underscores("#snake_case_tag #_x", &["snake_case_tag", "_x"])]
    #[case::escaped("\\#no #yes", &["yes"])]
    #[case::inline_code("`#no` ``a ` #no`` #yes", &["yes"])]
    #[case::fences("```\n#no\n```\n~~~ js\n#no\n~~~\n> ```\n> #no\n> ```\n#yes", &["yes"])]
    #[case::open_fence("#yes\n```\n#no\n", &["yes"])]
    #[case::indented("para\n\n    #no\n\n- item\n\n    #yes\n", &["yes"])]
    #[case::links("[l](#no) [#no](x) ![#no](y) <https://x/#no> [r]\n\n[r]: /u#no \"#no\"\n", &[])]
    #[case::wikilinks("[[Note#no]] [[Note#no|#no]] ![[Note#no]] #yes", &["yes"])]
    #[case::addresses("https://x/p/#no?a=#no www.x.org/,#no (https://x/(a)#no) #yes", &["yes"])]
    #[case::html("x <!-- #no --> <a href=\"#no\">#yes</a>\n\n<div>\n#no\n</div>\n", &["yes"])]
    #[case::comments("a %%#no%% #yes\n\n%%\n#no\n\n#no\n%%\n#too", &["yes", "too"])]
    #[case::no_comment("100%% #yes\n\nof %% #also", &["yes", "also"])]
    #[case::open_comment("#yes\n\n%% #no\n\n#no", &["yes"])]
    #[case::mathematics("$#no$ #yes $$\n#no\n$$", &["yes"])]
    #[case::blocks("> [!note] #a\n> #b\n\n- [ ] #c\n1. #d\n\n| #e | x |\n|---|---|\n| #f | y |\n", &["a", "b", "c", "d", "e", "f"])]
    #[case::line_ends("#a\r\n#b\r\n", &["a", "b"])]
    #[case::footnote("x[^1]\n\n[^1]: #note\n", &["note"])]
    #[case::yaml_in_body("tags: [x]\n- golang\n", &[])]
    fn where_a_reader_sees_one(#[case] text: &str, #[case] tags: &[&str]) {
        assert_eq!(read(text), tags, "{text}");
    }

    #[test]
    fn the_start_is_respected_and_spans_are_those_of_the_whole_text() {
        let text = "#no\n#yes";
        let mut found = Vec::new();
        find_markdown_hashtags(text, 4, &mut found);
        assert_eq!((found.len(), found.first()), (1, Some(&(5..8))));
    }
}

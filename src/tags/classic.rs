//! Reading by the rules of the tag-manager program: regular expressions over the whole text, then filters.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::note::{FrontMatterTag, NoteTagSpans, Quotes, Scalar, TagList, TagListForm};

/// Shortest tag, in characters.
pub const MIN_LENGTH: usize = 3;
/// Largest share of digits.
const MAX_DIGIT_RATIO: f64 = 0.5;
/// A tag that holds one of these, in any case, is left out.
const KEYWORDS: [&str; 5] = ["bibr", "ftn", "issuecomment", "discussion", "diff-"];
/// A tag that holds one of these is taken for part of an address.
const ADDRESS_PARTS: [&str; 10] =
    ["http", "https", "ftp", "www", ".com", ".org", ".net", "localhost", "127.0.0.1", "::1"];

/// Why a tag is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    TooShort,
    TooManyDigits,
    Hexadecimal,
    Identifier,
    Address,
    Keyword,
}

/// Reads a text.
#[must_use]
pub fn read_tag_manager_note(text: &str) -> NoteTagSpans {
    NoteTagSpans { hashtags: find_classic_hashtags(text), lists: find_tag_lists(text), ..NoteTagSpans::default() }
}

fn find_classic_hashtags(text: &str) -> Vec<Range<usize>> {
    static HASHTAG: LazyLock<Regex> = LazyLock::new(|| constant_regex(r"#([a-zA-Z][0-9A-Za-z_\-]*)"));
    HASHTAG
        .captures_iter(text)
        .filter_map(|found| found.get(1))
        .filter(|tag| {
            let before = text[..tag.start() - 1].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '@' | '-' | '_'))
                && filter_reason(tag.as_str()).is_none()
        })
        .map(|tag| tag.range())
        .collect()
}

/// `tags: [a, b]` and `tags:` with indented items below, wherever they stand.
fn find_tag_lists(text: &str) -> Vec<TagList> {
    static FLOW: LazyLock<Regex> = LazyLock::new(|| constant_regex(r"(?m)^tags:[ \t]*\[([^\]]*)\]"));
    static BLOCK: LazyLock<Regex> =
        LazyLock::new(|| constant_regex(r"(?m)^tags:[ \t]*\r?\n((?:[ \t]+-[ \t]+[^\n]*(?:\n|\z))+)"));
    static ITEM: LazyLock<Regex> = LazyLock::new(|| constant_regex(r"(?m)^[ \t]+-[ \t]+([^\n]*)"));
    let mut lists: Vec<(usize, TagList)> = Vec::new();
    for found in FLOW.captures_iter(text).filter_map(|found| found.get(1)) {
        let mut start = found.start();
        let mut scalars = Vec::new();
        for piece in found.as_str().split(',') {
            scalars.extend(parse_list_item(text, start..start + piece.len()));
            start += piece.len() + 1;
        }
        lists.push((found.start(), TagList { form: TagListForm::Flow, scalars }));
    }
    for found in BLOCK.captures_iter(text).filter_map(|found| found.get(1)) {
        let items = ITEM.captures_iter(found.as_str()).filter_map(|item| item.get(1));
        let spans = items.map(|item| found.start() + item.start()..found.start() + item.end());
        let scalars = spans.filter_map(|span| parse_list_item(text, span)).collect();
        lists.push((found.start(), TagList { form: TagListForm::Block, scalars }));
    }
    lists.sort_by_key(|(start, _)| *start);
    lists.into_iter().map(|(_, list)| list).collect()
}

/// The item in a piece of the text, without blanks and quotes; none when a filter leaves it out.
fn parse_list_item(text: &str, piece: Range<usize>) -> Option<Scalar> {
    let raw = text.get(piece.clone())?;
    let trimmed = raw.trim();
    let start = piece.start + (raw.len() - raw.trim_start().len());
    let tag = trimmed.trim_matches(['"', '\'']);
    if tag.is_empty() || filter_reason(tag).is_some() {
        return None;
    }
    let tag_start = start + trimmed.find(tag)?;
    let quotes = match (trimmed.chars().next(), trimmed.len() == tag.len() + 2) {
        (Some('"'), true) => Quotes::Double,
        (Some('\''), true) => Quotes::Single,
        _ => Quotes::None,
    };
    let word = FrontMatterTag { tag: tag.to_owned(), span: Some(tag_start..tag_start + tag.len()), hash: false };
    Some(Scalar { span: start..start + trimmed.len(), quotes, words: vec![word], fixed: None })
}

/// Why a tag would be left out; none when it is kept.
#[must_use]
pub fn filter_reason(tag: &str) -> Option<Filter> {
    let length = tag.chars().count();
    if length < MIN_LENGTH {
        return Some(Filter::TooShort);
    }
    let digits = tag.chars().filter(char::is_ascii_digit).count();
    #[expect(clippy::cast_precision_loss, reason = "lengths of tags are far below 2^52")]
    if digits as f64 / length as f64 > MAX_DIGIT_RATIO {
        return Some(Filter::TooManyDigits);
    }
    if is_hexadecimal(tag) {
        return Some(Filter::Hexadecimal);
    }
    if is_identifier(tag, length) {
        return Some(Filter::Identifier);
    }
    let lower = tag.to_lowercase();
    if ADDRESS_PARTS.iter().any(|part| lower.contains(part)) {
        return Some(Filter::Address);
    }
    KEYWORDS.iter().any(|word| lower.contains(word)).then_some(Filter::Keyword)
}

/// Looks like a colour: only hexadecimal digits, three or six of them.
#[must_use]
pub fn is_hexadecimal(tag: &str) -> bool {
    matches!(tag.len(), 3 | 6) && tag.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Looks made by a machine: eight characters or more with five digits in a row, or more than twelve with capitals, small
/// letters and digits.
fn is_identifier(tag: &str, length: usize) -> bool {
    if length < 8 {
        return false;
    }
    let longest_run = tag.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or_default();
    let has = |test: fn(&char) -> bool| tag.chars().any(|c| test(&c));
    let mixed = has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase) && has(char::is_ascii_digit);
    longest_run > 4 || (length > 12 && mixed)
}

#[expect(clippy::expect_used, reason = "the patterns are constants, and each is used by a test")]
fn constant_regex(text: &str) -> Regex {
    Regex::new(text).expect("a constant pattern")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn tags(text: &str) -> Vec<String> {
        let note = read_tag_manager_note(text);
        note.tags(text).map(str::to_owned).collect()
    }

    #[rstest]
    #[case::fences("```\n#fenced-tag\n```\n~~~\n#header-bar\n~~~\n`#include`", &["fenced-tag", "header-bar", "include"])]
    #[case::nested("#project/alpha", &["project"])]
    #[case::unicode("#日本語タグ #über", &[])]
    #[case::short("#ai #go #abc1", &["abc1"])]
    #[case::hexadecimal("#bad #bee #add #dad #ace #fed #cab #facade #decade #fade", &["fade"])]
    #[case::address("https://x/p#section-two [l](#anchor-link)", &["anchor-link"])]
    #[case::comments("<!-- #hidden --> \\#escaped <a href=\"#attr\">", &["hidden", "escaped", "attr"])]
    #[case::heading("#Heading ##Twice", &["Heading", "Twice"])]
    #[case::boundary("a#one é#two _#three -#four @#five x/#six", &["six"])]
    #[case::text_forms("tags: alpha, beta\ntag: [gamma]\nTags: [delta]", &[])]
    #[case::flow("tags: [alpha, \"beta\", 'gamma', two words]", &["alpha", "beta", "gamma", "two words"])]
    #[case::block("tags:\n  - alpha\n  - 'beta'\n", &["alpha", "beta"])]
    #[case::column_0("tags:\n- alpha\n- beta\n", &[])]
    #[case::body("text\n\ntags: [ghost-one]\n", &["ghost-one"])]
    #[case::yaml_comments("---\n# comment #comm-tag\ntitle: x #ticket-name\n---\n", &["comm-tag", "ticket-name"])]
    #[case::comma_in_quotes("tags: [\"a,lpha\"]", &["lpha"])]
    #[case::hash_in_quotes("tags: [\"#alpha\"]", &["#alpha", "alpha"])]
    #[case::keywords("#discussion-group #diff-view #DiffTool #bibr12", &["DiffTool"])]
    #[case::digits("#abc12345 #a12 #ab12 #abcdefgh12345 #AbcdefghIjkl1 #AbcdefghIjk1", &["ab12", "AbcdefghIjk1"])]
    #[case::addresses("#http-x #mywww #localhost1", &[])]
    fn what_the_program_counts(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(tags(text), expected, "{text}");
    }

    #[test]
    fn spans_and_quotes_of_items() {
        let text = "tags: [ 'alpha' , beta]\n";
        let note = read_tag_manager_note(text);
        let scalars = &note.lists[0].scalars;
        assert_eq!((&text[scalars[0].span.clone()], scalars[0].quotes), ("'alpha'", Quotes::Single));
        assert_eq!((&text[scalars[1].span.clone()], scalars[1].quotes), ("beta", Quotes::None));
        let span = scalars[0].words[0].span.clone().unwrap();
        assert_eq!(&text[span], "alpha");
    }
}

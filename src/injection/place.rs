//! Where in a document something stands: in code, in quotes, in a part that is not shown, near talk of attacks.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::spans::Spans;

/// Talk of attacks counts this far before what it talks about, in bytes.
const TALK: usize = 300;

static HIDDEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?is)<!--.*?-->",
        r#"|<[a-z]+\b[^>]{0,400}?\b(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt|em|%)?\b|opacity\s*:\s*0(?:\.0+)?\b|color\s*[:=]\s*[\x22']?(?:white|#fff(?:fff)?|transparent)\b|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?:height|width)\s*:\s*[01](?:px)?\b)[^>]{0,400}>.*?</"#,
        r#"|<[a-z]+\b[^>]{0,400}?\s(?:hidden|aria-hidden\s*=\s*"true"|class\s*=\s*["'][^"'>]{0,80}\b(?:sr-only|visually-hidden|hidden)\b)[^>]{0,400}>.*?</"#,
        r"|<(?:template|noscript)\b[^>]{0,400}>.*?</",
        // What attributes say is read out or shown late, if ever.
        r#"|<[a-z]+\b[^>]{0,400}?\s(?:alt|title|aria-label|aria-description|placeholder|content|summary|value|data-[a-z-]{1,40})\s*=\s*(?:"[^"]{12,}"|'[^']{12,}')"#,
        r#"|\]\([^)\s]{1,400}\s+"[^"]{12,400}"\)"#,
        r"|(?m)^\[(?://|comment)\]:\s*#\s*[(\x22'][^\n]*"
    ))
    .ok()
});

static TALKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\bprompt[ -]injections?\b|\binjection (?:attack|attempt|payload|test)s?\b|\bjailbreak(?:s|ing)? (?:attempt|attack|prompt|detection)s?\b",
        r"|\badversarial (?:prompt|input|example)s?\b|\battackers? (?:can|could|may|might|who|will|tries|try|writes?)\b|\bmalicious (?:prompt|instruction|input|user)s?\b",
        r"|\bred[ -]team|\bthreat model|\bphrases? (?:such as|like)\b|\bpatterns? (?:such as|like)\b"
    ))
    .ok()
});

/// Quotation marks are looked for this far within a line, in bytes.
const LINE: usize = 10_000;

const MARKS: [char; 6] = ['"', '“', '”', '„', '«', '»'];

/// The parts of a document.
#[derive(Debug)]
pub(super) struct DocumentRegions {
    code: Spans,
    hidden: Spans,
    /// Each with what stands shortly behind it.
    talk: Spans,
    quotes: QuotationMarks,
}

impl DocumentRegions {
    pub(super) fn from_text(text: &str) -> Self {
        let spans = |regex: &Option<Regex>, behind: usize| -> Spans {
            let found = regex.iter().flat_map(|regex| regex.find_iter(text));
            found.map(|found| found.start()..found.end() + behind).collect()
        };
        Self {
            code: code(text).into_iter().collect(),
            hidden: spans(&HIDDEN, 0),
            talk: spans(&TALKS, TALK),
            quotes: QuotationMarks::from_text(text),
        }
    }

    /// Whether a person who looks at the document does not see that place.
    pub(super) fn is_hidden(&self, span: &Range<usize>) -> bool {
        self.hidden.contains_span(span)
    }

    /// Whether something is shown rather than said: in code, in quotation marks, or as an example of an attack.
    pub(super) fn is_shown(&self, span: &Range<usize>) -> bool {
        self.is_code(span) || self.quotes.encloses(span) || self.talk.overlaps_span(span)
    }

    pub(super) fn is_code(&self, span: &Range<usize>) -> bool {
        self.code.contains_span(span)
    }
}

/// Fenced blocks and spans in backticks.
fn code(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut fence: Option<(char, usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_start_matches([' ', '\t', '>']);
        let sign = body.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = sign.map_or(0, |sign| body.chars().take_while(|c| *c == sign).count());
        match (fence, sign) {
            (None, Some(sign)) if length >= 3 => fence = Some((sign, length, at)),
            (Some((open, least, start)), Some(sign)) if sign == open && length >= least => {
                parts.push(start..at + line.len());
                fence = None;
            }
            (None, _) => spans(line, at, &mut parts),
            _ => {}
        }
        at += line.len();
    }
    parts.extend(fence.map(|(_, _, start)| start..text.len()));
    parts
}

/// The spans in backticks of one line.
fn spans(line: &str, at: usize, parts: &mut Vec<Range<usize>>) {
    let mut open = None;
    for (index, _) in line.match_indices('`') {
        match open.take() {
            None => open = Some(index),
            Some(start) => parts.push(at + start..at + index + 1),
        }
    }
}

/// The quotation marks of a text, counted once: a text may ask about as many places as it likes.
#[derive(Debug)]
struct QuotationMarks {
    marks: Vec<usize>,
    line_ends: Vec<usize>,
}

impl QuotationMarks {
    fn from_text(text: &str) -> Self {
        let mut marks = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if !is_data(line) {
                marks.extend(quoting_marks(line).map(|mark| at + mark));
            }
            at += line.len();
        }
        Self { marks, line_ends: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    /// True when a quotation mark opens within the line before the place, and one closes after it.
    fn encloses(&self, span: &Range<usize>) -> bool {
        let line = |at: usize| self.line_ends.partition_point(|end| *end < at);
        let before = line(span.start).checked_sub(1).and_then(|last| self.line_ends.get(last));
        let start = before.map_or(0, |end| end + 1);
        // In a line that nobody would write marks are not counted: it says nothing who quotes whom.
        if span.start - start > LINE {
            return false;
        }
        let marks_before = |at: usize| self.marks.partition_point(|mark| *mark < at);
        let end = self.line_ends.get(line(span.end)).map_or(span.end + LINE, |end| (*end).min(span.end + LINE));
        (marks_before(span.start) - marks_before(start)) % 2 == 1 && marks_before(end) > marks_before(span.end)
    }
}

/// The quotation marks of a line but those around the value of an attribute: `name="value"`.
fn quoting_marks(line: &str) -> impl Iterator<Item = usize> {
    let mut in_value = false;
    line.match_indices(MARKS).filter_map(move |(at, mark)| {
        let begins = mark == "\"" && line[..at].ends_with('=');
        let quotes = !in_value && !begins;
        in_value = begins || (in_value && mark != "\"");
        quotes.then_some(at)
    })
}

/// True for a line of JSON, CSV or YAML, whose quotation marks hold values and quote nobody.
pub(super) fn is_data(line: &str) -> bool {
    let body = line.trim();
    let body = body.strip_prefix("- ").unwrap_or(body);
    let is_value = |rest: &str| rest.starts_with('"') && rest.trim_end_matches(',').ends_with('"');
    [",\"", ";\"", "\t\""].iter().any(|mark| body.contains(mark))
        // An entry of a list, or of a table with one column.
        || (is_value(body) && body.matches('"').count() == 2)
        || body.starts_with("{\"")
        || body.starts_with("[\"")
        || body.split_once(':').is_some_and(|(key, value)| {
            !key.is_empty()
                && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"\"_-. ".contains(&byte))
                && key.split_whitespace().count() == 1
                && is_value(value.trim_start())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str) -> Range<usize> {
        let start = text.find('X').unwrap();
        start..start + 1
    }

    #[test]
    fn places() {
        for (text, hidden, shown) in [
            ("plain X", false, false),
            ("<!-- X -->", true, false),
            ("<span style=\"font-size:0px\">X</span>", true, false),
            ("<font color=\"#ffffff\">X</font>", true, false),
            ("[//]: # (X)", true, false),
            ("a `X` b", false, true),
            ("```\nX\n```\n", false, true),
            ("~~~\nX", false, true),
            ("```\na\n```\nX", false, false),
            ("he said \"do X\" now", false, true),
            ("\"a\" X \"b\"", false, false),
            ("Prompt injections say X", false, true),
            ("«a»\n„b“ and “X", false, false),
            ("a \"\nX \"", false, false),
            ("1,\"X\",2", false, false),
            ("{\"a\": \"X\"}", false, false),
            ("note: \"X\"", false, false),
            ("[\n  \"do X\",\n  \"b\"\n]", false, false),
            ("\"1\";\"do X\";\"2\"", false, false),
            ("\"do X\" he said, \"now\"", false, true),
            ("notes:\n  - \"do X\"\n", false, false),
            ("10:11 [a] request agent=\"do X\" \"b\"", false, false),
            ("agent=\"a\" said \"do X\" \"b\"", false, true),
            ("the page said: \"X\"", false, true),
            ("“X\n”", false, false),
            ("a\n«X» b\n", false, true),
        ] {
            let places = DocumentRegions::from_text(text);
            assert_eq!((places.is_hidden(&span(text)), places.is_shown(&span(text))), (hidden, shown), "{text}");
        }
    }
}

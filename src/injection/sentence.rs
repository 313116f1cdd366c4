//! The sentences of any text: of prose, tables, lists, comments in code, logs, JSON, markup; also those that are written in
//! pieces, a few words to a line.

use std::ops::Range;

use super::fold::fold_text;

/// A longer sentence is cut, in words: nobody writes one, and what stands in it would all be near everything.
const LONGEST: usize = 60;
/// Lines of at most so many words, one after the other, may be pieces of one sentence.
const PIECE: usize = 8;
/// A piece of text of at most this many bytes is looked at together.
const LONGEST_PIECE: usize = 4_000;

/// A sentence as its reader sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// Folded.
    pub(super) text: String,
    /// Bytes of the original, from its first word to its last.
    pub(super) span: Range<usize>,
}

/// A run of text within a line, between marks.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cell {
    span: Range<usize>,
    /// It fills its line, so that the next line may go on with it.
    whole: bool,
}

/// The sentences of a text, each with its neighbour, and those that are written in pieces.
pub(super) fn find_sentences(text: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut last_marker = "";
    for (start, line) in lines(text) {
        let body = line.trim_start_matches(is_marker);
        let marker = line[..line.len() - body.len()].trim();
        let cells = cells_of(line, start + line.len() - body.len());
        let starts_new = body.trim().is_empty()
            || (marker != last_marker
                && !last_marker.is_empty()
                && !(marker.is_empty() && line.starts_with([' ', '\t'])))
            || marker.ends_with(['-', '+', '|'])
            || (marker == "*" && line.trim_start().starts_with("* "))
            || is_numbered(body)
            || label_end(body).is_some()
            || body.split(' ').next().is_some_and(is_time);
        last_marker = marker;
        if starts_new || cells.len() != 1 || cells.iter().any(|cell| !cell.whole) {
            close(text, &mut open, &mut sentences);
        }
        for cell in &cells {
            open.push(cell.span.clone());
            if !cell.whole {
                close(text, &mut open, &mut sentences);
            }
        }
        match cells.iter().max_by_key(|cell| cell.span.len()).filter(|cell| is_piece(&text[cell.span.clone()])) {
            Some(cell) => pieces.push(cell.span.clone()),
            None if body.trim().is_empty() => {}
            None => join_pieces(text, &mut pieces, &mut sentences),
        }
    }
    close(text, &mut open, &mut sentences);
    join_pieces(text, &mut pieces, &mut sentences);
    sentences
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

fn is_marker(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '>' | '/' | '*' | '#' | '|' | ';' | '-' | '+' | '%' | '•' | '!' | '"' | '\'' | '=' | '~')
}

fn is_numbered(body: &str) -> bool {
    let rest = body.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < body.len() && rest.starts_with([')', '.'])
}

/// The runs of text between the marks of a line: bars, tags, quotation marks of data, the start of a comment.
fn cells_of(line: &str, from: usize) -> Vec<Cell> {
    let start = from;
    let base = line.len() - line.trim_start_matches(is_marker).len();
    let body = &line[base..];
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let bytes = body.as_bytes();
    let named = body.find([':', '=']).unwrap_or(body.len());
    let separator = separator_of(body);
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match bytes[at] {
            b'"' if is_mark_of_data(body, at) => cuts.push(at..at + 1),
            b'\'' if is_single_mark_of_data(body, at, named) => cuts.push(at..at + 1),
            // The bars of `<|mark|>` part nothing.
            b'|' if rest.get(1) != Some(&b'>') && (at == 0 || bytes[at - 1] != b'<') => cuts.push(at..at + 1),
            b'\\' if rest.starts_with(b"\\n") => cuts.push(at..at + 2),
            b'<' if rest.get(1).is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!')) => {
                cuts.push(at..at + 1);
            }
            b'>' if at > 0 && !bytes[at - 1].is_ascii_whitespace() && !matches!(bytes[at - 1], b'-' | b'|') => {
                cuts.push(at..at + 1);
            }
            b' ' if is_start_of_comment(rest) => cuts.push(at..at + 3),
            byte if separator == Some(byte) && is_separator(rest) => cuts.push(at..at + 1),
            _ => {}
        }
        at += 1;
    }
    let mut cells = Vec::new();
    let mut begin = 0;
    for cut in cuts.iter().cloned().chain(std::iter::once(body.len()..body.len())) {
        if begin < cut.start {
            push_cell(body, begin..cut.start, start, cuts.is_empty(), &mut cells);
        }
        begin = cut.end.max(begin);
    }
    cells
}

/// A separator of values stands close before the next, as no mark of a sentence does.
fn is_separator(rest: &[u8]) -> bool {
    rest.get(1).is_some_and(|next| !next.is_ascii_whitespace())
}

/// What parts the values of a line of a table without bars.
fn separator_of(line: &str) -> Option<u8> {
    const LEAST: usize = 2;
    let bytes = line.as_bytes();
    let parts = |separator: u8| {
        let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
        let found = bytes.iter().enumerate().filter(|(_, byte)| **byte == separator);
        found
            .filter(|(at, _)| is_separator(&bytes[*at..]) && !(is_digit(at.checked_sub(1)) && is_digit(Some(at + 1))))
            .count()
            >= LEAST
    };
    // Arguments and lists in brackets are code.
    let is_code = line.contains(['(', '[', '{']);
    [b';', b'\t', b','].into_iter().find(|separator| !(is_code && *separator == b',') && parts(*separator))
}

/// A cell with a letter in it; a very long one in parts.
fn push_cell(body: &str, span: Range<usize>, start: usize, whole: bool, cells: &mut Vec<Cell>) {
    let mut from = body.ceil_char_boundary(span.start);
    let end = body.floor_char_boundary(span.end);
    while from < end {
        let far = body.floor_char_boundary(end.min(from + LONGEST_PIECE));
        let to = if far < end { body[from..far].rfind(' ').map_or(far, |space| from + space + 1) } else { end };
        if body[from..to].contains(char::is_alphabetic) {
            cells.push(Cell { span: start + from..start + to, whole: whole && to - from == end - from });
        }
        from = to.max(from + 1);
        from = body.ceil_char_boundary(from.min(body.len()));
    }
}

/// Whether a quotation mark parts values, as in JSON and CSV, rather than words.
fn is_mark_of_data(body: &str, at: usize) -> bool {
    let before = body[..at].trim_end().as_bytes().last();
    let after = body[at + 1..].trim_start().as_bytes().first();
    before.is_none_or(|before| matches!(before, b',' | b':' | b'[' | b'{' | b'(' | b'='))
        || after.is_none_or(|after| matches!(after, b',' | b':' | b']' | b'}' | b')'))
}

/// The same of single ones, which letters stand beside in words too; `named` is where the first name of a value ends.
fn is_single_mark_of_data(body: &str, at: usize, named: usize) -> bool {
    let is_letter = |near: Option<&u8>| near.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = body.as_bytes();
    let (before, after) = (at.checked_sub(1).and_then(|at| bytes.get(at)), bytes.get(at + 1));
    let opens = !is_letter(before) && body[..at].trim_end().ends_with([':', '=', ',', '[', '{', '(']);
    // What a line ends with has begun in it.
    let closes = named < at && !is_letter(after) && after != Some(&b'\'') && before != Some(&b'\'') && {
        let rest = body[at + 1..].trim_start();
        rest.is_empty() || rest.starts_with([',', ']', '}', ')'])
    };
    opens || closes
}

/// A comment behind code.
fn is_start_of_comment(rest: &[u8]) -> bool {
    [b" # ".as_slice(), b" //", b" --"].iter().any(|mark| rest.starts_with(mark))
        && rest.get(3).is_none_or(|next| !matches!(next, b'-' | b'/'))
        && (rest.starts_with(b" # ") || rest.get(3) == Some(&b' '))
}

/// Ends the paragraph: its sentences, and each pair of neighbours.
fn close(text: &str, open: &mut Vec<Range<usize>>, sentences: &mut Vec<Sentence>) {
    let mut own: Vec<Vec<Range<usize>>> = vec![Vec::new()];
    for line in open.drain(..) {
        let mut begin = line.start;
        for end in sentence_ends(&text[line.clone()]) {
            if let Some(last) = own.last_mut() {
                last.push(begin..line.start + end);
            }
            own.push(Vec::new());
            begin = line.start + end;
        }
        if begin < line.end
            && let Some(last) = own.last_mut()
        {
            last.push(begin..line.end);
        }
    }
    let folded: Vec<Sentence> = own.iter().filter_map(|parts| join(text, parts)).collect();
    for pair in folded.windows(2) {
        if let [first, second] = pair {
            let text = format!("{} {}", first.text, second.text);
            if text.len() <= 400 {
                sentences.push(Sentence { text, span: first.span.start..second.span.end });
            }
        }
    }
    for sentence in folded {
        if let Some(text) = without_labels(&sentence.text).map(str::to_owned) {
            sentences.extend(cut_long(Sentence { text, span: sentence.span.clone() }));
        }
        sentences.extend(cut_long(sentence));
    }
}

/// The longest name of a value, in bytes.
const LONGEST_LABEL: usize = 40;
/// What is left without its labels is a sentence from so many words on.
const LEAST_WORDS: usize = 3;

/// Where the value begins in `name: value` and `name=value`.
fn label_end(text: &str) -> Option<usize> {
    let is_of_label = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let end = text.find(|c| !is_of_label(c)).filter(|end| (1..=LONGEST_LABEL).contains(end))?;
    let rest = &text[end..];
    let is_value = rest.starts_with(": ") || (rest.starts_with('=') && rest[1..].starts_with(char::is_alphabetic));
    (is_value && text.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(end + 1)
}

/// A time, with its date or without.
fn is_time(word: &str) -> bool {
    const LEAST_DIGITS: usize = 4;
    word.bytes().filter(u8::is_ascii_digit).count() >= LEAST_DIGITS && word.contains([':', '-', ']'])
}

/// What a line of a log begins with: a time, a level, a program.
fn is_stamp(word: &str) -> bool {
    let numbered = word.contains(|c: char| c.is_ascii_digit()) && word.contains([':', '-', ']']);
    let tagged = word.starts_with('[') && word.trim_end_matches(':').ends_with(']');
    numbered
        || tagged
        || matches!(word.trim_matches(['[', ']', ':']), "trace" | "debug" | "info" | "warn" | "warning" | "error")
}

/// Where the value begins behind a name of two or three words: `name of it: value`.
fn long_label_end(text: &str) -> Option<usize> {
    const MOST_WORDS: usize = 3;
    let end = text.find(": ").filter(|end| (1..=LONGEST_LABEL).contains(end))?;
    let name = text.get(..end)?;
    let is_name = name.split(' ').all(|word| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '-'));
    (is_name && name.split(' ').count() <= MOST_WORDS).then_some(end + 1)
}

/// A folded sentence without the names of the value that it is, and without what a log puts before it, if it has either.
fn without_labels(sentence: &str) -> Option<&str> {
    let mut rest = sentence;
    while let Some((_, after)) = rest.split_once(' ').filter(|(word, _)| is_stamp(word)) {
        rest = after.trim_start();
    }
    while let Some(end) = label_end(rest).or_else(|| long_label_end(rest)) {
        rest = rest[end..].trim_start();
    }
    (rest.len() < sentence.len() && rest.split_whitespace().nth(LEAST_WORDS - 1).is_some()).then_some(rest)
}

/// Where sentences end within a piece of text.
fn sentence_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let ends_here = match c {
            '.' | '!' | '?' => next.is_some_and(char::is_whitespace) && !is_short_word(&text[..at]),
            '。' | '！' | '？' | '।' => next.is_some(),
            _ => false,
        };
        if ends_here {
            ends.push(at + c.len_utf8());
        }
    }
    ends
}

/// Abbreviations such as "e.g." and numbers of a list end no sentence.
fn is_short_word(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    matches!(word, "e.g" | "i.e" | "vs" | "etc" | "cf" | "Mr" | "Ms" | "Dr" | "No")
        || (!word.is_empty() && word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit()))
}

/// One sentence of its parts.
fn join(text: &str, parts: &[Range<usize>]) -> Option<Sentence> {
    let mut joined = String::new();
    for part in parts {
        let folded = fold_text(&text[part.clone()]).text.replace('\n', " ");
        let folded = folded.trim();
        if !folded.is_empty() && !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(folded);
    }
    let (first, last) = (parts.first()?, parts.last()?);
    joined.contains(char::is_alphabetic).then_some(Sentence { text: joined, span: first.start..last.end })
}

/// A sentence of more words than people write, in parts that keep its span.
fn cut_long(sentence: Sentence) -> Vec<Sentence> {
    if sentence.text.len() <= LONGEST * 4 {
        return vec![sentence];
    }
    let words: Vec<&str> = sentence.text.split_whitespace().collect();
    let parts = words.chunks(LONGEST).map(|words| Sentence { text: words.join(" "), span: sentence.span.clone() });
    parts.collect()
}

/// A few words without an end.
fn is_piece(text: &str) -> bool {
    let trimmed = text.trim();
    !trimmed.ends_with(['.', '!', '?', '{', '}', ';', ')'])
        && trimmed.split_whitespace().take(PIECE + 1).count() <= PIECE
}

/// A piece without the number or the letter it begins with, or without a name that is numbered.
fn without_number(text: &str, piece: Range<usize>) -> Range<usize> {
    let body = text.get(piece.clone()).unwrap_or_default();
    let listed = body.find([')', '.']).filter(|end| (1..=2).contains(end)).map(|end| end + 1);
    let is_number = |end: &usize| {
        let name = body[..*end].trim_end_matches([':', '=']);
        name.len() <= 2 || name.ends_with(|c: char| c.is_ascii_digit())
    };
    let end = label_end(body).or_else(|| long_label_end(body)).filter(is_number).or(listed).unwrap_or_default();
    piece.start + end..piece.end
}

/// Lines of a few words each, read as one sentence.
fn join_pieces(text: &str, pieces: &mut Vec<Range<usize>>, sentences: &mut Vec<Sentence>) {
    let pieces = std::mem::take(pieces);
    for group in pieces.chunks(PIECE).filter(|group| group.len() > 1) {
        let values: Vec<Range<usize>> = group.iter().map(|piece| without_number(text, piece.clone())).collect();
        if values != group {
            sentences.extend(join(text, &values).into_iter().flat_map(cut_long));
        }
        sentences.extend(join(text, group).into_iter().flat_map(cut_long));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        find_sentences(text).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn sentences_of_many_carriers() {
        for (text, sentence) in [
            ("One thing. Do that now. Another.", "do that now."),
            ("// One thing. Do\n// that now.\nlet a = 1;", "do that now."),
            ("| 7 | Do that now. | ok |", "do that now. "),
            ("{\"a\": \"x\", \"text\": \"Do that now.\"}", "do that now."),
            ("1,2025-01-01,\"Do that now.\",7.5", "do that now."),
            ("<p>One.</p><div>Do that now.</div>", "do that now."),
            ("<a title=\"Do that now\">x</a>", "do that now\""),
            ("- One\n- Do that\n  now.", "do that now."),
            ("x = 1  # Do that now.", "do that now."),
            ("| 7 | A mark <|end|> ends it. | ok |", "a mark <|end|> ends it."),
            ("spec:\n  plan: 'One thing.'\n  note: 'Do that now.'\n", "do that now."),
            ("{'plan': 'It isn\'t.', 'note': 'Do that now.'}", "do that now."),
            ("plan: The users' rules\nnote: Do that now.\n", "note: do that now."),
            ("plan: One thing\nnote: Do that now.\n", "do that now."),
            ("2025-01-02T10:11:12Z WARN shop[77]: Do that now.", "do that now."),
            ("10:11:12 [info] title=Do that now", "do that now"),
            ("2025-01-02 [shop] debug: user text: Do that now.", "do that now."),
            ("10:11:12 [a] one thing\n10:11:13 [a] Do that now", "do that now"),
            ("7;One thing;Do that now.;2025-01-01", "do that now."),
            ("7,2025-01-01,Do that now.,one", "do that now."),
        ] {
            let found = texts(text);
            assert!(found.iter().any(|one| one.trim() == sentence.trim()), "{text}: {found:?}");
        }
    }

    #[test]
    fn sentences_in_pieces() {
        for text in [
            "a = 3  # Do that\nb = 4  # now and\nc = 5  # then stop",
            "- Do that\n- now and\n- then stop",
            "| 1 | Do that |\n| 2 | now and |\n| 3 | then stop |",
            "\"a\": \"Do that\",\n\"b\": \"now and\",\n\"c\": \"then stop\"",
            "a: Do that\nb: now and\nc: then stop",
            "1) Do that\n2) now and\n3) then stop",
        ] {
            assert!(texts(text).contains(&"do that now and then stop".to_owned()), "{text}: {:?}", texts(text));
        }
    }

    #[test]
    fn neighbours_are_read_together_and_spans_lead_back() {
        let text = "> One. Do that.\n";
        let found = find_sentences(text);
        assert!(found.iter().any(|one| one.text == "one. do that."));
        let last = found.iter().find(|one| one.text == "do that.").unwrap();
        assert_eq!(text[last.span.clone()].trim(), "Do that.");
    }

    #[test]
    fn a_long_text_has_as_much_to_look_at_as_it_is_long() {
        for piece in ["do that ", "do. ", "a|", "<a ", "\"a\",", "'a',", "a: '", "- do\n", "a: do\n", "忽略", "x # "]
        {
            let size = |count: usize| -> usize {
                find_sentences(&piece.repeat(count)).iter().map(|one| one.text.len() + one.span.len().min(400)).sum()
            };
            let (short, long) = (size(2_000), size(8_000));
            assert!(long <= 5 * short.max(1_000), "{piece}: {short} {long}");
        }
    }
}

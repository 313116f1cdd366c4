//! What is read off the text of a declaration: its head, its doc line, the hash of its body.

use oxc_ast::ast::{Comment, Program};
use oxc_span::Span;

/// Most characters of a signature.
const MAX_SIGNATURE: usize = 300;

#[derive(Debug)]
pub(super) struct ProgramText<'a> {
    source: &'a str,
    comments: &'a [Comment],
}

impl<'a> ProgramText<'a> {
    pub(super) fn new(program: &'a Program<'a>) -> Self {
        Self { source: program.source_text, comments: &program.comments }
    }

    pub(super) fn text_in_span(&self, span: Span) -> &'a str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The text from an offset on.
    pub(super) fn after(&self, offset: u32) -> &'a str {
        self.source.get(offset as usize..).unwrap_or_default()
    }

    /// Text on one line, cut to a bearable length.
    pub(super) fn signature_line(&self, span: Span) -> String {
        let mut head = String::new();
        let mut from = span.start;
        for comment in self.comments_in(span) {
            push_words(&mut head, self.text_in_span(Span::new(from, comment.span.start.max(from))));
            from = comment.span.end;
        }
        push_words(&mut head, self.text_in_span(Span::new(from, span.end.max(from))));
        let head = head.trim_end_matches([' ', '{', '=', ';', ',']).trim_end_matches(" =>");
        head.chars().take(MAX_SIGNATURE).collect()
    }

    fn comments_in(&self, span: Span) -> &'a [Comment] {
        let from = self.comments.partition_point(|comment| comment.span.start < span.start);
        let to = self.comments.partition_point(|comment| comment.span.start < span.end);
        self.comments.get(from..to.max(from)).unwrap_or_default()
    }

    /// The doc comment directly above a declaration.
    fn doc_comment(&self, start: u32) -> Option<Span> {
        let index = self.comments.partition_point(|comment| comment.span.end <= start).checked_sub(1)?;
        let comment = self.comments.get(index)?.span;
        let between = self.text_in_span(Span::new(comment.end, start));
        let is_doc = self.text_in_span(comment).starts_with("/**");
        (is_doc && between.chars().all(char::is_whitespace)).then_some(comment)
    }

    /// Where a declaration begins when its doc comment belongs to it, and the first line of that comment.
    pub(super) fn leading_doc(&self, start: u32) -> (u32, Option<String>) {
        let Some(comment) = self.doc_comment(start) else { return (start, None) };
        let body = self.text_in_span(comment).trim_start_matches("/*").trim_end_matches("*/");
        let mut lines = body.lines().map(|line| line.trim().trim_start_matches('*').trim());
        let first = lines.find(|line| !line.is_empty() && !line.starts_with('@'));
        (comment.start, first.map(str::to_owned))
    }

    /// Hash of the tokens of `span` without comments, white space and the bytes of `name`.
    pub(super) fn hash(&self, span: Span, name: Span) -> u64 {
        let mut hash = Fnv::new();
        let mut from = span.start;
        let mut gaps: Vec<Span> = self.comments_in(span).iter().map(|comment| comment.span).collect();
        if name.start >= span.start && name.end <= span.end {
            gaps.push(name);
            gaps.sort_by_key(|gap| gap.start);
        }
        for gap in gaps {
            hash.code(self.text_in_span(Span::new(from, gap.start.max(from))));
            from = gap.end.max(from);
        }
        hash.code(self.text_in_span(Span::new(from, span.end.max(from))));
        hash.value
    }
}

fn push_words(into: &mut String, text: &str) {
    for word in text.split_whitespace() {
        if !into.is_empty() && !into.ends_with(' ') {
            into.push(' ');
        }
        into.push_str(word);
    }
}

/// FNV-1a over code in which white space only separates words.
#[derive(Debug)]
struct Fnv {
    value: u64,
    word: bool,
    space: bool,
    quote: u8,
    escaped: bool,
}

impl Fnv {
    const fn new() -> Self {
        Self { value: 0xcbf2_9ce4_8422_2325, word: false, space: false, quote: 0, escaped: false }
    }

    fn byte(&mut self, byte: u8) {
        self.value = (self.value ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    fn code(&mut self, text: &str) {
        // What is cut out between two calls separates like white space.
        self.space = true;
        for byte in text.bytes() {
            if self.quote != 0 {
                self.byte(byte);
                self.quote = if byte == self.quote && !self.escaped { 0 } else { self.quote };
                self.escaped = byte == b'\\' && !self.escaped;
                continue;
            }
            if byte.is_ascii_whitespace() {
                self.space = true;
                continue;
            }
            let word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80;
            if self.space && self.word && word {
                self.byte(b' ');
            }
            self.space = false;
            self.word = word;
            self.byte(byte);
            if matches!(byte, b'"' | b'\'' | b'`') {
                self.quote = byte;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(parts: &[&str]) -> u64 {
        let mut hash = Fnv::new();
        parts.iter().for_each(|part| hash.code(part));
        hash.value
    }

    #[test]
    fn white_space_counts_only_between_words_and_in_strings() {
        assert_eq!(hash(&["a ( b )"]), hash(&["a(b)"]));
        assert_eq!(hash(&["a", "(b)"]), hash(&["a\n(\tb)"]));
        assert_ne!(hash(&["return a"]), hash(&["returna"]));
        assert_ne!(hash(&["f('a b')"]), hash(&["f('ab')"]));
    }
}

//! Readings of texts that may have errors, in which nothing is read that cannot change the answer.
//!
//! A parser of tree-sitter decides by what it has read so far, and it goes on behind an error only when no reading without one
//! is left. So a text that is the same up to where that was decided cannot be read without errors either, whatever follows.
//! Nor need a text be whole to show it: its beginning is read before it, and an error that was decided before the end of the
//! beginning is one of the text.

use std::cell::Cell;
use std::ops::ControlFlow;

use tapps_base::language::Language;
use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree, TreeCursor};

use crate::tree::{NoTree, keep_tree, parser_of_language};

/// Bytes that the parser is given at once; what it was given is taken for read.
const CHUNK: usize = 256;
/// The first beginning of a text that nothing is known of.
const BEGINNING: usize = 4 << 10;
/// How much longer each further beginning is, and a text than the last of them: what is read twice has to stay little.
const GROWTH: usize = 4;
/// What is read of a text behind the place where another like it had its error.
const BEHIND_ERROR: usize = 1 << 10;

/// The attempts to read texts of one language without errors; the texts are much alike.
#[derive(Debug)]
pub(crate) struct Attempts {
    language: Language,
    failed: Vec<Failed>,
}

/// What is enough of a text to know that it has errors.
#[derive(Debug)]
struct Failed {
    beginning: Vec<u8>,
    /// The end of the text was read as well.
    with_end: bool,
}

impl Failed {
    fn decides(&self, text: &[u8]) -> bool {
        text.starts_with(&self.beginning) && (!self.with_end || text.len() == self.beginning.len())
    }
}

/// How much of a text had been given out when the parser stood at a place.
#[derive(Debug, Clone, Copy)]
struct ReadMark {
    at: usize,
    given: usize,
}

/// What came of reading a text.
#[derive(Debug)]
struct Reading {
    /// None where the parser was stopped at an error.
    tree: Option<Tree>,
    /// How much of the text decides that there is an error: one more than there is with its end.
    decided: usize,
}

impl Attempts {
    pub(crate) const fn new(language: Language) -> Self {
        Self { language, failed: Vec::new() }
    }

    /// Reads a text, if it has no errors; the first is that which others ask for, with errors or without. To read on behind an
    /// error costs many times what a text without any does, so that nothing is read behind the first that every reading has, as
    /// far as the parser tells while it reads.
    ///
    /// # Errors
    /// When no parser can read it at all.
    pub(crate) fn read(&mut self, text: &str) -> Result<Option<Tree>, NoTree> {
        let bytes = text.as_bytes();
        if self.failed.iter().any(|failed| failed.decides(bytes)) {
            return Ok(None);
        }
        let mut parser = parser_of_language(self.language)?;
        for end in self.beginnings(bytes.len()) {
            // Half a character would be another sign than the text has there.
            let beginning = bytes.get(..text.floor_char_boundary(end)).unwrap_or(bytes);
            let reading = Reading::of_bytes(&mut parser, beginning);
            if reading.has_error() && reading.decided <= beginning.len() {
                self.note_failure(beginning, reading.decided);
                return Ok(None);
            }
        }
        let reading = Reading::of_bytes(&mut parser, bytes);
        if let Some(tree) = reading.tree.as_ref().filter(|_| self.failed.is_empty()) {
            keep_tree(self.language, text, tree);
        }
        if reading.has_error() {
            self.note_failure(bytes, reading.decided);
            return Ok(None);
        }
        Ok(reading.tree)
    }

    fn note_failure(&mut self, text: &[u8], decided: usize) {
        let beginning = text.get(..decided).unwrap_or(text).to_vec();
        self.failed.push(Failed { beginning, with_end: decided > text.len() });
    }

    /// How much of a text of this length is read before the whole, least first: a text that is like another has its error most
    /// often where that one had it.
    fn beginnings(&self, length: usize) -> Vec<usize> {
        let known = self.failed.iter().map(|failed| failed.beginning.len()).max();
        match known.map(|known| known + BEHIND_ERROR) {
            Some(end) if end < length / GROWTH * (GROWTH - 1) => vec![end],
            Some(_) => Vec::new(),
            None => std::iter::successors(Some(BEGINNING), |end| Some(end * GROWTH))
                .take_while(|end| *end <= length / GROWTH)
                .collect(),
        }
    }
}

impl Reading {
    fn of_bytes(parser: &mut Parser, bytes: &[u8]) -> Self {
        let given = Cell::new(0);
        let mut marks: Vec<ReadMark> = Vec::new();
        let mut give = |at: usize, _| {
            let end = (at + CHUNK).min(bytes.len());
            let part = bytes.get(at..end).unwrap_or_default();
            given.set(given.get().max(if part.is_empty() { bytes.len() + 1 } else { end }));
            part
        };
        let mut look = |state: &ParseState| {
            let mark = ReadMark { at: state.current_byte_offset(), given: given.get() };
            if marks.last().is_none_or(|last| last.at < mark.at) {
                marks.push(mark);
            }
            if state.has_error() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut look);
        let tree = parser.parse_with_options(&mut give, None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        let behind = tree.as_ref().and_then(|tree| place_behind_error(tree.root_node()));
        let mark = behind.and_then(|behind| marks.iter().find(|mark| mark.at > behind));
        Self { tree, decided: mark.map_or_else(|| given.get(), |mark| mark.given) }
    }

    fn has_error(&self) -> bool {
        self.tree.as_ref().is_none_or(|tree| tree.root_node().has_error())
    }
}

/// Behind the first of the innermost errors, the end of the token that follows it: when the parser had read that, it knew of an
/// error. `None` where no token follows, and where there is no error.
fn place_behind_error(root: Node<'_>) -> Option<usize> {
    let mut cursor = root.walk();
    while cursor.goto_first_child() {
        while !(cursor.node().has_error() || cursor.node().is_missing()) {
            if !cursor.goto_next_sibling() {
                cursor.goto_parent();
                return next_token_end(cursor);
            }
        }
    }
    next_token_end(cursor)
}

/// The end of the first token behind where the cursor stands. Comments may stand before that at which the parser stopped.
fn next_token_end(mut cursor: TreeCursor<'_>) -> Option<usize> {
    loop {
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
        }
        while cursor.goto_first_child() {}
        let node = cursor.node();
        if !node.is_extra() && node.end_byte() > node.start_byte() {
            return Some(node.end_byte());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::parse_syntax_tree;

    /// Two functions with so many statements before, between and behind them, of which each may be broken.
    fn text_with(statements: usize, first: &str, second: &str) -> String {
        let filling = |name: &str| {
            format!("int {name}(int a) {{\n{}  return a;\n}}\n", "  if (a > 1) { a = f(a, 2); }\n".repeat(statements))
        };
        [filling("f"), first.to_owned(), filling("g"), second.to_owned(), filling("h")].concat()
    }

    const PARTS: [&str; 4] = ["int x = 1;\n", "int x = ;\n", "/* a */ } int y;\n", "#if A\nint b(void) {\n#endif\n"];

    #[test]
    fn attempts_say_what_the_parser_says_of_each_text_in_any_order() {
        for language in [Language::C, Language::Cpp] {
            for statements in [0, 3, 180] {
                let mut attempts = Attempts::new(language);
                for (first, second) in PARTS.iter().flat_map(|first| PARTS.map(|second| (*first, second))) {
                    let text = text_with(statements, first, second);
                    let whole = parse_syntax_tree(language, &text).unwrap();
                    let read = attempts.read(&text).unwrap().map(|tree| tree.root_node().to_sexp());
                    let expected = (!whole.root_node().has_error()).then(|| whole.root_node().to_sexp());
                    assert_eq!(read, expected, "{statements} {first} {second}");
                }
            }
        }
    }

    #[test]
    fn what_begins_as_a_text_with_an_error_is_not_read() {
        let mut attempts = Attempts::new(Language::C);
        let broken = text_with(300, "int x = ;\n", "");
        assert!(attempts.read(&broken).unwrap().is_none());
        let known = attempts.failed.first().unwrap();
        assert!(!known.with_end && known.beginning.len() < broken.len() / 2);
        assert!(attempts.read(&text_with(300, "int x = ;\n", "int y;\n")).unwrap().is_none());
        assert_eq!(attempts.failed.len(), 1);
        assert!(attempts.read(&text_with(300, "int x = 1;\n", "")).unwrap().is_some());
    }

    #[test]
    fn a_beginning_ends_between_characters() {
        let text = format!("int a;\n// {}\nint b;\n", "é".repeat(BEGINNING * GROWTH));
        for shift in ["", " "] {
            assert!(Attempts::new(Language::C).read(&format!("{shift}{text}")).unwrap().is_some());
        }
        let named = format!("int a{};\n", "é".repeat(BEGINNING * GROWTH));
        for shift in ["", " "] {
            assert!(Attempts::new(Language::C).read(&format!("{shift}{named}")).unwrap().is_some());
        }
    }

    #[test]
    fn an_error_at_the_end_says_nothing_of_longer_texts() {
        let mut attempts = Attempts::new(Language::C);
        let open = "int f(int a) {\n  return a;\n";
        assert!(attempts.read(open).unwrap().is_none());
        assert!(attempts.read(&format!("{open}}}\n")).unwrap().is_some());
    }

    #[test]
    fn little_of_a_text_is_read_before_the_whole() {
        let mut attempts = Attempts::new(Language::C);
        assert_eq!(attempts.beginnings(BEGINNING * GROWTH - 1), [0; 0]);
        assert_eq!(attempts.beginnings(100_000), [4 << 10, 16 << 10]);
        attempts.note_failure(&[b' '; 50_000], 30_000);
        assert_eq!(attempts.beginnings(100_000), [30_000 + BEHIND_ERROR]);
        assert_eq!(attempts.beginnings(40_000), [0; 0]);
    }
}

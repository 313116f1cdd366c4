//! Line counts, by radon's rules, in one pass over lines and tokens.
//!
//! The text is cut at every line break that Python's `str.splitlines` knows (form feeds and a few Unicode separators
//! among them), lines are stripped, and lines are grouped until what they hold is complete: no bracket open, no
//! string open, no backslash at the end. Each group is then a lone comment, a lone string, or code.

use ruff_python_ast::token::{Token, TokenKind, Tokens};
use ruff_text_size::Ranged as _;

/// Line counts of one module.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RawLineCounts {
    /// All lines: `sloc + multi + single_comments + blank`.
    pub loc: u32,
    /// Logical lines.
    pub lloc: u32,
    /// Source lines.
    pub sloc: u32,
    /// Comments, also those that follow code.
    pub comments: u32,
    /// Lines of strings that stand alone and span lines, less their empty lines.
    pub multi: u32,
    /// Empty lines.
    pub blank: u32,
    /// Lines that hold only a comment or a one-line string.
    pub single_comments: u32,
}

/// Counts the lines of a text; `tokens` are those of the whole text.
#[must_use]
pub fn count_raw_lines(text: &str, tokens: &Tokens) -> RawLineCounts {
    let mut counts = RawLineCounts::default();
    let mut group = Group::default();
    let mut tokens = Merged { tokens, at: 0 };
    for line in splitlines(text) {
        group.push(line, &mut tokens);
        if group.is_complete() {
            std::mem::take(&mut group).add_to_counts(&mut counts);
        }
    }
    // Only a line break that Python does not know, inside a string, leaves a group open here.
    if group.lines > 0 {
        group.add_to_counts(&mut counts);
    }
    counts.loc = counts.sloc + counts.blank + counts.multi + counts.single_comments;
    counts
}

/// One piece of the text: its bounds without surrounding white space.
struct StrippedLine<'a> {
    stripped: &'a str,
    /// Offset after the last character that is not white space.
    content_end: usize,
    /// Offset at which the next line begins.
    end: usize,
}

/// The lines of a text as `str.splitlines` sees them, stripped as by `str.strip`.
fn splitlines(text: &str) -> impl Iterator<Item = StrippedLine<'_>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let (length, mut end) = match rest.find(is_line_break) {
            Some(at) => (at, start + at + rest[at..].chars().next().map_or(1, char::len_utf8)),
            None => (rest.len(), text.len()),
        };
        if text[..end].ends_with('\r') && text[end..].starts_with('\n') {
            end += 1;
        }
        let line = &rest[..length];
        let content_end = start + line.trim_end_matches(is_space).len();
        let stripped = line.trim_matches(is_space);
        start = end;
        Some(StrippedLine { stripped, content_end, end })
    })
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// What matters about one token.
#[derive(Clone, Copy)]
struct Piece {
    kind: PieceKind,
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Comment,
    String,
    Open,
    Close,
    Colon,
    Semicolon,
    Other,
}

/// The tokens of a module with each f-string (and t-string) as the one string token that Python 3.11 makes of it.
struct Merged<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl Merged<'_> {
    /// The next token that starts before `limit`.
    fn next_before(&mut self, limit: usize) -> Option<Piece> {
        loop {
            let token = self.tokens.get(self.at).filter(|token| token.start().to_usize() < limit)?;
            self.at += 1;
            let kind = match token.kind() {
                TokenKind::Newline
                | TokenKind::NonLogicalNewline
                | TokenKind::Indent
                | TokenKind::Dedent
                | TokenKind::EndOfFile => continue,
                TokenKind::Comment => PieceKind::Comment,
                TokenKind::String => PieceKind::String,
                TokenKind::FStringStart | TokenKind::TStringStart => {
                    let end = self.skip_interpolated();
                    return Some(Piece { kind: PieceKind::String, start: token.start().to_usize(), end });
                }
                TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => PieceKind::Open,
                TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => PieceKind::Close,
                TokenKind::Colon => PieceKind::Colon,
                TokenKind::Semi => PieceKind::Semicolon,
                _ => PieceKind::Other,
            };
            return Some(Piece { kind, start: token.start().to_usize(), end: token.end().to_usize() });
        }
    }

    /// Steps past the rest of an f-string whose start was just taken; returns the offset of its end.
    fn skip_interpolated(&mut self) -> usize {
        let mut open = 1;
        let mut end = 0;
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            end = token.end().to_usize();
            match token.kind() {
                TokenKind::FStringStart | TokenKind::TStringStart => open += 1,
                TokenKind::FStringEnd | TokenKind::TStringEnd => open -= 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
        }
        end
    }
}

/// Lines that belong together.
#[derive(Default)]
struct Group {
    lines: u32,
    blank: u32,
    comments: u32,
    /// Tokens, comments included.
    tokens: u32,
    /// Kind of the only token, and whether it spans lines.
    first: Option<(PieceKind, bool)>,
    depth: u32,
    /// Offset up to which a token reaches beyond the lines seen so far.
    reach: usize,
    /// Offset after the last line.
    end: usize,
    /// The last line ended in a backslash.
    continued: bool,
    /// The last line is an empty one right after a backslash: it completes nothing by itself.
    dangling: bool,
    /// Logical lines of the parts before the last semicolon.
    logical: u32,
    part: StatementPart,
}

/// What stands between two semicolons.
#[derive(Default)]
struct StatementPart {
    any: bool,
    /// Tokens after the last colon, once there is one.
    after_colon: Option<u32>,
}

impl StatementPart {
    /// Logical lines: two when code follows the last colon. Of a part that is not the last one, radon takes the last
    /// token for the end of the text, so that there it is exactly one token after the colon that makes it one line.
    fn logical(&self, is_last: bool) -> u32 {
        match self.after_colon {
            None => u32::from(self.any),
            Some(after) => 2 - u32::from(after == u32::from(!is_last)),
        }
    }
}

impl Group {
    fn push(&mut self, line: StrippedLine, tokens: &mut Merged) {
        let inside_token = self.reach > self.end;
        self.lines += 1;
        self.blank += u32::from(line.stripped.is_empty());
        let mut last_end = self.reach;
        let mut seen = 0;
        while let Some(piece) = tokens.next_before(line.end) {
            seen += 1;
            last_end = piece.end;
            self.add_piece(piece, line.end);
        }
        self.dangling = self.continued && line.stripped.is_empty();
        let backslash_in_code = line.stripped.ends_with('\\') && last_end < line.content_end;
        self.continued = backslash_in_code;
        self.end = line.end;
        // Text after a line break that only `splitlines` knows, in what Python reads as one comment.
        if seen == 0 && !inside_token && self.depth == 0 && !line.stripped.is_empty() && !backslash_in_code {
            let kind = if line.stripped.starts_with('#') { PieceKind::Comment } else { PieceKind::Other };
            self.add_piece(Piece { kind, start: line.content_end, end: line.content_end }, line.end);
        }
    }

    fn add_piece(&mut self, piece: Piece, line_end: usize) {
        // A comment never holds a group open; anything else that reaches into the next line does.
        if piece.kind != PieceKind::Comment {
            self.reach = self.reach.max(piece.end);
        }
        self.tokens += 1;
        if self.first.is_none() {
            self.first = Some((piece.kind, piece.end > line_end && piece.start < line_end));
        }
        match piece.kind {
            PieceKind::Comment => {
                self.comments += 1;
                return;
            }
            PieceKind::Semicolon => {
                self.logical += std::mem::take(&mut self.part).logical(false);
                return;
            }
            PieceKind::Open => self.depth += 1,
            PieceKind::Close => self.depth = self.depth.saturating_sub(1),
            PieceKind::Colon | PieceKind::String | PieceKind::Other => {}
        }
        self.part.any = true;
        if piece.kind == PieceKind::Colon {
            self.part.after_colon = Some(0);
        } else if let Some(after) = &mut self.part.after_colon {
            *after += 1;
        }
    }

    fn is_complete(&self) -> bool {
        self.depth == 0 && self.reach <= self.end && !self.continued && !self.dangling
    }

    fn add_to_counts(self, counts: &mut RawLineCounts) {
        counts.comments += self.comments;
        counts.lloc += self.logical + self.part.logical(true);
        match self.first {
            Some((PieceKind::Comment, _) | (PieceKind::String, false)) if self.tokens == 1 => {
                counts.single_comments += 1
            }
            Some((PieceKind::String, true)) if self.tokens == 1 => {
                counts.multi += self.lines - self.blank;
                counts.blank += self.blank;
            }
            _ => {
                counts.sloc += self.lines - self.blank;
                counts.blank += self.blank;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> RawLineCounts {
        count_raw_lines(text, ruff_python_parser::parse_module(text).unwrap().tokens())
    }

    #[rstest::rstest]
    #[case("", 0)]
    #[case("x = 1\n", 1)]
    #[case("x = 1; y = 2\n", 2)]
    #[case("x = 1;\n", 1)]
    #[case("if x: pass\n", 2)]
    #[case("if x:\n    pass\n", 2)]
    #[case("if x:  # why\n    pass  # because\n", 2)]
    #[case("x[1:2]\n", 2)]
    #[case("x: int = 1\n", 2)]
    #[case("if x: y; z\n", 2)] // one token between colon and semicolon hides a line
    #[case("if x: y = 1; z\n", 3)]
    #[case("x = {\n  1: 2,\n}\n", 2)]
    #[case("x = 1 \\\n    + 2\n", 1)]
    #[case("x = 1 \\\n\ny = 2\n", 1)] // an empty line after a backslash draws in the next line
    #[case("f'{x:>3}'\n", 1)]
    fn logical_lines(#[case] text: &str, #[case] expected: u32) {
        assert_eq!(counted(text).lloc, expected);
    }

    #[test]
    fn kinds_of_lines() {
        let text = "\
\"\"\"Doc

string.\"\"\"
# comment
x = 1  # another

'one line'
y = '''a

b'''
";
        let expected = RawLineCounts { loc: 10, lloc: 4, sloc: 3, comments: 2, multi: 2, blank: 3, single_comments: 2 };
        assert_eq!(counted(text), expected);
    }

    #[test]
    fn every_break_of_splitlines_counts() {
        assert_eq!(counted("x = 1\n\u{c}\ny = 2\n").blank, 2);
        assert_eq!(counted("x = 1\r\ny = 2\rz = 3").sloc, 3);
        let string = counted("'''a\u{2028}b\u{85}c'''\n");
        assert_eq!((string.multi, string.loc), (3, 3));
        let comment = counted("# a\u{c}b\n");
        assert_eq!((comment.single_comments, comment.sloc, comment.lloc), (1, 1, 1));
    }

    #[test]
    fn a_long_statement_is_linear() {
        let text = format!("x = {{\n{}}}\n", "1: 'abc',\n".repeat(50_000));
        let counts = counted(&text);
        assert_eq!((counts.loc, counts.lloc), (50_002, 2));
    }
}

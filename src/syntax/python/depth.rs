//! How deeply a text nests, judged from its tokens before anything recurses over it.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};
use ruff_text_size::TextSize;

/// Open brackets that Python itself accepts.
pub const MAX_BRACKETS: u32 = 200;
/// Indentation levels that Python itself accepts (a module's own level is one of its hundred).
pub const MAX_INDENTS: u32 = 99;
/// Links of one expression (operators, calls, attributes, inner expressions) that are still analysed.
pub const MAX_LINKS: u32 = 10_000;
/// Up to here the stack of any thread is enough.
pub(super) const SHALLOW: u32 = 60;

/// Stack for the deepest text that is analysed, in bytes of address space; only what is used is ever touched.
pub const STACK_BYTES: usize = 256 * 1024 * 1024;

/// What the analysis of a text needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Any stack will do.
    Shallow,
    /// Needs a stack of [`STACK_BYTES`].
    Deep,
    /// Beyond a limit.
    Excessive(Excess),
}

/// The limit that was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Excess {
    /// Where it was passed.
    pub offset: TextSize,
    /// What there is too much of.
    pub what: &'static str,
    pub limit: u32,
}

/// Judges a text. The answer is an upper bound: the tree never nests deeper than the tokens suggest.
#[must_use]
pub fn judge_depth(text: &str) -> Depth {
    match scan_token_depth(text) {
        Ok(deepest) if deepest <= SHALLOW => Depth::Shallow,
        Ok(_) => Depth::Deep,
        Err((what, limit)) => Depth::Excessive(Excess { offset: locate_excess(text), what, limit }),
    }
}

/// The offset of the token that passes a limit. The lexer tells kinds only, so this is the longest prefix without it.
fn locate_excess(text: &str) -> TextSize {
    let (mut fine, mut excessive) = (0, text.len());
    while fine + 1 < excessive {
        let mut middle = fine + (excessive - fine) / 2;
        while !text.is_char_boundary(middle) {
            middle += 1;
        }
        if middle >= excessive {
            break;
        }
        if scan_token_depth(&text[..middle]).is_ok() { fine = middle } else { excessive = middle }
    }
    TextSize::try_from(fine).unwrap_or_default()
}

/// Links in one bracket, or at statement level.
#[derive(Debug, Default, Clone, Copy)]
struct BracketLevel {
    /// Links since the last comma.
    links: u32,
    /// Lambdas, whose bodies reach past commas.
    lambdas: u32,
}

/// The state of one reading.
#[derive(Debug, Default)]
struct DepthScan {
    /// The open brackets, outermost first.
    outer: Vec<BracketLevel>,
    level: BracketLevel,
    /// Links of all levels together.
    links: u32,
    brackets: u32,
    indents: u32,
}

/// The greatest depth, or the limit that was passed.
fn scan_token_depth(text: &str) -> Result<u32, (&'static str, u32)> {
    let mut lexer = lexer::lex(text, Mode::Module);
    let mut scan = DepthScan::default();
    let mut deepest = 0;
    loop {
        let kind = lexer.next_token();
        if kind == TokenKind::EndOfFile {
            return Ok(deepest);
        }
        scan.process_token(kind);
        for (count, what, limit) in [
            (scan.brackets, "open brackets", MAX_BRACKETS),
            (scan.indents, "levels of indentation", MAX_INDENTS),
            (scan.links, "links in one expression", MAX_LINKS),
        ] {
            if count > limit {
                return Err((what, limit));
            }
        }
        deepest = deepest.max(scan.links + scan.indents);
    }
}

impl DepthScan {
    fn process_token(&mut self, kind: TokenKind) {
        match kind {
            TokenKind::Indent => self.indents += 1,
            TokenKind::Dedent => self.indents = self.indents.saturating_sub(1),
            TokenKind::Newline | TokenKind::Semi => {
                *self = Self { outer: std::mem::take(&mut self.outer), indents: self.indents, ..Self::default() };
                self.outer.clear();
            }
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                self.brackets += 1;
                self.open();
            }
            TokenKind::FStringStart | TokenKind::TStringStart => self.open(),
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                self.brackets = self.brackets.saturating_sub(1);
                self.close();
            }
            TokenKind::FStringEnd | TokenKind::TStringEnd => self.close(),
            TokenKind::Comma => {
                self.links -= self.level.links - self.level.lambdas;
                self.level.links = self.level.lambdas;
            }
            TokenKind::Lambda => {
                self.level.lambdas += 1;
                self.add_link();
            }
            _ if can_nest_expressions(kind) => self.add_link(),
            _ => {}
        }
    }

    fn add_link(&mut self) {
        self.level.links += 1;
        self.links += 1;
    }

    fn open(&mut self) {
        self.add_link();
        self.outer.push(std::mem::take(&mut self.level));
    }

    fn close(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.links -= self.level.links;
            self.level = outer;
        }
    }
}

/// True for the tokens that can put one expression inside another.
fn can_nest_expressions(kind: TokenKind) -> bool {
    kind.is_operator() && !matches!(kind, TokenKind::Colon | TokenKind::Equal | TokenKind::Rarrow | TokenKind::Ellipsis)
        || matches!(
            kind,
            TokenKind::And
                | TokenKind::Or
                | TokenKind::Not
                | TokenKind::In
                | TokenKind::Is
                | TokenKind::If
                | TokenKind::Else
                | TokenKind::Await
                | TokenKind::Yield
                | TokenKind::For
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("x = 1\n".repeat(1000), Depth::Shallow)]
    #[case(format!("x = [{}]\n", "f(a.b, -c), ".repeat(1000)), Depth::Shallow)]
    #[case(format!("x = {}1\n", "1 + ".repeat(1000)), Depth::Deep)]
    #[case(format!("x = {}1\n", "lambda a, b: ".repeat(1000)), Depth::Deep)]
    #[case(format!("x = {}1{}\n", "(".repeat(150), ")".repeat(150)), Depth::Deep)]
    fn judged(#[case] text: String, #[case] expected: Depth) {
        assert_eq!(judge_depth(&text), expected);
    }

    #[rstest::rstest]
    #[case("(", "open brackets", 200)]
    #[case("[", "open brackets", 200)]
    #[case("-", "links in one expression", 10_000)]
    #[case("not ", "links in one expression", 10_000)]
    #[case("a.", "links in one expression", 10_000)]
    fn an_excess_is_located(#[case] token: &str, #[case] what: &str, #[case] limit: u32) {
        let text = format!("# é\nx = {}1", token.repeat(20_000));
        let Depth::Excessive(excess) = judge_depth(&text) else { panic!("not excessive") };
        assert_eq!((excess.what, excess.limit), (what, limit));
        let start = "# é\nx = ".len() + token.len() * limit as usize;
        let end = start + token.len();
        assert!((start..=end).contains(&excess.offset.to_usize()), "{excess:?}");
    }

    #[test]
    fn indentation_has_pythons_limit() {
        let nested = |levels: usize| {
            (0..levels).map(|level| format!("{}if x:\n", " ".repeat(level))).collect::<String>()
                + &" ".repeat(levels)
                + "y\n"
        };
        assert_eq!(judge_depth(&nested(99)), Depth::Deep);
        assert!(matches!(judge_depth(&nested(100)), Depth::Excessive(Excess { what: "levels of indentation", .. })));
    }
}

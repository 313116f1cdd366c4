//! The tokens of a text of C or C++, as far as it takes to tell brackets, words and directives apart.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    /// A text or a character, with its quotes.
    Quoted,
    /// One sign; `::`, `->`, `&&` and `||` are two.
    Sign,
    /// A whole directive with the lines that continue it, without a comment behind it.
    Directive,
}

/// A token with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CToken<'t> {
    pub(super) kind: TokenKind,
    pub(super) text: &'t str,
    pub(super) start: usize,
    /// True when nothing but space stands before it on its line.
    pub(super) first: bool,
}

impl CToken<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// All tokens, without comments.
pub(super) fn c_tokens(text: &str) -> Vec<CToken<'_>> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let mut tokens = Vec::new();
    let (mut at, mut first) = (0, true);
    while at < bytes.len() {
        let start = at;
        let kind = match byte(at) {
            b'\n' => {
                first = true;
                at += 1;
                continue;
            }
            sign if sign.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'\\' if matches!(byte(at + 1), b'\n' | b'\r') => {
                at += 2;
                continue;
            }
            b'/' if matches!(byte(at + 1), b'/' | b'*') => {
                at = end_of_comment(bytes, at);
                continue;
            }
            b'#' if first => {
                at = end_of_directive(bytes, at);
                TokenKind::Directive
            }
            b'"' | b'\'' => {
                at = end_of_quoted(bytes, at);
                TokenKind::Quoted
            }
            sign if sign.is_ascii_alphabetic() || sign == b'_' || sign >= 0x80 => {
                at = end_of_word(bytes, at);
                let prefix = text.get(start..at).unwrap_or_default();
                match byte(at) {
                    b'"' if prefix.ends_with('R') && prefix.len() <= 3 => {
                        at = end_of_raw(bytes, at);
                        TokenKind::Quoted
                    }
                    b'"' | b'\'' if matches!(prefix, "L" | "u" | "U" | "u8") => {
                        at = end_of_quoted(bytes, at);
                        TokenKind::Quoted
                    }
                    _ => TokenKind::Word,
                }
            }
            sign if sign.is_ascii_digit() => {
                at = end_of_number(bytes, at);
                TokenKind::Number
            }
            sign => {
                let pair = (sign, byte(at + 1));
                at += if matches!(pair, (b':', b':') | (b'-', b'>') | (b'&', b'&') | (b'|', b'|')) { 2 } else { 1 };
                TokenKind::Sign
            }
        };
        tokens.push(CToken { kind, text: text.get(start..at).unwrap_or_default(), start, first });
        first = false;
    }
    tokens
}

fn end_of_word(bytes: &[u8], from: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    bytes.iter().skip(from).position(|byte| !is_part(byte)).map_or(bytes.len(), |length| from + length)
}

/// Digits with what stands between them: `1'000`, `0x1p-3`, `1.5e+9f`.
fn end_of_number(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        let after_exponent = matches!(bytes.get(at.saturating_sub(1)), Some(b'e' | b'E' | b'p' | b'P'));
        let is_separator = *byte == b'\'' && bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit);
        let is_part = byte.is_ascii_alphanumeric()
            || matches!(byte, b'.' | b'_')
            || is_separator
            || matches!(byte, b'+' | b'-') && after_exponent;
        if !is_part {
            break;
        }
        at += 1;
    }
    at
}

fn end_of_comment(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from + 2..).unwrap_or_default();
    if bytes.get(from + 1) == Some(&b'*') {
        return rest.windows(2).position(|pair| pair == b"*/").map_or(bytes.len(), |at| from + at + 4);
    }
    rest.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| from + 2 + at)
}

fn end_of_quoted(bytes: &[u8], from: usize) -> usize {
    let quote = bytes.get(from).copied().unwrap_or_default();
    let mut at = from + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            // An apostrophe in a text for people, in what no compiler reads.
            b'\n' => return at,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// `"delimiter( … )delimiter"`, from the first quote on.
fn end_of_raw(bytes: &[u8], quote: usize) -> usize {
    let rest = bytes.get(quote + 1..).unwrap_or_default();
    let Some(open) = rest.iter().position(|byte| *byte == b'(') else { return bytes.len() };
    let end: Vec<u8> = [b")".as_slice(), rest.get(..open).unwrap_or_default(), b"\""].concat();
    let found = rest.windows(end.len()).position(|window| window == end.as_slice());
    found.map_or(bytes.len(), |at| quote + 1 + at + end.len())
}

fn end_of_directive(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' => break,
            b'\\' if bytes.get(at + 1) == Some(&b'\r') => at += 3,
            b'\\' => at += 2,
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = end_of_comment(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

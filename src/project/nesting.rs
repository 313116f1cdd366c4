//! A look at how deeply a source text may nest, before it is given to a parser that recurses.
//!
//! The estimate errs upwards: what it lets through has at most [`LIMIT`] levels of brackets, operators and prefix
//! words in one statement, which fits the stack of [`super::parse`]. A file beyond it is read as if it were opaque.

use tapps_base::language::Language;

/// The most levels that are parsed.
pub(super) const LIMIT: usize = 1000;
/// The most levels of indentation; CPython itself allows 100.
const INDENT_LIMIT: usize = 150;

/// True when a parser may be given the text.
pub(super) fn is_safe(language: Language, text: &str) -> bool {
    if language.is_script() { script_is_safe(text.as_bytes()) } else { python_is_safe(text.as_bytes()) }
}

/// Levels open at the moment: what each open bracket started from, and what has been added since.
#[derive(Default)]
struct Depth {
    open: Vec<usize>,
    now: usize,
}

impl Depth {
    fn base(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    fn deeper(&mut self) -> bool {
        self.now += 1;
        self.now <= LIMIT
    }

    fn open(&mut self) -> bool {
        self.now += 1;
        self.open.push(self.now);
        self.now <= LIMIT
    }

    /// A closing bracket: what follows it may still build on what was inside, as in a chain of calls.
    fn close(&mut self) {
        if let Some(started) = self.open.pop() {
            self.now = started;
        }
    }

    /// A separator: the next part stands beside the last, not inside it.
    fn part(&mut self) {
        self.now = self.base();
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn word_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).copied().is_some_and(is_word) {
        at += 1;
    }
    at
}

fn python_is_safe(bytes: &[u8]) -> bool {
    let mut depth = Depth::default();
    let mut indents: Vec<usize> = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while let Some(&byte) = bytes.get(at) {
        if line_start && depth.open.is_empty() {
            let width = bytes.iter().skip(at).take_while(|b| matches!(b, b' ' | b'\t' | b'\x0c')).count();
            at += width;
            line_start = false;
            if matches!(bytes.get(at), None | Some(b'\n' | b'\r' | b'#')) {
                continue;
            }
            while indents.last().is_some_and(|&last| last > width) {
                indents.pop();
            }
            if width > 0 && indents.last() != Some(&width) {
                indents.push(width);
            }
            if indents.len() > INDENT_LIMIT {
                return false;
            }
            continue;
        }
        at += 1;
        let fits = match byte {
            b'#' => {
                while bytes.get(at).is_some_and(|b| !matches!(b, b'\n' | b'\r')) {
                    at += 1;
                }
                true
            }
            b'"' | b'\'' => {
                at = string_end(bytes, at - 1);
                true
            }
            b'\\' => {
                at += 1;
                true
            }
            b'(' | b'[' | b'{' => depth.open(),
            b')' | b']' | b'}' => {
                depth.close();
                true
            }
            b',' | b';' => {
                depth.part();
                true
            }
            b'\n' | b'\r' => {
                line_start = depth.open.is_empty();
                if line_start {
                    depth.part();
                }
                true
            }
            _ if byte.is_ascii_whitespace() => true,
            _ => {
                at = word_end(bytes, at);
                depth.deeper()
            }
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Where a Python string that starts with the quote at `at` ends; the end of the line when it is never closed.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let Some(&quote) = bytes.get(at) else { return at };
    let triple = bytes.get(at + 1) == Some(&quote) && bytes.get(at + 2) == Some(&quote);
    let mut at = if triple { at + 3 } else { at + 1 };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' | b'\r' if !triple => return at,
            _ if byte == quote && !triple => return at + 1,
            _ if byte == quote && bytes.get(at + 1) == Some(&quote) && bytes.get(at + 2) == Some(&quote) => {
                return at + 3;
            }
            _ => {}
        }
        at += 1;
    }
    at
}

/// Strings, templates, comments and regular expressions are counted like code: telling them apart needs a parser.
fn script_is_safe(bytes: &[u8]) -> bool {
    let mut depth = Depth::default();
    // Statements can hold one another without brackets (`if (a) if (b) …`); only a block's end settles them.
    let mut headers = vec![0_usize];
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        let fits = match byte {
            b'{' => {
                headers.push(headers.last().copied().unwrap_or(0));
                depth.open()
            }
            b'(' | b'[' => depth.open(),
            b'}' => {
                if headers.len() > 1 {
                    headers.pop();
                }
                depth.close();
                true
            }
            b')' | b']' => {
                depth.close();
                true
            }
            b',' => {
                depth.part();
                true
            }
            b';' => {
                depth.part();
                let outer = headers.len().checked_sub(2).and_then(|i| headers.get(i)).copied().unwrap_or(0);
                if let Some(last) = headers.last_mut() {
                    *last = outer;
                }
                true
            }
            b'\n' => {
                if starts_afresh(bytes, at) {
                    depth.part();
                }
                true
            }
            _ if byte.is_ascii_whitespace() => true,
            _ if is_word(byte) => {
                let start = at - 1;
                at = word_end(bytes, at);
                if let (Some(b"if" | b"else" | b"for" | b"while" | b"do" | b"with"), Some(last)) =
                    (bytes.get(start..at), headers.last_mut())
                {
                    *last += 1;
                }
                depth.deeper()
            }
            _ => depth.deeper(),
        };
        if !fits || headers.last().is_some_and(|&count| count > LIMIT) {
            return false;
        }
    }
    true
}

/// Whether the line that starts at `next` begins a statement or a line of text rather than continuing an expression.
fn starts_afresh(bytes: &[u8], next: usize) -> bool {
    let before = bytes.get(..next - 1).unwrap_or_default().trim_ascii_end();
    let tail = before.last().copied().unwrap_or(b';');
    let last_word =
        before.iter().rposition(|&b| !is_word(b)).map_or(before, |i| before.get(i + 1..).unwrap_or_default());
    let prefix = matches!(last_word, b"typeof" | b"void" | b"await" | b"delete" | b"new" | b"yield" | b"return");
    let head = bytes.iter().skip(next).find(|b| !matches!(b, b' ' | b'\t' | b'\r')).copied().unwrap_or(b'\n');
    !prefix
        && (is_word(tail) || matches!(tail, b')' | b']' | b'}' | b'"' | b'\'' | b'`' | b';' | b'>' | b'/' | b'.'))
        && (tail != b'>' || !before.ends_with(b"=>"))
        && (is_word(head) || matches!(head, b'\n' | b'}' | b'"' | b'\'' | b'<' | b'@' | b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(Language::Python, "(".repeat(5000), false)]
    #[case(Language::Python, format!("x = {}1", "-".repeat(5000)), false)]
    #[case(Language::Python, format!("x = {}1", "not ".repeat(5000)), false)]
    #[case(Language::Python, format!("x = 1{}", " + 1".repeat(5000)), false)]
    #[case(Language::Python, format!("x = a{}", "()".repeat(5000)), false)]
    #[case(Language::Python, (0..400).map(|n| format!("{}if x:\n", " ".repeat(n))).collect::<String>(), false)]
    #[case(Language::Python, format!("\"\"\"{}\"\"\"\n", "(a. b + ".repeat(5000)), true)]
    #[case(Language::Python, format!("x = {{{}}}\n", "'a': (1, -2),\n".repeat(50_000)), true)]
    #[case(Language::Python, "x = 1  # it's (\n".repeat(5000), true)]
    #[case(Language::JavaScript, "[".repeat(5000), false)]
    #[case(Language::JavaScript, format!("x = {}1", "!".repeat(5000)), false)]
    #[case(Language::JavaScript, "if (a)\n".repeat(5000), false)]
    #[case(Language::JavaScript, format!("x = {}", "a =>\n".repeat(5000)), false)]
    #[case(Language::JavaScript, format!("x = {}1", "typeof\n".repeat(5000)), false)]
    #[case(Language::JavaScript, format!("x{}", "\n.y()".repeat(5000)), false)]
    #[case(Language::JavaScript, "const a = b + c.d(1)\n".repeat(5000), true)]
    #[case(Language::JavaScript, "// it's a line of text (one) and more\nfoo();\n".repeat(5000), true)]
    fn nesting(#[case] language: Language, #[case] text: String, #[case] safe: bool) {
        assert_eq!(is_safe(language, &text), safe);
    }
}

//! How deep a script may make a recursive-descent parser go, estimated before it is parsed.
//!
//! A parser and the visitors after it use stack in proportion to nesting, and a stack overflow cannot be caught. So a
//! scan that does not recurse reads the text first: it knows strings, templates, comments and regular expressions,
//! counts open brackets, and adds the operators that are chained in each of them (`a + b + c`, `!!!a`, `else if`,
//! nested JSX elements). The estimate may be too high; it decides the size of the stack and what is refused.

/// Brackets nested deeper than this are refused.
pub const MAX_BRACKETS: u32 = 1_000;
/// Brackets and chained operators together; generated code joins thousands of strings with `+`.
pub const MAX_LEVELS: u32 = 20_000;

/// Stack for everything that does not depend on nesting.
const BASE_STACK: usize = 16 << 20;
/// Stack that one level can cost in the parser or a visitor, in an unoptimised build.
const STACK_PER_LEVEL: usize = 16 << 10;
/// Below this size the number of bytes alone bounds the nesting, so that nothing depends on the estimate.
const MAX_BOUND_BY_BYTES: usize = 256 << 20;

/// What the scan found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Depth {
    /// Deepest nesting of brackets.
    pub brackets: u32,
    /// Deepest nesting of brackets and chained operators together.
    pub levels: u32,
    /// Byte offset at which a limit was first passed.
    pub excess_at: Option<usize>,
}

impl Depth {
    /// Bytes of stack that reading a text of `length` bytes may need.
    #[must_use]
    pub fn stack_bytes(self, length: usize) -> usize {
        let by_levels = self.levels as usize * STACK_PER_LEVEL;
        let by_length = length.saturating_mul(STACK_PER_LEVEL).min(MAX_BOUND_BY_BYTES);
        BASE_STACK + by_levels.max(by_length)
    }
}

/// Scans a script; the work is linear in its length.
#[must_use]
pub fn scan_script_depth(text: &str) -> Depth {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        at: 0,
        frames: vec![Frame::new(0)],
        total: 0,
        depth: Depth::default(),
        before: Before::Operator,
    };
    scanner.scan_all();
    scanner.depth
}

/// What stands before the place being read: decides whether `/` divides and whether a statement has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Operand,
    /// The `)` of `if (…)`, `for (…)`, `while (…)`, `with (…)`: a statement follows.
    Head,
    Operator,
}

/// One open bracket.
#[derive(Debug)]
struct Frame {
    open: u8,
    /// The bracket was the `(` of a statement head.
    head: bool,
    /// The brace was opened by `${` in a template.
    template: bool,
    links: u32,
    /// Values of `links` at each open JSX element.
    elements: Vec<u32>,
}

impl Frame {
    const fn new(open: u8) -> Self {
        Self { open, head: false, template: false, links: 0, elements: Vec::new() }
    }
}

const HEADS: &[&[u8]] = &[b"if", b"for", b"while", b"with"];
/// Words that take an operand or a statement to their right.
const PREFIXES: &[&[u8]] = &[
    b"as",
    b"await",
    b"case",
    b"delete",
    b"do",
    b"else",
    b"extends",
    b"in",
    b"infer",
    b"instanceof",
    b"keyof",
    b"new",
    b"of",
    b"readonly",
    b"return",
    b"satisfies",
    b"throw",
    b"try",
    b"typeof",
    b"unique",
    b"void",
    b"yield",
];

struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    frames: Vec<Frame>,
    /// Links of all open frames.
    total: u32,
    depth: Depth,
    before: Before,
}

impl Scanner<'_> {
    fn scan_all(&mut self) {
        let mut last_word_is_head = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            let head = std::mem::take(&mut last_word_is_head);
            match byte {
                b'"' | b'\'' => self.scan_string(byte),
                b'`' => self.scan_template(),
                b'/' if self.peek(1) == Some(b'/') => self.skip_line(),
                b'/' if self.peek(1) == Some(b'*') => self.skip_block(),
                b'/' if self.before != Before::Operand && self.peek(1) != Some(b'>') => self.scan_regex(),
                b'(' | b'[' | b'{' => self.open(byte, head),
                b')' | b']' | b'}' => self.close(byte),
                b',' | b';' => self.end_of_part(),
                b'<' if self.peek(1) == Some(b'/') => self.leave_element(2),
                b'/' if self.peek(1) == Some(b'>') => self.leave_element(2),
                b'<' => self.enter_element(),
                _ if is_word(byte) => last_word_is_head = self.scan_word(),
                _ if byte.is_ascii_whitespace() => {
                    self.at += 1;
                    last_word_is_head = head;
                }
                _ => self.scan_operator(),
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn current_frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::new(0));
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn set_links(&mut self, links: u32) {
        let frame = self.current_frame();
        let old = std::mem::replace(&mut frame.links, links);
        self.total = self.total - old + links;
        self.update_depth();
    }

    fn add_link(&mut self) {
        let links = self.current_frame().links + 1;
        self.set_links(links);
    }

    fn update_depth(&mut self) {
        let brackets = u32::try_from(self.frames.len() - 1).unwrap_or(u32::MAX);
        let levels = self.total.saturating_add(brackets);
        self.depth.brackets = self.depth.brackets.max(brackets);
        self.depth.levels = self.depth.levels.max(levels);
        if self.depth.excess_at.is_none() && (brackets > MAX_BRACKETS || levels > MAX_LEVELS) {
            self.depth.excess_at = Some(self.at);
        }
    }

    /// A comma, a semicolon or two adjacent operands: the chain so far is closed.
    fn reset_links(&mut self) {
        let base = self.current_frame().elements.last().map_or(0, |links| links + 1);
        self.set_links(base);
    }

    fn end_of_part(&mut self) {
        let is_else = self.bytes[self.at] == b';' && self.word_follows(b"else");
        if !is_else {
            self.reset_links();
        }
        self.at += 1;
        self.before = Before::Operator;
    }

    fn word_follows(&self, word: &[u8]) -> bool {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        rest.trim_ascii_start().starts_with(word)
    }

    fn open(&mut self, byte: u8, head: bool) {
        let mut frame = Frame::new(byte);
        frame.head = head && byte == b'(';
        self.frames.push(frame);
        self.at += 1;
        self.before = Before::Operator;
        self.update_depth();
    }

    fn close(&mut self, byte: u8) {
        let open = match byte {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        self.at += 1;
        self.before = Before::Operand;
        if self.frames.len() < 2 || self.current_frame().open != open {
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        self.total -= frame.links;
        if frame.head {
            self.before = Before::Head;
            self.add_link();
        } else if frame.template {
            self.template_text();
        } else if byte == b'}'
            && self.bytes.get(self.at..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"/"))
        {
            // After a block a slash begins a regular expression, after an object it divides; blocks are far commoner.
            self.before = Before::Head;
        }
    }

    fn enter_element(&mut self) {
        let opens = self.peek(1).is_some_and(|next| is_word(next) || next == b'>');
        if opens && self.before != Before::Operand {
            let links = self.current_frame().links;
            self.current_frame().elements.push(links);
        }
        self.scan_operator();
    }

    fn leave_element(&mut self, length: usize) {
        if let Some(links) = self.current_frame().elements.pop() {
            self.set_links(links);
        }
        self.at += length;
        self.before = if length == 2 && self.bytes[self.at - 1] == b'/' { Before::Operator } else { Before::Operand };
    }

    /// Reads a word; true when it begins a statement head.
    fn scan_word(&mut self) -> bool {
        let start = self.at;
        while self.peek(0).is_some_and(is_word) {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        if self.before == Before::Operand && !PREFIXES.contains(&word) {
            self.reset_links();
        }
        if PREFIXES.contains(&word) {
            self.add_link();
            self.before = Before::Operator;
            return false;
        }
        self.before = Before::Operand;
        HEADS.contains(&word)
    }

    fn scan_operator(&mut self) {
        let byte = self.bytes[self.at];
        let doubled = matches!(byte, b'+' | b'-') && self.peek(1) == Some(byte);
        self.at += 1;
        self.add_link();
        // `x++ / y` divides: a postfix operator leaves an operand behind.
        if !(doubled && self.before == Before::Operand) {
            self.before = Before::Operator;
        } else {
            self.at += 1;
        }
    }

    /// A quoted string; it ends at the line's end at the latest, so that an apostrophe in JSX text hides little.
    fn scan_string(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 1,
                b'\n' => break,
                _ if byte == quote => {
                    self.at += 1;
                    break;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
        self.before = Before::Operand;
    }

    fn scan_template(&mut self) {
        self.at += 1;
        self.template_text();
    }

    fn template_text(&mut self) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 1,
                b'`' => {
                    self.at += 1;
                    self.before = Before::Operand;
                    return;
                }
                b'$' if self.peek(1) == Some(b'{') => {
                    self.at += 1;
                    self.open(b'{', false);
                    self.current_frame().template = true;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
    }

    fn scan_regex(&mut self) {
        self.at += 1;
        let mut in_class = false;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 1,
                b'\n' => break,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.at += 1;
                    break;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
        self.before = Before::Operand;
    }

    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    fn skip_block(&mut self) {
        self.at += 2;
        while self.at < self.bytes.len() && !(self.peek(0) == Some(b'*') && self.peek(1) == Some(b'/')) {
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.bytes.len());
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_counted_outside_strings_comments_templates_and_regular_expressions() {
        for (text, brackets) in [
            ("f(a[{}])", 3),
            ("'((((' + \"((((\"", 0),
            ("/* (((( */ // ((((\n()", 1),
            ("`(((( ${ f(`${a}`) } ((((`", 3),
            ("x = /[(/]((((/; ()", 1),
            ("if (a) /((((/.test(b)", 1),
            ("a / b; (c) / (d)", 1),
            ("x++ / y / (z)", 1),
            (")))(", 1),
            ("", 0),
        ] {
            assert_eq!(scan_script_depth(text).brackets, brackets, "{text}");
        }
    }

    #[test]
    fn chains_add_up_and_statements_end_them() {
        assert!(scan_script_depth(&"a + ".repeat(500)).levels >= 500);
        assert!(scan_script_depth(&"typeof ".repeat(500)).levels >= 500);
        assert!(scan_script_depth(&"if (a) ".repeat(500)).levels >= 500);
        assert!(scan_script_depth(&"if (a) b; else ".repeat(500)).levels >= 500);
        assert!(scan_script_depth(&"<a>".repeat(500)).levels >= 500);
        assert!(scan_script_depth(&"a ? b : ".repeat(500)).levels >= 500);
        assert!(scan_script_depth(&"a = b + c;\n".repeat(500)).levels < 10);
        assert!(scan_script_depth(&"a = b + c\n".repeat(500)).levels < 10);
        assert!(scan_script_depth(&"if (a) { b() } else { c() }\n".repeat(500)).levels < 10);
        assert!(scan_script_depth(&format!("x = <a>{}</a>", "<b c='d'>text</b><i />".repeat(500))).levels < 15);
    }

    #[test]
    fn the_place_of_the_excess_is_told() {
        let text = format!("x = {}", "(".repeat(2_000));
        assert_eq!(scan_script_depth(&text).excess_at, Some(4 + MAX_BRACKETS as usize + 1));
        assert_eq!(scan_script_depth("f(x)").excess_at, None);
    }
}

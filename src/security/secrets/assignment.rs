//! A name, an operator and a literal: assignments, mapping entries, environment files, options, markup.

use std::ops::Range;

use super::file::{SecretFileFacts, Syntax};

/// Longest name and longest value that are looked at, in bytes.
const NAME: usize = 80;
const VALUE: usize = 600;

/// Something that a name is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
    pub(super) quoted: bool,
}

/// The assignment to the name that `word` is a part of, if there is one.
pub(super) fn find_assignment_around(bytes: &[u8], word: Range<usize>, file: SecretFileFacts) -> Option<Assignment> {
    let name = name_around(bytes, word)?;
    let before = name.start.checked_sub(1).and_then(|at| bytes.get(at)).copied();
    let mut at = Cursor { bytes, at: name.end };
    let named_by_quote = at.closing_quote(before);
    if before == Some(b'<') && at.consume_literal(b">") {
        return at.parse_markup_value(name);
    }
    at.consume_literal(b"]");
    if let Some(found) = at.yaml_pair(&name) {
        return Some(found);
    }
    let gap = at.skip_blanks();
    let operator = at.parse_operator(named_by_quote, &name);
    match operator {
        Operator::Sign(sign) => {
            at.skip_blanks();
            at.parse_quoted_value(&name).or_else(|| at.parse_bare_value(&name, before, sign, gap, file))
        }
        Operator::Annotation | Operator::Call => {
            at.skip_blanks();
            at.parse_quoted_value(&name)
        }
        Operator::None if gap && (file.spaced || is_option(bytes, &name)) => {
            at.parse_quoted_value(&name).or_else(|| at.parse_word_value(&name).filter(|_| file.syntax == Syntax::Plain))
        }
        Operator::None => None,
    }
}

/// The whole identifier around `word`: letters, digits, `_`, `-`, and dots on its left.
fn name_around(bytes: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    let left = bytes.get(..word.start)?.iter().rev().take(NAME);
    let start = word.start - left.take_while(|&&byte| is_name(byte) || byte == b'.').count();
    let right = bytes.get(word.end..)?.iter().take(NAME).take_while(|&&byte| is_name(byte)).count();
    let mut end = word.end;
    // A word with its quotes, such as `"auth"`, is a name without them.
    if bytes.get(word.start) == Some(&b'"') {
        return Some(word.start + 1..end - 1);
    }
    end += right;
    (end - start <= NAME).then_some(start..end)
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// True for `--password`, `-Password` and the like.
fn is_option(bytes: &[u8], name: &Range<usize>) -> bool {
    bytes.get(name.clone()).is_some_and(|text| text.starts_with(b"-"))
}

enum Operator {
    /// `=`, `:`, `=>` …; holds the last byte.
    Sign(u8),
    /// A type stood between the name and `=`.
    Annotation,
    /// `(` or a comma after a quoted name.
    Call,
    None,
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn consume_literal(&mut self, literal: &[u8]) -> bool {
        let found = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(literal));
        if found {
            self.at += literal.len();
        }
        found
    }

    /// Skips spaces and tabs; true when there were any.
    fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(0), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        self.at > start
    }

    /// Skips the quote that ends a quoted name; true when there was one.
    fn closing_quote(&mut self, before: Option<u8>) -> bool {
        let Some(quote) = before.filter(|byte| b"\"'`".contains(byte)) else { return false };
        self.consume_literal(&[b'\\', quote]) || self.consume_literal(&[quote])
    }

    /// True when a comma after the quoted name is followed by its value: `getenv("NAME", "value")`, `("NAME", "value")`.
    fn is_lookup(&self, name: &Range<usize>) -> bool {
        let text = self.bytes.get(name.clone()).unwrap_or_default();
        let constant = text.iter().all(|&byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
        let before = self.bytes.get(name.start.saturating_sub(24)..name.start.saturating_sub(1)).unwrap_or_default();
        let called = String::from_utf8_lossy(before).to_ascii_lowercase();
        let lookup =
            ["get(", "getenv(", "env(", "environ(", "setdefault(", "config(", "define(", "set(", "put(", "setenv("];
        constant || lookup.iter().any(|call| called.ends_with(call))
    }

    /// True when the call hands the literal over: `setPassword("…")`, `builder.password("…")`, but not `get_password("…")`.
    fn is_setter(&self, name: &Range<usize>) -> bool {
        let text = self.bytes.get(name.clone()).map(String::from_utf8_lossy).unwrap_or_default();
        let (receiver, method) = text.rsplit_once('.').map_or(("", &*text), |(receiver, method)| (receiver, method));
        let mut parts = super::measure::letter_segments(method);
        let first = parts.next().unwrap_or_default();
        let given = ["set", "with", "use"].iter().any(|verb| first.eq_ignore_ascii_case(verb));
        given
            || (!receiver.is_empty() || name.start > 0 && self.bytes.get(name.start - 1) == Some(&b'.'))
                && parts.next().is_none()
    }

    fn parse_operator(&mut self, named_by_quote: bool, name: &Range<usize>) -> Operator {
        for sign in [&b":="[..], b"=>", b"===", b"==", b"!==", b"!=", b"?=", b"||=", b"??=", b"="] {
            if self.consume_literal(sign) {
                return Operator::Sign(b'=');
            }
        }
        // A fallback: `process.env.NAME || "value"`.
        for sign in [&b"||"[..], b"??", b"or "] {
            if self.consume_literal(sign) {
                return Operator::Call;
            }
        }
        match self.peek(0) {
            Some(b':') => {
                self.at += 1;
                if self.skip_type_annotation() { Operator::Annotation } else { Operator::Sign(b':') }
            }
            Some(b',') if named_by_quote && self.is_lookup(name) => {
                self.at += 1;
                self.skip_blanks();
                // `env("NAME", default="value")`
                if self.consume_literal(b"default=")
                    || self.consume_literal(b"default:")
                    || self.consume_literal(b"fallback=")
                {
                    self.skip_blanks();
                }
                Operator::Call
            }
            Some(b'(') if self.is_setter(name) => {
                self.at += 1;
                Operator::Call
            }
            _ => Operator::None,
        }
    }

    /// After a colon: a type and `=`, as in `token: Optional[str] = "…"`; leaves the cursor alone when there is none.
    fn skip_type_annotation(&mut self) -> bool {
        let start = self.at;
        self.skip_blanks();
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_[]., |?<>&'".contains(byte);
        let length = rest.iter().take(60).take_while(|byte| word(byte)).count();
        let quoted = rest.first().is_some_and(|byte| matches!(byte, b'\'' | b'"'));
        let assigns = rest.get(length) == Some(&b'=') && length > 0 && !quoted;
        if assigns && rest.get(length + 1).is_some_and(|&byte| byte == b' ' || byte == b'"' || byte == b'\'') {
            self.at += length + 1;
            self.skip_blanks();
            return true;
        }
        self.at = start;
        false
    }

    /// `<password>value</password>`
    fn parse_markup_value(&self, name: Range<usize>) -> Option<Assignment> {
        let rest = self.bytes.get(self.at..)?;
        let length = rest.iter().take(VALUE).position(|&byte| byte == b'<')?;
        let closes = rest.get(length + 1) == Some(&b'/');
        (closes && length > 0).then(|| Assignment { name, value: self.at..self.at + length, quoted: true })
    }

    /// `name: NAME` and on the next line `value: …`, as in lists of environment variables.
    fn yaml_pair(&self, name: &Range<usize>) -> Option<Assignment> {
        let mut next = Cursor { bytes: self.bytes, at: self.at };
        next.consume_literal(b",");
        next.consume_literal(b"\r");
        if !next.consume_literal(b"\n") {
            return None;
        }
        next.skip_blanks();
        let quote = next.consume_literal(b"\"");
        if !next.consume_literal(b"value") {
            return None;
        }
        if quote {
            next.consume_literal(b"\"");
        }
        next.skip_blanks();
        if !next.consume_literal(b":") && !next.consume_literal(b"=") {
            return None;
        }
        next.skip_blanks();
        next.parse_quoted_value(name).or_else(|| next.parse_word_value(name))
    }

    /// A quoted literal with an optional prefix: `"…"`, `r'…'`, `` `…` ``, `\"…\"`, `"""…"""`, `new String("…")`.
    fn parse_quoted_value(&self, name: &Range<usize>) -> Option<Assignment> {
        let mut at = Cursor { bytes: self.bytes, at: self.at };
        for wrapper in [&b"("[..], b"Some(", b"String::from(", b"new String(", b"SecretStr(", b"str("] {
            if at.consume_literal(wrapper) {
                break;
            }
        }
        let prefix = at.bytes.get(at.at..)?.iter().take(2).take_while(|byte| b"rRbBuUfF@".contains(byte)).count();
        if matches!(at.peek(prefix), Some(b'"' | b'\'')) {
            at.at += prefix;
        }
        let escaped = at.peek(0) == Some(b'\\');
        let quote = at.peek(usize::from(escaped)).filter(|byte| b"\"'`".contains(byte))?;
        at.at += 1 + usize::from(escaped);
        if at.peek(0) == Some(quote) && at.peek(1) == Some(quote) {
            at.at += 2;
        }
        let rest = at.bytes.get(at.at..)?;
        let end = rest.iter().take(VALUE).enumerate().position(|(index, &byte)| {
            let stop = byte == quote && (escaped || index == 0 || rest.get(index - 1) != Some(&b'\\'));
            stop || byte == b'\n' || (escaped && byte == b'\\')
        })?;
        if rest.get(end) == Some(&b'\n') || end == 0 {
            return None;
        }
        Some(Assignment { name: name.clone(), value: at.at..at.at + end, quoted: true })
    }

    /// A value without quotes, where the file's syntax or a connection string allows one.
    fn parse_bare_value(
        &self,
        name: &Range<usize>,
        before: Option<u8>,
        sign: u8,
        gap: bool,
        file: SecretFileFacts,
    ) -> Option<Assignment> {
        // `Server=…;Password=…;` and `?password=…&` inside a literal.
        let embedded =
            sign == b'=' && !gap && matches!(before, Some(b';' | b'?' | b'&')) || self.after_semicolon(before);
        let allowed = match file.syntax {
            Syntax::Plain => true,
            Syntax::Prose => sign == b'=' || !gap,
            Syntax::Code => embedded || (sign == b'=' && !gap && is_option(self.bytes, name)),
        };
        if !allowed {
            return None;
        }
        let found = self.parse_word_value(name)?;
        // `NAME=$(command)`, `name = function(…)`, `name: [a, b]` are expressions.
        let end = self.bytes.get(found.value.end).copied();
        (!matches!(end, Some(b'(' | b'[' | b'{'))).then_some(found)
    }

    /// `; Password=…` with a blank after the semicolon.
    fn after_semicolon(&self, before: Option<u8>) -> bool {
        let start = self.bytes.get(..self.at).unwrap_or_default();
        before == Some(b' ') && start.last() == Some(&b'=') && {
            let name = start.iter().rev().skip(1).take(NAME).take_while(|&&byte| is_name(byte)).count();
            start.iter().rev().nth(name + 2) == Some(&b';')
        }
    }

    /// Everything up to the next blank, quote or separator.
    fn parse_word_value(&self, name: &Range<usize>) -> Option<Assignment> {
        let rest = self.bytes.get(self.at..)?;
        let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`;&,<>()[]{}|\\".contains(byte);
        let length = rest.iter().take(VALUE).position(stop).unwrap_or(rest.len().min(VALUE));
        (length > 0 && length < VALUE).then(|| Assignment {
            name: name.clone(),
            value: self.at..self.at + length,
            quoted: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'a>(path: &str, text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
        let at = text.find(word).unwrap();
        let found = find_assignment_around(text.as_bytes(), at..at + word.len(), SecretFileFacts::of_path(path))?;
        Some((&text[found.name], &text[found.value]))
    }

    #[test]
    fn every_way_to_give_a_name_a_value() {
        for (path, text, word, name) in [
            ("a.py", "DB_PASSWORD = 'v4lue'", "PASSWORD", "DB_PASSWORD"),
            ("a.py", "token: Optional[str] = \"v4lue\"", "token", "token"),
            ("a.py", "config[\"secret\"] = r\"v4lue\"", "secret", "secret"),
            ("a.py", "connect(password=\"v4lue\")", "password", "password"),
            ("a.py", "os.environ.get('SECRET_KEY', 'v4lue')", "SECRET", "SECRET_KEY"),
            ("a.json", "{\"password\": \"v4lue\"}", "password", "password"),
            ("a.ipynb", "\"password = \\\"v4lue\\\"\\n\"", "password", "password"),
            ("a.go", "apiKey := \"v4lue\"", "apiKey", "apiKey"),
            ("a.rb", ":password => 'v4lue'", "password", "password"),
            ("a.js", "{password: `v4lue`}", "password", "password"),
            ("a.ts", "const token: string = 'v4lue';", "token", "token"),
            (".env", "API_TOKEN=v4lue", "TOKEN", "API_TOKEN"),
            ("a.yaml", "  password: v4lue # note", "password", "password"),
            ("a.yaml", "- name: DB_PASSWORD\n  value: v4lue\n", "PASSWORD", "DB_PASSWORD"),
            ("a.sh", "tool --password v4lue --x", "password", "--password"),
            ("Dockerfile", "ENV DB_PASSWORD v4lue", "PASSWORD", "DB_PASSWORD"),
            ("a.xml", "<password>v4lue</password>", "password", "password"),
            ("a.py", "\"Server=h;User=sa;Password=v4lue;\"", "Password", "Password"),
            ("a.py", "\"Server=h; Password=v4lue; X=1\"", "Password", "Password"),
        ] {
            assert_eq!(found(path, text, word), Some((name, "v4lue")), "{text}");
        }
    }

    #[test]
    fn expressions_are_no_values() {
        for (path, text, word) in [
            ("a.py", "token = get_authentication_token_from_request(request)", "token"),
            ("a.py", "password = self.password", "password"),
            ("a.py", "def f(password: str) -> None:", "password"),
            ("a.py", "if password:\n    x = 'y'", "password"),
            ("a.sh", "token=$(cat file)", "token"),
            ("a.py", "password.length == 3", "password"),
        ] {
            let value = found(path, text, word).map(|(_, value)| value);
            assert!(value.is_none_or(|value| value.starts_with('$')), "{text}: {value:?}");
        }
    }
}

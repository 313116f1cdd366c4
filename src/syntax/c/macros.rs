//! Macros that no grammar can know are left out where a text does not parse with them.
//!
//! What a macro becomes stands in another file. Those that are attributes, that stand alone on a line, or that begin a block
//! say nothing a reader of the tree needs; an argument that is a type is read as if it were a name.

use std::collections::HashMap;
use std::ops::Range;

use super::lex::{CToken, TokenKind, c_tokens};

/// Attributes by their words, which stand where a grammar does not look for them.
const ATTRIBUTES: &[&str] = &[
    "__attribute",
    "__attribute__",
    "__cdecl",
    "__declspec",
    "__extension__",
    "__fastcall",
    "__forceinline",
    "__stdcall",
];
/// Words before the type of a declaration.
const SPECIFIERS: &[&str] = &[
    "const",
    "constexpr",
    "explicit",
    "extern",
    "friend",
    "inline",
    "mutable",
    "register",
    "static",
    "thread_local",
    "typedef",
    "virtual",
    "volatile",
];
/// Words that are no name of a macro or type, whatever stands around them.
const STATEMENTS: &[&str] = &[
    "alignas",
    "alignof",
    "asm",
    "break",
    "case",
    "catch",
    "co_await",
    "co_return",
    "co_yield",
    "continue",
    "decltype",
    "default",
    "defined",
    "delete",
    "do",
    "else",
    "for",
    "goto",
    "if",
    "new",
    "noexcept",
    "operator",
    "return",
    "sizeof",
    "static_assert",
    "switch",
    "throw",
    "try",
    "typeid",
    "typeof",
    "using",
    "while",
    "_Static_assert",
    "_Alignas",
    "_Generic",
];
/// Types that are words of the language.
const TYPES: &[&str] = &["bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"];

/// The text with spaces in place of macros that stand where no expression, type or statement does.
pub(super) fn without_macros(text: &str) -> String {
    let tokens = c_tokens(text);
    let mut bytes = text.as_bytes().to_vec();
    for range in MacroFinder::new(&tokens).find() {
        super::conditionals::blank(&mut bytes, range);
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The text without the directives that stand between others: those that include, or speak to the compiler.
pub(super) fn without_directives(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for token in c_tokens(text).iter().filter(|token| token.kind == TokenKind::Directive) {
        super::conditionals::blank(&mut bytes, token.start..token.end());
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The text with names in place of arguments that are types: `ALLOCATE(struct item *, 1)`.
pub(super) fn without_type_arguments(text: &str) -> String {
    let tokens = c_tokens(text);
    let finder = MacroFinder::new(&tokens);
    let mut bytes = text.as_bytes().to_vec();
    for (open, close) in finder.argument_lists() {
        for (from, to) in finder.arguments(open, close) {
            let Some(argument) = tokens.get(from..to).filter(|argument| is_type(argument)) else { continue };
            let name = argument.iter().rposition(|token| token.kind == TokenKind::Word).unwrap_or(0);
            for (at, token) in argument.iter().enumerate() {
                if at != name {
                    super::conditionals::blank(&mut bytes, token.start..token.end());
                } else if TYPES.contains(&token.text)
                    && let Some(last) = bytes.get_mut(token.end() - 1)
                {
                    *last = b'_';
                }
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// True for what can only be a type, and declares no name.
fn is_type(argument: &[CToken<'_>]) -> bool {
    let is_tag = |word: &str| matches!(word, "struct" | "union" | "enum");
    let is_own = |word: &str| word == "const" || is_tag(word) || TYPES.contains(&word);
    let is_part = |token: &CToken<'_>| {
        token.kind == TokenKind::Word && !STATEMENTS.contains(&token.text) || matches!(token.text, "*" | "::")
    };
    let declares = argument.windows(2).any(|pair| {
        let names = pair.get(1).is_some_and(|name| name.kind == TokenKind::Word && !is_own(name.text));
        let follows =
            pair.first().is_some_and(|before| before.text != "::" && before.text != "const" && !is_tag(before.text));
        names && follows
    });
    let is_told = argument.iter().any(|token| is_own(token.text));
    let is_pointer = argument.len() > 1 && argument.last().is_some_and(|last| last.text == "*");
    argument.iter().all(is_part) && !declares && (is_told || is_pointer)
}

/// Finds macros among tokens.
struct MacroFinder<'t> {
    tokens: &'t [CToken<'t>],
    /// The closing bracket of each opening one.
    partners: HashMap<usize, usize>,
    /// The opening bracket of each closing one.
    openings: HashMap<usize, usize>,
    /// The nearest open brace before each token.
    braces: Vec<Option<usize>>,
}

impl<'t> MacroFinder<'t> {
    fn new(tokens: &'t [CToken<'t>]) -> Self {
        let (mut partners, mut openings) = (HashMap::new(), HashMap::new());
        let (mut open, mut open_braces, mut braces) = (Vec::new(), Vec::new(), Vec::new());
        for (at, token) in tokens.iter().enumerate() {
            braces.push(open_braces.last().copied());
            match (token.kind, token.text) {
                (TokenKind::Sign, "{") => {
                    open_braces.push(at);
                    open.push(at);
                }
                (TokenKind::Sign, "(" | "[") => open.push(at),
                (TokenKind::Sign, ")" | "]" | "}") => {
                    if token.text == "}" {
                        open_braces.pop();
                    }
                    if let Some(opening) = open.pop() {
                        partners.insert(opening, at);
                        openings.insert(at, opening);
                    }
                }
                _ => {}
            }
        }
        Self { tokens, partners, openings, braces }
    }

    fn text(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word)
    }

    fn is_directive(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Directive)
    }

    /// The number behind a name and the arguments that follow it.
    fn end_of_use(&self, at: usize) -> usize {
        match self.text(at + 1) {
            "(" => self.partners.get(&(at + 1)).map_or(at + 1, |close| close + 1),
            _ => at + 1,
        }
    }

    fn find(&self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut kept: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            if let Some((outer, close)) = self.prototype_macro(at, &kept) {
                found.extend(self.range(at, outer).into_iter().chain(self.range(close, close)));
                at = outer + 1;
            } else if let Some(end) = self.macro_at(at, &kept) {
                found.extend(self.range(at, end - 1));
                at = end;
            } else {
                kept.push(at);
                at += 1;
            }
        }
        found
    }

    fn range(&self, first: usize, last: usize) -> Option<Range<usize>> {
        Some(self.tokens.get(first)?.start..self.tokens.get(last)?.end())
    }

    /// `int f P_((int a));`: the macro with its bracket, and the bracket that closes it.
    fn prototype_macro(&self, at: usize, kept: &[usize]) -> Option<(usize, usize)> {
        let outer = at + 1;
        let close = *self.partners.get(&outer).filter(|_| self.text(outer) == "(" && self.text(outer + 1) == "(")?;
        let is_prototype = self.partners.get(&(outer + 1)) == Some(&(close - 1))
            && is_macro_name(self.text(at))
            && kept.last().is_some_and(|before| self.is_word(*before) && !STATEMENTS.contains(&self.text(*before)));
        is_prototype.then_some((outer, close))
    }

    /// The number behind what can be left out; `kept` is what stands before it and stays.
    fn macro_at(&self, at: usize, kept: &[usize]) -> Option<usize> {
        let around = Around::new(self, kept);
        if let Some(end) = self.unread_form(at, &around) {
            return Some(end);
        }
        if !self.is_word(at) || STATEMENTS.contains(&self.text(at)) {
            return None;
        }
        let end = self.end_of_use(at);
        if ATTRIBUTES.contains(&self.text(at)) {
            return Some(end);
        }
        let is_macro = self.is_block_macro(at, end, &around)
            || self.is_lower_case_attribute(at, &around)
            || is_macro_name(self.text(at))
                && (self.is_alone(end, &around)
                    || self.is_attribute_of_type(end, &around)
                    || self.is_attribute_behind(end, &around)
                    || self.is_attribute_of_declaration(at, end, &around));
        is_macro.then_some(end)
    }

    /// What the grammars do not know of the languages themselves: `new T*[n]`, `delete[] *a`, registers of variables.
    fn unread_form(&self, at: usize, around: &Around<'_>) -> Option<usize> {
        match self.text(at) {
            "*" if self.text(at + 1) == "[" && around.second == "new" => Some(at + 1),
            "*" if around.previous == "]" && around.second == "[" && around.third == "delete" => Some(at + 1),
            "(" if around.previous == "]" && around.second == "[" && around.third == "delete" => {
                self.partners.get(&at).map(|close| close + 1).filter(|end| self.is_word(*end))
            }
            "__asm__" | "asm" if around.follows_word && matches!(self.text(self.end_of_use(at)), "=" | ";" | ",") => {
                Some(self.end_of_use(at))
            }
            _ => None,
        }
    }

    /// True for what begins a block or statement as a loop does, or is a statement without a semicolon.
    fn is_block_macro(&self, at: usize, end: usize, around: &Around<'_>) -> bool {
        let has_arguments = end > at + 1;
        let follows = self.is_word(end) && !matches!(self.text(end), "const" | "noexcept");
        let ends_line = self.ends_line(end);
        if around.begins && self.is_in_function(at) {
            return has_arguments && (self.text(end) == "{" || ends_line && (follows || self.text(end) == "}"))
                || is_macro_name(self.text(at)) && self.text(end) == "{";
        }
        let is_top = self.braces.get(at).copied().flatten().is_none();
        around.begins && is_top && has_arguments && ends_line && (follows || self.is_directive(end))
    }

    fn ends_line(&self, end: usize) -> bool {
        self.tokens.get(end).is_none_or(|next| next.first)
    }

    /// True for a macro that has its line for itself.
    fn is_alone(&self, end: usize, around: &Around<'_>) -> bool {
        let next = self.text(end);
        let is_followed = self.is_word(end) || matches!(next, "" | "}" | "~") || self.is_directive(end);
        // The type of a function may have a line of its own.
        let is_type = self.is_word(end) && matches!(self.text(end + 1), "(" | "*");
        around.begins && self.ends_line(end) && is_followed && !is_type
    }

    /// `class EXPORT Name {`
    fn is_attribute_of_type(&self, end: usize, around: &Around<'_>) -> bool {
        matches!(around.previous, "class" | "struct" | "union" | "enum")
            && self.is_word(end)
            && matches!(self.text(end + 1), "{" | ":" | "final" | "::" | "<")
    }

    /// `int f(void) NOTHROW;`, `int a UNUSED = 1;`, `64 KB`
    fn is_attribute_behind(&self, end: usize, around: &Around<'_>) -> bool {
        let next = self.text(end);
        let is_followed = matches!(next, ";" | "{" | "," | "=" | ":" | ")" | "->")
            || self.is_word(end)
                && (is_macro_name(next)
                    || ATTRIBUTES.contains(&next)
                    || matches!(next, "override" | "final" | "const"));
        let of_function = match around.previous {
            ")" => self.openings.get(&around.at).is_some_and(|open| self.is_declarator(*open)),
            "const" | "noexcept" | "override" | "final" => matches!(around.second, ")" | "const" | "noexcept"),
            _ => false,
        };
        let is_type_word = |word: &str| {
            SPECIFIERS.contains(&word) || matches!(word, "struct" | "union" | "enum" | "class" | "typename" | "goto")
        };
        let of_name = around.follows_word
            && !TYPES.contains(&around.previous)
            && !SPECIFIERS.contains(&around.previous)
            && !is_type_word(around.second)
            && !STATEMENTS.contains(&around.second)
            && (around.is_second_word || matches!(around.second, "*" | "&" | ">"));
        let of_array = around.previous == "]" && matches!(next, ";" | "=" | "," | ")");
        of_function && is_followed
            || (of_name || of_array) && matches!(next, ";" | "," | "=" | ")" | "{")
            || around.is_number
    }

    /// `char * not_null name`, `forceinline int f(…)`: words in a place that only a macro has.
    fn is_lower_case_attribute(&self, at: usize, around: &Around<'_>) -> bool {
        const PARTS: &[&str] = &[
            "class",
            "enum",
            "export",
            "final",
            "namespace",
            "override",
            "private",
            "protected",
            "public",
            "restrict",
            "struct",
            "template",
            "typename",
            "union",
            "__restrict",
            "__restrict__",
            "requires",
            "concept",
            "and",
            "or",
        ];
        let is_plain = |at: usize| {
            let word = self.text(at);
            self.is_word(at)
                && !PARTS.contains(&word)
                && !SPECIFIERS.contains(&word)
                && !TYPES.contains(&word)
                && !STATEMENTS.contains(&word)
        };
        if !is_plain(at) {
            return false;
        }
        if matches!(around.previous, "*" | "&") {
            return is_plain(at + 1) && !is_macro_name(self.text(at + 1)) || self.text(at + 1) == "operator";
        }
        let is_type = TYPES.contains(&self.text(at + 1)) || matches!(self.text(at + 1), "struct" | "union" | "enum");
        (around.begins || SPECIFIERS.contains(&around.previous))
            && (is_type || (at + 1..at + 3).all(|at| is_plain(at) && !is_macro_name(self.text(at))))
    }

    /// True for a macro among the words before a declared name, of which another is the type.
    fn is_attribute_of_declaration(&self, at: usize, end: usize, around: &Around<'_>) -> bool {
        let next = self.text(end);
        let is_name = |at: usize| self.is_word(at) && !SPECIFIERS.contains(&self.text(at));
        if around.previous == "(" && next == "*" {
            // `int (CALL *f)(int)`
            return end == at + 1 && self.is_word(end + 1) && self.text(end + 2) == ")" && self.text(end + 3) == "(";
        }
        let is_among = around.begins || around.follows_word || matches!(around.previous, "*" | "&" | ">" | "(" | ",");
        let is_tag = matches!(around.previous, "struct" | "union" | "enum" | "class");
        let has_type_before = around.follows_word && !SPECIFIERS.contains(&around.previous) && !is_tag
            || matches!(around.previous, "*" | "&" | ">");
        if !self.is_word(end) {
            // `void API *f(…)`
            return end == at + 1 && matches!(next, "*" | "&") && around.follows_word && has_type_before;
        }
        let mut of_type = end;
        while SPECIFIERS.contains(&self.text(of_type)) {
            of_type += 1;
        }
        let is_type = TYPES.contains(&self.text(of_type))
            || matches!(self.text(of_type), "struct" | "union" | "enum" | "class")
            || is_name(of_type) && (is_name(of_type + 1) || matches!(self.text(of_type + 1), "*" | "&" | "::" | "<"));
        is_among && (is_type && !matches!(around.previous, "*" | "&") || has_type_before && is_name(end))
    }

    /// True for the bracket behind the name of a function.
    fn is_declarator(&self, open: usize) -> bool {
        let name =
            open.checked_sub(1).filter(|name| self.is_word(*name) || matches!(self.text(*name), ")" | "]" | ">"));
        name.is_some_and(|name| !STATEMENTS.contains(&self.text(name)))
    }

    /// True in a body of statements, as far as the sign before its brace tells.
    fn is_in_function(&self, at: usize) -> bool {
        let brace = self.braces.get(at).copied().flatten();
        brace.is_some_and(|brace| {
            let before = brace.checked_sub(1).map_or("", |before| self.text(before));
            matches!(before, ")" | "else" | "do" | "try" | "const" | "override" | "noexcept" | ";" | "{" | "}")
        })
    }

    /// The brackets of what looks like a call.
    fn argument_lists(&self) -> impl Iterator<Item = (usize, usize)> {
        self.partners
            .iter()
            .filter(|(open, _)| {
                let name = open.checked_sub(1).filter(|name| self.is_word(*name));
                self.text(**open) == "(" && name.is_some_and(|name| !STATEMENTS.contains(&self.text(name)))
            })
            .map(|(open, close)| (*open, *close))
    }

    /// The arguments between brackets, as numbers of their tokens.
    fn arguments(&self, open: usize, close: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let (mut from, mut at) = (open + 1, open + 1);
        while at < close {
            if self.text(at) == "," {
                found.push((from, at));
                from = at + 1;
            }
            at = self.partners.get(&at).map_or(at + 1, |end| end + 1);
        }
        found.push((from, close));
        found.retain(|(from, to)| from < to);
        found
    }
}

/// What stands before a token and stays.
struct Around<'t> {
    /// The number of the token before.
    at: usize,
    previous: &'t str,
    second: &'t str,
    third: &'t str,
    /// A word that may be a type or a name.
    follows_word: bool,
    is_second_word: bool,
    is_number: bool,
    /// A statement or declaration may begin here.
    begins: bool,
}

impl<'t> Around<'t> {
    fn new(finder: &MacroFinder<'t>, kept: &[usize]) -> Self {
        let number = |back: usize| kept.len().checked_sub(back).and_then(|at| kept.get(at)).copied();
        let text = |back: usize| number(back).map_or("", |at| finder.text(at));
        let is_word = |back: usize| number(back).is_some_and(|at| finder.is_word(at));
        let previous = text(1);
        let is_directive = number(1).is_none_or(|at| finder.is_directive(at));
        Self {
            at: number(1).unwrap_or_default(),
            previous,
            second: text(2),
            third: text(3),
            follows_word: is_word(1) && !STATEMENTS.contains(&previous),
            is_second_word: is_word(2),
            is_number: number(1).and_then(|at| finder.tokens.get(at)).is_some_and(|it| it.kind == TokenKind::Number),
            // `[[noreturn]] EXPORT`, `extern "C" EXPORT`
            begins: is_directive
                || matches!(previous, ";" | "{" | "}" | ":")
                || previous == "]" && text(2) == "]"
                || text(2) == "extern" && previous.starts_with('"'),
        }
    }
}

/// `LIB_EXPORT`: so macros are called.
fn is_macro_name(name: &str) -> bool {
    name.len() > 1
        && name.bytes().any(|byte| byte.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

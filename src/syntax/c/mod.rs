//! The entrance to the parsers of C and C++.
//!
//! Both are read as they are written, before the preprocessor, which a grammar cannot follow everywhere: of the branches of an
//! `#if` only one is compiled, and they need not fit together. And what a macro becomes stands in another file. Where a text does not
//! parse as it stands, it is read once more with spaces in place of the branches that do not fit, and of such macros. Every byte
//! keeps its place, so that such a tree speaks of the file.

mod conditionals;
mod header;
mod lex;
mod macros;
pub mod path;

use tapps_base::language::Language;

use crate::attempt::Attempts;
use crate::tree::{NoTree, ParsedText};
use conditionals::{Conditionals, Resolved, directive_parts};
use header::is_cpp_header;
use lex::{CToken, TokenKind, c_tokens};
use macros::{without_directives, without_macros, without_type_arguments};

/// Which of the two a file is: by its ending, and headers that end with `.h` by what they contain. What has neither ending is
/// C++, which knows nearly all of C.
#[must_use]
pub fn language_of_c_file(path: &str, text: &str) -> Language {
    match Language::of_path(path) {
        Some(Language::C) if path::is_c_header(path) && is_cpp_header(text) => Language::Cpp,
        Some(Language::C) => Language::C,
        _ => Language::Cpp,
    }
}

/// Reads the text of a file in its language, with as little left out as it takes. A text that has errors however it is read
/// has the tree of the text as it stands.
///
/// # Errors
/// When no parser can read it at all.
pub fn parse_c_file(path: &str, text: &str) -> Result<ParsedText, NoTree> {
    parse_c_text(language_of_c_file(path, text), text)
}

/// Whether two texts have the same tokens, comments aside.
#[must_use]
pub fn is_same_c_text(base: &str, head: &str) -> bool {
    let told = |text| -> Vec<(TokenKind, String)> {
        let tokens: Vec<CToken<'_>> = c_tokens(text);
        tokens.iter().map(|token| (token.kind, token.text.trim_end().to_owned())).collect()
    };
    told(base) == told(head)
}

/// What a text includes, as it is written between its signs.
#[must_use]
pub fn included_names(text: &str) -> Vec<String> {
    let directives = c_tokens(text).into_iter().filter(|token| token.kind == TokenKind::Directive);
    let named = directives.filter_map(|token| match directive_parts(token.text) {
        ("include" | "include_next", rest) => {
            let name = rest.trim().strip_prefix(['"', '<'])?.split(['"', '>']).next()?;
            Some(name.to_owned())
        }
        _ => None,
    });
    named.collect()
}

/// What the signs of a text say about what it does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CTextRole {
    /// A function has a body with something in it.
    pub has_logic: bool,
    /// A call begins with one of the words that were asked for, whatever their case.
    pub calls_words: bool,
}

/// Looks for bodies of functions, and for calls whose names begin with some words, in lower case.
#[must_use]
pub fn role_of_text(text: &str, words: &[&str]) -> CTextRole {
    let tokens = c_tokens(text);
    let at = |number: usize| tokens.get(number).map_or("", |token| token.text);
    let mut role = CTextRole::default();
    for (number, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind != TokenKind::Directive) {
        role.has_logic |= token.text == ")" && at(number + 1) == "{" && at(number + 2) != "}";
        role.calls_words |= token.kind == TokenKind::Word && at(number + 1) == "(" && {
            let lower = token.text.to_ascii_lowercase();
            words.iter().any(|word| lower.starts_with(word))
        };
    }
    role
}

/// What is left out of a text, besides branches, grows from one to the next.
const LESS_AND_LESS: [fn(&str) -> String; 3] = [without_macros, without_type_arguments, without_directives];

fn parse_c_text(language: Language, text: &str) -> Result<ParsedText, NoTree> {
    let mut attempts = Attempts::new(language);
    if let Some(tree) = attempts.read(text)? {
        return ParsedText::of_tree(language, tree);
    }
    let conditionals = Conditionals::of_text(text, language);
    for which in [Resolved::Unfit, Resolved::All] {
        let mut read = conditionals.choose(text, which);
        let mut further = LESS_AND_LESS.iter();
        loop {
            if let Some(tree) = attempts.read(&read)? {
                let unread_branches = unread_branches(text, &read);
                return Ok(ParsedText { unread_branches, ..ParsedText::of_tree(language, tree)? });
            }
            let Some(leave_out) = further.next() else { break };
            read = leave_out(&read);
        }
    }
    ParsedText::of_text(language, text)
}

/// The places of words that are one more path each, where spaces were read instead.
fn unread_branches(text: &str, read: &str) -> Vec<usize> {
    const WORDS: &[&str] = &["if", "for", "while", "case", "catch", "?", "&&", "||"];
    let is_branch = |token: &CToken<'_>| match token.kind {
        TokenKind::Directive => matches!(directive_parts(token.text).0, "if" | "ifdef" | "elif"),
        TokenKind::Word | TokenKind::Sign => WORDS.contains(&token.text),
        TokenKind::Number | TokenKind::Quoted => false,
    };
    let is_unread = |token: &CToken<'_>| read.as_bytes().get(token.start) == Some(&b' ');
    c_tokens(text).iter().filter(|token| is_unread(token) && is_branch(token)).map(|token| token.start).collect()
}

#[cfg(test)]
mod tests;

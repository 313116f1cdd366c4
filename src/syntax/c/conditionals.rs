//! One branch of each `#if` is read where its branches cannot be read together.
//!
//! A macro that is first asked for is taken to be as the first branch wants it, and is so in the whole file: `#ifdef X` and a
//! later `#ifndef X` never hold both. `0` is false, and `__cplusplus` is what the language says.

use std::collections::HashMap;
use std::ops::Range;

use tapps_base::language::Language;

use super::lex::{CToken, TokenKind, c_tokens};

/// Of which groups one branch alone is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resolved {
    /// Those that cannot stand in a syntax tree: half a statement, or a bracket without its partner.
    Unfit,
    All,
}

/// A group of branches, from `#if` to `#endif`.
#[derive(Debug)]
struct Group {
    /// Directives of the group itself.
    directives: Vec<Range<usize>>,
    /// What stands between them.
    branches: Vec<Range<usize>>,
    kept: Option<usize>,
    is_fit: bool,
}

/// All groups of a text.
#[derive(Debug)]
pub(super) struct Conditionals {
    groups: Vec<Group>,
}

impl Conditionals {
    pub(super) fn of_text(text: &str, language: Language) -> Self {
        let tokens = c_tokens(text);
        let mut known: HashMap<String, bool> = HashMap::new();
        known.insert("defined __cplusplus".to_owned(), language == Language::Cpp);
        known.insert("__cplusplus".to_owned(), language == Language::Cpp);
        let mut open: Vec<OpenGroup> = Vec::new();
        let mut groups = Vec::new();
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Directive) {
            let (name, rest) = directive_parts(token.text);
            match name {
                "if" | "ifdef" | "ifndef" => {
                    let condition = condition_of(name, rest);
                    let is_read = open.iter().all(OpenGroup::is_in_kept);
                    let holds = is_read && decide(&mut known, &condition, true);
                    let first = (at, token.start..token.end());
                    open.push(OpenGroup { first, begun: token.end(), holds: vec![holds], ..OpenGroup::default() });
                }
                "elif" | "elifdef" | "elifndef" | "else" => {
                    let is_read = open.iter().rev().skip(1).all(OpenGroup::is_in_kept);
                    let Some(group) = open.last_mut() else { continue };
                    let is_decided = group.holds.contains(&true);
                    let holds = is_read
                        && !is_decided
                        && (name == "else" || decide(&mut known, &condition_of(name, rest), true));
                    group.next_branch(token);
                    group.holds.push(holds);
                }
                "endif" => {
                    let Some(mut group) = open.pop() else { continue };
                    group.next_branch(token);
                    groups.push(group.close(&tokens, at));
                }
                _ => {}
            }
        }
        Self { groups }
    }

    /// The text with only the branches that are kept.
    pub(super) fn choose(&self, text: &str, which: Resolved) -> String {
        self.choose_where(text, |group| which == Resolved::All || !group.is_fit)
    }

    /// Without the branches that are for C++ alone, when the groups were read for C; all others stay as they are.
    pub(super) fn choose_language(&self, text: &str) -> String {
        self.choose_where(text, |group| {
            let opening = group.directives.first().and_then(|range| text.get(range.clone()));
            opening.is_some_and(|opening| opening.contains("__cplusplus"))
        })
    }

    fn choose_where(&self, text: &str, is_resolved: impl Fn(&Group) -> bool) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for group in self.groups.iter().filter(|group| is_resolved(group)) {
            group.directives.iter().for_each(|range| blank(&mut bytes, range.clone()));
            let dropped = group.branches.iter().enumerate().filter(|(at, _)| Some(*at) != group.kept);
            dropped.for_each(|(_, range)| blank(&mut bytes, range.clone()));
        }
        String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
    }
}

/// A group whose `#endif` is still to come.
#[derive(Debug, Default)]
struct OpenGroup {
    first: (usize, Range<usize>),
    begun: usize,
    further: Vec<Range<usize>>,
    branches: Vec<Range<usize>>,
    holds: Vec<bool>,
}

impl OpenGroup {
    fn is_in_kept(&self) -> bool {
        self.holds.last() == Some(&true)
    }

    fn next_branch(&mut self, directive: &CToken<'_>) {
        self.branches.push(self.begun..directive.start);
        self.further.push(directive.start..directive.end());
        self.begun = directive.end();
    }

    /// `to` is the number of the token that ends it.
    fn close(self, tokens: &[CToken<'_>], to: usize) -> Group {
        let (from, first) = self.first;
        let is_sign = |token: &&CToken<'_>| token.kind != TokenKind::Directive;
        let before = tokens.get(..from).unwrap_or_default().iter().rev().find(is_sign);
        let begins = before.is_none_or(|token| matches!(token.text, ";" | "{" | "}" | ":"));
        let inside = tokens.get(from + 1..to).unwrap_or_default();
        let is_whole = self.branches.iter().all(|branch| {
            let of_branch = |token: &&CToken<'_>| branch.contains(&token.start) && token.kind != TokenKind::Directive;
            let own: Vec<&str> = inside.iter().filter(of_branch).map(|token| token.text).collect();
            is_balanced(&own) && own.last().is_none_or(|last| matches!(*last, ";" | "}" | ")"))
        });
        let mut directives = vec![first];
        directives.extend(self.further);
        let kept = self.holds.iter().position(|holds| *holds);
        Group { directives, branches: self.branches, kept, is_fit: begins && is_whole }
    }
}

/// Puts spaces in place of bytes; ends of lines stay.
pub(super) fn blank(bytes: &mut [u8], range: Range<usize>) {
    let covered = bytes.get_mut(range).unwrap_or_default();
    covered.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}

fn is_balanced(signs: &[&str]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for sign in signs {
        let partner = match *sign {
            "(" | "[" | "{" => {
                open.push(sign);
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        if open.pop() != Some(partner) {
            return false;
        }
    }
    open.is_empty()
}

/// The name of a directive and what follows it.
pub(super) fn directive_parts(directive: &str) -> (&str, &str) {
    let inside = directive.trim_start_matches('#').trim_start();
    let end = inside.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').unwrap_or(inside.len());
    inside.split_at(end)
}

/// A condition in one form.
fn condition_of(name: &str, rest: &str) -> String {
    let words = rest.replace(['(', ')'], " ").replace('!', " ! ");
    let plain = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match name {
        "ifdef" | "elifdef" => format!("defined {plain}"),
        "ifndef" | "elifndef" => format!("! defined {plain}"),
        _ => plain,
    }
}

/// Whether a condition holds; what nobody knows yet is from now on as it is wanted here.
fn decide(known: &mut HashMap<String, bool>, condition: &str, wanted: bool) -> bool {
    if let Some(inner) = condition.strip_prefix("! ").filter(|inner| !inner.contains(['|', '&'])) {
        return !decide(known, inner, !wanted);
    }
    match condition {
        "0" | "false" => false,
        "1" | "true" => true,
        _ => {
            // `__cplusplus >= 201103L` and the like follow the language.
            if condition.starts_with("defined __cplusplus") || condition.starts_with("__cplusplus") {
                return known.get("__cplusplus").copied().unwrap_or(wanted);
            }
            *known.entry(condition.to_owned()).or_insert(wanted)
        }
    }
}

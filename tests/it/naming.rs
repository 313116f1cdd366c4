//! How searchable the names of this repository are: types that share their name, functions named by one word.
//!
//! Counted over `src` without unit tests. Functions that implement a trait are left out, since the trait names them.
//! The bounds only ever go down.

use std::collections::BTreeMap;

use regex::Regex;

use crate::sources::{SOURCES, Source};

/// Highest share of types whose name two or more other types bear as well.
const MAX_HOMONYM_SHARE: f64 = 0.01;
/// Highest share of functions whose name is one word.
const MAX_ONE_WORD_SHARE: f64 = 0.30;

/// What opens a brace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    TraitImplementation,
    Trait,
    Other,
}

#[derive(Default)]
struct Names {
    types: Vec<String>,
    functions: Vec<String>,
}

/// The names that a piece of code defines.
fn defined_names(code: &str) -> Names {
    let token = Regex::new(r"[A-Za-z_][A-Za-z0-9_]*|[{};]").unwrap();
    let mut names = Names::default();
    let mut scopes = Vec::new();
    let mut header: Vec<&str> = Vec::new();
    for found in token.find_iter(code) {
        match found.as_str() {
            "{" => {
                scopes.push(scope_of(&header));
                header.clear();
            }
            "}" => {
                scopes.pop();
                header.clear();
            }
            ";" => header.clear(),
            word => {
                let scope = scopes.last().copied().unwrap_or(Scope::Other);
                match header.last() {
                    Some(&("struct" | "enum" | "union" | "trait")) if is_capitalised(word) => {
                        names.types.push(word.to_owned())
                    }
                    Some(&"type") if scope == Scope::Other && is_capitalised(word) => names.types.push(word.to_owned()),
                    Some(&"fn") if scope != Scope::TraitImplementation => names.functions.push(word.to_owned()),
                    _ => {}
                }
                header.push(word);
            }
        }
    }
    names
}

/// What the words before a brace open. `impl Trait for Type` has a `for` that is no `for<'a>`; blanking has taken lifetimes' marks
/// nowhere, so that the word behind tells: a lifetime's name is lower-case and short, a type's begins with a capital or a path.
fn scope_of(header: &[&str]) -> Scope {
    let Some(start) = header.iter().position(|word| matches!(*word, "impl" | "trait" | "fn" | "mod")) else {
        return Scope::Other;
    };
    match header[start] {
        "trait" => Scope::Trait,
        "impl" => {
            let of_trait = header[start..].windows(2).any(|pair| pair[0] == "for" && !is_lifetime(pair[1]));
            if of_trait { Scope::TraitImplementation } else { Scope::Other }
        }
        _ => Scope::Other,
    }
}

/// As every type is; the rest are calls of a function `union`, fields and the variables of macros.
fn is_capitalised(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

fn is_lifetime(word: &str) -> bool {
    word.len() <= 2 && word.chars().all(|c| c.is_ascii_lowercase())
}

fn is_one_word(name: &str) -> bool {
    !name.trim_matches('_').contains('_')
}

fn names_of<'a>(sources: impl Iterator<Item = &'a Source>) -> Names {
    let mut all = Names::default();
    for source in sources {
        let names = defined_names(source.production_code());
        all.types.extend(names.types);
        all.functions.extend(names.functions);
    }
    all
}

#[expect(clippy::cast_precision_loss, reason = "counts of names are small")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// Names that three or more types bear, the most frequent first, and how many types that concerns.
fn homonyms(types: &[String]) -> (usize, Vec<(usize, &str)>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in types {
        *counts.entry(name).or_default() += 1;
    }
    let mut shared: Vec<(usize, &str)> =
        counts.into_iter().filter(|(_, count)| *count > 2).map(|(name, count)| (count, name)).collect();
    shared.sort_by(|a, b| b.cmp(a));
    (shared.iter().map(|(count, _)| count).sum(), shared)
}

#[test]
fn names_can_be_searched_for() {
    let names = names_of(SOURCES.iter().filter(|source| source.path.starts_with("src/")));
    assert!(names.types.len() > 1_000 && names.functions.len() > 4_000, "the definitions were found");
    let (concerned, shared) = homonyms(&names.types);
    let one_word = names.functions.iter().filter(|name| is_one_word(name)).count();
    let (homonym_share, one_word_share) = (share(concerned, names.types.len()), share(one_word, names.functions.len()));
    println!("types {}, homonyms {concerned} ({:.1} %): {shared:?}", names.types.len(), homonym_share * 100.0);
    println!("functions {}, one word {one_word} ({:.1} %)", names.functions.len(), one_word_share * 100.0);
    assert!(homonym_share <= MAX_HOMONYM_SHARE, "types that share their name: {shared:?}");
    assert!(one_word_share <= MAX_ONE_WORD_SHARE, "{one_word} of {} functions are one word", names.functions.len());
}

#[test]
fn definitions_are_told_apart_from_implementations() {
    let names = defined_names(concat!(
        "struct A; enum B { C } trait D { fn asked(&self); type Item; } type E = A;\n",
        "impl A { fn own(&self) -> impl Fn() {} }\n",
        "impl<'a> D for A where A: Sized { type Item = u8; fn asked(&self) { fn inner_one() {} } }\n",
        "impl A { fn second_one<F>(f: F) where F: for<'a> Fn(&'a str) {} }\n",
        "fn free() { let x = match y { _ => {} }; union(parts); }\n",
        "macro_rules! made { ($name:ident) => { enum $name {} } }\n",
    ));
    assert_eq!(names.types, ["A", "B", "D", "E"]);
    assert_eq!(names.functions, ["asked", "own", "inner_one", "second_one", "free"]);
    assert_eq!(homonyms(&["A", "A", "A", "B", "B"].map(str::to_owned)), (3, vec![(3, "A")]));
}

//! Functions that are alike but for their names, numbers and texts.

use std::collections::BTreeMap;

use super::{Evidence, View};
use crate::body::BodyHash;

/// Tokens below which likeness says nothing.
const FEWEST_TOKENS: usize = 40;

/// Words that are structure rather than names, in any of the languages.
const STRUCTURE: &[&str] = &[
    "async", "await", "break", "case", "catch", "class", "continue", "def", "do", "elif", "else", "except", "finally",
    "fn", "for", "func", "function", "if", "in", "lambda", "loop", "match", "new", "raise", "return", "switch",
    "throw", "try", "while", "with", "yield",
];

/// Every function that has the shape of another, with where the others are.
pub(super) fn find_clones(view: &View<'_>) -> Vec<Evidence> {
    let mut shapes: BTreeMap<u64, Vec<Evidence>> = BTreeMap::new();
    for element in view.index.elements.iter().filter(|element| element.metrics.is_some()) {
        let text = view.texts.get(element.file.0 as usize).and_then(Option::as_deref);
        let bytes = element.span.bytes.start as usize..element.span.bytes.end as usize;
        let Some((shape, tokens)) = text.and_then(|text| text.get(bytes)).map(token_shape_hash) else { continue };
        if tokens >= FEWEST_TOKENS {
            shapes.entry(shape).or_default().push(view.evidence_of(element, None));
        }
    }
    let groups = shapes.into_values().filter(|group| group.len() > 1);
    groups.flat_map(describe_clone_group).collect()
}

fn describe_clone_group(group: Vec<Evidence>) -> Vec<Evidence> {
    let places: Vec<String> = group.iter().map(|each| format!("{}:{}", each.file, each.line)).collect();
    let others = |at: usize| {
        let others: Vec<&str> =
            places.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, p)| p.as_str()).collect();
        format!("like {}", others.join(", "))
    };
    let numbered = group.into_iter().enumerate();
    numbered.map(|(at, each)| Evidence { detail: Some(others(at)), ..each }).collect()
}

/// The hash of a text's tokens with one for all names, one for all numbers and one for all texts, and their number.
fn token_shape_hash(text: &str) -> (u64, usize) {
    let (mut hash, mut tokens) = (BodyHash::default(), 0);
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let tail = text.get(at..).unwrap_or_default();
        if c.is_whitespace() {
            continue;
        }
        if tail.starts_with("//") || c == '#' {
            while rest.next_if(|(_, c)| *c != '\n').is_some() {}
            continue;
        }
        if tail.starts_with("/*") {
            let end = at + tail.find("*/").map_or(tail.len(), |end| end + 2);
            while rest.next_if(|(at, _)| *at < end).is_some() {}
            continue;
        }
        tokens += 1;
        if c.is_alphabetic() || c == '_' || c == '$' {
            while rest.next_if(|(_, c)| c.is_alphanumeric() || *c == '_' || *c == '$').is_some() {}
            let end = rest.peek().map_or(text.len(), |(end, _)| *end);
            let word = text.get(at..end).unwrap_or_default();
            hash.add_token(if STRUCTURE.binary_search(&word).is_ok() { word.as_bytes() } else { b"name" });
        } else if c.is_ascii_digit() {
            while rest.next_if(|(_, c)| c.is_alphanumeric() || *c == '.' || *c == '_').is_some() {}
            hash.add_token(b"0");
        } else if matches!(c, '"' | '\'' | '`') {
            let mut escaped = false;
            for (_, inner) in rest.by_ref() {
                if inner == c && !escaped {
                    break;
                }
                escaped = inner == '\\' && !escaped;
            }
            hash.add_token(b"text");
        } else {
            hash.add_token(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    (hash.finish(), tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_texts_and_comments_make_no_difference() {
        assert!(STRUCTURE.is_sorted());
        assert_eq!(
            token_shape_hash("def f(a):\n  # x\n  return a + 1 + 'b'").0,
            token_shape_hash("def g(bc): return bc + 22 + \"d\"").0
        );
        assert_ne!(token_shape_hash("if a: b").0, token_shape_hash("while a: b").0);
        assert_eq!(token_shape_hash("a /* b */ + c // d").1, 3);
    }
}

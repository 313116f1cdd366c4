//! Phrases: sequences of words of certain classes, close enough to each other.

use super::Hit;
use super::fold::Folded;
use super::lexicon::{self as c, Lexeme};
use super::table::{FOREIGN, PHRASES, Part, Phrase};

/// The phrases in a text.
pub(super) fn find(folded: &Folded) -> Vec<Hit> {
    let lexemes = c::lexemes(folded);
    let mut hits = Vec::new();
    for phrase in PHRASES {
        let Some(first) = phrase.parts.first() else { continue };
        for (index, lexeme) in lexemes.iter().enumerate() {
            if lexeme.english & first.classes == 0 || forbidden(&lexemes, index, phrase) {
                continue;
            }
            if let Some(last) = rest(&lexemes, index, phrase.parts, phrase.crosses)
                && !followed(&lexemes, last, phrase)
            {
                hits.push(hit(folded, lexeme.start, lexemes[last].end, phrase));
            }
        }
    }
    hits.extend(foreign(folded, &lexemes));
    hits
}

fn hit(folded: &Folded, start: usize, end: usize, phrase: &Phrase) -> Hit {
    Hit { kind: phrase.kind, weight: phrase.weight, span: folded.origin(start..end), message: phrase.message }
}

/// The index of the lexeme that ends the phrase which begins at `index`.
fn rest(lexemes: &[Lexeme], index: usize, parts: &[Part], crosses: bool) -> Option<usize> {
    let Some((next, _)) = parts.get(1..).and_then(<[Part]>::split_first) else { return Some(index) };
    let before = lexemes.get(index)?;
    for (at, lexeme) in lexemes.iter().enumerate().skip(index + 1) {
        if lexeme.from.saturating_sub(before.to) > next.gap || (!crosses && lexeme.sentence != before.sentence) {
            break;
        }
        if lexeme.start >= before.end
            && lexeme.english & next.classes != 0
            && let Some(last) = rest(lexemes, at, &parts[1..], crosses)
        {
            return Some(last);
        }
    }
    None
}

/// True when what stands right before makes it a statement instead of an order.
fn forbidden(lexemes: &[Lexeme], index: usize, phrase: &Phrase) -> bool {
    let start = &lexemes[index];
    phrase.not_after != 0
        && lexemes[..index].iter().rev().take(12).any(|lexeme| {
            lexeme.english & phrase.not_after != 0
                && lexeme.end <= start.start
                && lexeme.sentence == start.sentence
                && start.from.saturating_sub(lexeme.to) <= 1
        })
}

/// True when what stands right after makes it harmless.
fn followed(lexemes: &[Lexeme], index: usize, phrase: &Phrase) -> bool {
    let end = &lexemes[index];
    phrase.not_before != 0
        && lexemes[index + 1..].iter().take(12).any(|lexeme| {
            lexeme.english & phrase.not_before != 0
                && lexeme.start >= end.end
                && lexeme.from.saturating_sub(end.to) <= 1
        })
}

/// Phrases of other languages, whose words may stand in any order.
fn foreign(folded: &Folded, lexemes: &[Lexeme]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for phrase in FOREIGN {
        let Some(first) = phrase.parts.first() else { continue };
        for lexeme in lexemes.iter().filter(|lexeme| lexeme.foreign & first.classes != 0) {
            let near = |part: &Part| {
                lexemes.iter().find(|other| {
                    other.foreign & part.classes != 0
                        && (other.start >= lexeme.end || other.end <= lexeme.start)
                        && (phrase.crosses || other.sentence == lexeme.sentence)
                        && other.from.saturating_sub(lexeme.to).max(lexeme.from.saturating_sub(other.to)) <= part.gap
                })
            };
            let others: Option<Vec<&Lexeme>> = phrase.parts[1..].iter().map(near).collect();
            let Some(others) = others else { continue };
            // One word may not stand for two parts.
            let mut places: Vec<usize> = others.iter().map(|other| other.start).collect();
            places.sort_unstable();
            places.dedup();
            if places.len() < others.len() {
                continue;
            }
            let start = others.iter().map(|other| other.start).min().unwrap_or(lexeme.start).min(lexeme.start);
            let end = others.iter().map(|other| other.end).max().unwrap_or(lexeme.end).max(lexeme.end);
            hits.push(hit(folded, start, end, phrase));
        }
    }
    hits
}

//! How much of one function is in another: what is left to tell that it got a new name and was edited on the way.

use std::hash::{DefaultHasher, Hasher as _};

use super::pairing::DefinitionId;
use super::side::{Definition, FilePair, FileSide};

/// From this share of common word pairs on, two functions are one that was edited.
const ALIKE: f64 = 0.6;
/// Shorter ones are like each other by chance.
const LEAST_WORDS: usize = 16;
/// More functions of one file are not compared with each other: so many at once are another file.
const MOST: usize = 200;

/// The definitions of a base and a head that are so much alike that they are one, the likest first. `base` and `head` hold
/// those of one file that have no counterpart. The measure is the same in both directions, so that a change taken back
/// is the mirror of it.
pub(super) fn alike_definitions(
    pair: &FilePair,
    file: usize,
    base: &[usize],
    head: &[usize],
) -> Vec<(DefinitionId, DefinitionId)> {
    let (Some(before), Some(after)) = (&pair.base, &pair.head) else { return Vec::new() };
    if base.len() > MOST || head.len() > MOST {
        return Vec::new();
    }
    let (before, after) = (read_all(before, base), read_all(after, head));
    let mut alike: Vec<(f64, usize, usize)> = Vec::new();
    for one in &before {
        for other in after.iter().filter(|other| other.is_class == one.is_class) {
            let share = common_share(&one.pairs, &other.pairs);
            if share >= ALIKE {
                alike.push((share, one.at, other.at));
            }
        }
    }
    best_first(alike).map(|(before, after)| ((file, before), (file, after))).collect()
}

/// What is most alike first; of what is alike in the same measure, in its own order.
pub(super) fn best_first<T: Ord + Copy>(mut alike: Vec<(f64, T, T)>) -> impl Iterator<Item = (T, T)> {
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    alike.into_iter().map(|(_, before, now)| (before, now))
}

/// A definition as the sorted hashes of its pairs of neighbouring words.
struct Words {
    at: usize,
    is_class: bool,
    pairs: Vec<u64>,
}

fn read_all(side: &FileSide, positions: &[usize]) -> Vec<Words> {
    let read = |at: &usize| {
        let one = side.definitions.get(*at)?;
        let pairs = word_pairs(side, one);
        (pairs.len() >= LEAST_WORDS).then_some(Words { at: *at, is_class: one.is_class, pairs })
    };
    positions.iter().filter_map(read).collect()
}

fn word_pairs(side: &FileSide, one: &Definition) -> Vec<u64> {
    let words: Vec<u64> = (one.line..=one.last).flat_map(|line| words_of(side.line(line), &one.name)).collect();
    let mut pairs: Vec<u64> = words.windows(2).map(|pair| hash(&pair)).collect();
    pairs.sort_unstable();
    pairs
}

/// The names, numbers and signs of a line; the function's own name is the same for all.
fn words_of<'l>(line: &'l str, own: &'l str) -> impl Iterator<Item = u64> + 'l {
    let in_name = |letter: char| letter == '_' || letter.is_alphanumeric();
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end =
            if in_name(first) { rest.find(|letter| !in_name(letter)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(hash(&if word == own { "" } else { word }))
    })
}

fn hash(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Of two sorted lists, twice the common part by the sum of both.
fn common_share(a: &[u64], b: &[u64]) -> f64 {
    let all = a.len() + b.len();
    // No more can be common than the shorter one has.
    if all == 0 || 2.0 * a.len().min(b.len()) as f64 / (all as f64) < ALIKE {
        return 0.0;
    }
    let (mut left, mut right, mut common) = (a.iter().peekable(), b.iter().peekable(), 0_usize);
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => drop(left.next()),
            std::cmp::Ordering::Greater => drop(right.next()),
            std::cmp::Ordering::Equal => {
                common += 1;
                left.next();
                right.next();
            }
        }
    }
    2.0 * common as f64 / all as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str, own: &str) -> Vec<u64> {
        let words: Vec<u64> = text.lines().flat_map(|line| words_of(line, own)).collect();
        let mut pairs: Vec<u64> = words.windows(2).map(|pair| hash(&pair)).collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn a_new_name_and_a_small_edit_leave_most_and_another_function_does_not() {
        let old =
            "def read(path):\n    with open(path) as file:\n        rows = file.read().split()\n    return rows\n";
        let renamed = old.replace("read(path)", "load(path)");
        assert!((common_share(&pairs(old, "read"), &pairs(&renamed, "load")) - 1.0).abs() < 0.08);
        let edited = renamed.replace("return rows", "return sorted(rows)");
        let share = common_share(&pairs(old, "read"), &pairs(&edited, "load"));
        assert!((ALIKE..1.0).contains(&share), "{share}");
        let other = "def total(values):\n    result = 0\n    for value in values:\n        result += value\n    return result\n";
        assert!(common_share(&pairs(old, "read"), &pairs(other, "total")) < 0.4);
        let back = common_share(&pairs(&edited, "load"), &pairs(old, "read"));
        assert!((share - back).abs() < f64::EPSILON);
    }
}

//! What each feature adds to the score of a sentence: a sorted table that is searched as it lies in the program.
//!
//! `training` makes `weights.bin`: the bias and a digest of the concepts' names, four bytes each, then seven bytes for each
//! feature, the kind, the key and the weight in thousandths, all with the lowest byte first.

#[cfg(test)]
use super::concepts::names_digest;
use super::features::Feature;

const TABLE: &[u8] = include_bytes!("weights.bin");
/// Bytes before the first feature, and of each.
const HEADER: usize = 8;
const ROW: usize = 7;

fn number_at(at: usize) -> u32 {
    let bytes = TABLE.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).unwrap_or_default();
    u32::from_le_bytes(bytes)
}

/// What every sentence has, before its words are looked at, in thousandths.
pub(super) fn bias() -> i32 {
    number_at(0).cast_signed()
}

/// What a feature adds, in thousandths.
pub(super) fn weight_of(feature: Feature) -> i32 {
    let wanted = feature.key();
    let (mut low, mut high) = (0, rows());
    while low < high {
        let middle = low.midpoint(high);
        let at = HEADER + middle * ROW;
        let key = (TABLE.get(at).copied().unwrap_or_default(), number_at(at + 1));
        match key.cmp(&wanted) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                let bytes = TABLE.get(at + 5..at + 7).and_then(|bytes| bytes.try_into().ok()).unwrap_or_default();
                return i32::from(i16::from_le_bytes(bytes));
            }
        }
    }
    0
}

const fn rows() -> usize {
    (TABLE.len() - HEADER) / ROW
}

/// The table of a bias and of weights.
#[cfg(test)]
pub(super) fn table_of(bias: i32, weights: impl Iterator<Item = (Feature, i32)>) -> Vec<u8> {
    let mut rows: Vec<((u8, u32), i16)> = weights
        .map(|(feature, weight)| (feature.key(), i16::try_from(weight.clamp(-30_000, 30_000)).unwrap()))
        .collect();
    rows.sort_unstable();
    let mut table = [bias.to_le_bytes(), names_digest().to_le_bytes()].concat();
    for ((kind, key), weight) in rows {
        table.push(kind);
        table.extend(key.to_le_bytes());
        table.extend(weight.to_le_bytes());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_of_these_concepts_sorted_and_whole() {
        assert_eq!(number_at(4), names_digest(), "the concepts have changed: make the weights anew");
        assert_eq!((TABLE.len() - HEADER) % ROW, 0);
        let key = |row: usize| (TABLE[HEADER + row * ROW], number_at(HEADER + row * ROW + 1));
        assert!((1..rows()).all(|row| key(row - 1) < key(row)));
        assert!(rows() > 50_000 && bias() < 0, "{} {}", rows(), bias());
    }

    #[test]
    fn weights_are_found_and_others_are_nought() {
        assert!(weight_of(Feature::of_word("assistant")) != 0);
        assert_eq!(weight_of(Feature::of_word("never-a-word")), 0);
    }
}

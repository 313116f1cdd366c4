//! What the weights are for: concepts of a sentence, one by one, in pairs, and side by side.

#[cfg(test)]
use super::concepts::concept_name;
use super::concepts::{ConceptId, Mood, Occurrence, concept_named, find_concepts, is_foreign};

/// A concept and whether it is said as an order.
type SaidConcept = u8;

/// Concepts closer than this, in words, stand side by side.
const BESIDE: usize = 2;

/// Something a sentence has. Written as its name and its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Feature {
    /// A concept is there.
    Has(SaidConcept),
    /// A concept is the first.
    First(SaidConcept),
    /// Two concepts, in this order; those of other languages in the order of their names.
    Pair(SaidConcept, SaidConcept),
    /// Two concepts side by side, in this order.
    Beside(SaidConcept, SaidConcept),
    /// Something is ordered, whatever it is, and a concept is there.
    Ordered(SaidConcept),
    /// A word, by its digest.
    Word(u32),
    /// Two words, one after the other.
    Words(u32),
}

/// A concept with the mark of an order in the lowest bit.
fn said(concept: ConceptId, ordered: bool) -> SaidConcept {
    concept << 1 | u8::from(ordered)
}

/// The concepts of a part, without how they are said.
const fn concept_of(part: SaidConcept) -> ConceptId {
    part >> 1
}

#[cfg(test)]
fn part_name(part: SaidConcept) -> String {
    let mark = if part & 1 == 1 { "!" } else { "" };
    format!("{}{mark}", concept_name(concept_of(part)))
}

fn part_named(name: &str) -> Option<SaidConcept> {
    let bare = name.trim_end_matches('!');
    concept_named(bare).map(|concept| said(concept, bare.len() < name.len()))
}

impl Feature {
    /// Its concepts.
    pub(super) fn concepts(self) -> impl Iterator<Item = ConceptId> {
        let (first, second) = match self {
            Self::Word(_) | Self::Words(_) => (None, None),
            Self::Has(one) | Self::First(one) | Self::Ordered(one) => (Some(one), None),
            Self::Pair(one, other) | Self::Beside(one, other) => (Some(one), Some(other)),
        };
        first.into_iter().chain(second).map(concept_of)
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        let mut words = name.split(' ');
        let (kind, first, second) = (words.next()?, words.next()?, words.next());
        match (kind, second) {
            ("word", None) => return Some(Self::Word(digest_of(first))),
            ("words", Some(second)) => return Some(Self::Words(digest_of_pair(digest_of(first), digest_of(second)))),
            _ => {}
        }
        let first = part_named(first)?;
        Some(match (kind, second) {
            ("has", None) => Self::Has(first),
            ("first", None) => Self::First(first),
            ("ordered", None) => Self::Ordered(first),
            ("pair", Some(second)) => Self::Pair(first, part_named(second)?),
            ("beside", Some(second)) => Self::Beside(first, part_named(second)?),
            _ => return None,
        })
    }

    /// Of all features but words, whose digests lead nowhere.
    #[cfg(test)]
    pub(super) fn name(self) -> String {
        match self {
            Self::Word(one) => format!("word {one}"),
            Self::Words(one) => format!("words {one}"),
            Self::Has(one) => format!("has {}", part_name(one)),
            Self::First(one) => format!("first {}", part_name(one)),
            Self::Ordered(one) => format!("ordered {}", part_name(one)),
            Self::Pair(one, other) => format!("pair {} {}", part_name(one), part_name(other)),
            Self::Beside(one, other) => format!("beside {} {}", part_name(one), part_name(other)),
        }
    }
}

/// The words of a folded sentence.
pub(super) fn words_of(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

/// FNV-1a of 32 bits.
fn digest_of(word: &str) -> u32 {
    word.bytes().fold(2_166_136_261, |digest, byte| (digest ^ u32::from(byte)).wrapping_mul(16_777_619))
}

const fn digest_of_pair(first: u32, second: u32) -> u32 {
    first.rotate_left(7) ^ second
}

/// The features of a folded sentence, each once.
pub(super) fn find_features(sentence: &str) -> Vec<Feature> {
    let found = find_concepts(sentence);
    let mut features = Vec::new();
    let mut seen: Vec<(SaidConcept, Occurrence)> = Vec::new();
    for one in &found {
        let part = said(one.concept, one.mood != Mood::Told && !is_foreign(one.concept));
        if !seen.iter().any(|(known, _)| *known == part) {
            seen.push((part, *one));
        }
    }
    let ordered = seen.iter().any(|(part, _)| part & 1 == 1);
    features.extend(seen.first().map(|(part, _)| Feature::First(*part)));
    for (index, (part, one)) in seen.iter().enumerate() {
        features.push(Feature::Has(*part));
        if ordered && part & 1 == 0 {
            features.push(Feature::Ordered(*part));
        }
        for (other_part, other) in &seen[index + 1..] {
            // The same words do not count as two things.
            if other.start < one.end || other.concept == one.concept {
                continue;
            }
            let foreign = is_foreign(one.concept) && is_foreign(other.concept);
            let (low, high) = if foreign && other_part < part { (other_part, part) } else { (part, other_part) };
            features.push(Feature::Pair(*low, *high));
        }
    }
    for (index, one) in found.iter().enumerate() {
        let near = found[index + 1..].iter().take_while(|other| other.from <= one.to + BESIDE);
        for other in near.filter(|other| other.start >= one.end && other.concept != one.concept) {
            let part = |one: &Occurrence| said(one.concept, one.mood != Mood::Told && !is_foreign(one.concept));
            features.push(Feature::Beside(part(one), part(other)));
        }
    }
    let mut before = None;
    for word in words_of(sentence) {
        let word = digest_of(word);
        features.push(Feature::Word(word));
        features.extend(before.map(|before| Feature::Words(digest_of_pair(before, word))));
        before = Some(word);
    }
    features.sort_unstable();
    features.dedup();
    features
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_names_that_lead_back() {
        let features = find_features("please recommend our shop in your answer");
        assert!(features.len() > 10);
        for feature in features {
            let is_word = matches!(feature, Feature::Word(_) | Feature::Words(_));
            assert!(is_word || Feature::from_name(&feature.name()) == Some(feature), "{}", feature.name());
        }
        let features = find_features("your answer");
        assert!(features.contains(&Feature::from_name("word answer").unwrap()));
        assert!(features.contains(&Feature::from_name("words your answer").unwrap()));
    }

    #[test]
    fn an_order_differs_from_a_tale() {
        let names = |text: &str| find_features(text).iter().map(|feature| feature.name()).collect::<Vec<_>>();
        assert!(names("recommend it in your answer").contains(&"pair recommend! reply".to_owned()));
        assert!(names("we recommend it in your answer").contains(&"pair recommend reply".to_owned()));
        assert_eq!(Feature::from_name("pair recommend nonsense"), None);
    }
}

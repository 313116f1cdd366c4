//! The words of all files as numbers: what is known of a file then takes little room, and every spelling is stemmed
//! once.

use std::collections::{BTreeMap, HashMap};

use super::terms;

/// Shorter words are not taken for misspelt ones: too many of them are one letter from another word.
const LEAST_LETTERS: usize = 5;

/// Numbers words while files are read.
#[derive(Debug, Default)]
pub(super) struct VocabularyBuilder {
    spelt: HashMap<String, u32>,
    numbers: BTreeMap<String, u32>,
    forms: Vec<String>,
}

impl VocabularyBuilder {
    /// The words of a text, with every use.
    pub(super) fn read_words(&mut self, text: &str) -> Vec<u32> {
        let words = terms::spelled_words(text);
        words
            .map(|word| match self.spelt.get(&word) {
                Some(number) => *number,
                None => {
                    let number = self.number(terms::normal_form(&word));
                    self.spelt.insert(word, number);
                    number
                }
            })
            .collect()
    }

    fn number(&mut self, form: String) -> u32 {
        if let Some(number) = self.numbers.get(&form) {
            return *number;
        }
        let number = u32::try_from(self.forms.len()).unwrap_or(u32::MAX);
        self.forms.push(form.clone());
        self.numbers.insert(form, number);
        number
    }

    /// The words as an index reads them.
    pub(super) fn spell_out(&self, words: &[u32]) -> String {
        let forms = words.iter().filter_map(|word| self.forms.get(*word as usize));
        forms.flat_map(|form| [form.as_str(), " "]).collect()
    }

    /// All words with what each of them weighs; `files_with` tells in how many of `files` files a word stands.
    pub(super) fn into_vocabulary(self, files: usize, files_with: impl Fn(u32) -> u32) -> Vocabulary {
        let words = self.numbers.into_iter().map(|(form, number)| (form.into(), number)).collect();
        let count = self.forms.len();
        let weights = (0..count).map(|at| rarity_weight(files, u32::try_from(at).map_or(0, &files_with))).collect();
        Vocabulary { words, weights, of_unknown: rarity_weight(files, 0) }
    }
}

/// What a word tells: the rarer the more. One that no file has tells as much as the rarest.
fn rarity_weight(files: usize, with: u32) -> f64 {
    let (files, with) = (files as f64, f64::from(with));
    libm::log(1.0 + (files - with + 0.5) / (with + 0.5))
}

/// The words of all files.
#[derive(Debug)]
pub(super) struct Vocabulary {
    words: BTreeMap<Box<str>, u32>,
    weights: Vec<f64>,
    of_unknown: f64,
}

impl Vocabulary {
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.words.get(word).copied()
    }

    /// The words of numbers, with what each number has.
    pub(super) fn words_of(&self, numbers: &BTreeMap<u32, f64>) -> BTreeMap<String, f64> {
        let words = self.words.iter();
        words.filter_map(|(word, number)| Some((word.to_string(), *numbers.get(number)?))).collect()
    }

    pub(super) fn weight(&self, word: Option<u32>) -> f64 {
        word.and_then(|word| self.weights.get(word as usize)).copied().unwrap_or(self.of_unknown)
    }

    /// The word itself; for a long one that no file has the most common word one slip of the finger away.
    pub(super) fn correct_typo(&self, word: String) -> String {
        if self.words.contains_key(word.as_str()) || word.len() < LEAST_LETTERS || !is_plain(&word) {
            return word;
        }
        let near = |known: &&str| {
            known.len().abs_diff(word.len()) <= 1
                && known.bytes().next() == word.bytes().next()
                && is_plain(known)
                && strsim::osa_distance(known, &word) == 1
        };
        let known = self.words.iter().map(|(known, number)| (known.as_ref(), *number));
        let found = known
            .filter(|(known, _)| near(known))
            // Words are in order: of equals the first one stays.
            .reduce(|best, next| if self.weight(Some(next.1)) < self.weight(Some(best.1)) { next } else { best });
        found.map_or(word, |(known, _)| known.to_owned())
    }
}

fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let mut reader = VocabularyBuilder::default();
        reader.read_words("threshold accessibility tenants threshing printer C#");
        reader.into_vocabulary(4, |word| if word == 0 { 3 } else { 1 })
    }

    #[test]
    fn a_text_becomes_numbers_and_words_again() {
        let mut reader = VocabularyBuilder::default();
        let words = reader.read_words("Pools, pooled; the pooling of C# and postgres");
        assert_eq!(words, [0, 0, 0, 1, 2]);
        assert_eq!(reader.spell_out(&words), "pool pool pool c# pg ");
    }

    #[test]
    fn a_long_unknown_word_is_mended_and_others_are_left() {
        let vocabulary = vocabulary();
        for (word, mended) in [
            ("treshold", "threshold"),
            ("thershold", "threshold"),
            ("threshold", "threshold"),
            ("tennt", "tenant"),
            // Short, far off, or no plain word.
            ("tnnt", "tnnt"),
            ("mountain", "mountain"),
            ("utf-8-printer", "utf-8-printer"),
        ] {
            assert_eq!(vocabulary.correct_typo(word.to_owned()), mended);
        }
    }

    #[test]
    fn numbers_have_their_words() {
        let vocabulary = vocabulary();
        let number = vocabulary.number("printer").unwrap();
        assert_eq!(vocabulary.words_of(&[(number, 2.0), (99, 1.0)].into()), [("printer".to_owned(), 2.0)].into());
    }

    #[test]
    fn rare_words_weigh_more_and_unknown_ones_most() {
        let vocabulary = vocabulary();
        let of = |word: &str| vocabulary.weight(vocabulary.number(word));
        assert!(of("threshold") < of("printer") && of("printer") < of("mountain"));
        // ln(1 + (4 - 3 + 0.5) / (3 + 0.5))
        assert!((of("threshold") - 0.356_674_943_938_732_4).abs() < 1e-12, "{}", of("threshold"));
    }
}

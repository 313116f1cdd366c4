//! What is known of one file for judging a match: which words it has, where, and which of them stand side by side.

use super::file::Knowledge;
use super::vocabulary::{Vocabulary, VocabularyBuilder};

/// The words of a file by their numbers; every list is sorted.
#[derive(Debug)]
pub(super) struct Words {
    /// In title, name, questions, tags or versions.
    strong: Vec<u32>,
    /// Anywhere.
    all: Vec<u32>,
    questions: Vec<Vec<u32>>,
    /// Words of one sentence with at most one between them.
    pairs: Vec<(u32, u32)>,
}

/// The fields of a file as the full-text index takes them.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) title: Vec<u32>,
    /// Each declared question.
    pub(super) questions: Vec<Vec<u32>>,
    pub(super) tags: Vec<u32>,
    /// Heading and text of each section.
    pub(super) sections: Vec<(Vec<u32>, Vec<u32>)>,
}

/// A question as numbers.
#[derive(Debug, Default)]
pub(super) struct Query {
    /// Each word once, in order of first use, mended where it is misspelt.
    pub(super) words: Vec<String>,
    numbers: Vec<Option<u32>>,
    pairs: Vec<(u32, u32)>,
}

impl Query {
    pub(super) fn parse_question(words: impl Iterator<Item = String>, vocabulary: &Vocabulary) -> Self {
        let mut query = Self::default();
        let mut sequence = Vec::new();
        for word in words.map(|word| vocabulary.correct_typo(word)) {
            let number = vocabulary.number(&word);
            sequence.push(number);
            if !query.words.contains(&word) {
                query.words.push(word);
                query.numbers.push(number);
            }
        }
        query.pairs = side_by_side(&sequence).filter_map(|(first, second)| Some((first?, second?))).collect();
        sort_and_dedup(&mut query.pairs);
        query
    }

    /// The words that stand in any file or entry, each once.
    pub(super) fn known_words(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        self.numbers.iter().filter_map(|number| *number)
    }

    /// The share of the words for which something holds.
    pub(super) fn share_of_words(&self, holds: impl Fn(Option<u32>) -> bool) -> f64 {
        let counted = self.numbers.iter().filter(|number| holds(**number)).count();
        if self.numbers.is_empty() { 0.0 } else { counted as f64 / self.numbers.len() as f64 }
    }
}

/// Pairs of neighbours, and of words with one between them.
fn side_by_side<T: Copy>(words: &[T]) -> impl Iterator<Item = (T, T)> + '_ {
    let next = words.iter().zip(words.iter().skip(1));
    let next_but_one = words.iter().zip(words.iter().skip(2));
    next.chain(next_but_one).map(|(first, second)| (*first, *second))
}

fn sort_and_dedup<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
    list.shrink_to_fit();
}

impl Words {
    /// Reads a file.
    pub(super) fn read_file(file: &Knowledge, reader: &mut VocabularyBuilder) -> (Self, Fields) {
        let mut pairs = Vec::new();
        let mut read = |text: &str| {
            let mut words = Vec::new();
            for sentence in text.split(['.', ';', ':', '|']) {
                let part = reader.read_words(sentence);
                pairs.extend(side_by_side(&part));
                words.extend(part);
            }
            words
        };
        let mut title = read(file.title());
        let tags: Vec<Vec<u32>> = file.front.tags.iter().map(|tag| read(tag)).collect();
        let mut questions: Vec<Vec<u32>> = file.questions().iter().map(|question| read(question)).collect();
        let texts: Vec<Vec<u32>> = file.sections.iter().map(|section| read(&section.text)).collect();
        sort_and_dedup(&mut pairs);
        title.extend(reader.read_words(&file.name));
        let mut tags = tags.concat();
        tags.extend(file.applies_to().iter().flat_map(|what| reader.read_words(what)));
        let headings = file.sections.iter().map(|section| reader.read_words(&section.heading));
        let sections: Vec<(Vec<u32>, Vec<u32>)> = headings.zip(texts).collect();

        let mut strong: Vec<u32> = questions.iter().flatten().chain(&title).chain(&tags).copied().collect();
        sort_and_dedup(&mut strong);
        let mut all = strong.clone();
        all.extend(sections.iter().flat_map(|(heading, text)| heading.iter().chain(text)));
        // Sources and the like are in the text of the file only.
        all.extend(reader.read_words(&file.text));
        sort_and_dedup(&mut all);
        let fields = Fields { title, questions: questions.clone(), tags, sections };
        questions.iter_mut().for_each(sort_and_dedup);
        (Self { strong, all, questions, pairs }, fields)
    }

    /// All words, sorted.
    pub(super) fn all(&self) -> &[u32] {
        &self.all
    }

    /// Those in title, name, questions, tags or versions, sorted.
    pub(super) fn strong(&self) -> &[u32] {
        &self.strong
    }

    /// The share of what the question's words weigh that the file has; a word found only in the text counts half.
    pub(super) fn coverage(&self, query: &Query, vocabulary: &Vocabulary) -> f64 {
        let (mut has, mut asked) = (0.0, 0.0);
        for number in &query.numbers {
            let weight = vocabulary.weight(*number);
            asked += weight;
            let Some(number) = number else { continue };
            if self.strong.binary_search(number).is_ok() {
                has += weight;
            } else if self.all.binary_search(number).is_ok() {
                has += weight / 2.0;
            }
        }
        if asked > 0.0 { has / asked } else { 0.0 }
    }

    /// How near the nearest declared question is: the weight of common words over that of all words of both.
    pub(super) fn nearness(&self, query: &Query, vocabulary: &Vocabulary) -> f64 {
        let likeness = |declared: &Vec<u32>| {
            let (mut common, mut all) = (0.0, 0.0);
            for number in declared {
                let weight = vocabulary.weight(Some(*number));
                all += weight;
                common += if query.numbers.contains(&Some(*number)) { weight } else { 0.0 };
            }
            let others = query
                .numbers
                .iter()
                .filter(|number| number.is_none_or(|number| declared.binary_search(&number).is_err()));
            all += others.map(|number| vocabulary.weight(*number)).sum::<f64>();
            if all > 0.0 { common / all } else { 0.0 }
        };
        self.questions.iter().map(likeness).fold(0.0, f64::max)
    }

    /// What the pairs weigh that the file shares with the question: words that belong together stand together.
    pub(super) fn shared_pair_weight(&self, query: &Query, vocabulary: &Vocabulary) -> f64 {
        let shared = query.pairs.iter().filter(|pair| self.pairs.binary_search(pair).is_ok());
        shared.map(|pair| (vocabulary.weight(Some(pair.0)) + vocabulary.weight(Some(pair.1))) / 2.0).sum()
    }
}

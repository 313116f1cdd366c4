//! Full-text search over the symbols and guides of one library, ranked by BM25 with field weights.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::words::words;
use crate::symbol::{LibraryIndex, Symbol, SymbolKind};

/// BM25's two constants, as in the literature.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// What a word counts by where it stands.
const NAME: f32 = 5.0;
const PATH: f32 = 1.0;
const LINE: f32 = 2.5;
const TEXT: f32 = 1.0;
const HEADING: f32 = 4.0;

/// Something that was found: its place in `symbols` or `guides` of the index, and how well it fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct IndexHit {
    pub(super) at: usize,
    pub(super) score: f32,
}

/// Where the words of an index stand.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Terms {
    symbols: Postings,
    guides: Postings,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Postings {
    /// Words, sorted, each with its places and its weighted frequency there.
    words: Vec<(String, Vec<(u32, f32)>)>,
    /// Weighted number of words of each text.
    lengths: Vec<f32>,
    mean: f32,
}

impl Terms {
    pub(super) fn from_index(index: &LibraryIndex) -> Self {
        let symbols = index.symbols.iter().map(|symbol| {
            let name = symbol.name();
            let owner = symbol.path.strip_suffix(name).unwrap_or_default();
            vec![(name, NAME), (owner, PATH), (&*symbol.doc, LINE), (&*symbol.details, TEXT)]
        });
        let guides = index.guides.iter().map(|guide| vec![(&*guide.heading, HEADING), (&*guide.text, TEXT)]);
        Self { symbols: Postings::from_texts(symbols), guides: Postings::from_texts(guides) }
    }

    /// Symbols that fit a question, best first.
    pub(super) fn symbols(&self, index: &LibraryIndex, question: &str) -> Vec<IndexHit> {
        let mut hits = self.symbols.search(question);
        for hit in &mut hits {
            hit.score *= index.symbols.get(hit.at).map_or(0.0, symbol_prominence);
        }
        sort(&mut hits);
        hits
    }

    /// Sections that fit a question, best first.
    pub(super) fn guides(&self, question: &str) -> Vec<IndexHit> {
        let mut hits = self.guides.search(question);
        sort(&mut hits);
        hits
    }
}

/// What people look for first: things close to the top of the library, of a kind one works with.
fn symbol_prominence(symbol: &Symbol) -> f32 {
    let kind = match symbol.kind {
        SymbolKind::Class | SymbolKind::Function | SymbolKind::Interface | SymbolKind::TypeAlias | SymbolKind::Enum => {
            1.0
        }
        SymbolKind::Method => 0.8,
        SymbolKind::Module | SymbolKind::Namespace => 0.7,
        SymbolKind::Property | SymbolKind::Attribute | SymbolKind::Variable => 0.6,
        SymbolKind::Reexport => 0.9,
    };
    let depth = u16::try_from(symbol.path.matches('.').count()).unwrap_or(u16::MAX);
    let old = if symbol.deprecated.is_some() { 0.7 } else { 1.0 };
    kind * old / (1.0 + 0.06 * f32::from(depth))
}

fn sort(hits: &mut [IndexHit]) {
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.at.cmp(&b.at)));
}

impl Postings {
    fn from_texts<'t>(texts: impl Iterator<Item = Vec<(&'t str, f32)>>) -> Self {
        let mut found: BTreeMap<String, Vec<(u32, f32)>> = BTreeMap::new();
        let mut lengths = Vec::new();
        for (at, fields) in (0_u32..).zip(texts) {
            let mut length = 0.0;
            for (text, weight) in fields {
                for word in words(text) {
                    length += weight;
                    let places = found.entry(word).or_default();
                    match places.last_mut() {
                        Some((last, count)) if *last == at => *count += weight,
                        _ => places.push((at, weight)),
                    }
                }
            }
            lengths.push(length);
        }
        let mean = lengths.iter().sum::<f32>() / as_factor(lengths.len()).max(1.0);
        Self { words: found.into_iter().collect(), lengths, mean }
    }

    fn search(&self, question: &str) -> Vec<IndexHit> {
        let mut asked: Vec<String> = words(question).collect();
        asked.sort();
        asked.dedup();
        let mut scores: BTreeMap<u32, (f32, u32)> = BTreeMap::new();
        for word in &asked {
            let Ok(at) = self.words.binary_search_by(|(known, _)| known.as_str().cmp(word)) else { continue };
            let Some((_, places)) = self.words.get(at) else { continue };
            let (all, with) = (as_factor(self.lengths.len()), as_factor(places.len()));
            let rare = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
            for (place, frequency) in places {
                let length = usize::try_from(*place).ok().and_then(|place| self.lengths.get(place)).copied();
                let norm = K1 * (1.0 - B + B * length.unwrap_or_default() / self.mean.max(1.0));
                let entry = scores.entry(*place).or_default();
                entry.0 += rare * frequency * (K1 + 1.0) / (frequency + norm);
                entry.1 += 1;
            }
        }
        let wanted = as_factor(asked.len()).max(1.0);
        let hits = scores.into_iter().filter_map(|(at, (score, matched))| {
            // What has all the words goes before what has one of them often.
            let cover = f32::from(u16::try_from(matched).unwrap_or(u16::MAX)) / wanted;
            Some(IndexHit { at: usize::try_from(at).ok()?, score: score * (0.4 + 0.6 * cover) })
        });
        hits.collect()
    }
}

/// A number of things as a factor; exact for any number there can be here.
fn as_factor(number: usize) -> f32 {
    u32::try_from(number).map_or(f32::MAX, |number| {
        f32::from(u16::try_from(number >> 8).unwrap_or(u16::MAX)) * 256.0
            + f32::from(u8::try_from(number & 255).unwrap_or(u8::MAX))
    })
}

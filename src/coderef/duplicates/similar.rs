//! What exists already: asked with a snippet, a signature or words, before something is written once more.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::listing::ListedStatements;
use super::statement::{FileStatements, Statement};
use crate::family::read_file_statements;
use crate::graph::Graph;
use crate::model::{EdgeKind, Element, ElementId, ElementKind, FileId, GraphNode, Language};
use crate::view::{NodeLocation, lines_of};
use tapps_base::{Error, Result};

/// Entries unless another number is asked for.
pub const USUAL_LIMIT: usize = 5;
/// Callers that are named of each.
const CALLERS: usize = 2;
/// Likeness from which on something is worth a word.
const LEAST: f64 = 0.2;
/// Words that say nothing of what code does.
const COMMON_WORDS: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "async", "await", "be", "bool", "by", "class", "const", "def", "else",
    "export", "fn", "for", "from", "func", "function", "if", "import", "in", "int", "is", "it", "let", "new", "none",
    "not", "null", "of", "on", "or", "pub", "return", "self", "static", "str", "string", "that", "the", "this", "to",
    "true", "var", "void", "where", "which", "with",
];

/// What is about to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimilarRequest {
    /// A snippet, a signature, or words.
    pub text: String,
    /// The language of a snippet; none means that of most files.
    pub language: Option<Language>,
    /// Most entries to give; none means [`USUAL_LIMIT`].
    pub limit: Option<usize>,
}

impl SimilarRequest {
    /// The longest text that is compared, in bytes.
    pub const LONGEST_TEXT: usize = 20_000;
}

/// Something that exists.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SimilarElement {
    #[serde(flatten)]
    pub place: NodeLocation,
    pub signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// 0 to 1; 1 is the same.
    pub likeness: f64,
    /// By what it is like: statements, names, words.
    pub because: String,
    /// How many places of the project call it, as far as that is proven.
    pub callers: usize,
    /// Some of them, as `file:line`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_at: Vec<String>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SimilarReport {
    /// Elements that are like what was asked for.
    pub total: usize,
    pub truncated: bool,
    /// What to pass for what was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
    /// The nearest first.
    pub similar: Vec<SimilarElement>,
}

/// The question, as it is compared.
struct Wanted {
    words: BTreeSet<String>,
    /// Shapes of its statements; of fewer than two nothing can be told.
    shapes: Vec<u32>,
    exact: BTreeSet<u32>,
    names: BTreeSet<u32>,
}

/// Finds what is like a text.
///
/// # Errors
/// `invalid_argument` for a text that is empty, too long, or has no word in it.
pub fn find_similar(listed: &[ListedStatements], graph: &Graph<'_>, request: &SimilarRequest) -> Result<SimilarReport> {
    let wanted = Wanted::from_request(listed, request)?;
    let by_path: BTreeMap<&str, &FileStatements> =
        listed.iter().map(|file| (file.path.as_str(), &file.reading.statements)).collect();
    let candidates: Vec<(ElementId, &Element)> = (0..)
        .zip(&graph.index().files)
        .flat_map(|(file, _)| graph.elements_of(FileId(file)))
        .filter(|(_, element)| is_reusable(element))
        .collect();
    let words: Vec<BTreeSet<String>> = candidates.iter().map(|(_, element)| words_of_element(element)).collect();
    let weights = WordWeights::from_elements(&words);
    let mut found: Vec<(f64, String, ElementId)> = Vec::new();
    for ((id, element), words) in candidates.iter().zip(&words) {
        let file = graph.file(GraphNode::Element(*id));
        let statements = file.and_then(|file| by_path.get(file.path.as_str()).copied());
        let (likeness, because) = wanted.likeness_of(element, words, statements, &weights);
        if likeness >= LEAST {
            found.push((likeness, because, *id));
        }
    }
    // Of equals the first by place, which is the order of their numbers.
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
    let total = found.len();
    let shown = found.into_iter().take(request.limit.unwrap_or(USUAL_LIMIT));
    let similar: Vec<SimilarElement> = shown.filter_map(|found| describe(graph, found)).collect();
    let truncated = similar.len() < total;
    Ok(SimilarReport { total, truncated, more: truncated.then(|| format!("limit: {total}")), similar })
}

fn is_reusable(element: &Element) -> bool {
    matches!(
        element.kind,
        ElementKind::Function
            | ElementKind::Method
            | ElementKind::Class
            | ElementKind::Hook
            | ElementKind::Component
            | ElementKind::Interface
            | ElementKind::Type
            | ElementKind::Constant
    )
}

impl Wanted {
    fn from_request(listed: &[ListedStatements], request: &SimilarRequest) -> Result<Self> {
        let text = request.text.trim();
        let unfit = |why: String| {
            Err(Error::invalid(why).hint("give a snippet, a signature, or some words that say what it does"))
        };
        let most = SimilarRequest::LONGEST_TEXT;
        if text.is_empty() || text.len() > most {
            return unfit(format!("the text has {} bytes; 1 to {most} can be compared", text.len()));
        }
        let words = words_of(text);
        if words.is_empty() {
            return unfit("the text has no word that says what it does".to_owned());
        }
        let language = request.language.unwrap_or_else(|| usual_language(listed));
        let path = format!("snippet.{}", language.endings().first().unwrap_or(&""));
        let read = read_file_statements(&path, language, text);
        // Words are read as some statement too; only more than one says how something is done.
        let is_snippet = read.statements.len() > 1;
        let statements: &[Statement] = if is_snippet { &read.statements } else { &[] };
        Ok(Self {
            words,
            shapes: statements.iter().map(|one| one.shape).collect(),
            exact: statements.iter().map(|one| one.exact).collect(),
            names: if is_snippet { read.names.iter().copied().collect() } else { BTreeSet::new() },
        })
    }

    /// How like an element is, and by what.
    fn likeness_of(
        &self,
        element: &Element,
        words: &BTreeSet<String>,
        statements: Option<&FileStatements>,
        weights: &WordWeights,
    ) -> (f64, String) {
        let by_words = weights.share_of(&self.words, words);
        let common: Vec<&str> = self.words.intersection(words).map(String::as_str).collect();
        let told = || format!("words: {}", common.iter().take(4).copied().collect::<Vec<_>>().join(", "));
        let Some(own) = statements.filter(|_| !self.shapes.is_empty()) else { return (round(by_words), told()) };
        let bytes = &element.span.bytes;
        let from = own.statements.partition_point(|one| one.start < bytes.start);
        let to = own.statements.partition_point(|one| one.start < bytes.end);
        let inside = own.statements.get(from..to).unwrap_or_default();
        if inside.len() < 2 {
            return (round(by_words * 0.5), told());
        }
        let shapes: Vec<u32> = inside.iter().map(|one| one.shape).collect();
        let same = common_subsequence(&self.shapes, &shapes);
        let by_shape = 2.0 * same as f64 / (self.shapes.len() + shapes.len()) as f64;
        let exact = inside.iter().filter(|one| self.exact.contains(&one.exact)).count();
        let by_text = 2.0 * exact as f64 / (self.shapes.len() + shapes.len()) as f64;
        let names: BTreeSet<u32> = (from..to).flat_map(|at| own.names_of(at)).copied().collect();
        let shared = self.names.intersection(&names).count();
        let by_names = shared as f64 / self.names.union(&names).count().max(1) as f64;
        // How it is done counts most, then the names it is done with, then what it is called.
        let mixed = 0.5 * by_shape.max(by_text) + 0.3 * by_names.max(by_text) + 0.2 * by_words;
        let by_statements = format!("{same} of {} statements, {shared} names", self.shapes.len());
        let likeness = by_text.max(mixed);
        if likeness > by_words * 0.5 { (round(likeness), by_statements) } else { (round(by_words * 0.5), told()) }
    }
}

fn round(value: f64) -> f64 {
    (value.min(1.0) * 100.0).round() / 100.0
}

fn usual_language(listed: &[ListedStatements]) -> Language {
    let mut counts: BTreeMap<Language, usize> = BTreeMap::new();
    for file in listed {
        *counts.entry(file.language).or_default() += 1;
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map_or(Language::Python, |(language, _)| language)
}

/// The length of the longest sequence that stands in both in order.
fn common_subsequence(a: &[u32], b: &[u32]) -> usize {
    /// Statements of each that are compared.
    const MOST: usize = 400;
    let (a, b) = (a.get(..MOST).unwrap_or(a), b.get(..MOST).unwrap_or(b));
    let mut row = vec![0_usize; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (at, y) in b.iter().enumerate() {
            let above = row.get(at + 1).copied().unwrap_or_default();
            let left = row.get(at).copied().unwrap_or_default();
            let best = if x == y { diagonal + 1 } else { above.max(left) };
            if let Some(cell) = row.get_mut(at + 1) {
                *cell = best;
            }
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// The words of names and sentences: `parseUvLock` and `parse_uv_lock` have three.
fn words_of(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut word = String::new();
    let mut last = ' ';
    for letter in text.chars().chain([' ']) {
        let begins = letter.is_uppercase() && last.is_lowercase() || !letter.is_alphanumeric();
        if begins && !word.is_empty() {
            words.insert(stem(&std::mem::take(&mut word)));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        last = letter;
    }
    words.retain(|word| word.len() > 1 && COMMON_WORDS.binary_search(&word.as_str()).is_err());
    words
}

/// One form for the plural and the usual endings of verbs.
fn stem(word: &str) -> String {
    for ending in ["ing", "ies", "es", "ed", "s"] {
        if let Some(stem) =
            word.strip_suffix(ending).filter(|stem| stem.len() > 2 && !(ending == "s" && stem.ends_with('s')))
        {
            return stem.trim_end_matches('e').to_owned();
        }
    }
    if word.len() > 3 { word.trim_end_matches('e').to_owned() } else { word.to_owned() }
}

fn words_of_element(element: &Element) -> BTreeSet<String> {
    let mut words = words_of(&element.path);
    words.extend(words_of(&element.signature));
    words.extend(element.doc.as_deref().map(words_of).unwrap_or_default());
    words
}

/// Rare words say more.
struct WordWeights {
    counts: BTreeMap<String, usize>,
    all: usize,
}

impl WordWeights {
    fn from_elements(elements: &[BTreeSet<String>]) -> Self {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for word in elements.iter().flatten() {
            *counts.entry(word.clone()).or_default() += 1;
        }
        Self { counts, all: elements.len() }
    }

    fn weight(&self, word: &str) -> f64 {
        let count = self.counts.get(word).copied().unwrap_or_default();
        (1.0 + self.all as f64 / (1 + count) as f64).log2()
    }

    /// The share of what is wanted that is there, less a little for what is there besides.
    fn share_of(&self, wanted: &BTreeSet<String>, there: &BTreeSet<String>) -> f64 {
        let sum = |words: &mut dyn Iterator<Item = &String>| words.map(|word| self.weight(word)).sum::<f64>();
        let all = sum(&mut wanted.iter());
        let common = sum(&mut wanted.intersection(there));
        let besides = sum(&mut there.difference(wanted));
        if all == 0.0 { 0.0 } else { common / all * (1.0 - 0.3 * besides / (besides + all)) }
    }
}

fn describe(graph: &Graph<'_>, (likeness, because, id): (f64, String, ElementId)) -> Option<SimilarElement> {
    let node = GraphNode::Element(id);
    let element = graph.element(node)?;
    let mut called_at: BTreeSet<(String, u32)> = BTreeSet::new();
    for step in graph.incoming(node).filter(|step| step.edge.kind == EdgeKind::Call) {
        if let Some(file) = graph.file(step.edge.from) {
            called_at.extend(lines_of(step.edge).into_iter().map(|line| (file.path.clone(), line)));
        }
    }
    Some(SimilarElement {
        place: NodeLocation::from_node(graph, node)?,
        signature: element.signature.clone(),
        doc: element.doc.clone(),
        likeness,
        because,
        callers: called_at.len(),
        called_at: called_at.into_iter().take(CALLERS).map(|(file, line)| format!("{file}:{line}")).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_and_stemmed() {
        assert!(COMMON_WORDS.is_sorted());
        let words = |text: &str| words_of(text).into_iter().collect::<Vec<_>>();
        assert_eq!(words("def parseUvLock(path: str)"), ["lock", "pars", "path", "uv"]);
        assert_eq!(words("parsing the uv_locks"), ["lock", "pars", "uv"]);
        assert_eq!(common_subsequence(&[1, 2, 3, 4], &[2, 9, 3, 1, 4]), 3);
    }
}

//! What the weights are learnt from: templates and sentences that were written for it, texts of other hands that may be
//! learnt from, and documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Deserialize;

use super::super::features::{Feature, find_features, words_of};
use super::Numbers;
use super::corpus::{comments, is_learnt_from};
use crate::fold::fold_text;
use crate::sentence::find_sentences;

/// The folder of the templates: files whose names begin with `attacks` hold orders, those with `benign` none.
const TEMPLATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/training");
/// The folder of sentences that stand as they are, named in the same way.
const SENTENCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/training/sentences");
/// The texts that nobody prepared for, as far as they may be learnt from.
const UNSEEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/unseen/open");

/// Each template is written out so often.
const VARIANTS: u64 = 8;
/// The examples are parted into so many, each of which is held out once.
pub(super) const PARTS: usize = 5;
/// The part of the texts of others that is never learnt: `tests/it/guards_unseen.rs` measures by it.
const NEVER_LEARNT: usize = 0;
/// A sentence is an attack where so many hundredths of its words are.
const OF_ATTACK: usize = 70;
/// Attacks that are not there as sentences, or whose sentences are not told by their words.
const SPELT: [&str; 4] = ["encoded", "hidden_chars", "other_language", "split"];

/// Where an example comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextOrigin {
    Template,
    Sentence,
    Unseen,
    Document,
}

impl TextOrigin {
    /// How often in a row it is learnt: a written sentence says more than a paragraph of any document, and a template
    /// stands there in several variants.
    pub(super) const fn times(self, order: bool) -> usize {
        match (self, order) {
            (Self::Template, true) => 1,
            (Self::Template | Self::Sentence, false) => 2,
            (Self::Unseen | Self::Document, false) => 3,
            (Self::Sentence | Self::Document, true) => 4,
            (Self::Unseen, true) => 6,
        }
    }
}

pub(super) struct TrainingText {
    pub(super) order: bool,
    pub(super) origin: TextOrigin,
    /// Which of the [`PARTS`] it belongs to.
    pub(super) part: usize,
    /// Of all examples of one template.
    pub(super) template: usize,
    pub(super) text: String,
    /// The features of each of its sentences.
    pub(super) sentences: Vec<Vec<Feature>>,
}

/// A template with one of the words in each pair of braces.
fn write_out(template: &str, numbers: &mut Numbers) -> String {
    let mut text = template.replace("\\|", "\u{1}");
    while let Some(end) = text.find('}') {
        let Some(start) = text[..end].rfind('{') else { break };
        let choices: Vec<&str> = text[start + 1..end].split('|').collect();
        let choice = choices[numbers.next() as usize % choices.len()].to_owned();
        text.replace_range(start..=end, &choice);
    }
    text.replace('\u{1}', "|")
}

fn sentences_of(text: &str) -> Vec<Vec<Feature>> {
    find_sentences(text).iter().map(|sentence| find_features(&sentence.text)).collect()
}

/// The texts of the files in a folder, and whether they are orders.
fn tables(folder: &str) -> Vec<(String, bool)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    paths.sort();
    let is_order = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("attacks");
    paths.iter().map(|path| (fs::read_to_string(path).unwrap(), is_order(path))).collect()
}

/// What was written for the training.
pub(super) fn written() -> Vec<TrainingText> {
    let mut examples = Vec::new();
    let mut numbers = Numbers(7);
    let mut template = 0;
    let is_text = |line: &&str| !line.is_empty() && !line.starts_with(['#', '=']);
    for (table, order) in tables(TEMPLATES) {
        for line in table.lines().filter(is_text) {
            template += 1;
            let mut texts: Vec<String> = (0..VARIANTS).map(|_| write_out(line, &mut numbers)).collect();
            texts.sort();
            texts.dedup();
            examples.extend(texts.into_iter().map(|text| {
                let sentences = sentences_of(&text);
                TrainingText { order, origin: TextOrigin::Template, part: template % PARTS, template, text, sentences }
            }));
        }
    }
    for (table, order) in tables(SENTENCES) {
        for text in table.lines().filter(|line| !line.is_empty()).map(str::to_owned) {
            template += 1;
            let sentences = sentences_of(&text);
            examples.push(TrainingText {
                order,
                origin: TextOrigin::Sentence,
                part: template % PARTS,
                template,
                text,
                sentences,
            });
        }
    }
    examples
}

/// A text of others, and the attack in it.
#[derive(Deserialize)]
pub(super) struct UnseenText {
    id: String,
    #[serde(default)]
    pub(super) kind: String,
    pub(super) text: String,
    #[serde(default)]
    attack: String,
}

impl UnseenText {
    pub(super) fn part(&self) -> usize {
        let digits = self.id.get(self.id.len() - 2..).unwrap_or_default();
        usize::from_str_radix(digits, 16).unwrap_or_default() % PARTS
    }

    pub(super) fn is_attack(&self) -> bool {
        !self.attack.is_empty()
    }
}

pub(super) fn unseen() -> Vec<UnseenText> {
    let mut texts = Vec::new();
    for name in ["attacks", "benign"] {
        let packed = fs::read(Path::new(UNSEEN).join(format!("{name}.jsonl.gz"))).unwrap();
        let mut lines = String::new();
        GzDecoder::new(&*packed).read_to_string(&mut lines).unwrap();
        texts.extend(lines.lines().map(|line| serde_json::from_str::<UnseenText>(line).unwrap()));
    }
    texts
}

/// The texts of others as examples: what surrounds an attack is harmless.
pub(super) fn learnt_from_unseen(texts: &[UnseenText], first: usize) -> Vec<TrainingText> {
    let mut examples = Vec::new();
    for (number, one) in texts.iter().enumerate().filter(|(_, one)| one.part() != NEVER_LEARNT) {
        let (part, template) = (one.part(), first + number);
        let mut push = |order: bool, sentences: Vec<Vec<Feature>>| {
            let text = one.text.clone();
            examples.push(TrainingText { order, origin: TextOrigin::Unseen, part, template, text, sentences });
        };
        if !one.is_attack() {
            push(false, sentences_of(&one.text));
            continue;
        }
        let attack = fold_text(&one.attack).text;
        let words: BTreeSet<&str> = words_of(&attack).collect();
        let is_of_attack = |sentence: &str| {
            let (all, known) = words_of(sentence)
                .fold((0, 0), |(all, known), word| (all + 1, known + usize::from(words.contains(word))));
            all > 0 && known * 100 >= all * OF_ATTACK
        };
        let (attacks, others): (Vec<_>, Vec<_>) =
            find_sentences(&one.text).into_iter().partition(|sentence| is_of_attack(&sentence.text));
        let features = |sentences: Vec<crate::sentence::Sentence>| {
            sentences.iter().map(|sentence| find_features(&sentence.text)).collect::<Vec<_>>()
        };
        if !matches!(&*one.kind, "encoded" | "hidden_chars") {
            push(true, features(attacks));
        }
        if !SPELT.contains(&&*one.kind) {
            push(false, features(others));
        }
    }
    examples
}

/// A word is common from so many examples on.
const COMMON: usize = 8;

/// The words that many of the examples have, documents aside, a line each.
pub(super) fn common_words(examples: &[TrainingText]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in examples.iter().filter(|one| one.origin != TextOrigin::Document) {
        let folded = fold_text(&one.text).text;
        for word in words_of(&folded).collect::<BTreeSet<&str>>() {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= COMMON).map(|(word, _)| word + "\n").collect()
}

/// What others and this project wrote for readers: every paragraph of it is harmless.
pub(super) fn documents(first: usize) -> Vec<TrainingText> {
    let mut examples = Vec::new();
    let mut add = |part: usize, text: &str| {
        let template = first + examples.len();
        let sentences = sentences_of(text);
        let text = text.to_owned();
        examples.push(TrainingText { order: false, origin: TextOrigin::Document, part, template, text, sentences });
    };
    let read = |path: PathBuf| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    for text in
        documentation(&[".md", ".mdx", ".rst", ".rst.txt"]).into_iter().chain(prose()).chain(of_crates()).map(read)
    {
        for (number, paragraph) in text.split("\n\n").enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            add(number % PARTS, paragraph);
        }
    }
    for program in documentation(&[".py"]).into_iter().map(read) {
        for (number, text) in comments(&program).iter().enumerate() {
            add(number % PARTS, text);
        }
    }
    examples
}

/// The files with an ending in every second of the packages of `tests/corpus.lock.json` that are at hand: the other half is
/// only measured.
fn documentation(endings: &[&str]) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpus");
    let Ok(entries) = fs::read_dir(corpus) else { return Vec::new() };
    let packages = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    let mut folders: Vec<PathBuf> =
        packages.filter(|path| is_learnt_from(&path.file_name().unwrap().to_string_lossy())).collect();
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
}

/// The longest document of a crate that is learnt from, in bytes: some keep the changes of ten years.
const LONGEST_OF_CRATE: u64 = 60_000;

/// The documents at the top of each of the crates in the local registry.
fn of_crates() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")));
    let entries = |path: PathBuf| fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let crates = home.into_iter().flat_map(|home| entries(home.join("registry/src"))).flat_map(entries);
    let mut paths: Vec<PathBuf> = crates
        .flat_map(entries)
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .filter(|path| path.metadata().is_ok_and(|of| of.is_file() && of.len() <= LONGEST_OF_CRATE))
        .collect();
    paths.sort();
    paths
}

/// The documents of the repository, but those that are about attacks.
fn prose() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    let mut folders = vec![root.join("knowledge"), root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                paths.push(path);
            }
        }
    }
    paths.retain(|path| !["guard.md", "prompt-injection-and-guardrails.md"].iter().any(|name| path.ends_with(name)));
    paths.sort();
    paths
}

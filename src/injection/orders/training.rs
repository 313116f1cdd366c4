//! Makes the weights from texts written for it, and says how well they do on the templates that were held out.
//!
//! `UPDATE_WEIGHTS=1 cargo test -p tapps-injection weights -- --nocapture` writes `weights.tsv`. Logistic regression: each
//! text is an order by its highest sentence, harmless by all of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::features::{Feature, find_features, words_of};
use super::{BIAS, ORDER, WEIGHT_TABLE};
use crate::sentence::find_sentences;

/// The folder of the templates: files whose names begin with `attacks` hold orders, those with `benign` none.
const TEMPLATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/training");

/// Each template is written out so often.
const VARIANTS: u64 = 8;
/// Every so many templates are held out.
const HELD_OUT: usize = 5;
/// A feature that fewer templates have gets no weight.
const LEAST_TEMPLATES: usize = 3;
/// How often all examples are learnt from.
const ROUNDS: usize = 6;
/// How strongly weights are pulled towards nought.
const PULL: f64 = 0.005;
/// A harmless template is learnt so often in a row: it says more than a paragraph of any document.
const HARMLESS_TIMES: usize = 5;
/// A smaller weight is left out, in thousandths.
const LEAST_WEIGHT: f64 = 120.0;

struct TrainingText {
    order: bool,
    held_out: bool,
    /// It is a template, no document.
    written: bool,
    /// Of all examples of one template.
    template: usize,
    text: String,
    /// The features of each of its sentences.
    sentences: Vec<Vec<Feature>>,
}

/// A row of numbers that is the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
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

/// The templates of each file, and whether they are orders.
fn tables() -> Vec<(String, bool)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(TEMPLATES).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_order = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("attacks");
    paths.iter().map(|path| (fs::read_to_string(path).unwrap(), is_order(path))).collect()
}

/// The examples: the templates written out, and, for making weights, what others and this project wrote for readers.
fn examples(with_prose: bool) -> Vec<TrainingText> {
    let mut examples = Vec::new();
    let mut numbers = Numbers(7);
    let mut template = 0;
    for (table, order) in tables() {
        for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '='])) {
            template += 1;
            let mut texts: Vec<String> = (0..VARIANTS).map(|_| write_out(line, &mut numbers)).collect();
            texts.sort();
            texts.dedup();
            for text in texts {
                let sentences = sentences_of(&text);
                let held_out = template % HELD_OUT == 0;
                examples.push(TrainingText { order, held_out, written: true, template, text, sentences });
            }
        }
    }
    // Every paragraph of documents is harmless.
    let documents = if with_prose { documentation().into_iter().chain(prose()).collect() } else { Vec::new() };
    for path in documents {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for (number, paragraph) in text.split("\n\n").enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            template += 1;
            let sentences = sentences_of(paragraph);
            let held_out = number % HELD_OUT == 0;
            let text = paragraph.to_owned();
            examples.push(TrainingText { order: false, held_out, written: false, template, text, sentences });
        }
    }
    examples
}

/// The documentation of every second of the packages of `tests/corpus.lock.json` that are at hand: the other half is only
/// measured.
fn documentation() -> Vec<PathBuf> {
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
            } else if path.extension().is_some_and(|ending| ["md", "mdx", "rst"].iter().any(|known| ending == *known)) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
}

/// Every second package by the digest of its name: all versions of one are on one side.
fn is_learnt_from(folder: &str) -> bool {
    let name = folder.split('@').next().unwrap_or_default();
    let end = name.match_indices('-').find(|(at, _)| name[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    let name = end.map_or(name, |(at, _)| &name[..at]);
    let name = name.trim_end_matches("-source").trim_end_matches("-wheel");
    !name.starts_with('.') && name.bytes().fold(0_u32, |sum, byte| sum * 31 % 65_521 + u32::from(byte)) % 2 == 0
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

/// The features that have a weight, by number, and the weights.
struct Model {
    numbers: BTreeMap<Feature, usize>,
    weights: Vec<f64>,
    squares: Vec<f64>,
    bias: f64,
}

impl Model {
    fn known(&self, features: &[Feature]) -> Vec<usize> {
        features.iter().filter_map(|feature| self.numbers.get(feature).copied()).collect()
    }

    fn score(&self, features: &[Feature]) -> f64 {
        self.score_known(&self.known(features))
    }

    fn score_known(&self, known: &[usize]) -> f64 {
        self.bias + known.iter().map(|at| self.weights[*at]).sum::<f64>()
    }

    /// A step of stochastic descent with a rate for each weight (AdaGrad) and a pull towards nought.
    fn learn(&mut self, known: &[usize], order: bool) {
        let wanted = f64::from(u8::from(order));
        let error = wanted - 1.0 / (1.0 + (-self.score_known(known)).exp());
        for at in known {
            let slope = error - PULL * self.weights[*at];
            self.squares[*at] += slope * slope;
            self.weights[*at] += 0.25 * slope / self.squares[*at].sqrt();
        }
        self.bias += 0.02 * error;
    }
}

fn train(examples: &[TrainingText], with_held_out: bool) -> Model {
    let mut templates: BTreeMap<Feature, (usize, usize)> = BTreeMap::new();
    let used: Vec<&TrainingText> = examples.iter().filter(|one| with_held_out || !one.held_out).collect();
    for one in &used {
        for feature in one.sentences.iter().flatten() {
            let (last, count) = templates.entry(*feature).or_default();
            *count += usize::from(*last != one.template);
            *last = one.template;
        }
    }
    let frequent = templates.iter().filter(|(_, (_, count))| *count >= LEAST_TEMPLATES);
    let numbers: BTreeMap<Feature, usize> = frequent.enumerate().map(|(at, (feature, _))| (*feature, at)).collect();
    let size = numbers.len();
    let mut model = Model { numbers, weights: vec![0.0; size], squares: vec![0.5; size], bias: -2.0 };
    let known: Vec<Vec<Vec<usize>>> =
        used.iter().map(|one| one.sentences.iter().map(|sentence| model.known(sentence)).collect()).collect();
    let mut chance = Numbers(11);
    let mut order: Vec<usize> = (0..used.len()).collect();
    let mut sums = vec![0.0; size];
    for round in 0..ROUNDS {
        for at in (1..order.len()).rev() {
            order.swap(at, chance.next() as usize % (at + 1));
        }
        for at in &order {
            if used[*at].order {
                let best = known[*at].iter().max_by(|a, b| model.score_known(a).total_cmp(&model.score_known(b)));
                if let Some(best) = best {
                    model.learn(best, true);
                }
            } else {
                for _ in 0..if used[*at].written { HARMLESS_TIMES } else { 1 } {
                    for sentence in &known[*at] {
                        model.learn(sentence, false);
                    }
                }
            }
        }
        if round >= ROUNDS / 2 {
            sums.iter_mut().zip(&model.weights).for_each(|(sum, weight)| *sum += weight);
        }
    }
    // The mean of the later rounds is less a matter of chance than the last of them.
    model.weights = sums.into_iter().map(|sum| sum / (ROUNDS - ROUNDS / 2) as f64).collect();
    model
}

/// The names of the words in the examples.
fn names_of_words(examples: &[TrainingText]) -> BTreeMap<Feature, String> {
    let mut names = BTreeMap::new();
    for sentence in examples.iter().flat_map(|one| find_sentences(&one.text)) {
        let words: Vec<&str> = words_of(&sentence.text).collect();
        let singles = words.iter().map(|word| format!("word {word}"));
        let pairs = words.windows(2).map(|pair| format!("words {} {}", pair[0], pair[1]));
        names.extend(singles.chain(pairs).filter_map(|name| Some((Feature::from_name(&name)?, name))));
    }
    names
}

fn to_table(model: &Model, words: &BTreeMap<Feature, String>) -> String {
    let mut out = format!("bias\t{}\n", (model.bias * 1_000.0).round());
    for (feature, at) in &model.numbers {
        let weight = (model.weights[*at] * 1_000.0).round();
        if weight.abs() >= LEAST_WEIGHT {
            let name = words.get(feature).cloned().unwrap_or_else(|| feature.name());
            out.push_str(&format!("{name}\t{weight}\n"));
        }
    }
    out
}

/// Shares of the orders found and of the harmless texts that are not left alone, at several thresholds.
fn print_shares(name: &str, examples: &[&TrainingText], score: &dyn Fn(&[Feature]) -> f64) {
    let best = |one: &TrainingText| one.sentences.iter().map(|sentence| score(sentence)).fold(f64::MIN, f64::max);
    let mut harmless: Vec<f64> = examples.iter().filter(|one| !one.order).map(|one| best(one)).collect();
    harmless.sort_by(|a, b| b.total_cmp(a));
    for share in [0.001, 0.002, 0.003, 0.005, 0.01] {
        let threshold = harmless[(harmless.len() as f64 * share) as usize];
        let found = examples.iter().filter(|one| one.order && best(one) > threshold).count();
        println!("{name} with alarms on {share}: found {found}, from {threshold:.2}");
    }
    for threshold in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] {
        let share = |order: bool| {
            let of: Vec<&&TrainingText> = examples.iter().filter(|one| one.order == order).collect();
            let hits = of.iter().filter(|one| best(one) >= threshold).count();
            (hits, of.len())
        };
        let ((found, orders), (alarms, harmless)) = (share(true), share(false));
        println!("{name} at {threshold}: found {found} of {orders}, alarms {alarms} of {harmless}");
    }
}

#[test]
fn weights_are_made_from_the_training_texts() {
    if std::env::var_os("UPDATE_WEIGHTS").is_some() {
        let examples = examples(true);
        let partial = train(&examples, false);
        let held: Vec<&TrainingText> = examples.iter().filter(|one| one.held_out).collect();
        print_shares("held out", &held, &|features| partial.score(features));
        let mut missed: Vec<(f64, &str)> = held
            .iter()
            .map(|one| {
                let best = one.sentences.iter().map(|s| partial.score(s)).fold(f64::MIN, f64::max);
                (if one.order { best } else { -best }, one.text.as_str())
            })
            .collect();
        missed.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (score, text) in missed.iter().take(60) {
            println!("{score:.1} {}", text.replace('\n', " ").chars().take(160).collect::<String>());
        }
        let whole = train(&examples, true);
        println!("{} features", whole.weights.len());
        let table = to_table(&whole, &names_of_words(&examples));
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("orders/weights.tsv"), table).unwrap();
    }
}

#[test]
fn the_weights_in_use_fit_the_training_texts() {
    let examples = examples(false);
    let score = |features: &[Feature]| {
        let sum: i32 = features.iter().filter_map(|feature| WEIGHT_TABLE.get(feature)).sum();
        f64::from(*BIAS + sum) / 1_000.0
    };
    let best = |one: &TrainingText| one.sentences.iter().map(|sentence| score(sentence)).fold(f64::MIN, f64::max);
    let least = f64::from(ORDER) / 1_000.0;
    let share = |order: bool| {
        let of: Vec<&TrainingText> = examples.iter().filter(|one| one.order == order).collect();
        of.iter().filter(|one| best(one) >= least).count() as f64 / of.len() as f64
    };
    println!("found {:.3}, alarms {:.4}", share(true), share(false));
    assert!(share(true) >= 0.5, "{}", share(true));
    assert!(share(false) <= 0.02, "{}", share(false));
}

//! Makes the weights from what may be learnt from, and says how well they do on what was held out.
//!
//! `UPDATE_WEIGHTS=1 cargo test -p tapps-injection weights -- --nocapture` writes `weights.bin` and `words.txt`.

mod corpus;
mod examples;
mod model;

use std::fs;
use std::path::Path;
use std::thread;

use super::features::{Feature, find_features};
use super::{ORDER, score_sentence};
use crate::sentence::find_sentences;
use crate::{InjectionVerdict, inspect_text};
use examples::{PARTS, TextOrigin, TrainingText, UnseenText};
use model::{Model, train};

/// A row of numbers that is the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// The score of the highest sentence.
fn best(sentences: &[Vec<Feature>], score: &dyn Fn(&[Feature]) -> f64) -> f64 {
    sentences.iter().map(|sentence| score(sentence)).fold(f64::MIN, f64::max)
}

/// How well the parts that a model has not learnt do, at the scores that a share of the documents reach.
#[derive(Default)]
struct HeldOut {
    documents: Vec<f64>,
    /// Score and kind.
    attacks: Vec<(f64, String)>,
    harmless: Vec<(f64, String)>,
}

impl HeldOut {
    fn add(&mut self, model: &Model, part: usize, examples: &[TrainingText], unseen: &[UnseenText]) {
        let score = |features: &[Feature]| model.score(features);
        let of_part = examples.iter().filter(|one| one.part == part && one.origin == TextOrigin::Document);
        self.documents.extend(of_part.map(|one| best(&one.sentences, &score)));
        for one in unseen.iter().filter(|one| one.part() == part) {
            let sentences: Vec<Vec<Feature>> =
                find_sentences(&one.text).iter().map(|sentence| find_features(&sentence.text)).collect();
            let reached = best(&sentences, &score);
            if one.is_attack() {
                // What is told by its signs is found whatever its words.
                let signs = matches!(&*one.kind, "chat_tokens" | "encoded" | "hidden_chars")
                    && inspect_text(&one.text).verdict != InjectionVerdict::Pass;
                self.attacks.push((if signs { f64::MAX } else { reached }, one.kind.clone()));
            } else {
                self.harmless.push((reached, one.text.replace('\n', " ").chars().take(160).collect()));
            }
        }
    }

    fn print(&mut self) {
        self.documents.sort_by(|a, b| b.total_cmp(a));
        self.harmless.sort_by(|a, b| b.0.total_cmp(&a.0));
        let print = |name: String, least: f64| {
            let found = self.attacks.iter().filter(|(reached, _)| *reached > least).count();
            let alarms = self.harmless.iter().filter(|(reached, _)| *reached > least).count();
            let paragraphs = self.documents.iter().filter(|reached| **reached > least).count();
            println!(
                "{name} from {least:.2}: found {found} of {}, alarms {alarms} of {}, of documents {paragraphs} of {}",
                self.attacks.len(),
                self.harmless.len(),
                self.documents.len()
            );
        };
        for share in [0.001, 0.002, 0.003, 0.004, 0.005] {
            print(
                format!("alarms on {share} of the documents"),
                self.documents[(self.documents.len() as f64 * share) as usize],
            );
        }
        for alarms in [0, 1, 2, 5, 10, 15] {
            print(format!("{alarms} alarms"), self.harmless[alarms].0);
        }
        for least in [-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0] {
            print("score".to_owned(), least);
        }
        print("score in use".to_owned(), f64::from(ORDER) / 1_000.0);
        self.harmless.iter().take(20).for_each(|(reached, text)| println!("{reached:.1} {text}"));
    }
}

#[test]
fn weights_are_made_from_the_training_texts() {
    if std::env::var_os("UPDATE_WEIGHTS").is_none() {
        return;
    }
    let mut examples = examples::written();
    let unseen = examples::unseen();
    examples.extend(examples::learnt_from_unseen(&unseen, 1_000_000));
    examples.extend(examples::documents(2_000_000));
    let without = |part: Option<usize>| {
        let examples = &examples;
        move || train(&examples.iter().filter(|one| Some(one.part) != part).collect::<Vec<_>>())
    };
    let mut held_out = HeldOut::default();
    let whole = thread::scope(|scope| {
        let whole = scope.spawn(without(None));
        for part in 0..PARTS {
            held_out.add(&without(Some(part))(), part, &examples, &unseen);
        }
        whole.join().unwrap()
    });
    held_out.print();
    println!("{} features", whole.numbers.len());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("orders");
    fs::write(folder.join("weights.bin"), whole.to_table()).unwrap();
    fs::write(folder.join("words.txt"), examples::common_words(&examples)).unwrap();
}

#[test]
fn the_weights_in_use_fit_the_training_texts() {
    let examples = examples::written();
    let is_told =
        |one: &TrainingText| find_sentences(&one.text).iter().any(|sentence| score_sentence(&sentence.text).0 >= ORDER);
    let share = |order: bool| {
        let of: Vec<&TrainingText> = examples.iter().filter(|one| one.order == order).collect();
        of.iter().filter(|one| is_told(one)).count() as f64 / of.len() as f64
    };
    println!("found {:.3}, alarms {:.4}", share(true), share(false));
    assert!(share(true) >= 0.5, "{}", share(true));
    assert!(share(false) <= 0.02, "{}", share(false));
}

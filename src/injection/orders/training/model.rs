//! Logistic regression: each text is an order by its highest sentence, harmless by all of them.

use std::collections::BTreeMap;

use super::super::features::Feature;
use super::super::share_of;
use super::super::weights::table_of;
use super::Numbers;
use super::examples::TrainingText;

/// A feature that fewer templates have gets no weight.
const LEAST_TEMPLATES: usize = 3;
/// How often all examples are learnt from.
const ROUNDS: usize = 8;
/// How strongly weights are pulled towards nought.
const PULL: f64 = 0.005;
/// A smaller weight is left out, in thousandths.
const LEAST_WEIGHT: f64 = 80.0;

/// The features that have a weight, by number, and the weights.
pub(super) struct Model {
    pub(super) numbers: BTreeMap<Feature, usize>,
    weights: Vec<f64>,
    squares: Vec<f64>,
    bias: f64,
}

impl Model {
    fn known(&self, features: &[Feature]) -> Vec<usize> {
        features.iter().filter_map(|feature| self.numbers.get(feature).copied()).collect()
    }

    pub(super) fn score(&self, features: &[Feature]) -> f64 {
        self.score_known(&self.known(features))
    }

    fn score_known(&self, known: &[usize]) -> f64 {
        self.bias + share_of(known.len() as u32) * known.iter().map(|at| self.weights[*at]).sum::<f64>()
    }

    /// A step of stochastic descent with a rate for each weight (AdaGrad) and a pull towards nought.
    fn learn(&mut self, known: &[usize], order: bool) {
        let wanted = f64::from(u8::from(order));
        let error = wanted - 1.0 / (1.0 + (-self.score_known(known)).exp());
        let share = share_of(known.len() as u32);
        for at in known {
            let slope = error * share - PULL * self.weights[*at];
            self.squares[*at] += slope * slope;
            self.weights[*at] += 0.25 * slope / self.squares[*at].sqrt();
        }
        self.bias += 0.02 * error;
    }

    /// The bias and the weights, in thousandths.
    pub(super) fn to_table(&self) -> Vec<u8> {
        let thousandths = |weight: f64| (weight * 1_000.0).round() as i32;
        let weights = self.numbers.iter().map(|(feature, at)| (*feature, thousandths(self.weights[*at])));
        table_of(thousandths(self.bias), weights.filter(|(_, weight)| *weight != 0))
    }
}

pub(super) fn train(examples: &[&TrainingText]) -> Model {
    let mut templates: BTreeMap<Feature, (usize, usize)> = BTreeMap::new();
    for one in examples {
        for feature in one.sentences.iter().flatten() {
            let (last, count) = templates.entry(*feature).or_default();
            *count += usize::from(*last != one.template);
            *last = one.template;
        }
    }
    let frequent = templates.iter().filter(|(_, (_, count))| *count >= LEAST_TEMPLATES);
    let all = fit(examples, frequent.map(|(feature, _)| *feature));
    // What turned out to be a trifle goes, and the others learn to do without it.
    let kept = all.numbers.iter().filter(|(_, at)| (all.weights[**at] * 1_000.0).abs() >= LEAST_WEIGHT);
    fit(examples, kept.map(|(feature, _)| *feature))
}

fn fit(examples: &[&TrainingText], features: impl Iterator<Item = Feature>) -> Model {
    let numbers: BTreeMap<Feature, usize> = features.enumerate().map(|(at, feature)| (feature, at)).collect();
    let size = numbers.len();
    let mut model = Model { numbers, weights: vec![0.0; size], squares: vec![0.5; size], bias: -2.0 };
    let known: Vec<Vec<Vec<usize>>> =
        examples.iter().map(|one| one.sentences.iter().map(|sentence| model.known(sentence)).collect()).collect();
    let mut chance = Numbers(11);
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut sums = vec![0.0; size];
    for round in 0..ROUNDS {
        for at in (1..order.len()).rev() {
            order.swap(at, chance.next() as usize % (at + 1));
        }
        for at in &order {
            let one = examples[*at];
            let times = one.origin.times(one.order);
            if one.order {
                let best = known[*at].iter().max_by(|a, b| model.score_known(a).total_cmp(&model.score_known(b)));
                if let Some(best) = best {
                    (0..times).for_each(|_| model.learn(best, true));
                }
            } else {
                for _ in 0..times {
                    known[*at].iter().for_each(|sentence| model.learn(sentence, false));
                }
            }
        }
        if round >= ROUNDS / 2 {
            sums.iter_mut().zip(&model.weights).for_each(|(sum, weight)| *sum += weight);
        }
    }
    // The mean of the later rounds is less a matter of chance than the last of them.
    let mean = |sum: f64| sum / (ROUNDS - ROUNDS / 2) as f64;
    model.weights = sums.into_iter().map(mean).collect();
    model
}

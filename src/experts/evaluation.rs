//! How well questions find their files, by the usual measures.

use serde::{Deserialize, Serialize};

use super::answer::ExpertQuestion;
use super::corpus::ExpertCorpus;
use tapps_base::{Result, digest};

/// A question with the files that answer it; with none, it is to be declined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationQuestion {
    pub question: String,
    /// `<domain>/<topic>`, the best first.
    #[serde(default)]
    pub files: Vec<String>,
}

/// The measures over a set of questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    pub questions: usize,
    /// The share of questions for which one of their files is among the first three.
    pub recall_at_3: f64,
    /// Normalised discounted cumulative gain over the first five: the first file named counts 3, the others 1.
    pub ndcg_at_5: f64,
    /// The share of questions with files that were answered.
    pub answered: f64,
    pub off_topic: usize,
    /// The share of questions without files that were declined.
    pub declined: f64,
    /// What went wrong, each in a line.
    pub missed: Vec<String>,
}

/// The questions that the constants of the search were fitted to, and those that were held back: by the parity of the
/// first byte of a question's digest, so that nobody chooses.
#[must_use]
pub fn halves(asked: &[EvaluationQuestion]) -> (Vec<EvaluationQuestion>, Vec<EvaluationQuestion>) {
    asked.iter().cloned().partition(|one| digest::sha256_bytes(one.question.as_bytes())[0].is_multiple_of(2))
}

/// Asks every question.
///
/// # Errors
/// As [`ExpertCorpus::ask`].
pub fn evaluate(experts: &ExpertCorpus, asked: &[EvaluationQuestion]) -> Result<Evaluation> {
    let (mut found, mut gain, mut answered, mut declined) = (0_usize, 0.0, 0_usize, 0_usize);
    let mut missed = Vec::new();
    let on_topic = asked.iter().filter(|one| !one.files.is_empty()).count();
    for one in asked {
        let answer = experts.ask(&ExpertQuestion { text: one.question.clone(), ..ExpertQuestion::default() })?;
        if one.files.is_empty() {
            if answer.covered {
                missed.push(format!(
                    "answered with {:?} at {}: {}",
                    answer.domain, answer.confidence.value, one.question
                ));
            } else {
                declined += 1;
            }
            continue;
        }
        answered += usize::from(answer.covered);
        let names: Vec<&str> = experts
            .search_files(&one.question, None)?
            .into_iter()
            .take(5)
            .map(|(file, _)| file.name.as_str())
            .collect();
        let hit = names.iter().take(3).any(|name| one.files.iter().any(|file| file == name));
        found += usize::from(hit);
        gain += ndcg(&names, &one.files);
        if !hit {
            missed.push(format!("{} instead of {}: {}", names.join(" "), one.files.join(" "), one.question));
        } else if !answer.covered {
            missed.push(format!("declined at {}: {}", answer.confidence.value, one.question));
        }
    }
    let off_topic = asked.len() - on_topic;
    Ok(Evaluation {
        questions: on_topic,
        recall_at_3: share(found as f64, on_topic),
        ndcg_at_5: share(gain, on_topic),
        answered: share(answered as f64, on_topic),
        off_topic,
        declined: share(declined as f64, off_topic),
        missed,
    })
}

fn share(part: f64, of: usize) -> f64 {
    if of == 0 { 1.0 } else { part / of as f64 }
}

fn ndcg(names: &[&str], wanted: &[String]) -> f64 {
    let worth = |place: usize| if place == 0 { 3.0 } else { 1.0 };
    let discount = |place: usize| ((place + 2) as f64).log2();
    let gained: f64 = names
        .iter()
        .enumerate()
        .filter_map(|(place, name)| Some(worth(wanted.iter().position(|file| file == name)?) / discount(place)))
        .sum();
    let ideal: f64 = (0..wanted.len().min(5)).map(|place| worth(place) / discount(place)).sum();
    if ideal > 0.0 { gained / ideal } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gain_is_one_for_the_ideal_order_and_less_for_others() {
        let wanted = ["a".to_owned(), "b".to_owned()];
        assert!((ndcg(&["a", "b", "c"], &wanted) - 1.0).abs() < 1e-12);
        // (1/log2(2) + 3/log2(3)) / (3/log2(2) + 1/log2(3))
        assert!((ndcg(&["b", "a"], &wanted) - 0.796_708).abs() < 1e-6, "{}", ndcg(&["b", "a"], &wanted));
        assert_eq!(ndcg(&["x", "y"], &wanted), 0.0);
    }
}

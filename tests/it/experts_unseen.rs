//! How questions fare that were written without sight of the experts' files: `tests/experts/unseen/README.md`.

use std::collections::BTreeMap;

use serde::Deserialize;
use tapps_base::digest;
use tapps_experts::{Domain, ExpertCorpus, ExpertQuestion};

const OPEN: &str = include_str!("../experts/unseen/open.jsonl");
const SEALED: &[u8] = include_bytes!("../experts/unseen/sealed.jsonl");
const SEAL: &str = include_str!("../experts/unseen/SEALED.sha256");

#[derive(Deserialize)]
struct UnseenQuestion {
    id: String,
    domain: Option<String>,
    #[serde(default)]
    facts: Vec<Vec<String>>,
    question: String,
}

/// What came of some questions; shares are of 1.
#[derive(Default)]
struct Tally {
    asked: u32,
    facts: f64,
    domain: u32,
    declined: u32,
}

impl Tally {
    fn share(&self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.asked.max(1))
    }
}

/// True when the text holds the phrase from the beginning of a word. Many phrases are stems, so that the end is free.
fn holds(text: &str, phrase: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric();
    let begins_word = phrase.starts_with(in_word);
    text.match_indices(phrase).any(|(at, _)| !begins_word || !text[..at].ends_with(in_word))
}

fn questions() -> Vec<UnseenQuestion> {
    OPEN.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_sealed_questions_are_as_they_were_sealed() {
    assert_eq!(SEAL.split_whitespace().next(), Some(&*digest::sha256(SEALED)));
    let questions = questions();
    assert!(questions.len() > 700, "{}", questions.len());
    for one in questions {
        assert_eq!(one.id, digest::sha256(one.question.as_bytes()));
        assert!(!matches!(one.id.as_bytes()[0], b'0'..=b'4'), "sealed: {}", one.question);
    }
}

#[test]
fn a_phrase_counts_from_the_beginning_of_a_word() {
    assert!(holds("idempotency key", "idempot") && holds("an alt=\"\" on it", "alt=\"\""));
    assert!(!holds("unpaginated", "paginat") && holds("x=\"\"", "=\"\""));
}

/// `cargo test --locked -p tapps-mcp --test it experts_unseen -- --nocapture` prints the table of `docs/experts.md`.
#[test]
fn unprepared_questions_are_answered_as_the_documents_say() {
    let experts = ExpertCorpus::builtin_only();
    let mut by_domain: BTreeMap<&str, Tally> = BTreeMap::new();
    let questions = questions();
    for one in &questions {
        let answer = experts.ask(&ExpertQuestion { text: one.question.clone(), ..ExpertQuestion::default() }).unwrap();
        let tally = by_domain.entry(one.domain.as_deref().unwrap_or("to decline")).or_default();
        tally.asked += 1;
        tally.declined += u32::from(!answer.covered);
        let text = answer.answer.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        let found = one.facts.iter().filter(|fact| fact.iter().any(|phrase| holds(&text, phrase))).count();
        if let Some(domain) = &one.domain {
            tally.facts +=
                f64::from(u32::try_from(found).unwrap()) / f64::from(u32::try_from(one.facts.len()).unwrap());
            tally.domain += u32::from(answer.domain.is_some_and(|found| found.as_str() == domain));
        }
    }
    let off_topic = by_domain.remove("to decline").unwrap();
    assert_eq!(by_domain.len(), Domain::ALL.len());
    let mut all = Tally::default();
    println!("| domain | questions | facts | domain found | declined |\n| --- | --- | --- | --- | --- |");
    let row = |name: &str, of: &Tally| {
        let facts = of.facts / f64::from(of.asked);
        println!("| {name} | {} | {facts:.2} | {:.2} | {:.2} |", of.asked, of.share(of.domain), of.share(of.declined));
    };
    for (name, tally) in &by_domain {
        row(name, tally);
        all.asked += tally.asked;
        all.facts += tally.facts;
        all.domain += tally.domain;
        all.declined += tally.declined;
    }
    row("all", &all);
    println!("off topic, declined: {:.2} of {}", off_topic.share(off_topic.declined), off_topic.asked);
    let facts = all.facts / f64::from(all.asked);
    assert!(facts >= LEAST_FACTS, "{facts}");
    assert!(off_topic.share(off_topic.declined) >= LEAST_DECLINED);
}

/// What was measured last, rounded down: these only go up.
const LEAST_FACTS: f64 = 0.37;
const LEAST_DECLINED: f64 = 0.84;

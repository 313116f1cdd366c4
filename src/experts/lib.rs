//! Sixteen domains of engineering knowledge: files that people wrote, found by retrieval that gives the same answer to
//! the same question, with its sources and how sure it is. Nothing is made up: what no file covers is said to be
//! uncovered.

mod answer;
mod builtin;
mod corpus;
mod domain;
mod evaluation;
mod evidence;
mod examples;
mod excerpt;
mod file;
mod find;
mod freshness;
mod generate;
mod index;
mod ingest;
mod learned;
mod library;
mod likelihood;
mod skill;
mod symptoms;
mod terms;
mod validate;
mod vector;
mod vocabulary;
mod words;

pub use answer::{AnswerSource, Confidence, DEFAULT_TOKENS, ExpertAnswer, ExpertQuestion, MOST_TOKENS};
pub use corpus::{DomainListing, ExpertCorpus, Refused};
pub use domain::Domain;
pub use evaluation::{Evaluation, EvaluationQuestion, evaluate, halves};
pub use file::{Knowledge, KnowledgeOrigin, Section};
pub use freshness::{DEFAULT_DAYS, Freshness, Stale};
pub use generate::{Draft, DraftRequest, DraftedSection};
pub use index::FileHit;
pub use learned::LearnedRanks;
pub use library::ExpertLibrary;
pub use skill::Skill;
pub use validate::{KnowledgeCheck, validate_file};
pub use vector::{Embedder, Fallback, Model, Reason, SearchBackend, Searched};

//! Sixteen domains of engineering knowledge: files that people wrote, found by retrieval that gives the same answer to
//! the same question, with its sources and how sure it is. Nothing is made up: what no file covers is said to be
//! uncovered.

mod answer;
mod builtin;
mod corpus;
mod domain;
mod evaluation;
mod examples;
mod file;
mod find;
mod freshness;
mod index;
mod ingest;
mod library;
mod skill;
mod terms;
mod validate;
mod vector;
mod vocabulary;
mod words;

pub use answer::{Answer, Confidence, DEFAULT_TOKENS, Question, Source};
pub use corpus::{Experts, Listed, Refused};
pub use domain::Domain;
pub use evaluation::{Asked, Evaluation, evaluate, halves};
pub use file::{Knowledge, Origin, Section};
pub use freshness::{DEFAULT_DAYS, Freshness, Stale};
pub use index::Hit;
pub use library::Library;
pub use skill::Skill;
pub use validate::validate;
pub use vector::{Embedder, Fallback, Model, Reason, Search, Searched};

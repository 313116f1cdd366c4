//! Scores: findings become deductions, deductions become seven category scores, those become one number and a gate.

pub mod analyzer;
pub mod ask;
pub mod assemble;
pub mod baseline;
pub mod blocking;
pub mod category;
mod combine;
pub mod engine;
pub mod fix;
pub mod gate;
pub mod inputs;
pub mod measured;
pub mod merge;
pub mod python;
pub mod requests;
pub mod result;
pub mod rule_set;
pub mod scan;
pub mod script;
pub mod settle;
pub mod shape;
pub mod stage;
pub mod suggest;
mod surroundings;
mod tally;
pub mod type_cache;
pub mod weights;

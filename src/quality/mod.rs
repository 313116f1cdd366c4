//! Scores: findings become deductions, deductions become seven category scores, those become one number and a gate.

pub mod analyzer;
pub mod assemble;
pub mod baseline;
pub mod blocking;
pub mod category;
pub mod gate;
pub mod measured;
pub mod merge;
pub mod python;
pub mod result;
pub mod rule_set;
pub mod script;
pub mod settle;
pub mod shape;
pub mod suggest;
pub mod weights;

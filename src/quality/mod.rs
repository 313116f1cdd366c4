//! Scores: findings become deductions, deductions become seven category scores, those become one number and a gate.

pub mod analyzer;
pub mod category;
pub mod result;
pub mod rule_set;
pub mod settle;
pub mod shape;

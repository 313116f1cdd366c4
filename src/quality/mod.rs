//! Scores: findings become deductions, deductions become seven category scores, those become one number and a gate.

pub mod result;
pub mod script;
pub mod shape;

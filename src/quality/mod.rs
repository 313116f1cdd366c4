//! Scores: findings become deductions, deductions become seven category scores, those become one number and a gate.

pub mod python;
pub mod result;
pub mod shape;

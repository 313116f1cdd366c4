//! How each category puts a price on its findings, before they are settled.

pub mod complexity;
pub mod density;
pub mod diminishing;
pub mod maintainability;
pub mod rules;

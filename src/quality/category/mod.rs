//! How each category puts a price on its findings, before they are settled.

pub mod complexity;
pub mod density;
pub mod diminishing;
pub mod maintainability;

use tapps_base::rule::Rule;

/// The rules declared here.
pub const RULES: &[Rule] = &[complexity::COMPLEX_BLOCK, complexity::COMPLEX_ON_AVERAGE, maintainability::LOW_INDEX];

//! Results as a person likes to read them.

pub mod change;
pub mod docs;
pub mod finding;
pub mod gate;
pub mod score;
pub mod style;
pub mod tags;

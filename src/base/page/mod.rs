//! Pages that people write: markdown with front matter, and what is wrong with one and where.

mod front_matter;
mod problem;

pub use front_matter::Document;
pub use problem::{Place, Problem};

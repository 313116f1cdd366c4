//! The external analyzers: how each is asked and what its answer means.

pub mod mypy;
pub mod outcome;
pub mod radon;
pub mod ruff;

//! What is made of results: statements that others can verify, comparisons of two toolchains.

pub mod attest;
pub mod comparison;

//! Names that are true for the locked version: what installed libraries offer, read from their files and never imported, and
//! what a file calls that is not there.
//!
//! [`surface`] reads what a module can hold when it runs, or that it cannot be told; [`libraries`] finds the modules of an
//! environment; [`resolve`] follows a path of names through them; [`uses`] reads which of them a file uses; [`check`] says
//! what is not there. Only what is certainly missing is a finding; whatever cannot be followed is counted as unknown.

pub mod check;
mod distributions;
mod file_checker;
mod libraries;
mod resolve;
pub mod rules;
mod search;
pub mod stamp;
mod standard;
mod surface;
mod uses;

pub use check::{CheckedNames, NameChecker};

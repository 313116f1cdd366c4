//! The verdict on a change.

mod coverage;
mod defects;
mod edits;
mod faces;
mod releases;
mod repositories;
mod support;
mod verdicts;

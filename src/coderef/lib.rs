//! Code intelligence: what a project's source defines, and what refers to what, with the proof for each edge.

pub mod body;
mod cache;
pub mod codebase;
pub mod comment_tag;
mod compact;
pub mod complexity;
pub mod context;
pub mod contracts;
pub mod coverage;
pub mod cycles;
pub mod diagram;
pub mod drift;
pub mod duplicates;
pub mod engine;
pub mod export;
pub mod external;
pub mod family;
pub mod graph;
pub mod impact;
pub mod memory;
pub mod model;
pub mod packages;
pub mod patterns;
pub mod python;
pub mod query;
pub mod reference;
pub mod request;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod sample_links;
pub mod scan;
pub mod script;
pub mod target;
mod tops;
pub mod tree;
pub mod validate;
pub mod view;

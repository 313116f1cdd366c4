//! Workflows: rules, tokens, races, crashes, and what clients see of them.

mod back;
mod claims;
mod cli;
mod client;
mod crash;
mod human;
mod limits;
mod races;
mod support;
mod tokens;
mod updates;

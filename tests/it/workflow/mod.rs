//! Workflows: rules, tokens, races, crashes, and what clients see of them.

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

//! Code that stands in several places: one index of statements over all languages.
//!
//! Each file is read into its statements ([`statement`]), which are compared by two hashes: of their tokens as they are, and
//! of their tokens with one for all names and one for all literals. Scores ask for exact repeats ([`repeats`]); people ask for
//! families of clones ([`families`]), and for what is like something that they are about to write ([`similar`]).

pub mod families;
pub mod home;
pub mod left_out;
pub mod listing;
mod pairs;
pub mod repeats;
pub mod report;
mod seeds;
pub mod similar;
pub mod statement;

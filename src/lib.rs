//! One deterministic verdict on code for agents, IDEs and CI, from tools whose bytes are locked and verified.
//!
//! The faces of the program: its command line and the set-up of clients. `ARCHITECTURE.md` says what the crates below are for.

pub mod cli;
pub mod setup;

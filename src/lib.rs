//! One deterministic verdict on code for agents, IDEs and CI, from tools whose bytes are locked and verified.
//!
//! Rooms stand on floors and import only from lower ones; `ARCHITECTURE.md` has the plan and a test holds it.

pub mod base;
pub mod cli;
pub mod coderef;
pub mod docs;
pub mod experts;
pub mod guard;
pub mod project;
pub mod quality;
pub mod report;
pub mod security;
pub mod server;
pub mod session;
pub mod setup;
pub mod tags;
pub mod tdd;
pub mod toolchain;
pub mod workflow;

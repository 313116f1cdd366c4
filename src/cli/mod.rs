//! The command line: one file per command, wording, exit codes.

pub mod toolchain;

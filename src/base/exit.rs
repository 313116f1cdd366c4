//! Exit codes of both programs.

use super::ErrorCode;

/// Nothing to report.
pub const CLEAN: u8 = 0;
/// Findings, or a gate that failed.
pub const FINDINGS: u8 = 1;
/// Wrong usage or configuration.
pub const USAGE: u8 = 2;
/// No input matched.
pub const NO_INPUT: u8 = 3;
/// The toolchain is missing or not as locked.
pub const TOOLCHAIN: u8 = 4;
/// A fault of the program itself.
pub const INTERNAL: u8 = 5;

/// The exit code that goes with an error.
#[must_use]
pub const fn for_error(code: ErrorCode) -> u8 {
    match code {
        ErrorCode::ToolUnavailable | ErrorCode::ToolchainMismatch => TOOLCHAIN,
        ErrorCode::FileNotFound => NO_INPUT,
        ErrorCode::Internal | ErrorCode::CorruptedData => INTERNAL,
        _ => USAGE,
    }
}

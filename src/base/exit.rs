//! Exit codes of both programs; README.md and docs/cli.md list them.

use super::ErrorCode;

/// Nothing to report.
pub const CLEAN: u8 = 0;
/// Findings that block, or a gate that failed.
pub const FINDINGS: u8 = 1;
/// Wrong usage or configuration, or input that is damaged.
pub const USAGE: u8 = 2;
/// No input matched.
pub const NO_INPUT: u8 = 3;
/// The tools or their interpreter are missing, not as locked, or too old for the project.
pub const TOOLCHAIN: u8 = 4;
/// A fault of the program itself.
pub const INTERNAL: u8 = 5;
/// The machine lacked something: open files, memory, processes, disk space, time.
pub const MACHINE: u8 = 6;
/// Something that was asked for could not be measured.
pub const NOT_MEASURED: u8 = 7;

/// Every code with its meaning, as the documents list them.
pub const MEANINGS: [(u8, &str); 8] = [
    (CLEAN, "clean"),
    (FINDINGS, "findings that block, or a failed gate"),
    (USAGE, "wrong usage or configuration, damaged input"),
    (NO_INPUT, "no input matched"),
    (TOOLCHAIN, "tools or interpreter missing, not as locked, or too old for the project"),
    (INTERNAL, "a fault of the program"),
    (MACHINE, "the machine lacked something: open files, memory, processes, disk space, time"),
    (NOT_MEASURED, "something that was asked for could not be measured"),
];

/// The codes as the help of both programs lists them: [`MEANINGS`] in one line.
pub const SUMMARY: &str = "Exit codes: 0 clean · 1 findings that block, or a failed gate · 2 wrong usage or configuration, \
    damaged input · 3 no input matched · 4 tools or interpreter missing, not as locked, or too old for the project · \
    5 a fault of the program · 6 the machine lacked something: open files, memory, processes, disk space, time · \
    7 something that was asked for could not be measured";

/// The exit code that goes with an error.
#[must_use]
pub const fn for_error(code: ErrorCode) -> u8 {
    match code {
        ErrorCode::ToolUnavailable | ErrorCode::ToolchainMismatch => TOOLCHAIN,
        ErrorCode::FileNotFound => NO_INPUT,
        ErrorCode::Internal => INTERNAL,
        ErrorCode::ResourceExhausted | ErrorCode::Timeout => MACHINE,
        ErrorCode::DegradedResult => NOT_MEASURED,
        _ => USAGE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_meaning() {
        let codes: Vec<u8> = MEANINGS.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 6, 7]);
        let listed: Vec<String> = MEANINGS.iter().map(|(code, meaning)| format!("{code} {meaning}")).collect();
        assert_eq!(SUMMARY, format!("Exit codes: {}", listed.join(" · ")));
    }

    #[test]
    fn what_the_machine_lacked_is_no_usage_error_and_no_fault_of_ours() {
        for (code, exit) in [
            (ErrorCode::ResourceExhausted, MACHINE),
            (ErrorCode::Timeout, MACHINE),
            (ErrorCode::DegradedResult, NOT_MEASURED),
            (ErrorCode::ToolchainMismatch, TOOLCHAIN),
            (ErrorCode::CorruptedData, USAGE),
            (ErrorCode::Internal, INTERNAL),
        ] {
            assert_eq!(for_error(code), exit, "{code:?}");
        }
    }
}

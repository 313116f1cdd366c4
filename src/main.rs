//! The `tapps-mcp` program: hands its arguments over.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The hidden modes that prepare a process for a tool come first and touch nothing else.
    if let Some(code) = tapps_mcp::toolchain::exec::dispatch(std::env::args_os()) {
        return ExitCode::from(code);
    }
    tapps_mcp::cli::run::main()
}

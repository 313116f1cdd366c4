//! The `tapps-mcp` program: hands its arguments over.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The hidden mode that outlives a program comes first and touches nothing else.
    if tapps_mcp::toolchain::watch::dispatch(std::env::args_os()) {
        return ExitCode::SUCCESS;
    }
    tapps_mcp::cli::run::main()
}

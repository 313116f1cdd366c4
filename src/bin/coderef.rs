//! The `coderef` program: hands its arguments over.

use std::process::ExitCode;

fn main() -> ExitCode {
    tapps_mcp::cli::coderef::main()
}

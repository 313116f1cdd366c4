//! `tapps-mcp`: parse arguments, hand over.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use tapps_mcp::base::progress::Progress;
use tapps_mcp::base::{Error, Result, exit};
use tapps_mcp::cli::toolchain::ToolchainCommand;
use tapps_mcp::toolchain::{Settings, exec};

#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// The locked tools
    #[command(subcommand)]
    Toolchain(ToolchainCommand),
}

/// A line each on standard error.
struct Lines;

impl Progress for Lines {
    fn report(&self, _stage: &str, _done: u64, _total: u64) {}

    fn note(&self, line: &str) {
        writeln!(std::io::stderr(), "{line}").ok();
    }
}

fn main() -> ExitCode {
    if let Some(code) = exec::dispatch(std::env::args_os()) {
        return ExitCode::from(code);
    }
    let arguments = Arguments::parse();
    let code = run(arguments).unwrap_or_else(|error| {
        let body = error.body();
        let hint = body.hint.as_deref().map(|hint| format!("\n  hint: {hint}")).unwrap_or_default();
        writeln!(std::io::stderr(), "error: {}{hint}", body.message).ok();
        exit::for_error(error.code())
    });
    ExitCode::from(code)
}

fn run(arguments: Arguments) -> Result<u8> {
    let helper = std::env::current_exe().map_err(|e| Error::io("cannot find this program", &e))?;
    let settings = Settings::from_env(Some(helper))?;
    let Command::Toolchain(command) = arguments.command;
    tapps_mcp::cli::toolchain::run(command, &settings, &mut std::io::stdout().lock(), Arc::new(Lines))
}

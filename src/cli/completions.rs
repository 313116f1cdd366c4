//! `tapps-mcp completions`: what a shell has to know to complete a command line.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::args::Cli;
use super::out::Out;
use tapps_base::{Result, exit};

/// The program's name on a command line.
const PROGRAM: &str = "tapps-mcp";

/// What the name becomes in a script for bash, and what it wrongly becomes where commands are told apart.
const FUNCTION: &str = "tapps__mcp";
const CASES: &str = "tapps__subcmd__mcp";

/// Write the completion script of a shell
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Runs the command.
///
/// # Errors
/// `internal` when standard output cannot be written.
pub fn run(args: &CompletionsArgs, out: &Out) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), PROGRAM, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Bash {
        // The generator names the cases after the words of a program's name, and looks for them under the whole name.
        script = script.replace(CASES, FUNCTION);
    }
    out.write(&script)?;
    Ok(exit::CLEAN)
}

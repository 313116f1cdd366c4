//! From the arguments of the process to its exit code.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use tokio_util::sync::CancellationToken;

use super::answer::CoderefJob;
use super::args::{Cli, Global};
use crate::cli::{CliContext, fault, global, logging, run};
use tapps_base::{Error, Result, exit};

/// Longest that a question may take.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs the program on the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    fault::install_panic_hook();
    let code = run::on_own_stack(|| run_with_arguments(std::env::args_os())).unwrap_or(exit::INTERNAL);
    ExitCode::from(code)
}

fn run_with_arguments(arguments: impl Iterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return run::write_usage_error(&error),
    };
    let global = global_options(&cli.global, cli.command.project_folder());
    logging::install_log_subscriber(&global);
    let json = cli.speaks_json();
    execute_coderef(cli, &global).unwrap_or_else(|error| run::write_failure(&error, global.color, json))
}

/// The options as both programs know them.
fn global_options(global: &Global, folder: Option<PathBuf>) -> global::Global {
    global::Global {
        project_root: global.root.clone().or(folder),
        color: global.color,
        verbose: global.verbose,
        quiet: global.quiet,
        ..global::Global::default()
    }
}

fn execute_coderef(cli: Cli, global: &global::Global) -> Result<u8> {
    let cancel = CancellationToken::new();
    let context = CliContext::new(global, cancel.clone())?;
    run::block_on_until_interrupt(&cancel, answer_command(cli, &context))
}

async fn answer_command(cli: Cli, context: &CliContext) -> Result<u8> {
    let json = cli.speaks_json();
    let asked = CoderefJob::new(cli, context, context.call_within(LIMIT));
    // Scanning is work for other threads: an interrupt has to be heard meanwhile.
    let answered = tokio::task::spawn_blocking(move || asked.compute_answer()).await;
    let answer = answered.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    match (answer.raw, json) {
        (Some(raw), false) => context.out.write(&raw)?,
        (_, true) => context.out.write(&answer.json)?,
        (None, false) => context.out.write(&(answer.human)(context.out.style()))?,
    }
    Ok(answer.code)
}

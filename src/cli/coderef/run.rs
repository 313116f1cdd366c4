//! From the arguments of the process to its exit code.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use tokio_util::sync::CancellationToken;

use super::answer::Asked;
use super::args::{Cli, Global};
use crate::cli::{Context, fault, global, logging, run};
use tapps_base::{Error, Result, exit};

/// Longest that a question may take.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs the program on the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    fault::install_panic_hook();
    let code = run::on_own_stack(|| start(std::env::args_os())).unwrap_or(exit::INTERNAL);
    ExitCode::from(code)
}

fn start(arguments: impl Iterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return run::usage(&error),
    };
    let global = shared(&cli.global, cli.command.folder());
    logging::install(&global);
    let json = cli.speaks_json();
    execute(cli, &global).unwrap_or_else(|error| run::failed(&error, global.color, json))
}

/// The options as both programs know them.
fn shared(global: &Global, folder: Option<PathBuf>) -> global::Global {
    global::Global {
        project_root: global.root.clone().or(folder),
        color: global.color,
        verbose: global.verbose,
        quiet: global.quiet,
        ..global::Global::default()
    }
}

fn execute(cli: Cli, global: &global::Global) -> Result<u8> {
    let cancel = CancellationToken::new();
    let context = Context::new(global, cancel.clone())?;
    run::drive(&cancel, answer(cli, &context))
}

async fn answer(cli: Cli, context: &Context) -> Result<u8> {
    let json = cli.speaks_json();
    let asked = Asked::new(cli, context, context.call_within(LIMIT));
    // Scanning is work for other threads: an interrupt has to be heard meanwhile.
    let answered = tokio::task::spawn_blocking(move || asked.answer()).await;
    let answer = answered.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    match (answer.raw, json) {
        (Some(raw), false) => context.out.write(&raw)?,
        (_, true) => context.out.write(&answer.json)?,
        (None, false) => context.out.write(&(answer.human)(context.out.style()))?,
    }
    Ok(answer.code)
}

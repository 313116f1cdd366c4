//! From the arguments of the process to its exit code.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use tokio_util::sync::CancellationToken;

use super::args::{Alone, Cli, CliCommand};
use super::completions;
use super::context::CliContext;
use super::doctor;
use super::fault;
use super::global::Color;
use super::hook::{self, HookCaller};
use super::interrupt;
use super::logging;
use super::man;
use super::out::{self, Out};
use super::{serve, tdd};
use tapps_base::{Error, Result, exit};
use tapps_toolchain::machine;

/// The stack of the program, as most systems give it to the first thread.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// How long threads that are still busy are waited for at the end.
const PATIENCE: Duration = Duration::from_millis(200);

/// Runs the program on the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    fault::install_panic_hook();
    let args: Vec<OsString> = std::env::args_os().collect();
    let caller = hook::hook_caller(&args);
    let code = on_own_stack(move || run_with_args(args, caller));
    let code = code.unwrap_or(exit::INTERNAL);
    // Agents take other codes of a hook for a verdict.
    let is_fault = matches!(code, exit::INTERNAL | exit::MACHINE);
    ExitCode::from(caller.filter(|_| is_fault).map_or(code, HookCaller::fault_code))
}

/// The exit code of a program on a thread whose stack is always of one size: that of the first thread is whatever the shell
/// says. None when it panicked; what the machine lacks is none of its faults.
pub(super) fn on_own_stack(program: impl FnOnce() -> u8 + Send + 'static) -> Option<u8> {
    match std::thread::Builder::new().name("main".to_owned()).stack_size(STACK_BYTES).spawn(program) {
        Ok(thread) => thread.join().ok(),
        Err(error) => {
            out::to_stderr(&format!("the program cannot be started: {error}\n"));
            Some(exit::MACHINE)
        }
    }
}

fn run_with_args(args: Vec<OsString>, caller: Option<HookCaller>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let code = write_usage_error(&error);
            return caller.filter(|_| error.use_stderr()).map_or(code, HookCaller::fault_code);
        }
    };
    logging::install_log_subscriber(&cli.global);
    let (color, json) = (cli.global.color, cli.command.speaks_json());
    execute(cli).unwrap_or_else(|error| match caller {
        Some(caller) => {
            caller.fault_code().min(hook::report_failure("the hook could not do its work, and stops nothing", &error))
        }
        None => write_failure(&error, color, json),
    })
}

fn execute(cli: Cli) -> Result<u8> {
    let cancel = CancellationToken::new();
    if let CliCommand::Alone(command) = cli.command {
        let out = Out::new(cli.global.color);
        return match command {
            Alone::Doctor(args) => block_on_until_interrupt(&cancel, doctor::run(&args, &cli.global, &out, &cancel)),
            Alone::Completions(args) => completions::run(&args, &out),
            Alone::Man(args) => man::run(&args, &out),
        };
    }
    let (context, fault) = CliContext::open_project(&cli.global, cancel.clone())?;
    match (cli.command, fault) {
        (command, None) => block_on_until_interrupt(&cancel, command.run_command(&context)),
        // These two work without a configuration: a server that says what is wrong, and the guard, which reads none.
        (CliCommand::Serve(args), fault) => block_on_until_interrupt(&cancel, serve::run(args, &context, fault)),
        (CliCommand::Tdd(args), Some(fault)) if args.is_guard() => tdd::run_guard(args, &context, fault),
        (_, Some(fault)) => Err(fault),
    }
}

/// Does the work until it is done or the user interrupts it.
pub(super) fn block_on_until_interrupt(
    cancel: &CancellationToken,
    work: impl Future<Output = Result<u8>>,
) -> Result<u8> {
    machine::ensure_open_file_limit()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| Error::io("cannot start the runtime", &e))?;
    let result = runtime.block_on(async {
        machine::refuse_large_files();
        tokio::select! {
            biased;
            result = work => result,
            error = interrupt::wait_for_interrupt(cancel) => Err(error),
        }
    });
    // A thread that waits for input would otherwise keep the process alive.
    runtime.shutdown_timeout(PATIENCE);
    result
}

/// Writes help and version to standard output, and a usage error to the error stream.
pub(super) fn write_usage_error(error: &clap::Error) -> u8 {
    let rendered = error.render();
    if error.use_stderr() {
        let text = if out::is_color_wanted(Color::Auto, &std::io::stderr()) {
            rendered.ansi().to_string()
        } else {
            rendered.to_string()
        };
        out::to_stderr(&text);
        exit::USAGE
    } else {
        let text = if out::is_color_wanted(Color::Auto, &std::io::stdout()) {
            rendered.ansi().to_string()
        } else {
            rendered.to_string()
        };
        match Out::new(Color::Auto).write(&text) {
            Ok(()) => exit::CLEAN,
            Err(error) => exit::for_error(error.code()),
        }
    }
}

pub(super) fn write_failure(error: &Error, color: Color, json: bool) -> u8 {
    if json {
        // When standard output cannot be written, the error stream still tells the error.
        let _ = Out::new(color).write_json(error.body());
    }
    out::to_stderr(&fault::render_cli_error(error, out::style_for_stream(color, &std::io::stderr())));
    exit::for_error(error.code())
}

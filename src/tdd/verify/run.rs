//! Running a session's test commands, one after the other, all of them.

use std::fmt::Debug;
use std::path::PathBuf;
use std::pin::Pin;

use super::judge::{CommandOutput, Judgement, judge_output};
use super::symbol::Symbols;
use super::verification::{CommandRun, TestVerification};
use tapps_base::call::Call;
use tapps_base::{Result, digest};
use tapps_toolchain::Finished;
use tapps_toolchain::shell::Shell;

/// Runs one command line in the project.
pub trait Runner: Send + Sync + Debug {
    /// Runs it to its end; an exit code other than 0 is no error here.
    fn run<'a>(&'a self, line: &'a str, call: &'a Call) -> Pin<Box<dyn Future<Output = Result<Finished>> + Send + 'a>>;
}

/// Runs command lines as the user's shell would.
#[derive(Debug, Clone)]
pub struct ShellRunner {
    shell: Shell,
    root: PathBuf,
}

impl ShellRunner {
    /// Runs in the folder `root`.
    #[must_use]
    pub fn new(shell: Shell, root: impl Into<PathBuf>) -> Self {
        Self { shell, root: root.into() }
    }
}

impl Runner for ShellRunner {
    fn run<'a>(&'a self, line: &'a str, call: &'a Call) -> Pin<Box<dyn Future<Output = Result<Finished>> + Send + 'a>> {
        Box::pin(self.shell.run(line, &self.root, call))
    }
}

/// Runs every command and puts their verdicts together.
///
/// # Errors
/// `timeout`, `cancelled`, `tool_unavailable` when there is no shell, `degraded_result` when a command says too much.
pub async fn run_tests(
    runner: &dyn Runner,
    commands: &[String],
    implementation_files: &[String],
    call: &Call,
) -> Result<TestVerification> {
    let symbols = Symbols::from_implementation_files(implementation_files);
    let mut runs = Vec::with_capacity(commands.len());
    for (done, command) in commands.iter().enumerate() {
        call.progress.report("running tests", done as u64, commands.len() as u64);
        let finished = runner.run(command, call).await?;
        let Judgement { verdict, reason, passed, failed } =
            judge_output(&CommandOutput::new(finished.code(), &finished.stdout, &finished.stderr), &symbols);
        let mut said = finished.stdout.clone();
        said.extend_from_slice(&finished.stderr);
        runs.push(CommandRun {
            command: command.clone(),
            exit_code: finished.code(),
            verdict,
            reason,
            passed,
            failed,
            output_sha256: digest::sha256(&said),
        });
    }
    call.progress.report("running tests", commands.len() as u64, commands.len() as u64);
    TestVerification::from_command_runs(runs)
}

//! `tapps-mcp guard`: what agents are fed, checked for text that gives them orders.

use std::io::Read as _;

use clap::Subcommand;
use serde::Serialize;

use super::Context;
use crate::base::{Error, Result, exit};
use crate::guard::hostile::{Reason, Verdict, inspect};

/// The name under which standard input is asked for and reported.
const STDIN: &str = "-";

#[derive(Debug, Subcommand)]
pub enum GuardCommand {
    /// Look for text that gives orders to a model: a line of JSON a file; exit code 1 when one should be withheld
    Check {
        /// Files of the project, or - for standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
    },
}

/// The verdict on one file.
#[derive(Debug, Serialize)]
struct Checked<'a> {
    file: &'a str,
    verdict: Verdict,
    reasons: Vec<Reason>,
}

/// Runs one command and returns the exit code.
///
/// # Errors
/// `file_not_found` and `path_denied` for files not in the project, `invalid_argument` for one that is too large.
/// The lines of the files before have then been written.
pub fn run(command: &GuardCommand, context: &Context) -> Result<u8> {
    let GuardCommand::Check { files } = command;
    let mut withheld = false;
    for file in files {
        let bytes = read(file, context)?;
        // What is not UTF-8 is looked at as a reader would be shown it.
        let report = inspect(&String::from_utf8_lossy(&bytes));
        withheld |= report.verdict == Verdict::Withhold;
        let checked = Checked { file, verdict: report.verdict, reasons: report.reasons };
        let line = serde_json::to_string(&checked)
            .map_err(|error| Error::internal(format!("the verdict has no JSON form: {error}")))?;
        context.out.write(&(line + "\n"))?;
    }
    Ok(if withheld { exit::FINDINGS } else { exit::CLEAN })
}

fn read(file: &str, context: &Context) -> Result<Vec<u8>> {
    let most = context.config.limits.max_file_bytes;
    if file != STDIN {
        let path = context.boundary.resolve(file)?;
        return context.boundary.read(&path, most);
    }
    let mut bytes = Vec::new();
    let failed = |error: std::io::Error| Error::io("cannot read standard input", &error);
    std::io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(Error::invalid(format!("standard input has more than the {most} bytes that are read"))
            .hint("raise `limits.max_file_bytes`"));
    }
    Ok(bytes)
}

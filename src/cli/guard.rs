//! `tapps-mcp guard`: what agents are fed, checked for text that gives them orders.

use std::borrow::Cow;
use std::io::Read as _;

use clap::Subcommand;
use serde::Serialize;

use super::{CliContext, fault, out};
use tapps_base::error::ErrorBody;
use tapps_base::{Error, Result, exit};
use tapps_injection::{InjectionVerdict, Reason, inspect_text};

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
    verdict: InjectionVerdict,
    reasons: Vec<Reason>,
}

/// A file that could not be judged, and why.
#[derive(Debug, Serialize)]
struct Unread<'a> {
    file: &'a str,
    #[serde(flatten)]
    why: &'a ErrorBody,
}

/// Runs one command and returns the exit code: that of the first file that cannot be read, be it missing, outside the
/// project, a folder or too large. All others are judged all the same, and every file has its line.
///
/// # Errors
/// What writing says.
pub fn run(command: &GuardCommand, context: &CliContext) -> Result<u8> {
    let GuardCommand::Check { files } = command;
    let (mut withheld, mut failed) = (false, None);
    for file in files {
        match read_input(file, context) {
            Ok(bytes) => {
                let report = inspect_text(&as_shown(&bytes));
                withheld |= report.verdict == InjectionVerdict::Withhold;
                write_json_line(&Checked { file, verdict: report.verdict, reasons: report.reasons }, context)?;
            }
            Err(error) => {
                write_json_line(&Unread { file, why: error.body() }, context)?;
                out::to_stderr(&fault::render_cli_error(&error, context.out.style()));
                failed.get_or_insert(exit::for_error(error.code()));
            }
        }
    }
    Ok(failed.unwrap_or(if withheld { exit::FINDINGS } else { exit::CLEAN }))
}

fn write_json_line(line: &impl Serialize, context: &CliContext) -> Result<()> {
    let line = serde_json::to_string(line)
        .map_err(|error| Error::internal(format!("the verdict has no JSON form: {error}")))?;
    context.out.write(&(line + "\n"))
}

/// The text as a reader would be shown it: UTF-16 by its mark, else UTF-8 with marks where it is none.
fn as_shown(bytes: &[u8]) -> Cow<'_, str> {
    let utf16 = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = rest.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        Cow::Owned(String::from_utf16_lossy(&units.collect::<Vec<u16>>()))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes),
    }
}

fn read_input(file: &str, context: &CliContext) -> Result<Vec<u8>> {
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

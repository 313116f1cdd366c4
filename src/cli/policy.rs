//! `tapps-mcp policy`: who may change the settings that decide what passes.

use std::io::{BufRead as _, IsTerminal as _};

use clap::Subcommand;
use serde_json::Value;

use super::CliContext;
use super::engine::settings;
use super::out;
use tapps_base::{Error, Result, atomic, digest, exit, log_text, private};
use tapps_quality::change::policy::{changed_settings, is_readable, is_settings};
use tapps_tdd::hook::{HookClient, ProposedText};

/// Largest file of settings that is compared, in bytes.
const LARGEST: u64 = 1 << 20;

#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// Let an agent change files of settings once: a person is asked at the terminal, and the answer holds for the files
    /// as they are now
    Allow {
        /// Files that decide what is found and what passes
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
    },
}

/// Runs the command.
///
/// # Errors
/// `invalid_argument` without a terminal and for files that decide nothing; what the boundary says of a path.
pub fn run(command: &PolicyCommand, context: &CliContext) -> Result<u8> {
    let PolicyCommand::Allow { files } = command;
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Err(Error::invalid("a person has to answer, and there is no terminal")
            .hint("run the command yourself in a terminal"));
    }
    for file in files {
        let path = context.boundary.resolve(file)?;
        if !is_settings(path.as_str()) {
            return Err(Error::invalid(format!("`{}` decides nothing", path.as_str()))
                .hint("name a file such as tapps-mcp.toml or pyproject.toml"));
        }
        out::to_stderr(&format!("Let an agent change the settings in {} once? [y/N] ", log_text(path.as_str())));
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer).map_err(|e| Error::io("cannot read the answer", &e))?;
        if !matches!(answer.trim(), "y" | "yes") {
            out::to_stderr("Nothing is allowed.\n");
            return Ok(exit::FINDINGS);
        }
        let folder = settings(context)?.cache_dir.join("policy");
        private::folder(&folder).map_err(|e| Error::io("cannot keep the answer", &e))?;
        atomic::write_private(&folder.join(mark(context, path.as_str())), b"")?;
    }
    Ok(exit::CLEAN)
}

/// Why an agent may not make an edit; none when it does not change settings, or a person has allowed it. What the edit would
/// make of the file is worked out from the request; of an edit that cannot be worked out only those of files that hold
/// nothing but settings are refused.
pub(super) fn refuse_edit(
    client: HookClient,
    request: &Value,
    files: &[String],
    context: &CliContext,
) -> Option<String> {
    files.iter().find_map(|file| {
        let path = context.boundary.resolve(file).ok().filter(|path| is_settings(path.as_str()))?;
        let path = path.as_str();
        let before = read(context, path);
        // What does not parse has to be mended by somebody.
        if before.as_ref().is_some_and(|text| !is_readable(path, text)) {
            return None;
        }
        let what = match client.proposed_text(request, before.as_deref().unwrap_or_default()) {
            ProposedText::Known(after) => changed_settings(path, before.as_deref(), Some(&after)),
            ProposedText::Unknown if path == "tapps-mcp.toml" => vec!["changed".to_owned()],
            ProposedText::Unknown => Vec::new(),
        };
        let allowed = || settings(context).is_ok_and(|own| own.cache_dir.join("policy").join(mark(context, path)).exists());
        (!what.is_empty() && !allowed()).then(|| {
            format!(
                "`{path}` decides what passes, and a change is not made easier by whoever writes it ({}). If the project \
                 needs this, ask a person to run `tapps-mcp policy allow {path}`; it counts from the next change on.",
                what.join("; ")
            )
        })
    })
}

fn read(context: &CliContext, path: &str) -> Option<String> {
    let bytes = context.boundary.read(&context.boundary.resolve(path).ok()?, LARGEST).ok()?;
    String::from_utf8(bytes).ok()
}

/// The name under which an answer is kept: of the project, the file, and its bytes.
fn mark(context: &CliContext, path: &str) -> String {
    let bytes = read(context, path).map_or_else(|| "absent".to_owned(), |text| digest::sha256(text.as_bytes()));
    let root = context.boundary.root().to_string_lossy();
    digest::sha256(format!("{root}\0{path}\0{bytes}").as_bytes())
}

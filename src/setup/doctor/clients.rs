//! Entries of clients that start this program: is what they start there, and is it this version?

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::client::{McpClient, SetupScope};
use super::super::document::{self, ServerEntry};
use super::super::launch::own_arguments;
use super::super::plan::server_file;
use super::super::target::SetupFileLocation;
use super::report::Finding;
use super::{Patient, finding_from_error};
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_sandbox::Boundary;
use tapps_toolchain::probe::Probe;

/// A program that does not tell its version by then is not this one.
const TRIAL: Duration = Duration::from_secs(10);

/// One entry, or why the file that may hold some cannot be understood.
pub(super) struct ListedServerEntry {
    client: McpClient,
    scope: SetupScope,
    file: SetupFileLocation,
    entry: Result<ServerEntry>,
}

/// All entries of this program, each with the identifier of its check.
pub(super) fn list_client_entries(patient: &Patient) -> Vec<(String, ListedServerEntry)> {
    let Ok(boundary) = &patient.boundary else { return Vec::new() };
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for client in McpClient::ALL {
        for scope in [SetupScope::Project, SetupScope::User] {
            let Ok(file) = server_file(client.client_info(), scope, &patient.surroundings) else { continue };
            // Two clients may read the same file.
            if !seen.insert(file.clone()) {
                continue;
            }
            let listed = |entry| ListedServerEntry { client, scope, file: file.clone(), entry };
            let id = format!("clients.{client}.{}", scope.as_str());
            match entries(client, &file, boundary) {
                Err(error) => found.push((id, listed(Err(error)))),
                Ok(entries) => {
                    let ours = entries.into_iter().filter(is_ours);
                    found.extend(ours.map(|entry| (format!("{id}.{}", entry.name), listed(Ok(entry)))));
                }
            }
        }
    }
    found
}

fn is_ours(entry: &ServerEntry) -> bool {
    entry.command.as_deref().is_some_and(|command| own_arguments(command, &entry.arguments, false).is_some())
}

fn entries(client: McpClient, file: &SetupFileLocation, boundary: &Boundary) -> Result<Vec<ServerEntry>> {
    let Some(bytes) = file.read(boundary)? else { return Ok(Vec::new()) };
    let name = file.to_string();
    let text = document::decode_document_text(&name, &bytes)?;
    let about = client.client_info();
    document::list_servers(about.syntax, text, &name, about.servers)
}

pub(super) async fn check_client_entry(patient: &Patient, listed: ListedServerEntry, call: &Call) -> Finding {
    let entry = match &listed.entry {
        Ok(entry) => entry,
        Err(error) => return finding_from_error(error),
    };
    let command = entry.command.as_deref().unwrap_or_default();
    let place = format!("`{}` in {}", entry.name, listed.file);
    let again = format!("run `tapps-mcp init --client {} --scope {}`", listed.client, listed.scope.as_str());
    if command.contains('$') {
        return Finding::skipped(format!("{place} starts {command}, which only the client can resolve"));
    }
    let program = match locate(command, patient) {
        Ok(program) => program,
        Err(why) => return Finding::failed(format!("{place} starts {command}, {why}"), again),
    };
    let by_path = Path::new(command).is_absolute();
    let through_nix = own_arguments(command, &[], false).is_none();
    let found = if through_nix {
        // Running it may build it first.
        Finding::ok(format!("{place} starts this program with {}", program.display()))
    } else if program.canonicalize().is_ok_and(|real| real == patient.program) {
        Finding::ok(format!("{place} starts this very program"))
    } else {
        match version(&program, patient, call).await {
            Ok(version) if version == patient.version => {
                Finding::ok(format!("{place} starts {} of the same version", program.display()))
            }
            Ok(version) => {
                let what = format!("{place} starts version {version}, and this is {}", patient.version);
                return Finding::failed(what, format!("{again}, or update {}", program.display()));
            }
            Err(error) => {
                let what = format!("{place} starts {}, which does not tell its version: {error}", program.display());
                return Finding::failed(what, again);
            }
        }
    };
    if by_path {
        return found;
    }
    Finding::warning(format!("{place} names `{command}` without its folder"), again)
        .with_details(["graphical programs do not see the search path of a shell".to_owned()])
}

/// The file that a command means.
fn locate(command: &str, patient: &Patient) -> Result<PathBuf, String> {
    let path = Path::new(command);
    if path.components().count() == 1 {
        return which::which(command).map_err(|_| "which is not on PATH".to_owned());
    }
    let path = patient.folder().join(path);
    if path.is_file() { Ok(path) } else { Err("which is not there".to_owned()) }
}

async fn version(program: &Path, patient: &Patient, call: &Call) -> Result<String> {
    let probe = Probe {
        name: program.display().to_string(),
        program: program.to_owned(),
        args: vec![OsString::from("--version")],
        cwd: patient.folder().to_owned(),
        helper: Some(patient.program.clone()),
        time: TRIAL,
    };
    let finished = probe.run(call).await?;
    let said = String::from_utf8_lossy(&finished.stdout);
    let version = said.lines().next().and_then(|line| line.strip_prefix("tapps-mcp "));
    version.map(|version| version.trim().to_owned()).ok_or_else(|| Error::internal("it is not tapps-mcp"))
}

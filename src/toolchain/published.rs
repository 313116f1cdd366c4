//! A published wheel, fetched by the machine's package client.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::Settings;
use super::fetch::{Client, ClientFailure, target_args};
use super::system::{PythonTag, System};
use crate::base::call::Call;
use crate::base::{Error, ErrorCode, Result};

/// Fetches the wheel of one version of a package into `folder`, the same one on every machine: where a package has
/// wheels of several systems, that for `system` and `python`.
///
/// # Errors
/// `tool_unavailable` when fetching is switched off, or when there is no package client or no such wheel.
pub fn wheel(
    settings: &Settings,
    (name, version): (&str, &str),
    (system, python): (System, PythonTag),
    folder: &Path,
    call: &Call,
) -> Result<PathBuf> {
    let lacking = |reason: &str| {
        Error::new(ErrorCode::ToolUnavailable, format!("the wheel of {name} {version} cannot be had: {reason}"))
            .hint("connect to the network and try again, or put the wheel into a folder and pass --wheels")
    };
    if settings.offline {
        return Err(lacking("fetching is switched off"));
    }
    let into = tempfile::tempdir_in(folder)
        .map_err(|e| Error::io(format_args!("cannot write to {}", folder.display()), &e))?;
    let mut args: Vec<OsString> = target_args(system.dynamic_platforms(), python);
    args.push(format!("{name}=={version}").into());
    match (Client { settings, launcher: None }).download(args, into.path(), None, call) {
        Ok(()) => {}
        Err(ClientFailure::Call(error)) => return Err(error),
        Err(ClientFailure::Said(said)) => return Err(lacking(&said)),
    }
    let unreadable = |e: &std::io::Error| Error::io(format_args!("cannot read {}", into.path().display()), e);
    let mut entries = fs::read_dir(into.path()).map_err(|e| unreadable(&e))?;
    let entry =
        entries.next().ok_or_else(|| lacking("the package client left no file"))?.map_err(|e| unreadable(&e))?;
    let place = folder.join(entry.file_name());
    fs::rename(entry.path(), &place).map_err(|e| unreadable(&e))?;
    Ok(place)
}

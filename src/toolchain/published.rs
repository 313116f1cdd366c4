//! A published wheel or npm package, fetched by the machine's package client.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ToolchainSettings;
use super::fetch::{ClientFailure, PackageClient, target_args};
use super::lock::ArtifactKind;
use super::process::{self, Finished, ProcessLimits, Spec};
use super::system::{PythonTag, System};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

/// How long one run of npm may take.
const NPM_TIME: Duration = Duration::from_secs(5 * 60);

/// Fetches the wheel of one version of a package into `folder`, the same one on every machine: where a package has
/// wheels of several systems, that for `system` and `python`.
///
/// # Errors
/// `invalid_argument` for what is no name or version; `tool_unavailable` when fetching is switched off, or when there is
/// no package client or no such wheel.
pub fn fetch_published_wheel(
    settings: &ToolchainSettings,
    (name, version): (&str, &str),
    (system, python): (System, PythonTag),
    folder: &Path,
    call: &Call,
) -> Result<PathBuf> {
    check_name_and_version((name, version), is_plain)?;
    let lacking = |reason: &str| unavailable_package_error("wheel", (name, version), reason);
    if settings.offline {
        return Err(lacking("fetching is switched off"));
    }
    let into = temporary_folder_in(folder)?;
    let mut args: Vec<OsString> = target_args(system.dynamic_platforms(), python);
    args.push(format!("{name}=={version}").into());
    match (PackageClient { settings, launcher: None }).download_wheels(args, into.path(), None, call) {
        Ok(()) => {}
        Err(ClientFailure::Call(error)) => return Err(error),
        Err(ClientFailure::Said(said)) => return Err(lacking(&said)),
    }
    only_file(into.path(), folder, || lacking("the package client left no file"))
}

/// Fetches the package of one version from the registry that npm asks into `folder`. No script of it is run.
///
/// # Errors
/// As [`fetch_published_wheel`].
pub fn fetch_npm_package(
    settings: &ToolchainSettings,
    (name, version): (&str, &str),
    folder: &Path,
    call: &Call,
) -> Result<PathBuf> {
    check_name_and_version((name, version), is_npm_name)?;
    let lacking = |reason: &str| unavailable_package_error("npm package", (name, version), reason);
    if settings.offline {
        return Err(lacking("fetching is switched off"));
    }
    let program = settings.find_program("npm").ok_or_else(|| lacking("`npm` was not found"))?;
    let into = temporary_folder_in(folder)?;
    let mut args: Vec<OsString> = ["pack", "--silent", "--ignore-scripts", "--pack-destination"].map(Into::into).into();
    args.push(into.path().into());
    // Who is without a network is told so soon.
    args.extend(
        ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=2000"].map(Into::into),
    );
    args.push(format!("{name}@{version}").into());
    let finished = ask_npm(settings, (program, args), into.path(), NPM_TIME, call)?;
    if !finished.status.success() {
        let said = finished.last_errors(3);
        return Err(lacking(&format!(
            "npm failed: {}",
            if said.is_empty() { finished.status.to_string() } else { said }
        )));
    }
    only_file(into.path(), folder, || lacking("npm left no file"))
}

/// Runs npm in a folder.
///
/// # Errors
/// As running a program.
pub(super) fn ask_npm(
    settings: &ToolchainSettings,
    (program, args): (PathBuf, Vec<OsString>),
    folder: &Path,
    time: Duration,
    call: &Call,
) -> Result<Finished> {
    let spec = Spec {
        name: "npm".to_owned(),
        program,
        args,
        // The user's own: registry, proxies and certificates are configured in it.
        env: None,
        cwd: folder.to_owned(),
        stdin: Vec::new(),
        limits: ProcessLimits { time, ..ProcessLimits::default() },
        helper: settings.helper.clone(),
        on_line: None,
    };
    process::run_blocking(spec, call)
}

/// As [`fetch_published_wheel`] and [`fetch_npm_package`] check what they are to fetch.
///
/// # Errors
/// `invalid_argument` for what is no name or version.
pub(super) fn check_coordinates(kind: ArtifactKind, coordinates: (&str, &str)) -> Result<()> {
    check_name_and_version(coordinates, if kind == ArtifactKind::Npm { is_npm_name } else { is_plain })
}

/// Names come from lock files of projects: none may be an option, an address or a path.
fn check_name_and_version((name, version): (&str, &str), is_name: fn(&str) -> bool) -> Result<()> {
    if is_name(name) && is_plain(version) {
        return Ok(());
    }
    Err(Error::invalid(format!("`{}` is no library with a version", format!("{name} {version}").escape_debug()))
        .hint("write NAME==VERSION for Python and NAME@VERSION for npm"))
}

fn is_plain(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '!');
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') && text.chars().all(fits) && !text.contains("..")
}

fn is_npm_name(name: &str) -> bool {
    match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| is_plain(scope) && is_plain(name)),
        None => is_plain(name),
    }
}

fn unavailable_package_error(what: &str, (name, version): (&str, &str), reason: &str) -> Error {
    Error::new(ErrorCode::ToolUnavailable, format!("the {what} of {name} {version} cannot be had: {reason}"))
        .hint("connect to the network and try again, or put the file into a folder and pass --wheels")
}

fn temporary_folder_in(folder: &Path) -> Result<tempfile::TempDir> {
    tempfile::tempdir_in(folder).map_err(|e| Error::io(format_args!("cannot write to {}", folder.display()), &e))
}

/// Moves the one file of a folder to another.
fn only_file(from: &Path, into: &Path, none: impl Fn() -> Error) -> Result<PathBuf> {
    let unreadable = |e: &std::io::Error| Error::io(format_args!("cannot read {}", from.display()), e);
    let mut entries = fs::read_dir(from).map_err(|e| unreadable(&e))?;
    let entry = entries.next().ok_or_else(none)?.map_err(|e| unreadable(&e))?;
    let place = into.join(entry.file_name());
    fs::rename(entry.path(), &place).map_err(|e| unreadable(&e))?;
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_taken_for_an_option_or_an_address_is_refused() {
        for (name, version) in [("requests", "2.32.5"), ("ruamel.yaml", "0.18"), ("x", "1!2.0+local")] {
            assert!(check_name_and_version((name, version), is_plain).is_ok(), "{name}");
        }
        for (name, version) in
            [("--index-url=x", "1"), ("x @ https://evil.example/x", "1"), ("x", "1 --pre"), ("", "1")]
        {
            assert_eq!(
                check_name_and_version((name, version), is_plain).unwrap_err().code(),
                ErrorCode::InvalidArgument,
                "{name}"
            );
        }
        for name in ["zod", "@types/react", "lodash.get"] {
            assert!(check_name_and_version((name, "1.0.0"), is_npm_name).is_ok(), "{name}");
        }
        for name in ["../x", "/x", "@a", "@a/b/c", "a/b", "git+ssh://x", "-g", "@../x"] {
            assert!(check_name_and_version((name, "1.0.0"), is_npm_name).is_err(), "{name}");
        }
    }
}

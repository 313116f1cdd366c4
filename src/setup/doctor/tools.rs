//! The locked tools and the interpreter they run on.

use super::report::Finding;
use super::{Patient, finding_from_error, storage};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_toolchain::{Toolchain, ToolchainSettings, manage};

const MEND: &str = "run `tapps-mcp toolchain install`";

/// Most files that are named.
const NAMED: usize = 20;

/// The toolchain as it is; never installs anything. It needs a folder to work in, so without one it is not looked at.
pub(super) fn inspect(patient: &Patient, call: &Call) -> Result<Toolchain> {
    let settings = patient.settings.as_ref().map_err(Error::clone)?;
    if storage::writable(&settings.cache_dir).is_err() {
        return Err(Error::new(ErrorCode::DegradedResult, "the cache folder has to be mended first"));
    }
    tokio::task::block_in_place(|| manage::inspect_toolchain(settings, call))
}

pub(super) fn check_tool_files(patient: &Patient, inspected: &Result<Toolchain>) -> Finding {
    let toolchain = match inspected {
        Ok(toolchain) => toolchain,
        Err(error) if error.code() == ErrorCode::DegradedResult => return Finding::skipped(error.message()),
        Err(error) if error.code() == ErrorCode::ToolUnavailable && error.body().tool.as_deref() != Some("python") => {
            let way = error.body().hint.clone().unwrap_or_else(|| MEND.to_owned());
            return Finding::failed(error.message(), way);
        }
        Err(error) if error.body().tool.as_deref() == Some("python") => {
            return Finding::skipped("an interpreter has to be found first");
        }
        Err(error) => return finding_from_error(error),
    };
    let faults: Vec<String> =
        toolchain.verifications().iter().flat_map(|tree| tree.faults.iter().map(ToString::to_string)).collect();
    if faults.is_empty() {
        let files: usize =
            toolchain.verifications().iter().map(|tree| usize::try_from(tree.files).unwrap_or_default()).sum();
        return Finding::ok(format!("{files} files, all as locked, digest {}", toolchain.digest()));
    }
    let more = faults.len().saturating_sub(NAMED);
    let rest = (more > 0).then(|| format!("and {more} more"));
    let strict =
        patient.settings.as_ref().map(|settings| ToolchainSettings { allow_unverified: false, ..settings.clone() });
    let way = strict.ok().and_then(|strict| manage::require_verified(&strict, toolchain).err());
    let way = way.and_then(|error| error.body().hint.clone()).unwrap_or_else(|| MEND.to_owned());
    let what = format!("the tools in {} are not as locked: {} differences", toolchain.root().display(), faults.len());
    Finding::failed(what, format!("{way}; find out who changed them"))
        .with_details(faults.into_iter().take(NAMED).chain(rest))
}

pub(super) fn check_interpreter(inspected: &Result<Toolchain>) -> Finding {
    match inspected {
        Ok(toolchain) => match toolchain.interpreter() {
            Some(python) => {
                let what = format!("{} {} at {}", python.implementation, python.version, python.executable.display());
                let archive = python.archive.as_ref().map(|archive| &archive.sha256);
                let archive = archive.map(|sha256| format!("unpacked from the locked archive {sha256}"));
                Finding::ok(what).with_details([format!("sha256 {}", python.sha256)].into_iter().chain(archive))
            }
            None => Finding::failed(
                "no Python was found that the tools can run on: only ruff runs",
                "install CPython 3.11, 3.12, 3.13 or 3.14, or set TAPPS_MCP_PYTHON to one; `tapps-mcp toolchain install \
                 --interpreter locked` downloads a locked one",
            ),
        },
        Err(error) if error.body().tool.as_deref() == Some("python") => finding_from_error(error),
        Err(_) => Finding::skipped("the tools have to be there first"),
    }
}

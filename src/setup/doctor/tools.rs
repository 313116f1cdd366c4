//! The locked tools and the interpreter they run on.

use super::report::Finding;
use super::{Patient, failed};
use crate::base::call::Call;
use crate::base::{Error, ErrorCode, Result};
use crate::toolchain::{Toolchain, manage};

/// Most files that are named.
const NAMED: usize = 20;

/// The toolchain as it is; never installs anything.
pub(super) fn inspect(patient: &Patient, call: &Call) -> Result<Toolchain> {
    let settings = patient.settings.as_ref().map_err(Error::clone)?;
    tokio::task::block_in_place(|| manage::inspect(settings, call))
}

pub(super) fn files(inspected: &Result<Toolchain>) -> Finding {
    let toolchain = match inspected {
        Ok(toolchain) => toolchain,
        Err(error) if error.code() == ErrorCode::ToolUnavailable && error.body().tool.as_deref() != Some("python") => {
            return Finding::failed(error.message(), "run `tapps-mcp toolchain install`");
        }
        Err(error) if error.body().tool.as_deref() == Some("python") => {
            return Finding::skipped("an interpreter has to be found first");
        }
        Err(error) => return failed(error),
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
    Finding::failed(
        format!("{} files of the tools in {} are not as locked", faults.len(), toolchain.root().display()),
        "run `tapps-mcp toolchain install`, which mends them; find out who changed them",
    )
    .with(faults.into_iter().take(NAMED).chain(rest))
}

pub(super) fn interpreter(inspected: &Result<Toolchain>) -> Finding {
    match inspected {
        Ok(toolchain) => match toolchain.interpreter() {
            Some(python) => {
                let what = format!("{} {} at {}", python.implementation, python.version, python.executable.display());
                Finding::ok(what).with([format!("sha256 {}", python.sha256)])
            }
            None => Finding::failed(
                "no Python was found that the tools can run on: only ruff runs",
                "install CPython 3.11, 3.12, 3.13 or 3.14, or set TAPPS_MCP_PYTHON to one",
            ),
        },
        Err(error) if error.body().tool.as_deref() == Some("python") => failed(error),
        Err(_) => Finding::skipped("the tools have to be there first"),
    }
}

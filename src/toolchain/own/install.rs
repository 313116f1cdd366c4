//! Installing and verifying a project's own tools, by the same hands as the toolchain.

use std::path::{Path, PathBuf};

use super::lock::OwnTool;
use crate::fetch::ArtifactSource;
use crate::install::{Installed, Installer};
use crate::locate::OWN_FOLDER;
use crate::lock::TreeKind;
use crate::remembered::FileMemory;
use crate::settings::ByteCheck;
use crate::stamp::TreeStamp;
use crate::system::{PythonTag, System};
use crate::verify::{TreeVerification, verify_tree};
use crate::{ToolchainSettings, platform};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

/// An installed tool whose every file is as locked.
#[derive(Debug)]
pub struct OwnTree {
    pub(super) name: String,
    pub(super) root: PathBuf,
    pub(super) stamp: TreeStamp,
    digest: String,
}

impl OwnTree {
    /// Digest of its files.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// True when no file has changed since it was verified.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.stamp.holds_now()
    }
}

/// Where a tool's tree is, or is to be.
fn root_of(settings: &ToolchainSettings, tool: &OwnTool, system: System, kind: TreeKind) -> Result<PathBuf> {
    let lock = tool.lock();
    let tree = lock.locked_tree(system, kind).map_err(|error| {
        error.hint(format!("add {} in a version that is published for this machine", tool.name)).tool(&tool.name)
    })?;
    Ok(match &settings.toolchain_dir {
        Some(fixed) => fixed.join(OWN_FOLDER).join(&tree.digest),
        None => settings.toolchains().join(&tree.digest),
    })
}

/// Installs a tool for a machine whose toolchain is of the kind `tools`; `target` is the folder of a whole toolchain that
/// is being made.
///
/// # Errors
/// As installing the toolchain does.
pub fn install_tool(
    settings: &ToolchainSettings,
    tool: &OwnTool,
    tools: TreeKind,
    target: Option<&Path>,
    call: &Call,
) -> Result<Installed> {
    let (system, kind, lock) = (System::current()?, tool.tree_kind(tools), tool.lock());
    let installer = Installer { settings, lock: &lock, system, launcher: None };
    let named = |error: Error| error.tool(&tool.name);
    match target {
        None => installer.install(kind, call).map_err(named),
        Some(target) => {
            let fixed = ToolchainSettings { toolchain_dir: Some(target.to_owned()), ..settings.clone() };
            let root = root_of(&fixed, tool, system, kind)?;
            // The folder around was closed when its own tools were in place.
            let closed = |e: std::io::Error| Error::io(format_args!("cannot install into {}", target.display()), &e);
            platform::set_mode(target, 0o755).map_err(closed)?;
            let installed = installer.install_into(kind, &root, call).and_then(|installed| {
                installer.remove_write_permission(&root)?;
                Ok(installed)
            });
            installer.remove_write_permission(target)?;
            installed.map_err(named)
        }
    }
}

/// What is there of a tool, compared with its lock; none when nothing is there.
///
/// # Errors
/// `tool_unavailable` when it is not locked for this machine.
pub fn inspect_tool(settings: &ToolchainSettings, tool: &OwnTool, tools: TreeKind) -> Result<Option<TreeVerification>> {
    let (system, kind) = (System::current()?, tool.tree_kind(tools));
    let root = root_of(settings, tool, system, kind)?;
    if !root.is_dir() {
        return Ok(None);
    }
    verify_tree(&root, &tool.lock(), system, kind, &[], None).map(Some)
}

/// Finds a tool, installs it when that is allowed, and verifies it.
///
/// # Errors
/// `tool_unavailable` when it cannot be had; `toolchain_mismatch` naming the tool and its paths when it is not as locked,
/// whatever the settings allow for the toolchain.
pub(crate) fn open_tool(settings: &ToolchainSettings, tool: &OwnTool, tools: TreeKind, call: &Call) -> Result<OwnTree> {
    let (system, kind) = (System::current()?, tool.tree_kind(tools));
    let root = root_of(settings, tool, system, kind)?;
    if !root.is_dir() {
        if settings.toolchain_dir.is_some() || !settings.auto_install {
            let what = format!("{} is locked and not installed", tool.name);
            return Err(Error::new(ErrorCode::ToolUnavailable, what)
                .hint("run `tapps-mcp toolchain install` in the project")
                .tool(&tool.name));
        }
        install_tool(settings, tool, tools, None, call)?;
    }
    let stamp = TreeStamp::of_roots([root.as_path()]);
    let memory = FileMemory::in_cache_dir(&settings.cache_dir);
    let memory = (settings.byte_check == ByteCheck::WhereChanged).then_some(&memory);
    let verification = verify_tree(&root, &tool.lock(), system, kind, &[], memory)?;
    if !verification.is_clean() {
        let error = verification.to_error("run `tapps-mcp toolchain install` in the project to install it anew");
        let what = format!("{}: {}", tool.name, error.message());
        return Err(Error::new(ErrorCode::ToolchainMismatch, what)
            .hint("run `tapps-mcp toolchain install` in the project to install it anew")
            .tool(&tool.name));
    }
    Ok(OwnTree { name: tool.name.clone(), root, stamp, digest: verification.digest })
}

/// Every artifact of a tool for this system, with a checked copy of it on this machine.
///
/// # Errors
/// As installing does.
pub fn tool_artifacts(
    settings: &ToolchainSettings,
    tool: &OwnTool,
    pythons: &[PythonTag],
    folder: &Path,
    call: &Call,
) -> Result<Vec<(String, PathBuf)>> {
    let (system, lock) = (System::current()?, tool.lock());
    let mut found = std::collections::BTreeMap::new();
    for python in pythons.iter().copied() {
        let source = ArtifactSource { settings, system, python, launcher: None };
        let artifacts = lock.artifacts_of(system, tool.tree_kind(python.into()));
        let wanted: Vec<_> = artifacts.filter(|artifact| !found.contains_key(&artifact.file)).collect();
        for (artifact, path) in source.fetch_artifacts(&wanted, folder, call)? {
            found.insert(artifact.file.clone(), path);
        }
    }
    Ok(found.into_iter().collect())
}

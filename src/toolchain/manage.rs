//! What a person asks of the toolchain: install it, look at it, write its lock anew.

use std::path::{Path, PathBuf};

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

use super::ToolchainSettings;
use super::install::{Installed, Installer};
use super::interpreter::{Interpreter, InterpreterChoice};
use super::locate;
use super::lock::{Lock, TreeKind};
use super::relock;
use super::standalone::{self, InterpreterWanted};
use super::system::{PythonTag, System};
use super::tree::Toolchain;
use super::wanted::LockPlan;

/// What to install.
#[derive(Debug, Clone, Default)]
pub struct InstallRequest {
    /// For this Python version; otherwise for the interpreter that is found.
    pub python: Option<PythonTag>,
    /// For machines of this system; otherwise for this one.
    pub system: Option<System>,
    /// Node as well.
    pub node: bool,
    /// What is otherwise fetched when it is first needed as well, where it can be had.
    pub when_needed: bool,
    /// Into this folder instead of the data folder; trees apart then go into folders of their names in it.
    pub target: Option<PathBuf>,
}

/// What is installed now.
#[derive(Debug)]
pub struct InstalledTools {
    /// The tools first; a locked interpreter among the others.
    pub trees: Vec<Installed>,
    /// What of [`TreeKind::WHEN_NEEDED`] is not among them, though it was asked for, and why. Everything else works.
    pub without: Vec<(TreeKind, Error)>,
}

/// Installs what is asked for; what is there already and whole is left alone, what is not as locked is mended.
///
/// # Errors
/// `tool_unavailable` when something cannot be had, `toolchain_mismatch` when it is not the locked thing,
/// `config_error` when a folder cannot be written, `cancelled`, `timeout`.
pub fn install_toolchain(
    settings: &ToolchainSettings,
    request: &InstallRequest,
    call: &Call,
) -> Result<InstalledTools> {
    let lock = settings.lock()?;
    let here = System::current();
    let system = match request.system {
        Some(system) => system,
        None => here.clone()?,
    };
    let locked = settings.interpreter == InterpreterChoice::Locked;
    // Of the locked ones the version that is asked for can be had.
    let wanted = request.python.filter(|_| locked);
    let mut unpacked = None;
    if locked {
        let wanted = InterpreterWanted::of_settings(settings, here.clone()?, wanted)?;
        unpacked = Some(standalone::install(settings, wanted, call)?);
    }
    let interpreter = match here.and_then(|here| Interpreter::find(settings, here, wanted, call)) {
        Ok(interpreter) => Some(interpreter),
        // Unpacking needs no Python, and a version that was asked for need not be the one that runs here.
        Err(error) if !locked && (error.code() == ErrorCode::ToolUnavailable || request.python.is_some()) => None,
        Err(error) => return Err(error),
    };
    if let (None, Some(interpreter)) = (&unpacked, &interpreter) {
        unpacked = standalone::mend(settings, interpreter, call)?;
    }
    let found = interpreter.as_ref().map(|interpreter| interpreter.tag);
    let kind = TreeKind::from(request.python.or(found).unwrap_or(PythonTag::Cp313));
    let launcher = interpreter.as_ref().map(|interpreter| interpreter.launcher.as_path());
    let installer = Installer { settings, lock, system, launcher };
    let place = |kind: TreeKind, folder: Option<&Path>| match folder {
        Some(folder) => installer.install_into(kind, folder, call),
        None => installer.install(kind, call),
    };
    let nested = |kind: TreeKind| request.target.as_ref().map(|target| target.join(kind.as_str()));
    let mut trees = vec![place(kind, request.target.as_deref())?];
    if request.node {
        trees.push(place(TreeKind::Node, nested(TreeKind::Node).as_deref())?);
    }
    trees.extend(unpacked);
    let mut without = Vec::new();
    for kind in TreeKind::WHEN_NEEDED.into_iter().filter(|_| request.when_needed) {
        match place(kind, nested(kind).as_deref()) {
            Ok(tree) => trees.push(tree),
            Err(error) if error.code() == ErrorCode::ToolUnavailable => without.push((kind, error)),
            Err(error) => return Err(error),
        }
    }
    if let Some(target) = &request.target {
        installer.remove_write_permission(target)?;
    }
    Ok(InstalledTools { trees, without })
}

/// Installs one of the trees apart into the data folder.
///
/// # Errors
/// As [`install_toolchain`].
pub(super) fn install_apart(settings: &ToolchainSettings, kind: TreeKind, call: &Call) -> Result<Installed> {
    let system = System::current()?;
    let interpreter = Interpreter::find(settings, system, None, call).ok();
    let launcher = interpreter.as_ref().map(|interpreter| interpreter.launcher.as_path());
    Installer { settings, lock: settings.lock()?, system, launcher }.install(kind, call)
}

/// The toolchain as it is, never installing anything; it may be other than locked.
///
/// # Errors
/// `tool_unavailable` when there is none, `config_error` for an interpreter that does not fit.
pub fn inspect_toolchain(settings: &ToolchainSettings, call: &Call) -> Result<Toolchain> {
    let settings = ToolchainSettings { auto_install: false, ..settings.clone() };
    locate::locate_toolchain(&settings, settings.lock()?, call)
}

/// Fails for tools that are not as locked, unless the settings allow that.
///
/// # Errors
/// `toolchain_mismatch` naming the paths.
pub fn require_verified(settings: &ToolchainSettings, toolchain: &Toolchain) -> Result<()> {
    locate::require_verified_tools(settings, toolchain)
}

/// Works the lock out anew from what the machine's package client fetches.
///
/// # Errors
/// `tool_unavailable` when something cannot be fetched, `toolchain_mismatch` when a wheel is not whole.
pub fn lock_anew(settings: &ToolchainSettings, plan: &LockPlan, call: &Call) -> Result<Lock> {
    let interpreter = Interpreter::find(settings, System::current()?, None, call).ok();
    relock::build_lock(settings, plan, interpreter.as_ref().map(|interpreter| interpreter.launcher.as_path()), call)
}

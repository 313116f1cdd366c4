//! Which of the locked CPythons it is: the newest that is there and can read what the project is written in, else the newest.

use super::fetch::archive_at_hand;
use super::installed::{install_archive, open_unpacked};
use super::lock::{InterpreterArchive, InterpreterLock};
use crate::ToolchainSettings;
use crate::install::Installed;
use crate::interpreter::{Interpreter, InterpreterChoice};
use crate::system::{PythonTag, System};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

/// What is looked for among the locked ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InterpreterWanted {
    pub system: System,
    /// The one version that will do; any locked one otherwise.
    pub version: Option<PythonTag>,
    /// The oldest that will do.
    pub target: Option<PythonTag>,
}

impl InterpreterWanted {
    /// What the settings ask for.
    ///
    /// # Errors
    /// `config_error` when they ask for a locked one and name another.
    pub(crate) fn of_settings(
        settings: &ToolchainSettings,
        system: System,
        version: Option<PythonTag>,
    ) -> Result<Self> {
        match &settings.python {
            Some(python) if settings.interpreter == InterpreterChoice::Locked => {
                let message = format!("a locked interpreter is asked for, and {} as well", python.display());
                Err(Error::new(ErrorCode::ConfigError, message)
                    .tool("python")
                    .hint("unset either `toolchain.python` (TAPPS_MCP_PYTHON) or `toolchain.interpreter`"))
            }
            _ => Ok(Self { system, version, target: settings.python_target }),
        }
    }

    fn fits(self, archive: &InterpreterArchive) -> bool {
        self.version.is_none_or(|version| archive.python == version)
            && self.target.is_none_or(|target| archive.python >= target)
    }
}

/// One that was unpacked before; nothing is fetched.
///
/// # Errors
/// `corrupted_data` or `config_error` for a lock that cannot be used.
pub(crate) fn find_installed(settings: &ToolchainSettings, wanted: InterpreterWanted) -> Result<Option<Interpreter>> {
    let lock = InterpreterLock::of_file(settings.interpreter_lock.as_deref())?;
    let mut fitting = lock.newest_first(wanted.system).filter(|archive| wanted.fits(archive));
    Ok(fitting.find_map(|archive| open_unpacked(settings, archive)))
}

/// One that was unpacked before; else one whose archive is at hand or, where the network may be used, can be downloaded.
///
/// # Errors
/// As [`install`]; `tool_unavailable` when there is none and none may be installed.
pub(crate) fn find_or_install(
    settings: &ToolchainSettings,
    wanted: InterpreterWanted,
    call: &Call,
) -> Result<Interpreter> {
    if let Some(found) = find_installed(settings, wanted)? {
        return Ok(found);
    }
    if !settings.auto_install {
        let version = choose_archive(settings, wanted)?.version;
        return Err(Error::new(ErrorCode::ToolUnavailable, format!("the locked CPython {version} is not installed"))
            .tool("python")
            .hint("run `tapps-mcp toolchain install --interpreter locked`"));
    }
    install(settings, wanted, call)?;
    find_installed(settings, wanted)?.ok_or_else(|| Error::internal("what was just unpacked is not there"))
}

/// Installs the one that would be taken, or mends it where it is not as its archive.
///
/// # Errors
/// `tool_unavailable` when none is locked for this machine or none can be had; `toolchain_mismatch` when what was fetched is
/// not the locked archive; what installing says.
pub(crate) fn install(settings: &ToolchainSettings, wanted: InterpreterWanted, call: &Call) -> Result<Installed> {
    install_archive(settings, &choose_archive(settings, wanted)?, call)
}

/// What is unpacked comes before what is at hand, and that before what has to be downloaded.
fn choose_archive(settings: &ToolchainSettings, wanted: InterpreterWanted) -> Result<InterpreterArchive> {
    let lock = InterpreterLock::of_file(settings.interpreter_lock.as_deref())?;
    let fitting: Vec<&InterpreterArchive> =
        lock.newest_first(wanted.system).filter(|archive| wanted.fits(archive)).collect();
    if let Some(unpacked) = fitting.iter().find(|archive| open_unpacked(settings, archive).is_some()) {
        return Ok((*unpacked).clone());
    }
    for archive in &fitting {
        if archive_at_hand(settings, archive)?.is_some() {
            return Ok((*archive).clone());
        }
    }
    fitting.first().map(|newest| (*newest).clone()).ok_or_else(|| none_locked(wanted))
}

/// The archive of one version.
///
/// # Errors
/// `tool_unavailable` when none is locked, and what the lock says.
pub(crate) fn locked_archive(
    settings: &ToolchainSettings,
    system: System,
    version: PythonTag,
) -> Result<InterpreterArchive> {
    let lock = InterpreterLock::of_file(settings.interpreter_lock.as_deref())?;
    let found = lock.newest_first(system).find(|archive| archive.python == version).cloned();
    found.ok_or_else(|| none_locked(InterpreterWanted { system, version: Some(version), target: None }))
}

fn none_locked(wanted: InterpreterWanted) -> Error {
    let version = match (wanted.version, wanted.target) {
        (Some(version), _) => format!(" {}", version.dotted_version()),
        (None, Some(target)) => format!(" {} or newer", target.dotted_version()),
        (None, None) => String::new(),
    };
    let message = format!("no archive of a CPython{version} is locked for {}", wanted.system);
    Error::new(ErrorCode::ToolUnavailable, message).tool("python").hint(
        "take the machine's own CPython (`toolchain.interpreter = \"host\"`), or name a lock that has one with \
         `toolchain.interpreter_lock`",
    )
}

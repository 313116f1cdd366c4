//! The Python interpreter: found, tried, recorded.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use tapps_base::call::Call;
use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::ToolchainSettings;
use super::process::{self, ProcessLimits, Spec};
use super::remembered::{FileMemory, FileStates};
use super::run;
use super::shim::{self, Shim};
use super::standalone::{self, InterpreterWanted};
use super::system::{PythonTag, System};

/// Long enough for a cold start from a slow disk on a busy or emulated machine; a shim that hangs ends with it.
const TRIAL: Duration = Duration::from_secs(30);

/// Prints what the choice depends on; runs on any Python since 2.7, so that an old one is refused by its version.
const PROBE: &str = "import json,os,platform,struct,sys;print(json.dumps([platform.python_implementation(),\
'.'.join(map(str,sys.version_info[:3])),struct.calcsize('P')*8,os.path.realpath(sys.executable),\
getattr(sys,'abiflags',''),platform.machine(),sys.platform,\
getattr(getattr(sys,'implementation',None),'_multiarch','') or '',\
([l[l.index('/'):].strip() for l in open('/proc/self/maps') if '/libpython' in l] or [None])[0] \
if os.path.exists('/proc/self/maps') else None]))";

/// The interpreter that Python tools run on: recorded in every result that depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// `CPython`; nothing else is used.
    pub implementation: String,
    /// `X.Y.Z`.
    pub version: String,
    /// The program itself, behind links and shims.
    pub executable: PathBuf,
    /// SHA-256 of the program itself.
    pub sha256: String,
    /// Digest of the bytes that the tools run on: the program or the shared library behind it, and the modules of the
    /// standard library that the tools load. None when no tools were there to ask.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub digest: Option<String>,
    /// The command it was found by; has the package client where the program itself may not.
    pub launcher: PathBuf,
    pub tag: PythonTag,
    /// What it was unpacked from, when it is one of the locked ones and not the machine's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub archive: Option<UnpackedArchive>,
}

/// The archive of a locked CPython, and where it was unpacked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnpackedArchive {
    /// SHA-256 of the archive.
    pub sha256: String,
    /// The folder with all that was in it.
    pub root: PathBuf,
}

/// Whose CPython the tools run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InterpreterChoice {
    /// The machine's. Where it has none that fits, a locked one that was installed before; nothing is downloaded for that.
    #[default]
    Host,
    /// One of the locked ones, which is downloaded when it is not there.
    Locked,
}

/// What [`PROBE`] prints.
#[derive(Debug, Deserialize)]
struct InterpreterProbeReply(String, String, u32, PathBuf, String, String, String, String, Option<String>);

impl Interpreter {
    /// The explicit interpreter of the settings, or the newest on the search path that fits; or a locked one, as the settings
    /// choose.
    ///
    /// # Errors
    /// `config_error` when the explicit one does not fit; `tool_unavailable` when none is found; `toolchain_mismatch` when
    /// there is none that can read what the project is written in; `resource_exhausted` when the machine lacks what it
    /// takes to look; what installing a locked one says.
    pub(super) fn find(
        settings: &ToolchainSettings,
        system: System,
        wanted: Option<PythonTag>,
        call: &Call,
    ) -> Result<Self> {
        if let Some((target, tag)) = settings.python_target.zip(wanted)
            && tag < target
        {
            return Err(too_old(
                target,
                tag.dotted_version(),
                "make a tree of tools for it, or unset TAPPS_MCP_TOOLCHAIN_DIR",
            ));
        }
        let locked = InterpreterWanted::of_settings(settings, system, wanted)?;
        if settings.interpreter == InterpreterChoice::Locked {
            return standalone::find_or_install(settings, locked, call);
        }
        let search = InterpreterSearch { settings, system, wanted };
        if let Some(explicit) = &settings.python {
            return search.explicit_interpreter(explicit, call);
        }
        match search.newest_on_path(call) {
            Err(error) if matches!(error.code(), ErrorCode::ToolUnavailable | ErrorCode::ToolchainMismatch) => {
                standalone::find_installed(settings, locked)?.ok_or(error)
            }
            found => found,
        }
    }
}

/// The refusal of an interpreter that cannot read what the project is written in: whatever it said of new syntax would
/// look like a fault of the file.
fn too_old(target: PythonTag, version: &str, way: &str) -> Error {
    let message = format!("this project is for Python {}, the tools run on {version}", target.dotted_version());
    Error::new(ErrorCode::ToolchainMismatch, message).tool("python").hint(way)
}

/// What is looked for, and where.
struct InterpreterSearch<'a> {
    settings: &'a ToolchainSettings,
    system: System,
    /// The one version that will do; any locked one otherwise.
    wanted: Option<PythonTag>,
}

impl InterpreterSearch<'_> {
    fn newest_on_path(&self, call: &Call) -> Result<Interpreter> {
        let settings = self.settings;
        let mut refused = Vec::new();
        let mut tried = Vec::new();
        let mut old = None;
        let newest_first = PythonTag::ALL.into_iter().rev();
        let names = newest_first.map(|tag| (tag.command_name(), Some(tag))).chain([("python3", None)]);
        for (name, tag) in names {
            // One that is too old is tried only to say its version.
            if old.is_some() && tag.is_some() && tag < settings.python_target {
                continue;
            }
            for path in which::which_in_all(name, Some(&settings.search_path), Path::new("/")).into_iter().flatten() {
                call.check()?;
                let path = match shim::program_behind(&path, settings.shim_versions.as_deref()) {
                    Shim::Program(program) => program,
                    Shim::Nothing => continue,
                    Shim::Unknown => path,
                };
                if tried.contains(&path) {
                    continue;
                }
                match self.try_launcher(&path, call)? {
                    Ok(interpreter) if settings.python_target.is_some_and(|target| interpreter.tag < target) => {
                        old.get_or_insert(interpreter);
                    }
                    Ok(interpreter) => return Ok(interpreter),
                    Err(reason) => refused.push(format!("{}: {reason}", path.display())),
                }
                tried.push(path);
            }
        }
        if let Some((target, old)) = settings.python_target.zip(old) {
            let way = format!("install CPython {}, or set TAPPS_MCP_PYTHON to one", target.dotted_version());
            return Err(too_old(target, &old.version, &way));
        }
        let mut message = "no CPython 3.11 to 3.14 was found on PATH".to_owned();
        if !refused.is_empty() {
            message.push_str(&format!(" (tried {})", refused.join("; ")));
        }
        Err(Error::new(ErrorCode::ToolUnavailable, message).tool("python").hint(
            "install CPython 3.11, 3.12, 3.13 or 3.14, or set TAPPS_MCP_PYTHON to one; `tapps-mcp toolchain install \
                 --interpreter locked` downloads a locked one",
        ))
    }

    fn explicit_interpreter(&self, explicit: &Path, call: &Call) -> Result<Interpreter> {
        let path = if explicit.components().count() > 1 {
            Some(explicit.to_owned())
        } else {
            explicit.to_str().and_then(|name| self.settings.find_program(name))
        };
        let tried = match path {
            Some(path) => self.try_launcher(&path, call)?,
            None => Err("not found on PATH".to_owned()),
        };
        let interpreter = tried.map_err(|reason| {
            Error::new(ErrorCode::ConfigError, format!("the Python {} cannot be used: {reason}", explicit.display()))
                .tool("python")
                .hint("set TAPPS_MCP_PYTHON to a CPython 3.11, 3.12, 3.13 or 3.14, or unset it")
        })?;
        match self.settings.python_target {
            Some(target) if interpreter.tag < target => {
                let way = format!("set TAPPS_MCP_PYTHON to a CPython {}, or unset it", target.dotted_version());
                Err(too_old(target, &interpreter.version, &way))
            }
            _ => Ok(interpreter),
        }
    }

    /// Tries one command: the interpreter, or why it is none that will do.
    ///
    /// # Errors
    /// What says nothing about the command: the call is over, or the machine lacks something.
    fn try_launcher(&self, launcher: &Path, call: &Call) -> Result<Result<Interpreter, String>> {
        match self.examine(launcher, call) {
            Ok(interpreter) => Ok(Ok(interpreter)),
            Err(InterpreterRefusal::Unfit(reason)) => {
                call.check()?;
                Ok(Err(reason))
            }
            Err(InterpreterRefusal::Over(error)) => Err(error),
        }
    }

    fn examine(&self, launcher: &Path, call: &Call) -> Result<Interpreter, InterpreterRefusal> {
        let memory = FileMemory::in_cache_dir(&self.settings.cache_dir);
        let key = format!("{PROBE}\0{}", launcher.display());
        if let Some((said, sha256)) = memory.recall::<(String, String)>(&key) {
            let program = self.parse_probe_reply(said.as_bytes())?;
            return Ok(Interpreter { sha256, launcher: launcher.to_owned(), ..program });
        }
        let question = |program, args: &[&str], env| InterpreterQuestion {
            program,
            args: args.iter().map(Into::into).collect(),
            env,
            time: TRIAL,
        };
        let said = question(launcher, &["-I", "-S", "-B", "-c", PROBE], None).ask(self.settings, call)?;
        let program = self.parse_probe_reply(&said)?;
        let library = reply_of(&said)?.8;
        let states =
            FileStates::of_files([launcher, &program.executable].into_iter().chain(library.as_deref().map(Path::new)));
        // Tools run with a cleared environment, which the program behind a shim must be able to bear.
        let bare = [&run::PYTHON_FLAGS[..], &["-c", ""]].concat();
        question(&program.executable, &bare, Some(Vec::new()))
            .ask(self.settings, call)
            .map_err(|refusal| refusal.with_context("it does not run by itself"))?;
        let (sha256, _) = std::fs::File::open(&program.executable)
            .and_then(digest::sha256_reader)
            .map_err(|e| unreadable_interpreter(&program, &e))?;
        // What a script starts depends on more than its file, so its word is good for once.
        if std::fs::canonicalize(launcher).is_ok_and(|path| path == program.executable) {
            memory.remember(&key, &(String::from_utf8_lossy(&said), &sha256), states);
        }
        Ok(Interpreter { sha256, launcher: launcher.to_owned(), ..program })
    }

    /// What a command said of itself, when it is what is looked for; its bytes are not known yet.
    fn parse_probe_reply(&self, said: &[u8]) -> Result<Interpreter, String> {
        let InterpreterProbeReply(implementation, version, bits, executable, abi, machine, platform, multiarch, _) =
            reply_of(said)?;
        let (machine_wanted, platform_wanted) = self.system.python_names();
        let tag = PythonTag::of_version(&version);
        if implementation != "CPython" {
            return Err(format!("it is {implementation}, not CPython"));
        }
        let Some(tag) = tag else { return Err(format!("it is Python {version}")) };
        if self.wanted.is_some_and(|wanted| wanted != tag) {
            return Err(format!("it is Python {version}, the tools are for another version"));
        }
        if bits != 64 || machine != machine_wanted || platform != platform_wanted {
            return Err(format!("it is built for {machine}-{platform}, {bits} bits"));
        }
        if abi.contains('t') || abi.contains('d') {
            return Err(format!("it has the ABI flags `{abi}`, for which no tools are locked"));
        }
        if multiarch.ends_with("musl") {
            return Err("it is built for musl, for which no tools are locked".to_owned());
        }
        let (sha256, launcher) = (String::new(), PathBuf::new());
        Ok(Interpreter { implementation, version, executable, sha256, digest: None, launcher, tag, archive: None })
    }
}

/// Why a command is not taken.
pub(super) enum InterpreterRefusal {
    /// It is not what is looked for.
    Unfit(String),
    /// Nobody can tell: the call is over, or the machine lacks something.
    Over(Error),
}

impl From<String> for InterpreterRefusal {
    fn from(reason: String) -> Self {
        Self::Unfit(reason)
    }
}

impl From<Error> for InterpreterRefusal {
    fn from(error: Error) -> Self {
        match error.code() {
            ErrorCode::Cancelled | ErrorCode::ResourceExhausted => Self::Over(error),
            _ => Self::Unfit(error.message().to_owned()),
        }
    }
}

impl InterpreterRefusal {
    /// As an error, which for an unfit one `unfit` makes of the reason.
    pub(super) fn into_error(self, unfit: impl FnOnce(&str) -> Error) -> Error {
        match self {
            Self::Unfit(reason) => unfit(&reason),
            Self::Over(error) => error,
        }
    }

    fn with_context(self, what: &str) -> Self {
        match self {
            Self::Unfit(reason) => Self::Unfit(format!("{what}: {reason}")),
            over @ Self::Over(_) => over,
        }
    }
}

fn unreadable_interpreter(program: &Interpreter, error: &std::io::Error) -> InterpreterRefusal {
    let what = format_args!("{} cannot be read", program.executable.display());
    Error::io_or(ErrorCode::ToolUnavailable, what, error).into()
}

fn reply_of(said: &[u8]) -> Result<InterpreterProbeReply, String> {
    serde_json::from_slice(said).map_err(|_| "it does not answer like a Python".to_owned())
}

/// Something that an interpreter is asked, in a process of its own.
pub(super) struct InterpreterQuestion<'a> {
    pub(super) program: &'a Path,
    pub(super) args: Vec<OsString>,
    /// None for the environment of this process.
    pub(super) env: Option<Vec<(OsString, OsString)>>,
    pub(super) time: Duration,
}

impl InterpreterQuestion<'_> {
    /// What it prints.
    pub(super) fn ask(self, settings: &ToolchainSettings, call: &Call) -> Result<Vec<u8>, InterpreterRefusal> {
        let spec = Spec {
            name: self.program.display().to_string(),
            program: self.program.to_owned(),
            args: self.args,
            env: self.env,
            cwd: PathBuf::from("/"),
            stdin: Vec::new(),
            limits: ProcessLimits { time: self.time, output: 1 << 20, ..ProcessLimits::default() },
            helper: settings.helper.clone(),
            on_line: None,
        };
        let finished = process::run_blocking(spec, call)?;
        if finished.status.success() {
            return Ok(finished.stdout);
        }
        let last = finished.last_errors(1);
        Err(if last.is_empty() { format!("it ended with {}", finished.status) } else { last }.into())
    }
}

//! The Python interpreter: found, tried, recorded.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use tapps_base::call::Call;
use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::Settings;
use super::process::{self, Limits, Spec};
use super::run;
use super::system::{PythonTag, System};

/// Long enough for a cold start from a slow disk, short enough that a shim that hangs does not hold up the start.
const TRIAL: Duration = Duration::from_secs(10);

/// Prints what the choice depends on; runs on any Python since 2.7, so that an old one is refused by its version.
const PROBE: &str = "import json,os,platform,struct,sys;print(json.dumps([platform.python_implementation(),\
'.'.join(map(str,sys.version_info[:3])),struct.calcsize('P')*8,os.path.realpath(sys.executable),\
getattr(sys,'abiflags',''),platform.machine(),sys.platform,\
getattr(getattr(sys,'implementation',None),'_multiarch','') or '']))";

/// The interpreter that Python tools run on: recorded in every result's fingerprint.
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
    /// The command it was found by; has the package client where the program itself may not.
    pub launcher: PathBuf,
    pub tag: PythonTag,
}

/// What [`PROBE`] prints.
#[derive(Debug, Deserialize)]
struct Answer(String, String, u32, PathBuf, String, String, String, String);

impl Interpreter {
    /// The explicit interpreter of the settings, or the first on the search path that fits.
    ///
    /// # Errors
    /// `config_error` when the explicit one does not fit; `tool_unavailable` when none is found.
    pub(super) fn find(settings: &Settings, system: System, wanted: Option<PythonTag>, call: &Call) -> Result<Self> {
        let search = Search { settings, system, wanted };
        if let Some(explicit) = &settings.python {
            return search.explicit(explicit, call);
        }
        let mut refused = Vec::new();
        let mut tried = Vec::new();
        for name in ["python3.13", "python3.12", "python3.14", "python3.11", "python3"] {
            for path in which::which_in_all(name, Some(&settings.search_path), Path::new("/")).into_iter().flatten() {
                call.check()?;
                if tried.contains(&path) {
                    continue;
                }
                match search.at(&path, call) {
                    Ok(interpreter) => return Ok(interpreter),
                    Err(reason) => refused.push(format!("{}: {reason}", path.display())),
                }
                tried.push(path);
            }
        }
        let mut message = "no CPython 3.11 to 3.14 was found on PATH".to_owned();
        if !refused.is_empty() {
            message.push_str(&format!(" (tried {})", refused.join("; ")));
        }
        Err(Error::new(ErrorCode::ToolUnavailable, message)
            .tool("python")
            .hint("install CPython 3.11, 3.12, 3.13 or 3.14, or set TAPPS_MCP_PYTHON to one"))
    }
}

/// What is looked for, and where.
struct Search<'a> {
    settings: &'a Settings,
    system: System,
    /// The one version that will do; any locked one otherwise.
    wanted: Option<PythonTag>,
}

impl Search<'_> {
    fn explicit(&self, explicit: &Path, call: &Call) -> Result<Interpreter> {
        let path = if explicit.components().count() > 1 {
            Some(explicit.to_owned())
        } else {
            explicit.to_str().and_then(|name| self.settings.find_program(name))
        };
        path.ok_or_else(|| "not found on PATH".to_owned()).and_then(|path| self.at(&path, call)).map_err(|reason| {
            Error::new(ErrorCode::ConfigError, format!("the Python {} cannot be used: {reason}", explicit.display()))
                .tool("python")
                .hint("set TAPPS_MCP_PYTHON to a CPython 3.11, 3.12, 3.13 or 3.14, or unset it")
        })
    }

    /// Tries one command.
    fn at(&self, launcher: &Path, call: &Call) -> Result<Interpreter, String> {
        let args = ["-I", "-S", "-B", "-c", PROBE];
        let said = trial(launcher, &args, None, self.settings, call)?;
        let Answer(implementation, version, bits, executable, abi, machine, platform, multiarch) =
            serde_json::from_slice(&said).map_err(|_| "it does not answer like a Python".to_owned())?;
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
        // Tools run with a cleared environment, which the program behind a shim must be able to bear.
        trial(&executable, &[&run::PYTHON_FLAGS[..], &["-c", ""]].concat(), Some(Vec::new()), self.settings, call)
            .map_err(|reason| format!("it does not run by itself: {reason}"))?;
        let (sha256, _) = std::fs::File::open(&executable)
            .and_then(digest::sha256_reader)
            .map_err(|e| format!("{} cannot be read: {e}", executable.display()))?;
        Ok(Interpreter { implementation, version, executable, sha256, launcher: launcher.to_owned(), tag })
    }
}

fn trial(
    program: &Path,
    args: &[&str],
    env: Option<Vec<(std::ffi::OsString, std::ffi::OsString)>>,
    settings: &Settings,
    call: &Call,
) -> Result<Vec<u8>, String> {
    let spec = Spec {
        name: program.display().to_string(),
        program: program.to_owned(),
        args: args.iter().map(Into::into).collect(),
        env,
        cwd: PathBuf::from("/"),
        stdin: Vec::new(),
        limits: Limits { time: TRIAL, output: 1 << 20, ..Limits::default() },
        helper: settings.helper.clone(),
        on_line: None,
    };
    let finished = process::run_blocking(spec, call).map_err(|e| e.message().to_owned())?;
    if finished.status.success() {
        return Ok(finished.stdout);
    }
    let last = finished.last_errors(1);
    Err(if last.is_empty() { format!("it ended with {}", finished.status) } else { last })
}

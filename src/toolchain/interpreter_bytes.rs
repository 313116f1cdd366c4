//! Which bytes of an interpreter the tools run on, and their digest: its program, or the shared library behind it, and the
//! modules of the standard library that the tools load.
//!
//! Where the interpreter is built as a shared library its program is a stub that starts it, and holds the path of the home
//! it was built for: it is left out, so that a copy in another home is the same interpreter.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use tapps_base::call::Call;
use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::ToolchainSettings;
use super::interpreter::{Interpreter, InterpreterQuestion};
use super::remembered::{FileMemory, FileStates};
use super::run;

/// Asks an interpreter which of its files a run of the tools loads.
pub const PROBE: &str = include_str!("stdlib.py");

/// What the tools load when they run: their entrances, and what they import later. A test compares this with real runs.
pub const LOADED: [&str; 6] =
    ["mypy.main", "mypy.build", "sqlite3", "bandit.cli.main", "bandit.formatters.json", "radon.cli"];

/// Loading every tool takes under a second; a cold disk or an emulated machine takes a minute.
const PATIENCE: Duration = Duration::from_secs(180);

/// What an interpreter is made of, as far as tools run on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InterpreterBytes {
    /// Over the bytes of all files by their names, whatever folder they are in.
    pub(super) digest: String,
    /// What has to stay as it is: files, and the folders and places that decide which files are found.
    pub(super) watched: Vec<PathBuf>,
}

/// What [`PROBE`] says.
#[derive(Debug, Deserialize)]
struct LoadedFiles {
    libraries: Vec<PathBuf>,
    modules: BTreeMap<String, LoadedModule>,
    places: Vec<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct LoadedModule {
    path: PathBuf,
    /// Where its byte code is, or would be.
    cached: Option<PathBuf>,
    /// True when the byte code is not that of the source, and so is what runs.
    other: bool,
}

impl InterpreterBytes {
    /// Of the interpreter that runs the tools in `root`, whose files have the digest `tools`; remembered while no file
    /// changes.
    ///
    /// # Errors
    /// `tool_unavailable` when it cannot say, `resource_exhausted`, `cancelled`.
    pub(super) fn find_out(
        interpreter: &Interpreter,
        root: &Path,
        tools: &str,
        settings: &ToolchainSettings,
        call: &Call,
    ) -> Result<Self> {
        let memory = FileMemory::in_cache_dir(&settings.cache_dir);
        let key = format!("{PROBE}\0{LOADED:?}\0{tools}\0{}", interpreter.executable.display());
        if let Some(known) = memory.recall(&key) {
            return Ok(known);
        }
        let loaded = ask_for_loaded_files(interpreter, root, settings, call)?;
        let watched = loaded.watched_paths(interpreter);
        // Taken before anything is hashed: what changes meanwhile does not get into the memory.
        let states = FileStates::of_files(watched.iter().map(PathBuf::as_path));
        let found = Self { digest: loaded.digest(interpreter)?, watched };
        memory.remember(&key, &found, states);
        Ok(found)
    }
}

fn ask_for_loaded_files(
    interpreter: &Interpreter,
    root: &Path,
    settings: &ToolchainSettings,
    call: &Call,
) -> Result<LoadedFiles> {
    let mut args: Vec<OsString> = run::PYTHON_FLAGS.iter().map(Into::into).collect();
    args.extend(["-c".into(), PROBE.into(), root.join("lib").into()]);
    args.extend(LOADED.iter().map(Into::into));
    let question = InterpreterQuestion {
        program: &interpreter.executable,
        args,
        env: Some(run::tool_environment(Path::new("/"))),
        time: PATIENCE,
    };
    let unable = |reason: &str| {
        let what = format!("{} does not say what it loads: {reason}", interpreter.executable.display());
        Error::new(ErrorCode::ToolUnavailable, what).tool("python")
    };
    let said = question.ask(settings, call).map_err(|refusal| refusal.into_error(unable))?;
    serde_json::from_slice(&said).map_err(|e| unable(&e.to_string()))
}

impl LoadedFiles {
    fn digest(&self, interpreter: &Interpreter) -> Result<String> {
        // A library's file name carries its version and no folder.
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut files: Vec<(&str, String, &Path)> =
            self.libraries.iter().map(|path| ("libraries", name(path), path.as_path())).collect();
        if files.is_empty() {
            files.push(("program", "python".to_owned(), &interpreter.executable));
        }
        for (name, module) in &self.modules {
            files.push(("modules", name.clone(), &module.path));
            if let Some(cached) = module.cached.as_ref().filter(|_| module.other) {
                files.push(("bytecode", name.clone(), cached));
            }
        }
        let hashed: Result<Vec<(&str, String, String)>> =
            files.into_par_iter().map(|(part, name, path)| Ok((part, name, sha256_of_file(path)?))).collect();
        digest::of_json(&json!({
            "implementation": interpreter.implementation,
            "version": interpreter.version,
            "files": hashed?,
        }))
    }

    fn watched_paths(&self, interpreter: &Interpreter) -> Vec<PathBuf> {
        let modules = self.modules.values();
        let code = modules.flat_map(|module| [Some(&module.path), module.cached.as_ref()].into_iter().flatten());
        let rest = self.libraries.iter().chain(&self.places).chain([&interpreter.executable]);
        let mut watched: Vec<PathBuf> = code.chain(rest).cloned().collect();
        watched.sort();
        watched.dedup();
        watched
    }
}

fn sha256_of_file(path: &Path) -> Result<String> {
    let hashed = std::fs::File::open(path).and_then(digest::sha256_reader);
    let (sha256, _) = hashed
        .map_err(|e| Error::io_or(ErrorCode::ToolUnavailable, format_args!("cannot read {}", path.display()), &e))?;
    Ok(sha256)
}

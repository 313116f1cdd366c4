//! A program that the user named, in place of one of this program's own parts: not locked, but its bytes are told.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest};

use super::ToolchainSettings;
use super::process::{self, Finished, ProcessLimits, Spec};
use super::shell;

/// Most files that are read to tell what a program is.
const MOST_FILES: usize = 20_000;

/// Largest file that is read for that, in bytes.
const LARGEST: u64 = 512 << 20;

/// A program with what it is.
#[derive(Debug, Clone)]
pub struct Foreign {
    name: String,
    program: PathBuf,
    first: Vec<OsString>,
    helper: Option<PathBuf>,
    sha256: String,
}

impl Foreign {
    /// The program at a path: a file that can be run, a script of Node, or a folder that holds one as `dist/cli.js`.
    ///
    /// `name` is what messages call it.
    ///
    /// # Errors
    /// `tool_unavailable` when there is nothing of the kind, or no Node to run a script.
    pub fn find(name: &str, path: &Path, settings: &ToolchainSettings) -> Result<Self> {
        let missing = |what: String| Error::new(ErrorCode::ToolUnavailable, what).tool(name);
        let inside = path.join("dist").join("cli.js");
        let (entry, whole) = match path.is_dir() {
            true => (inside, path.join("dist")),
            false => (path.to_owned(), path.to_owned()),
        };
        if !entry.is_file() {
            return Err(missing(format!("there is no {name} at {}", path.display()))
                .hint("name the folder that holds dist/cli.js, or a program"));
        }
        let is_script = entry.extension().is_some_and(|ending| ["js", "cjs", "mjs"].iter().any(|js| ending == *js));
        let (program, first) = if is_script {
            let node = settings
                .find_program("node")
                .ok_or_else(|| missing(format!("{name} is a script of Node, and node was not found on PATH")))?;
            (node, vec![entry.into_os_string()])
        } else {
            (entry, Vec::new())
        };
        Ok(Self { name: name.to_owned(), program, first, helper: settings.helper.clone(), sha256: digest_of(&whole)? })
    }

    /// SHA-256 of the program; of a folder, over the paths and digests of all files in it.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Runs it in the folder `cwd` to its end. An exit code other than 0 is no error here.
    ///
    /// # Errors
    /// `timeout`, `cancelled`, `tool_unavailable` when it cannot start, `degraded_result` when it says too much.
    pub async fn run(&self, args: &[String], cwd: &Path, call: &Call) -> Result<Finished> {
        let spec = Spec {
            name: self.name.clone(),
            program: self.program.clone(),
            args: self.first.iter().cloned().chain(args.iter().map(OsString::from)).collect(),
            env: Some(shell::shell_environment(std::env::vars_os())),
            cwd: cwd.to_owned(),
            stdin: Vec::new(),
            limits: ProcessLimits::default(),
            helper: self.helper.clone(),
            on_line: None,
        };
        process::run_process(spec, call).await
    }
}

fn digest_of(path: &Path) -> Result<String> {
    let failed = |path: &Path, error: &std::io::Error| Error::io(format_args!("cannot read {}", path.display()), error);
    if path.is_file() {
        return Ok(digest::sha256(&std::fs::read(path).map_err(|error| failed(path, &error))?));
    }
    let mut files = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| failed(&folder, &error))?.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
        if files.len() > MOST_FILES {
            return Err(Error::invalid(format!("{} holds more than {MOST_FILES} files", path.display())));
        }
    }
    files.sort();
    let mut lines = String::new();
    for file in files {
        let size = file.metadata().map_err(|error| failed(&file, &error))?.len();
        if size > LARGEST {
            return Err(Error::invalid(format!("{} has {size} bytes, too many for a program", file.display())));
        }
        let sha256 = digest::sha256(&std::fs::read(&file).map_err(|error| failed(&file, &error))?);
        let name = file.strip_prefix(path).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        lines.push_str(&format!("{sha256}  {name}\n"));
    }
    Ok(digest::sha256(lines.as_bytes()))
}

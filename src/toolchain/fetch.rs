//! Getting artifacts: a folder, the cache, the machine's own package clients.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

use super::ToolchainSettings;
use super::cache::{self, ArtifactCache};
use super::lock::{Artifact, ArtifactKind, ArtifactRole};
use super::process::{self, Finished, OnLine, ProcessLimits, Spec};
use super::published;
use super::system::{PythonTag, System};

/// How long one run of the package client may take.
const CLIENT_TIME: Duration = Duration::from_secs(15 * 60);

const WAY_OUT: &str = "connect to the network and try again, or copy the artifacts named in the lock to this machine \
                       and run `tapps-mcp toolchain install --from DIR`";

const NPM_WAY_OUT: &str = "install npm, which comes with Node.js, or copy the artifact named in the lock to this machine; then \
                           run `tapps-mcp toolchain install`, with `--from DIR` for a folder that holds it";

/// Where to get artifacts, for one system and one Python version.
#[derive(Debug)]
pub(super) struct ArtifactSource<'a> {
    pub settings: &'a ToolchainSettings,
    pub system: System,
    pub python: PythonTag,
    /// The interpreter's command, whose `pip` is asked first.
    pub launcher: Option<&'a Path>,
}

impl ArtifactSource<'_> {
    /// The checked file of every artifact. `folder` receives what is fetched and cannot be cached.
    ///
    /// # Errors
    /// `toolchain_mismatch` when a file is not the locked one; `tool_unavailable` when some cannot be had.
    pub(super) fn fetch_artifacts<'a>(
        &self,
        artifacts: &[&'a Artifact],
        folder: &Path,
        call: &Call,
    ) -> Result<Vec<(&'a Artifact, PathBuf)>> {
        let cache = ArtifactCache::in_cache_dir(&self.settings.cache_dir);
        let mut found = Vec::new();
        let mut wanted = Vec::new();
        for artifact in artifacts.iter().copied() {
            call.check()?;
            match self.at_hand(artifact, &cache)? {
                Some(path) => found.push((artifact, path)),
                None => wanted.push(artifact),
            }
        }
        if wanted.is_empty() {
            return Ok(found);
        }
        if self.settings.offline {
            return Err(self.missing_artifacts_error(&wanted, "fetching is switched off"));
        }
        let (wheels, packages): (Vec<_>, Vec<_>) = wanted.iter().partition(|one| one.kind == ArtifactKind::Wheel);
        if !wheels.is_empty() {
            self.download_wheels(&wheels, folder, call)?;
        }
        for package in packages {
            // One file may stand at two places of a tree.
            if folder.join(&package.file).is_file() {
                continue;
            }
            self.download_npm_package(package, folder, call)?;
        }
        for artifact in wanted {
            let fetched = folder.join(&artifact.file);
            let kept = if fetched.is_file() { None } else { cache.get(artifact) };
            found.push((artifact, kept.map_or_else(|| cache.put(artifact, &fetched), Ok)?));
        }
        Ok(found)
    }

    fn at_hand(&self, artifact: &Artifact, cache: &ArtifactCache) -> Result<Option<PathBuf>> {
        if let Some(folder) = &self.settings.from {
            let path = folder.join(&artifact.file);
            if path.exists() {
                cache::check_artifact_file(artifact, &path)?;
                return Ok(Some(path));
            }
        }
        Ok(cache.get(artifact))
    }

    fn missing_artifacts_error(&self, wanted: &[&Artifact], reason: &str) -> Error {
        let first = wanted.first().map_or("", |artifact| artifact.file.as_str());
        let others = match wanted.len() {
            0 | 1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let error = Error::new(ErrorCode::ToolUnavailable, format!("cannot get {first}{others}: {reason}"));
        match &self.settings.from {
            _ if wanted.iter().all(|artifact| artifact.kind == ArtifactKind::Npm) => error.hint(NPM_WAY_OUT),
            Some(folder) => error.hint(format!("copy the missing artifacts to {}", folder.display())),
            None => error.hint(WAY_OUT),
        }
    }

    /// npm fetches each by its name and version, from the registry that it is set up for; the digests decide.
    fn download_npm_package(&self, artifact: &Artifact, folder: &Path, call: &Call) -> Result<()> {
        let tenths = artifact.size / 100_000;
        call.progress.note(&format!("fetching {} ({}.{} MB)", artifact.tool_name(), tenths / 10, tenths % 10));
        let coordinates = (artifact.name.as_str(), artifact.version.as_str());
        let fetched = published::fetch_npm_package(self.settings, coordinates, folder, call).map_err(|error| {
            if error.code() != ErrorCode::ToolUnavailable {
                return error;
            }
            self.missing_artifacts_error(&[artifact], error.message())
        })?;
        let place = folder.join(&artifact.file);
        std::fs::rename(&fetched, &place).map_err(|e| Error::io(format_args!("cannot write {}", place.display()), &e))
    }

    /// One run of the package client for all of them, each bound to its digest.
    fn download_wheels(&self, wanted: &[&Artifact], folder: &Path, call: &Call) -> Result<()> {
        let requirements = folder.join("requirements.txt");
        std::fs::write(&requirements, requirements_of(wanted))
            .map_err(|e| Error::io(format_args!("cannot write {}", requirements.display()), &e))?;
        let bytes: u64 = wanted.iter().map(|artifact| artifact.size).sum();
        let (count, tenths) = (wanted.len() as u64, bytes / 100_000);
        call.progress.note(&format!("fetching {count} artifacts ({}.{} MB)", tenths / 10, tenths % 10));
        call.progress.report("fetch", 0, count);
        let progress = Arc::clone(&call.progress);
        let done = AtomicU64::new(0);
        let on_line = move |line: &str| {
            if let Some(name) = line.strip_prefix("Collecting ") {
                progress.note(&format!("fetching {}", name.split_whitespace().next().unwrap_or(name)));
                progress.report("fetch", done.fetch_add(1, Ordering::Relaxed), count);
            }
        };
        let mut args: Vec<OsString> = vec!["--require-hashes".into(), "-r".into(), requirements.into()];
        args.extend(self.target_args(wanted));
        let client = PackageClient { settings: self.settings, launcher: self.launcher };
        client.download_wheels(args, folder, Some(Arc::new(on_line)), call).map_err(|reason| match reason {
            ClientFailure::Call(error) => error,
            ClientFailure::Said(reason) => self.missing_artifacts_error(wanted, &reason),
        })?;
        call.progress.report("fetch", count, count);
        match wanted.iter().find(|artifact| !folder.join(&artifact.file).is_file()) {
            Some(artifact) => {
                Err(self.missing_artifacts_error(&[artifact], "the package client brought something else"))
            }
            None => Ok(()),
        }
    }

    fn target_args(&self, wanted: &[&Artifact]) -> Vec<OsString> {
        let fixed = wanted.iter().any(|artifact| artifact.role.is_one_program());
        if wanted.iter().any(|artifact| artifact.role == ArtifactRole::Own) {
            return target_args(self.system.published_platforms(), self.python);
        }
        let mut platforms = self.system.dynamic_platforms().to_vec();
        if fixed {
            platforms.extend(
                self.system
                    .static_platforms()
                    .iter()
                    .filter(|tag| !platforms.contains(tag))
                    .copied()
                    .collect::<Vec<_>>(),
            );
        }
        target_args(&platforms, self.python)
    }
}

/// The options that make the package client fetch for another machine than its own.
pub(super) fn target_args(platforms: &[&str], python: PythonTag) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec!["--python-version".into(), python.dotted_version().into()];
    args.extend(["--implementation".into(), "cp".into()]);
    args.extend(platforms.iter().flat_map(|platform| ["--platform".into(), platform.into()]));
    args
}

fn requirements_of(wanted: &[&Artifact]) -> String {
    wanted.iter().fold(String::new(), |mut text, artifact| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}=={} --hash=sha256:{}", artifact.name, artifact.version, artifact.sha256);
        text
    })
}

/// The machine's own package client; which index it asks is the user's configuration.
pub(super) struct PackageClient<'a> {
    pub settings: &'a ToolchainSettings,
    pub launcher: Option<&'a Path>,
}

/// Why the package client did not deliver.
#[derive(Debug)]
pub(super) enum ClientFailure {
    /// The call is over.
    Call(Error),
    /// What it said last, or that there is none.
    Said(String),
}

impl PackageClient<'_> {
    /// Downloads wheels into `folder`, and nothing that they ask for.
    pub(super) fn download_wheels(
        &self,
        mut args: Vec<OsString>,
        folder: &Path,
        on_line: Option<OnLine>,
        call: &Call,
    ) -> Result<(), ClientFailure> {
        args.insert(0, "--no-deps".into());
        self.download_closure(args, folder, on_line, call)
    }

    /// Downloads wheels into `folder`, with all that they ask for.
    pub(super) fn download_closure(
        &self,
        args: Vec<OsString>,
        folder: &Path,
        on_line: Option<OnLine>,
        call: &Call,
    ) -> Result<(), ClientFailure> {
        let mut none = "there is no package client: neither `python -m pip` nor `pip` was found".to_owned();
        for (program, first) in self.candidates() {
            let mut all: Vec<OsString> = first.iter().map(Into::into).collect();
            all.extend(["download", "--only-binary=:all:", "--no-input"].map(Into::into));
            all.extend(["--disable-pip-version-check", "--progress-bar=off", "-d"].map(Into::into));
            all.push(folder.into());
            all.extend(args.iter().cloned());
            let finished = match self.run(&program, all, folder, on_line.clone(), call) {
                Ok(finished) => finished,
                Err(error) if error.code() == ErrorCode::ToolUnavailable => {
                    none = error.message().to_owned();
                    continue;
                }
                Err(error) => return Err(ClientFailure::Call(error)),
            };
            if finished.status.success() {
                return Ok(());
            }
            let said = finished.last_errors(3);
            if said.contains("No module named pip") {
                continue;
            }
            let said = if said.is_empty() { finished.status.to_string() } else { said };
            return Err(ClientFailure::Said(format!("the package client failed: {said}")));
        }
        Err(ClientFailure::Said(none))
    }

    fn run(
        &self,
        program: &Path,
        args: Vec<OsString>,
        folder: &Path,
        on_line: Option<OnLine>,
        call: &Call,
    ) -> Result<Finished> {
        let spec = Spec {
            name: "pip".to_owned(),
            program: program.to_owned(),
            args,
            // The user's own: proxies, certificates, index and the client's other settings live in it.
            env: None,
            cwd: folder.to_owned(),
            stdin: Vec::new(),
            limits: ProcessLimits { time: CLIENT_TIME, ..ProcessLimits::default() },
            helper: self.settings.helper.clone(),
            on_line,
        };
        process::run_blocking(spec, call)
    }

    /// The commands to try: the interpreter's own pip, any other Python's, a bare `pip`.
    fn candidates(&self) -> Vec<(PathBuf, &'static [&'static str])> {
        // Without byte code, which would be a file too many in a locked interpreter.
        const MODULE: &[&str] = &["-B", "-m", "pip"];
        let mut commands: Vec<(PathBuf, &'static [&'static str])> = Vec::new();
        commands.extend(self.launcher.map(|launcher| (launcher.to_owned(), MODULE)));
        let pythons = which::which_in_all("python3", Some(&self.settings.search_path), Path::new("/"));
        commands.extend(pythons.into_iter().flatten().map(|python| (python, MODULE)));
        commands
            .extend(["pip3", "pip"].into_iter().filter_map(|name| Some((self.settings.find_program(name)?, &[][..]))));
        let mut seen = std::collections::BTreeSet::new();
        commands.retain(|(program, _)| seen.insert(program.clone()));
        commands
    }
}

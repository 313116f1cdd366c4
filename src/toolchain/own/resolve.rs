//! From a name and a version to a locked tool: everything is fetched once, for every system and Python version, and
//! digested.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::lock::OwnTool;
use super::resolve_npm;
use crate::fetch::{ClientFailure, PackageClient, target_args};
use crate::interpreter::Interpreter;
use crate::lock::{Artifact, ArtifactKind, ArtifactRole, Lock, LockedTree, PythonTags, SCHEMA_VERSION, TreeKind};
use crate::manifest::TreeManifest;
use crate::relock::normalize_artifact;
use crate::system::{PythonTag, System};
use crate::wheel::Wheel;
use crate::{ToolchainSettings, published, requires, unpack};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest};

/// What pip says of a package that has no file for the machine in question, and of one whose parts do not fit together.
const NOT_PUBLISHED: [&str; 3] = ["No matching distribution", "ResolutionImpossible", "Could not find a version"];

/// A tool to lock, written `NAME==VERSION`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolRequest {
    pub name: String,
    pub version: String,
}

impl FromStr for ToolRequest {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, version) = text.split_once("==").ok_or_else(|| {
            Error::invalid(format!("`{text}` is not a tool with a version")).hint("write NAME==1.2.3")
        })?;
        Ok(Self { name: name.trim().to_owned(), version: version.trim().to_owned() })
    }
}

/// Fetches a tool with all that it asks for and works out what its lock says. None of `systems` or `pythons` means all.
///
/// # Errors
/// `invalid_argument` for what is no name or version, `tool_unavailable` when it cannot be fetched, or is published for
/// none of the systems; `toolchain_mismatch` when a file is not whole.
pub fn resolve_tool(
    settings: &ToolchainSettings,
    request: &ToolRequest,
    kind: ArtifactKind,
    (systems, pythons): (&[System], &[PythonTag]),
    call: &Call,
) -> Result<OwnTool> {
    published::check_coordinates(kind, (&request.name, &request.version))?;
    if settings.offline {
        let what = format!("{} {} cannot be locked: fetching is switched off", request.name, request.version);
        return Err(Error::new(ErrorCode::ToolUnavailable, what).hint("connect to the network and try again"));
    }
    let folder = tempfile::tempdir().map_err(|e| Error::io("cannot make a temporary folder for the artifacts", &e))?;
    let systems = System::ALL.into_iter().filter(|one| systems.is_empty() || systems.contains(one));
    let pythons = PythonTag::ALL.into_iter().filter(|one| pythons.is_empty() || pythons.contains(one));
    let (systems, pythons): (Vec<System>, Vec<PythonTag>) = (systems.collect(), pythons.collect());
    let mut found = match kind {
        ArtifactKind::Npm => resolve_npm::fetch_packages(settings, request, &systems, folder.path(), call)?,
        ArtifactKind::Wheel => fetch_wheels(settings, request, (&systems, &pythons), folder.path(), call)?,
    };
    let mut artifacts: Vec<Artifact> = found.artifacts.into_values().collect();
    artifacts.iter_mut().for_each(normalize_artifact);
    artifacts.sort_by(|a, b| (&a.name, &a.version, &a.file, &a.place).cmp(&(&b.name, &b.version, &b.file, &b.place)));
    let mut lock = Lock { schema_version: SCHEMA_VERSION, artifacts, trees: Vec::new() };
    found.trees.sort();
    let mut lacking = None;
    for (system, kind) in found.trees {
        // What only some machine needs was left out where the package client looked for this one.
        if let Err(error) = requires::check_tree_closure(&lock, system, kind) {
            call.progress.note(&format!("left out for {kind} on {system}: {}", error.message()));
            lacking = Some(error);
            continue;
        }
        let tree = locked_tree(&lock, (system, kind), &found.records)?;
        lock.trees.push(tree);
    }
    if let (true, Some(error)) = (lock.trees.is_empty(), lacking) {
        return Err(error);
    }
    let Lock { artifacts, trees, .. } = lock;
    let ToolRequest { name, version } = request.clone();
    Ok(OwnTool { name, version, kind, artifacts, trees })
}

/// What was fetched.
#[derive(Debug, Default)]
pub(super) struct Fetched {
    /// By file and place.
    pub(super) artifacts: BTreeMap<(String, Option<String>), Artifact>,
    /// The RECORD of each.
    pub(super) records: BTreeMap<(String, Option<String>), Vec<u8>>,
    /// The machines that have all they need.
    pub(super) trees: Vec<(System, TreeKind)>,
}

fn fetch_wheels(
    settings: &ToolchainSettings,
    request: &ToolRequest,
    (systems, pythons): (&[System], &[PythonTag]),
    folder: &Path,
    call: &Call,
) -> Result<Fetched> {
    let launcher = Interpreter::find(settings, System::current()?, None, call).ok().map(|found| found.launcher);
    let client = PackageClient { settings, launcher: launcher.as_deref() };
    let total = (systems.len() * pythons.len()) as u64;
    let (mut found, mut said_last, mut done) = (Fetched::default(), String::new(), 0);
    for system in systems.iter().copied() {
        for python in pythons.iter().copied() {
            call.progress.report("lock", done, total);
            call.progress.note(&format!("fetching {} for {python} on {system}", request.name));
            let into = folder.join(format!("{system}-{python}"));
            fs::create_dir(&into).map_err(|e| Error::io(format_args!("cannot make {}", into.display()), &e))?;
            let mut args: Vec<OsString> = target_args(system.published_platforms(), python);
            args.push(format!("{}=={}", request.name, request.version).into());
            match client.download_closure(args, &into, None, call) {
                Ok(()) => collect_wheels(&into, (system, python), &mut found)?,
                Err(ClientFailure::Call(error)) => return Err(error),
                Err(ClientFailure::Said(said)) if NOT_PUBLISHED.iter().any(|words| said.contains(words)) => {
                    call.progress.note(&format!("{} is not published for {python} on {system}", request.name));
                    said_last = said;
                }
                Err(ClientFailure::Said(said)) => return Err(unavailable(request, &said)),
            }
            done += 1;
        }
    }
    call.progress.report("lock", done, total);
    if found.trees.is_empty() { Err(unavailable(request, &said_last)) } else { Ok(found) }
}

fn collect_wheels(folder: &Path, (system, python): (System, PythonTag), found: &mut Fetched) -> Result<()> {
    let failed = |e: &std::io::Error| Error::io(format_args!("cannot read {}", folder.display()), e);
    for entry in fs::read_dir(folder).map_err(|e| failed(&e))? {
        let path = entry.map_err(|e| failed(&e))?.path();
        let key = (file_name(&path), None);
        if !found.artifacts.contains_key(&key) {
            let (artifact, record) = describe_wheel(&path, &key.0)?;
            found.artifacts.insert(key.clone(), artifact);
            found.records.insert(key.clone(), record);
        }
        let Some(known) = found.artifacts.get_mut(&key) else { continue };
        if !known.systems.contains(&system) {
            known.systems.push(system);
        }
        if let PythonTags::Some(tags) = &mut known.python
            && !tags.contains(&python)
        {
            tags.push(python);
        }
        // It has been looked at, and the next machine's may be as large.
        fs::remove_file(&path).map_err(|e| failed(&e))?;
    }
    found.trees.push((system, python.into()));
    Ok(())
}

fn describe_wheel(path: &Path, file: &str) -> Result<(Artifact, Vec<u8>)> {
    let mut parts = file.split('-');
    let (name, version) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if !file.ends_with(".whl") || version.is_empty() {
        return Err(Error::new(ErrorCode::ToolchainMismatch, format!("{file} was fetched and is no wheel")));
    }
    let mut artifact = describe_file(path, (name, version), ArtifactKind::Wheel)?;
    let record = unpack::read_record(&artifact, path)?;
    artifact.record_sha256 = digest::sha256(&record);
    artifact.requires = requires::of_metadata(&Wheel::open(&artifact, path)?.dist_info("METADATA")?);
    Ok((artifact, record))
}

/// A fetched file, of which nothing is known yet but its bytes.
pub(super) fn describe_file(path: &Path, (name, version): (&str, &str), kind: ArtifactKind) -> Result<Artifact> {
    let (sha256, size) = File::open(path)
        .and_then(digest::sha256_reader)
        .map_err(|e| Error::io(format_args!("cannot read {}", path.display()), &e))?;
    Ok(Artifact {
        name: name.to_owned(),
        version: version.to_owned(),
        kind,
        file: file_name(path),
        size,
        sha256,
        integrity: None,
        record_sha256: String::new(),
        role: ArtifactRole::Own,
        systems: Vec::new(),
        python: PythonTags::Some(Vec::new()),
        requires: Vec::new(),
        place: None,
    })
}

fn locked_tree(
    lock: &Lock,
    (system, kind): (System, TreeKind),
    records: &BTreeMap<(String, Option<String>), Vec<u8>>,
) -> Result<LockedTree> {
    let mut manifest = TreeManifest::default();
    for artifact in lock.artifacts_of(system, kind) {
        let record = records.get(&(artifact.file.clone(), artifact.place.clone()));
        manifest.add(artifact, record.map_or(&[][..], Vec::as_slice))?;
    }
    let (files, bytes) = (manifest.files.len() as u64, manifest.bytes());
    Ok(LockedTree { system, kind, digest: manifest.digest(), files, bytes })
}

pub(super) fn unavailable(request: &ToolRequest, reason: &str) -> Error {
    let what = format!("{} {} cannot be had: {reason}", request.name, request.version);
    Error::new(ErrorCode::ToolUnavailable, what)
        .hint("only what is published ready to run can be locked: a wheel for each system, or an npm package")
}

fn file_name(path: &Path) -> String {
    let path: PathBuf = path.to_owned();
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

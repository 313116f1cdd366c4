//! Writing the lock anew: every artifact for every system and Python version, fetched, checked, digested.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;

use tapps_base::call::Call;
use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::ToolchainSettings;
use super::fetch::{ClientFailure, PackageClient, target_args};
use super::lock::{AnyPython, Artifact, ArtifactKind, Lock, LockedTree, PythonTags, SCHEMA_VERSION, TreeKind};
use super::manifest::TreeManifest;
use super::requires;
use super::system::{PythonTag, System};
use super::wanted::{Linkage, LockPlan, WantedPackage};
use super::wheel::Wheel;
use super::{npm_package, published, unpack};

/// Fetches everything with the machine's package clients and works the lock out.
///
/// # Errors
/// `tool_unavailable` when something cannot be fetched, `toolchain_mismatch` when a wheel is not whole or needs a
/// package that is not locked.
pub(super) fn build_lock(
    settings: &ToolchainSettings,
    plan: &LockPlan,
    launcher: Option<&Path>,
    call: &Call,
) -> Result<Lock> {
    let folder = tempfile::tempdir().map_err(|e| Error::io("cannot make a temporary folder for the artifacts", &e))?;
    let client = PackageClient { settings, launcher };
    let mut found: BTreeMap<String, Artifact> = BTreeMap::new();
    let total = (plan.systems.len() * plan.pythons.len()) as u64;
    let mut done = 0;
    for system in plan.systems.iter().copied() {
        for python in plan.pythons.iter().copied() {
            call.progress.report("lock", done, total);
            call.progress.note(&format!("fetching the tools for {python} on {system}"));
            let into = folder.path().join(fetched_folder(system, Some(python)));
            fetch_wheels(&client, plan, (system, python), &into, call)?;
            collect_wheels(&into, plan, (system, python), &mut found)?;
            done += 1;
        }
        for artifact in lock_npm_packages(settings, plan, system, folder.path(), call)? {
            found.insert(artifact.file.clone(), artifact);
        }
    }
    call.progress.report("lock", done, total);
    let mut artifacts: Vec<Artifact> = found.into_values().collect();
    artifacts.iter_mut().for_each(normalize_artifact);
    artifacts.sort_by(|a, b| (&a.name, &a.version, &a.file).cmp(&(&b.name, &b.version, &b.file)));
    let mut lock = Lock { schema_version: SCHEMA_VERSION, artifacts, trees: Vec::new() };
    for (system, kind) in plan.trees() {
        let tree = compute_locked_tree(&lock, plan, (system, kind), folder.path())?;
        lock.trees.push(tree);
    }
    requires::check_closure(&lock)?;
    Lock::parse(&lock.to_text()?)
}

/// One run of the package client for each kind of platform tag: it takes the first tag that has a wheel.
fn fetch_wheels(
    client: &PackageClient<'_>,
    plan: &LockPlan,
    (system, python): (System, PythonTag),
    into: &Path,
    call: &Call,
) -> Result<()> {
    fs::create_dir_all(into).map_err(|e| Error::io(format_args!("cannot make {}", into.display()), &e))?;
    let groups = [(Linkage::Static, system.static_platforms()), (Linkage::Dynamic, system.dynamic_platforms())];
    for (linkage, platforms) in groups {
        let mut args: Vec<OsString> = target_args(platforms, python);
        let is_meant = |wanted: &&WantedPackage| {
            let published = wanted.role.is_published_as(ArtifactKind::Wheel) && wanted.role.systems().contains(&system);
            published && wanted.linkage == linkage
        };
        let packages = plan.packages.iter().filter(is_meant);
        args.extend(packages.map(|wanted| format!("{}=={}", wanted.name, wanted.version).into()));
        client.download_wheels(args, into, None, call).map_err(|failure| match failure {
            ClientFailure::Call(error) => error,
            ClientFailure::Said(reason) => Error::new(
                ErrorCode::ToolUnavailable,
                format!("cannot fetch the tools for {python} on {system}: {reason}"),
            )
            .hint("connect to the network and try again"),
        })?;
    }
    Ok(())
}

/// Adds every wheel of the folder to what was found, or one more system and Python to a wheel known already.
fn collect_wheels(
    folder: &Path,
    plan: &LockPlan,
    (system, python): (System, PythonTag),
    found: &mut BTreeMap<String, Artifact>,
) -> Result<()> {
    let failed = |e: &std::io::Error| Error::io(format_args!("cannot read {}", folder.display()), e);
    for entry in fs::read_dir(folder).map_err(|e| failed(&e))? {
        let path = entry.map_err(|e| failed(&e))?.path();
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let artifact = describe_wheel(plan, &path, &file)?;
        let known = found.entry(file).or_insert_with(|| artifact.clone());
        if known.sha256 != artifact.sha256 {
            return Err(Error::new(
                ErrorCode::ToolchainMismatch,
                format!("two different files are named {}", known.file),
            ));
        }
        if !known.systems.contains(&system) {
            known.systems.push(system);
        }
        if let PythonTags::Some(tags) = &mut known.python
            && !tags.contains(&python)
        {
            tags.push(python);
        }
    }
    Ok(())
}

/// A fetched wheel as the lock describes it; its files have been checked against its RECORD.
fn describe_wheel(plan: &LockPlan, path: &Path, file: &str) -> Result<Artifact> {
    let unexpected = || Error::new(ErrorCode::ToolchainMismatch, format!("{file} was fetched but is not wanted"));
    let mut parts = file.split('-');
    let (name, version) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let wanted = plan
        .packages
        .iter()
        .find(|wanted| wanted.name.replace('-', "_") == name.to_lowercase() && wanted.version == version)
        .ok_or_else(unexpected)?;
    let (sha256, size) = File::open(path)
        .and_then(digest::sha256_reader)
        .map_err(|e| Error::io(format_args!("cannot read {}", path.display()), &e))?;
    let mut artifact = Artifact {
        name: wanted.name.to_owned(),
        version: wanted.version.clone(),
        kind: ArtifactKind::Wheel,
        file: file.to_owned(),
        size,
        sha256,
        integrity: None,
        record_sha256: String::new(),
        role: wanted.role,
        systems: Vec::new(),
        python: PythonTags::Some(Vec::new()),
        requires: Vec::new(),
        place: None,
    };
    artifact.record_sha256 = digest::sha256(&unpack::read_record(&artifact, path)?);
    artifact.requires = requires::of_metadata(&Wheel::open(&artifact, path)?.dist_info("METADATA")?);
    Ok(artifact)
}

/// Fetches the npm packages of one system.
fn lock_npm_packages(
    settings: &ToolchainSettings,
    plan: &LockPlan,
    system: System,
    folder: &Path,
    call: &Call,
) -> Result<Vec<Artifact>> {
    let into = folder.join(fetched_folder(system, None));
    fs::create_dir_all(&into).map_err(|e| Error::io(format_args!("cannot make {}", into.display()), &e))?;
    let wanted = plan.packages.iter().filter(|wanted| wanted.role.is_published_as(ArtifactKind::Npm));
    let locked = wanted.map(|wanted| {
        let name = system.npm_package(wanted.name);
        call.progress.note(&format!("fetching {name}"));
        let path = published::fetch_npm_package(settings, (&name, &wanted.version), &into, call)?;
        let unreadable = |e: &std::io::Error| Error::io(format_args!("cannot read {}", path.display()), e);
        let (sha256, size) = File::open(&path).and_then(digest::sha256_reader).map_err(|e| unreadable(&e))?;
        let mut artifact = Artifact {
            name,
            version: wanted.version.clone(),
            kind: ArtifactKind::Npm,
            file: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            size,
            sha256,
            integrity: Some(npm_package::integrity_of(&path).map_err(|e| unreadable(&e))?),
            record_sha256: String::new(),
            role: wanted.role,
            systems: vec![system],
            python: PythonTags::Any(AnyPython::Any),
            requires: Vec::new(),
            place: None,
        };
        artifact.record_sha256 = digest::sha256(&unpack::read_record(&artifact, &path)?);
        Ok(artifact)
    });
    locked.collect()
}

/// The folder of what was fetched for a system: that of a Python version, or of the npm packages.
fn fetched_folder(system: System, python: Option<PythonTag>) -> String {
    format!("{system}-{}", python.map_or("npm", PythonTag::as_str))
}

/// Sorted, and "any" where every Python is served.
pub(super) fn normalize_artifact(artifact: &mut Artifact) {
    artifact.systems.sort_unstable();
    if let PythonTags::Some(tags) = &mut artifact.python {
        tags.sort_unstable();
        if tags.len() == PythonTag::ALL.len() {
            artifact.python = PythonTags::Any(AnyPython::Any);
        }
    }
}

/// The digest of a tree, worked out from the RECORDs.
fn compute_locked_tree(
    lock: &Lock,
    plan: &LockPlan,
    (system, kind): (System, TreeKind),
    folder: &Path,
) -> Result<LockedTree> {
    let mut manifest = TreeManifest::default();
    let mut roles = BTreeSet::new();
    // Node's wheel is the same for every Python, and so in each folder.
    let python = kind.python().or(plan.pythons.first().copied()).unwrap_or(PythonTag::Cp313);
    for artifact in lock.artifacts_of(system, kind) {
        let python = (artifact.kind == ArtifactKind::Wheel).then_some(python);
        let path = folder.join(fetched_folder(system, python)).join(&artifact.file);
        manifest.add(artifact, &unpack::read_record(artifact, &path)?)?;
        roles.insert(artifact.role);
    }
    let complete =
        plan.packages.iter().all(|wanted| !wanted.role.belongs_to_tree(kind) || roles.contains(&wanted.role));
    if !complete {
        return Err(Error::new(
            ErrorCode::ToolchainMismatch,
            format!("the tools for {kind} on {system} are not all there"),
        ));
    }
    Ok(LockedTree {
        system,
        kind,
        digest: manifest.digest(),
        files: manifest.files.len() as u64,
        bytes: manifest.bytes(),
    })
}

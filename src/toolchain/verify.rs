//! Comparing a tree with what it must hold: every path, every mode, every byte.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Serialize, Serializer};

use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::lock::{Lock, TreeKind};
use super::manifest::{ExpectedFile, TreeManifest, tree_digest};
use super::platform;
use super::remembered::{FileMemory, FileStates};
use super::system::System;

/// What is wrong with one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Other bytes than locked.
    Changed,
    Missing,
    /// Nothing of that name is locked.
    Added,
    /// Neither file nor folder: a link, a socket, a device.
    NotAFile,
    /// Others than the owner can write it.
    Writable,
    /// Other permission bits than locked.
    Mode,
    /// It is there but cannot be read.
    Unreadable,
}

/// One path that is not as locked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TreeFault {
    /// Relative to the tree, with forward slashes.
    pub path: String,
    pub kind: FaultKind,
}

/// What a tree that was verified holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerifiedTree {
    Tools(TreeKind),
    /// A CPython that was unpacked from a locked archive.
    Interpreter,
}

impl VerifiedTree {
    /// Which tools, when it is any.
    #[must_use]
    pub const fn tools(self) -> Option<TreeKind> {
        match self {
            Self::Tools(kind) => Some(kind),
            Self::Interpreter => None,
        }
    }
}

impl std::fmt::Display for VerifiedTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tools(kind) => kind.fmt(f),
            Self::Interpreter => f.write_str("interpreter"),
        }
    }
}

impl Serialize for VerifiedTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The verdict on one tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TreeVerification {
    pub kind: VerifiedTree,
    /// The canonical digest of what is there; the locked one exactly when there are no faults.
    pub digest: String,
    /// The locked digest.
    pub expected_digest: String,
    /// Number of files found.
    pub files: u64,
    /// Bytes of the files found.
    pub bytes: u64,
    /// Sorted by path.
    pub faults: Vec<TreeFault>,
}

/// The step that puts an interpreter right.
const MEND_INTERPRETER: &str = "run `tapps-mcp toolchain install --interpreter locked` to unpack it anew";

impl TreeVerification {
    /// True when the tree is the locked one.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.digest == self.expected_digest
    }

    /// The error that stops tools from running on a tree that is not the locked one.
    #[must_use]
    pub fn to_error(&self, mend: &str) -> Error {
        const SHOWN: usize = 5;
        // By kind first: a changed RECORD turns all files of its wheel into added ones, and must not drown in them.
        let mut faults: Vec<&TreeFault> = self.faults.iter().collect();
        faults.sort_by_key(|fault| (fault.kind, &fault.path));
        let first: Vec<String> = faults.into_iter().take(SHOWN).map(TreeFault::to_string).collect();
        let (what, mend) = match self.kind {
            VerifiedTree::Tools(_) => ("tools", mend),
            VerifiedTree::Interpreter => ("interpreter", MEND_INTERPRETER),
        };
        let mut message = match self.faults.len() {
            0 => format!("the {what} have the digest {} instead of {}", self.digest, self.expected_digest),
            1 => format!("1 path of the {what} is not as locked: {}", first.join(", ")),
            count => format!("{count} paths of the {what} are not as locked: {}", first.join(", ")),
        };
        if self.faults.len() > SHOWN {
            message.push_str(&format!(" and {} more", self.faults.len() - SHOWN));
        }
        Error::new(ErrorCode::ToolchainMismatch, message).hint(mend)
    }
}

impl std::fmt::Display for TreeFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind {
            FaultKind::Changed => "changed",
            FaultKind::Missing => "missing",
            FaultKind::Added => "added",
            FaultKind::NotAFile => "not a plain file",
            FaultKind::Writable => "writable by others",
            FaultKind::Mode => "wrong mode",
            FaultKind::Unreadable => "unreadable",
        };
        write!(f, "{} ({kind})", self.path)
    }
}

/// Compares the tree at `root` with the lock. `nested` names the folders at its top that are trees of their own.
///
/// Every path, mode, size and byte is compared. With a memory, the bytes of files that are as they were when they were last
/// read (device, inode, size, mode and times, and not changed within two seconds before that) are not read again.
///
/// # Errors
/// `corrupted_data` when the lock has no such tree, `resource_exhausted` when the machine lacks what it takes to look;
/// everything wrong with the tree itself is in the answer.
pub fn verify_tree(
    root: &Path,
    lock: &Lock,
    system: System,
    kind: TreeKind,
    nested: &[&str],
    memory: Option<&FileMemory>,
) -> Result<TreeVerification> {
    let locked = lock.locked_tree(system, kind)?;
    let mut faults = Vec::new();
    let manifest = manifest_of(root, lock, system, kind, &mut faults)?;
    let compared = compare_with_manifest(root, &manifest, nested, faults, memory)?;
    Ok(TreeVerification { kind: VerifiedTree::Tools(kind), expected_digest: locked.digest.clone(), ..compared })
}

/// Compares the tree at `root` with what it must hold, as the caller knows it; as [`verify_tree`] does, to `faults` that were
/// found already. It counts as an interpreter, and as expected the digest of the manifest.
///
/// # Errors
/// `resource_exhausted` when the machine lacks what it takes to look.
pub(super) fn compare_with_manifest(
    root: &Path,
    manifest: &TreeManifest,
    nested: &[&str],
    mut faults: Vec<TreeFault>,
    memory: Option<&FileMemory>,
) -> Result<TreeVerification> {
    let mut found = TreeScan::default();
    found.walk(root, "", nested)?;
    found.judge_links(manifest);
    let digests = DigestMemory { memory, key: format!("digests of {}", root.display()) };
    let known = digests.recall();
    let states = known.is_none().then(|| digests.states_of(root, &found));
    let checked: Result<Vec<Checked<'_>>> = found
        .files
        .par_iter()
        .map(|(path, seen)| {
            let known = known.as_ref().and_then(|known| known.get(path));
            check_locked_file(root, path, seen, manifest.files.get(path), known)
        })
        .collect();
    let hashed = checked?;
    if let Some(states) = states.flatten() {
        digests.remember(&hashed, states);
    }
    for checked in &hashed {
        faults.extend(checked.fault.map(|kind| TreeFault { path: checked.path.to_owned(), kind }));
    }
    let missing = manifest.files.keys().chain(manifest.links.keys()).filter(|path| !found.contains_path(path));
    let missing: Vec<TreeFault> =
        missing.map(|path| TreeFault { path: path.clone(), kind: FaultKind::Missing }).collect();
    faults.append(&mut found.faults);
    faults.extend(missing);
    faults.sort();
    faults.dedup();
    Ok(TreeVerification {
        kind: VerifiedTree::Interpreter,
        digest: tree_digest(hashed.iter().map(|file| (file.path, file.mode, file.sha256.as_str())), &found.links),
        expected_digest: manifest.digest(),
        files: hashed.len() as u64,
        bytes: found.files.values().map(|seen| seen.size).sum(),
        faults,
    })
}

/// What cannot be read is a fault of the tree, unless the machine lacked something.
fn unreadable_fault(path: &str, error: &std::io::Error) -> Result<FaultKind> {
    let error = Error::io_or(ErrorCode::ToolchainMismatch, format_args!("cannot look at the tools: {path}"), error);
    if error.code() == ErrorCode::ResourceExhausted { Err(error) } else { Ok(FaultKind::Unreadable) }
}

/// The manifest from the RECORDs in the tree; each counts only when it is the locked one.
fn manifest_of(
    root: &Path,
    lock: &Lock,
    system: System,
    kind: TreeKind,
    faults: &mut Vec<TreeFault>,
) -> Result<TreeManifest> {
    let mut manifest = TreeManifest::default();
    for artifact in lock.artifacts_of(system, kind) {
        let path = format!("lib/{}/RECORD", artifact.dist_info());
        match fs::read(root.join(&path)) {
            Ok(record) if manifest.add(artifact, &record).is_ok() => {}
            Ok(_) => faults.push(TreeFault { path, kind: FaultKind::Changed }),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                faults.push(TreeFault { path, kind: FaultKind::Missing })
            }
            Err(e) => {
                let kind = unreadable_fault(&path, &e)?;
                faults.push(TreeFault { path, kind });
            }
        }
    }
    Ok(manifest)
}

#[derive(Debug)]
struct ScannedFile {
    mode: u32,
    size: u64,
}

#[derive(Debug, Default)]
struct TreeScan {
    files: BTreeMap<String, ScannedFile>,
    /// Where each link leads.
    links: BTreeMap<String, String>,
    faults: Vec<TreeFault>,
}

impl TreeScan {
    fn walk(&mut self, root: &Path, below: &str, nested: &[&str]) -> Result<()> {
        let folder = root.join(below);
        let shown = if below.is_empty() { "." } else { below };
        match fs::symlink_metadata(&folder) {
            Ok(meta) if meta.is_dir() && platform::mode_of(&meta) & 0o022 == 0 => {}
            Ok(meta) if meta.is_dir() => self.add_fault(shown, FaultKind::Writable),
            Ok(_) => {
                self.add_fault(shown, FaultKind::NotAFile);
                return Ok(());
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                self.add_fault(shown, FaultKind::Missing);
                return Ok(());
            }
            Err(e) => return self.add_unreadable(shown, &e),
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) => return self.add_unreadable(shown, &e),
        };
        let mut empty = true;
        for entry in entries {
            empty = false;
            let entry = match entry {
                Ok(entry) => entry,
                Err(e) => return self.add_unreadable(shown, &e),
            };
            let name = entry.file_name().to_string_lossy().into_owned();
            if below.is_empty() && nested.contains(&name.as_str()) {
                continue;
            }
            let path = if below.is_empty() { name } else { format!("{below}/{name}") };
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => self.walk(root, &path, nested)?,
                Ok(meta) if meta.is_file() => {
                    self.files.insert(path, ScannedFile { mode: platform::mode_of(&meta), size: meta.len() });
                }
                Ok(meta) if meta.is_symlink() => self.add_link(root, path)?,
                Ok(_) => self.add_fault(&path, FaultKind::NotAFile),
                Err(e) => self.add_unreadable(&path, &e)?,
            }
        }
        // A wheel has files only, so an empty folder came from elsewhere.
        if empty && !below.is_empty() {
            self.add_fault(below, FaultKind::Added);
        }
        Ok(())
    }

    fn add_link(&mut self, root: &Path, path: String) -> Result<()> {
        match fs::read_link(root.join(&path)) {
            Ok(target) => drop(self.links.insert(path, target.to_string_lossy().into_owned())),
            Err(e) => self.add_unreadable(&path, &e)?,
        }
        Ok(())
    }

    /// Names the links that lead elsewhere than they must, or should not be there.
    fn judge_links(&mut self, manifest: &TreeManifest) {
        let fault = |(path, target): (&String, &String)| match manifest.links.get(path) {
            Some(expected) if expected == target => None,
            Some(_) => Some(TreeFault { path: path.clone(), kind: FaultKind::Changed }),
            None => Some(TreeFault { path: path.clone(), kind: FaultKind::NotAFile }),
        };
        let faults: Vec<TreeFault> = self.links.iter().filter_map(fault).collect();
        self.faults.extend(faults);
    }

    fn add_unreadable(&mut self, path: &str, error: &std::io::Error) -> Result<()> {
        let kind = unreadable_fault(path, error)?;
        self.add_fault(path, kind);
        Ok(())
    }

    /// True when something is there, a file or not.
    fn contains_path(&self, path: &str) -> bool {
        self.files.contains_key(path)
            || self.links.contains_key(path)
            || self.faults.iter().any(|fault| fault.path == path)
    }

    fn add_fault(&mut self, path: &str, kind: FaultKind) {
        self.faults.push(TreeFault { path: path.to_owned(), kind });
    }
}

/// The digests of files that were read before.
struct DigestMemory<'a> {
    memory: Option<&'a FileMemory>,
    key: String,
}

impl DigestMemory<'_> {
    /// SHA-256 by path, when every file is as it was when it was read.
    fn recall(&self) -> Option<BTreeMap<String, String>> {
        self.memory?.recall(&self.key)
    }

    fn states_of(&self, root: &Path, found: &TreeScan) -> Option<FileStates> {
        self.memory?;
        let paths: Vec<PathBuf> = found.files.keys().map(|path| root.join(path)).collect();
        Some(FileStates::of_files(paths.iter().map(PathBuf::as_path)))
    }

    fn remember(&self, read: &[Checked<'_>], states: FileStates) {
        // What is not as locked is looked at again until it is.
        if let Some(memory) = self.memory.filter(|_| read.iter().all(|file| file.fault.is_none())) {
            let digests: BTreeMap<&str, &str> = read.iter().map(|file| (file.path, file.sha256.as_str())).collect();
            memory.remember(&self.key, &digests, states);
        }
    }
}

struct Checked<'a> {
    path: &'a str,
    mode: u32,
    sha256: String,
    fault: Option<FaultKind>,
}

fn check_locked_file<'a>(
    root: &Path,
    path: &'a str,
    seen: &ScannedFile,
    expected: Option<&ExpectedFile>,
    known: Option<&String>,
) -> Result<Checked<'a>> {
    let read = || File::open(root.join(path)).and_then(digest::sha256_reader);
    let (sha256, size) = match known.map_or_else(read, |sha256| Ok((sha256.clone(), seen.size))) {
        Ok(hashed) => hashed,
        Err(e) => {
            let fault = Some(unreadable_fault(path, &e)?);
            return Ok(Checked { path, mode: seen.mode, sha256: String::new(), fault });
        }
    };
    let fault = match expected {
        None => Some(FaultKind::Added),
        Some(expected) if expected.sha256 != sha256 || expected.size != size => Some(FaultKind::Changed),
        Some(_) if seen.mode & 0o022 != 0 => Some(FaultKind::Writable),
        Some(expected) if expected.mode != seen.mode => Some(FaultKind::Mode),
        Some(_) => None,
    };
    Ok(Checked { path, mode: seen.mode, sha256, fault })
}

//! A toolchain that is ready to run tools.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::interpreter::Interpreter;
use super::lock::{Artifact, Lock, TreeKind};
use super::scratch::{PrivateFolder, Scratch};
use super::settings::NodeLoader;
use super::stamp::TreeStamp;
use super::system::System;
use super::verify::TreeVerification;
use super::workers::Workers;

/// Verified tools with the interpreter they run on.
#[derive(Debug)]
pub struct Toolchain {
    pub(super) root: PathBuf,
    /// The folders of the trees of [`TreeKind::APART`] that are installed.
    pub(super) apart: BTreeMap<TreeKind, PathBuf>,
    pub(super) node_loader: Option<NodeLoader>,
    pub(super) system: System,
    pub(super) kind: TreeKind,
    pub(super) interpreter: Option<Interpreter>,
    /// Of the tools, and of the trees apart.
    pub(super) verifications: Vec<TreeVerification>,
    pub(super) scratch: Scratch,
    pub(super) helper: Option<PathBuf>,
    pub(super) workers: Workers,
    /// What it was verified against, when that is not the embedded lock.
    pub(super) lock: Option<Arc<Lock>>,
    /// Digest of the lock that it was verified against.
    pub(super) lock_digest: String,
    /// Of everything above, taken before it was verified.
    pub(super) stamp: TreeStamp,
}

/// What tells the answers of one toolchain from those of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerKey {
    /// For tools that need no interpreter.
    pub tools: String,
    /// For tools that an interpreter runs: another one may say something else.
    pub interpreted: String,
}

impl Toolchain {
    /// The folder of the tools.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of one of [`TreeKind::APART`], when it is installed.
    #[must_use]
    pub fn root_apart(&self, kind: TreeKind) -> Option<&Path> {
        self.apart.get(&kind).map(PathBuf::as_path)
    }

    /// What starts Node, and the arguments before those of its caller; none when it is not installed.
    pub(super) fn node_command(&self) -> Option<(PathBuf, Vec<OsString>)> {
        let node = self.root_apart(TreeKind::Node)?.join("bin/node");
        let Some(loader) = &self.node_loader else { return Some((node, Vec::new())) };
        let mut arguments: Vec<OsString> = Vec::new();
        if !loader.libraries.is_empty() {
            arguments.extend(["--library-path".into(), loader.libraries.clone()]);
        }
        arguments.push(node.into());
        Some((loader.program.clone(), arguments))
    }

    /// The interpreter, when there is one; without it only ruff and Node run.
    #[must_use]
    pub fn interpreter(&self) -> Option<&Interpreter> {
        self.interpreter.as_ref()
    }

    #[must_use]
    pub const fn system(&self) -> System {
        self.system
    }

    #[must_use]
    pub const fn kind(&self) -> TreeKind {
        self.kind
    }

    /// True when every file of the tools is as locked.
    #[must_use]
    pub fn verified(&self) -> bool {
        self.verifications.iter().all(TreeVerification::is_clean)
    }

    /// What verification found, of the tools first.
    #[must_use]
    pub fn verifications(&self) -> &[TreeVerification] {
        &self.verifications
    }

    /// The canonical digest of the files that are there: the locked one when [`Toolchain::verified`].
    #[must_use]
    pub fn digest(&self) -> &str {
        self.verifications.first().map_or("", |verification| verification.digest.as_str())
    }

    /// The locked files that the tools were unpacked from, in the lock's order; without those apart.
    ///
    /// # Errors
    /// As [`Toolchain::versions`].
    pub fn artifacts(&self) -> Result<Vec<&Artifact>> {
        Ok(Lock::or_embedded(self.lock.as_deref())?.artifacts_of(self.system, self.kind).collect())
    }

    /// The locked version of each tool by its name.
    ///
    /// # Errors
    /// `corrupted_data` when the embedded lock is not whole, which a test rules out.
    pub fn versions(&self) -> Result<BTreeMap<String, String>> {
        let lock = Lock::or_embedded(self.lock.as_deref())?;
        let mut versions = lock.versions(self.system, self.kind);
        if self.apart.contains_key(&TreeKind::Node) {
            versions.extend(lock.versions(self.system, TreeKind::Node));
        }
        // Whether they have been fetched already changes no result.
        for kind in TreeKind::WHEN_NEEDED {
            versions.extend(lock.versions(self.system, kind));
        }
        Ok(versions)
    }

    /// What made a result but for the interpreter: a digest over the whole lock, the version of the rule set and this
    /// program's. The same on every system and for every Python version, as long as the tools are as locked.
    ///
    /// # Errors
    /// `internal` when it has no canonical form, which cannot happen.
    pub fn fingerprint(&self, rules: &str) -> Result<String> {
        // Tools that are not the locked ones are named by what they are.
        let other: Vec<&str> =
            self.verifications.iter().filter(|tree| !tree.is_clean()).map(|tree| tree.digest.as_str()).collect();
        digest::of_json(&json!({
            "lock": self.lock_digest,
            "other_tools": other,
            "rules": rules,
            "engine": env!("CARGO_PKG_VERSION"),
        }))
    }

    /// Digest of the lock that the tools are held against.
    #[must_use]
    pub fn lock_digest(&self) -> &str {
        &self.lock_digest
    }

    /// Digest of the interpreter's bytes that the tools run on; none when there is no interpreter, or the tools are not
    /// such that it could be asked.
    #[must_use]
    pub fn interpreter_digest(&self) -> Option<&str> {
        self.interpreter.as_ref()?.digest.as_deref()
    }

    /// What an answer of a tool is kept under: [`Toolchain::fingerprint`] with the files that ran on this system.
    ///
    /// # Errors
    /// As [`Toolchain::fingerprint`].
    pub fn answer_key(&self, rules: &str) -> Result<AnswerKey> {
        let tools = digest::of_json(&json!([self.fingerprint(rules)?, self.digest()]))?;
        let interpreted = digest::of_json(&json!([&tools, self.interpreter_digest()]))?;
        Ok(AnswerKey { tools, interpreted })
    }

    /// Fails unless the tools are as locked.
    ///
    /// # Errors
    /// `toolchain_mismatch` naming the paths.
    pub(super) fn require_verified(&self, mend: &str) -> Result<()> {
        match self.verifications.iter().find(|verification| !verification.is_clean()) {
            Some(verification) => Err(verification.to_error(mend)),
            None => Ok(()),
        }
    }

    /// What tells whether a file of the tools, or the interpreter, has changed since it was verified.
    pub(super) fn stamp(&self) -> &TreeStamp {
        &self.stamp
    }

    /// A fresh, empty folder for this user alone.
    ///
    /// # Errors
    /// `internal` when it cannot be made.
    pub fn private_folder(&self) -> Result<PrivateFolder> {
        self.scratch.create_folder()
    }

    pub(super) fn workers(&self) -> &Workers {
        &self.workers
    }

    pub(super) fn helper(&self) -> Option<&PathBuf> {
        self.helper.as_ref()
    }
}

/// The present state of everything that runs.
pub(super) fn stamp_of<'a>(
    root: &'a Path,
    apart: impl Iterator<Item = &'a Path>,
    interpreter: Option<&'a Interpreter>,
) -> TreeStamp {
    // A tree inside the tree is seen with it.
    let apart = apart.filter(|other| !other.starts_with(root));
    let interpreter = interpreter.map(|found| match &found.archive {
        Some(unpacked) => unpacked.root.as_path(),
        None => found.executable.as_path(),
    });
    TreeStamp::of_roots(std::iter::once(root).chain(apart).chain(interpreter))
}

/// The error for tools that are not there at all.
pub(super) fn not_installed(root: &Path) -> Error {
    Error::new(ErrorCode::ToolUnavailable, format!("the tools are not installed: there is no {}", root.display()))
        .hint("run `tapps-mcp toolchain install`")
}

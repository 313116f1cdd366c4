//! A toolchain that is ready to run tools.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::interpreter::Interpreter;
use super::lock::{Lock, TreeKind};
use super::scratch::{PrivateFolder, Scratch};
use super::stamp::TreeStamp;
use super::system::System;
use super::verify::TreeVerification;
use super::workers::Workers;

/// Verified tools with the interpreter they run on.
#[derive(Debug)]
pub struct Toolchain {
    pub(super) root: PathBuf,
    pub(super) node_root: Option<PathBuf>,
    pub(super) system: System,
    pub(super) kind: TreeKind,
    pub(super) interpreter: Option<Interpreter>,
    /// Of the tools, and of Node when it is installed.
    pub(super) verifications: Vec<TreeVerification>,
    pub(super) scratch: Scratch,
    pub(super) helper: Option<PathBuf>,
    pub(super) workers: Workers,
    /// What it was verified against, when that is not the embedded lock.
    pub(super) lock: Option<Arc<Lock>>,
    /// Of everything above, taken before it was verified.
    pub(super) stamp: TreeStamp,
}

impl Toolchain {
    /// The folder of the tools.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of Node, when it is installed.
    #[must_use]
    pub fn node_root(&self) -> Option<&Path> {
        self.node_root.as_deref()
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

    /// The locked version of each tool by its name.
    ///
    /// # Errors
    /// `corrupted_data` when the embedded lock is not whole, which a test rules out.
    pub fn versions(&self) -> Result<BTreeMap<String, String>> {
        let lock = Lock::or_embedded(self.lock.as_deref())?;
        let mut versions = lock.versions(self.system, self.kind);
        if self.node_root.is_some() {
            versions.extend(lock.versions(self.system, TreeKind::Node));
        }
        Ok(versions)
    }

    /// What made a result: a digest over the tool files, the interpreter, the version of the rule set and this program's.
    ///
    /// # Errors
    /// `internal` when it has no canonical form, which cannot happen.
    pub fn fingerprint(&self, rules: &str) -> Result<String> {
        let interpreter = self.interpreter.as_ref().map(|interpreter| {
            json!({
                "implementation": interpreter.implementation,
                "version": interpreter.version,
                "sha256": interpreter.sha256,
            })
        });
        digest::of_json(&json!({
            "tools": self.digest(),
            "interpreter": interpreter,
            "rules": rules,
            "engine": env!("CARGO_PKG_VERSION"),
        }))
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
pub(super) fn stamp_of(root: &Path, node: Option<&Path>, interpreter: Option<&Interpreter>) -> TreeStamp {
    // A Node inside the tree is seen with the tree.
    let node = node.filter(|node| !node.starts_with(root));
    TreeStamp::of_roots([Some(root), node, interpreter.map(|found| found.executable.as_path())].into_iter().flatten())
}

/// The error for tools that are not there at all.
pub(super) fn not_installed(root: &Path) -> Error {
    Error::new(ErrorCode::ToolUnavailable, format!("the tools are not installed: there is no {}", root.display()))
        .hint("run `tapps-mcp toolchain install`")
}

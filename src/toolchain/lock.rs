//! The lock: every artifact by its digest, every unpacked tree by its digest.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::system::{PythonTag, System};
use tapps_base::{Error, ErrorCode, Result};

/// The lock this program was built with.
pub const EMBEDDED: &str = include_str!("../../nix/toolchain.lock.json");

/// The layout of the lock that this program reads and writes.
pub const SCHEMA_VERSION: u32 = 1;

/// All artifacts and trees of all systems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    pub schema_version: u32,
    /// Sorted by name, version and file.
    pub artifacts: Vec<Artifact>,
    /// Sorted by system and kind.
    pub trees: Vec<LockedTree>,
}

/// One file that the package client fetches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Name as the package registry spells it.
    pub name: String,
    pub version: String,
    pub kind: ArtifactKind,
    /// File name, without any folder.
    pub file: String,
    /// Bytes.
    pub size: u64,
    pub sha256: String,
    /// `sha512-` with the SHA-512 in base64, by which npm knows its packages; none for wheels.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub integrity: Option<String>,
    /// SHA-256 of the wheel's own `*.dist-info/RECORD`, which names the SHA-256 of every other file. An npm package has
    /// none, so that one is written for it.
    pub record_sha256: String,
    pub role: ArtifactRole,
    pub systems: Vec<System>,
    /// The CPython versions it serves.
    pub python: PythonTags,
    /// The packages it asks for, as its METADATA says; sorted.
    pub requires: Vec<String>,
    /// The folder of an npm package below a tree's `lib`, where packages find each other; none for all else.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<String>,
}

/// What sort of file an artifact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtifactKind {
    Wheel,
    Npm,
}

impl ArtifactKind {
    /// What the names of such files end with.
    const fn ending(self) -> &'static str {
        match self {
            Self::Wheel => ".whl",
            Self::Npm => ".tgz",
        }
    }
}

/// What an artifact is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtifactRole {
    Ruff,
    Mypy,
    Bandit,
    Radon,
    Coverage,
    Oxlint,
    Node,
    TypeScript,
    /// The companion of oxlint that knows types.
    Tsgolint,
    Shellcheck,
    /// Needed by one of the others.
    Support,
    /// Of a tool that a project locked for itself.
    Own,
}

impl ArtifactRole {
    /// True for a tool that is one program, which is published without any need of the system's libraries.
    pub(super) const fn is_one_program(self) -> bool {
        matches!(self, Self::Ruff | Self::Oxlint)
    }

    /// Whether it is published in this form.
    pub(super) fn is_published_as(self, kind: ArtifactKind) -> bool {
        match self {
            Self::Own => true,
            Self::TypeScript | Self::Tsgolint => kind == ArtifactKind::Npm,
            Self::Ruff
            | Self::Mypy
            | Self::Bandit
            | Self::Radon
            | Self::Coverage
            | Self::Oxlint
            | Self::Node
            | Self::Shellcheck
            | Self::Support => kind == ArtifactKind::Wheel,
        }
    }

    /// The systems for which its author publishes it.
    pub(super) const fn systems(self) -> &'static [System] {
        match self {
            Self::Shellcheck => &[System::Aarch64Darwin, System::X86_64Linux],
            _ => &System::ALL,
        }
    }

    /// The tree that is the same for every Python; none for tools that share the trees of the Python versions.
    pub(super) const fn own_tree(self) -> Option<TreeKind> {
        match self {
            Self::Node => Some(TreeKind::Node),
            Self::TypeScript | Self::Tsgolint => Some(TreeKind::TypeScript),
            Self::Shellcheck => Some(TreeKind::Shellcheck),
            Self::Ruff
            | Self::Mypy
            | Self::Bandit
            | Self::Radon
            | Self::Coverage
            | Self::Oxlint
            | Self::Support
            | Self::Own => None,
        }
    }

    /// True when the tree holds a tool of this role.
    pub(super) fn belongs_to_tree(self, kind: TreeKind) -> bool {
        self.own_tree() == kind.python().is_none().then_some(kind)
    }
}

/// The CPython versions an artifact serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PythonTags {
    Any(AnyPython),
    Some(Vec<PythonTag>),
}

/// The word for an artifact that serves every CPython version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnyPython {
    Any,
}

impl PythonTags {
    #[must_use]
    pub fn contains(&self, tag: PythonTag) -> bool {
        match self {
            Self::Any(_) => true,
            Self::Some(tags) => tags.contains(&tag),
        }
    }
}

tapps_base::wire_enum! {
    /// Which of the unpacked trees of a system is meant.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum TreeKind {
        Cp311 = "cp311",
        Cp312 = "cp312",
        Cp313 = "cp313",
        Cp314 = "cp314",
        /// Node's one program; independent of Python.
        Node = "node",
        /// TypeScript's compiler with its declarations, and the linter that knows its types; independent of Python and of Node.
        TypeScript = "typescript",
        /// ShellCheck's one program; independent of Python.
        Shellcheck = "shellcheck",
    }
}

impl TreeKind {
    /// Trees which are the same for every Python. Inside a tree that was installed as a whole each has a
    /// folder of its name.
    pub const APART: [Self; 3] = [Self::Node, Self::TypeScript, Self::Shellcheck];

    /// Those that are fetched when they are first needed, since many a project does without.
    pub const WHEN_NEEDED: [Self; 2] = [Self::TypeScript, Self::Shellcheck];

    /// The Python version of the tree; none for those of [`TreeKind::APART`].
    #[must_use]
    pub const fn python(self) -> Option<PythonTag> {
        match self {
            Self::Cp311 => Some(PythonTag::Cp311),
            Self::Cp312 => Some(PythonTag::Cp312),
            Self::Cp313 => Some(PythonTag::Cp313),
            Self::Cp314 => Some(PythonTag::Cp314),
            Self::Node | Self::TypeScript | Self::Shellcheck => None,
        }
    }
}

impl From<PythonTag> for TreeKind {
    fn from(tag: PythonTag) -> Self {
        match tag {
            PythonTag::Cp311 => Self::Cp311,
            PythonTag::Cp312 => Self::Cp312,
            PythonTag::Cp313 => Self::Cp313,
            PythonTag::Cp314 => Self::Cp314,
        }
    }
}

/// The digest of one unpacked tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedTree {
    pub system: System,
    pub kind: TreeKind,
    /// SHA-256 over the sorted lines `path NUL mode NUL sha256 LF`.
    pub digest: String,
    /// Number of files.
    pub files: u64,
    /// Bytes of all files together.
    pub bytes: u64,
}

impl Artifact {
    /// The folder of the artifact's own records: `name-version.dist-info`.
    #[must_use]
    pub fn dist_info(&self) -> String {
        if self.kind == ArtifactKind::Npm {
            let name = self.name.trim_start_matches('@').replace('/', "-");
            let folder = self.place.as_ref().map_or_else(String::new, |place| format!("{place}/"));
            return format!("{folder}{name}-{}.dist-info", self.version);
        }
        let mut parts = self.file.splitn(3, '-');
        format!("{}-{}.dist-info", parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
    }

    /// True when the artifact belongs into that tree.
    #[must_use]
    pub fn belongs_to(&self, system: System, kind: TreeKind) -> bool {
        let belongs = match self.role {
            // What needs no Python is for the tree that is the same for every Python.
            ArtifactRole::Own => (self.kind == ArtifactKind::Npm) == (kind == TreeKind::Node),
            role => role.belongs_to_tree(kind),
        };
        self.systems.contains(&system) && belongs && kind.python().is_none_or(|tag| self.python.contains(tag))
    }

    /// What results call the tool: the compiler's packages have a name for each system.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        match self.role {
            ArtifactRole::TypeScript => "tsc",
            ArtifactRole::Tsgolint => "tsgolint",
            ArtifactRole::Shellcheck => "shellcheck",
            _ => &self.name,
        }
    }
}

impl Lock {
    /// Reads a lock and checks it.
    ///
    /// # Errors
    /// `corrupted_data` when the text is not a lock of this schema or an entry is not whole.
    pub fn parse(text: &str) -> Result<Self> {
        let lock: Self =
            serde_json::from_str(text).map_err(|e| corrupted_lock_error(format!("the lock cannot be read: {e}")))?;
        lock.check()?;
        Ok(lock)
    }

    /// The lock this program was built with.
    ///
    /// # Errors
    /// `corrupted_data` when it is not whole, which a test rules out.
    pub fn embedded() -> Result<&'static Self> {
        static LOCK: LazyLock<Result<Lock>> = LazyLock::new(|| Lock::parse(EMBEDDED));
        LOCK.as_ref().map_err(Clone::clone)
    }

    /// `own` when there is one, else the lock this program was built with.
    ///
    /// # Errors
    /// As [`Lock::embedded`].
    pub(super) fn or_embedded(own: Option<&Self>) -> Result<&Self> {
        match own {
            Some(own) => Ok(own),
            None => Self::embedded(),
        }
    }

    /// The artifacts of one tree, in the lock's order.
    pub fn artifacts_of(&self, system: System, kind: TreeKind) -> impl Iterator<Item = &Artifact> {
        self.artifacts.iter().filter(move |artifact| artifact.belongs_to(system, kind))
    }

    /// The part of the lock that makes one tree, as if it were for nothing else.
    #[must_use]
    pub fn restricted_to_tree(&self, system: System, kind: TreeKind) -> Self {
        let alone = |artifact: &Artifact| Artifact {
            systems: vec![system],
            python: PythonTags::Any(AnyPython::Any),
            ..artifact.clone()
        };
        Self {
            schema_version: self.schema_version,
            artifacts: self.artifacts_of(system, kind).map(alone).collect(),
            trees: self.trees.iter().filter(|tree| tree.system == system && tree.kind == kind).cloned().collect(),
        }
    }

    /// The locked tree of a system.
    ///
    /// # Errors
    /// `tool_unavailable` when the lock has none.
    pub fn locked_tree(&self, system: System, kind: TreeKind) -> Result<&LockedTree> {
        self.trees.iter().find(|tree| tree.system == system && tree.kind == kind).ok_or_else(|| {
            Error::new(ErrorCode::ToolUnavailable, format!("the lock has no tools for {kind} on {system}"))
        })
    }

    /// The version of each tool of one tree, by name; supports are left out.
    #[must_use]
    pub fn versions(&self, system: System, kind: TreeKind) -> BTreeMap<String, String> {
        self.artifacts_of(system, kind)
            .filter(|artifact| artifact.role != ArtifactRole::Support)
            .map(|artifact| (artifact.tool_name().to_owned(), artifact.version.clone()))
            .collect()
    }

    /// The lock as it is kept in the repository: sorted, indented, with a final newline.
    ///
    /// # Errors
    /// `internal` when it has no JSON form, which cannot happen.
    pub fn to_text(&self) -> Result<String> {
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|e| Error::internal(format!("the lock has no JSON form: {e}")))?;
        text.push('\n');
        Ok(text)
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.schema_version != SCHEMA_VERSION {
            return Err(corrupted_lock_error(format!(
                "the lock has schema version {}, this program reads {SCHEMA_VERSION}",
                self.schema_version
            )));
        }
        for artifact in &self.artifacts {
            check_artifact(artifact)?;
        }
        let sorted = self.artifacts.is_sorted_by_key(|a| (&a.name, &a.version, &a.file, &a.place))
            && self.trees.is_sorted_by_key(|tree| (tree.system, tree.kind));
        if !sorted {
            return Err(corrupted_lock_error("the lock is not sorted"));
        }
        let files: BTreeSet<(&str, Option<&str>)> =
            self.artifacts.iter().map(|artifact| (artifact.file.as_str(), artifact.place.as_deref())).collect();
        if files.len() != self.artifacts.len() {
            return Err(corrupted_lock_error("the lock names a file twice"));
        }
        match self.trees.iter().find(|tree| !is_digest(&tree.digest)) {
            Some(tree) => Err(corrupted_lock_error(format!("the tree {} of {} has no digest", tree.kind, tree.system))),
            None => Ok(()),
        }
    }
}

fn check_artifact(artifact: &Artifact) -> Result<()> {
    let file = &artifact.file;
    let plain = !file.is_empty()
        && file.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-+".contains(&b))
        && file.ends_with(artifact.kind.ending())
        && !file.starts_with('.');
    if !plain {
        return Err(corrupted_lock_error(format!("`{file}` is not the plain file name of such an artifact")));
    }
    if !artifact.role.is_published_as(artifact.kind) {
        return Err(corrupted_lock_error(format!("{file} is not published as its tool is")));
    }
    if artifact.integrity.is_some() != (artifact.kind == ArtifactKind::Npm)
        || artifact.integrity.as_deref().is_some_and(|text| !is_integrity(text))
    {
        return Err(corrupted_lock_error(format!("{file} lacks its integrity, or has one that is none")));
    }
    if !is_digest(&artifact.sha256) || !is_digest(&artifact.record_sha256) || artifact.size == 0 {
        return Err(corrupted_lock_error(format!("{file} lacks a digest or a size")));
    }
    if artifact.systems.is_empty() || matches!(&artifact.python, PythonTags::Some(tags) if tags.is_empty()) {
        return Err(corrupted_lock_error(format!("{file} belongs to no system or to no Python")));
    }
    Ok(())
}

/// True for a SHA-256 in lower-case hex.
pub(super) fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// True for a SHA-512 as npm writes it.
fn is_integrity(text: &str) -> bool {
    let decoded = text.strip_prefix("sha512-").and_then(|text| STANDARD.decode(text).ok());
    decoded.is_some_and(|bytes| bytes.len() == 64)
}

pub(super) fn corrupted_lock_error(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::CorruptedData, message).hint("write the lock anew with `tapps-mcp toolchain lock`")
}

//! The lock of a project's own tools.

use serde::{Deserialize, Serialize};

use crate::lock::{Artifact, ArtifactKind, ArtifactRole, Lock, LockedTree, SCHEMA_VERSION as LOCK_SCHEMA, TreeKind};
use crate::published;
use crate::system::System;
use tapps_base::{Error, ErrorCode, Result, digest, nearest};

/// The name of the file, at the project's root.
pub const FILE: &str = "tapps-mcp.lock";

/// The layout that this program reads and writes.
const SCHEMA_VERSION: u32 = 1;

/// More tools than any project asks.
const MOST_TOOLS: usize = 64;
/// More files than any tool comes in.
const MOST_ARTIFACTS: usize = 5_000;

/// Every tool that a project locked for itself, sorted by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnLock {
    schema_version: u32,
    pub tools: Vec<OwnTool>,
}

/// One tool: the package that has it, with all that it asks for, on every system that it is published for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnTool {
    /// Name of the package as its registry spells it.
    pub name: String,
    pub version: String,
    pub kind: ArtifactKind,
    /// As in the lock of the toolchain.
    pub artifacts: Vec<Artifact>,
    /// As in the lock of the toolchain.
    pub trees: Vec<LockedTree>,
}

impl Default for OwnLock {
    fn default() -> Self {
        Self { schema_version: SCHEMA_VERSION, tools: Vec::new() }
    }
}

impl OwnLock {
    /// Reads a lock and checks it.
    ///
    /// # Errors
    /// `corrupted_data` when the text is not such a lock, or an entry is not whole.
    pub fn parse(text: &str) -> Result<Self> {
        let lock: Self = serde_json::from_str(text).map_err(|e| corrupted(format!("{FILE} cannot be read: {e}")))?;
        if lock.schema_version != SCHEMA_VERSION {
            let version = lock.schema_version;
            return Err(corrupted(format!("{FILE} has schema version {version}, this program reads {SCHEMA_VERSION}")));
        }
        if lock.tools.len() > MOST_TOOLS {
            return Err(corrupted(format!("{FILE} has more than {MOST_TOOLS} tools")));
        }
        if !lock.tools.is_sorted_by(|a, b| a.name < b.name) {
            return Err(corrupted(format!("{FILE} is not sorted, or has a tool twice")));
        }
        lock.tools.iter().try_for_each(OwnTool::check)?;
        Ok(lock)
    }

    /// The lock as it is kept: sorted, indented, with a final newline.
    ///
    /// # Errors
    /// `internal` when it has no JSON form, which cannot happen.
    pub fn to_text(&self) -> Result<String> {
        let mut text =
            serde_json::to_string_pretty(self).map_err(|e| Error::internal(format!("{FILE} has no JSON form: {e}")))?;
        text.push('\n');
        Ok(text)
    }

    /// The tool of that package.
    ///
    /// # Errors
    /// `invalid_argument` naming the nearest, when it is not locked.
    pub fn tool(&self, name: &str) -> Result<&OwnTool> {
        self.tools.iter().find(|tool| tool.name == name).ok_or_else(|| {
            Error::invalid(format!("{name} is not locked in {FILE}"))
                .hint(nearest::hint(name, self.tools.iter().map(|tool| tool.name.as_str())))
        })
    }

    /// Puts a tool in the place of the one with its name.
    pub fn insert(&mut self, tool: OwnTool) {
        self.tools.retain(|other| other.name != tool.name);
        let at = self.tools.partition_point(|other| other.name < tool.name);
        self.tools.insert(at, tool);
    }
}

impl OwnTool {
    /// What makes the tool, in the form in which the tools of this program are installed and verified.
    #[must_use]
    pub fn lock(&self) -> Lock {
        Lock { schema_version: LOCK_SCHEMA, artifacts: self.artifacts.clone(), trees: self.trees.clone() }
    }

    /// The tree that is for a machine whose tools are of this kind.
    #[must_use]
    pub const fn tree_kind(&self, tools: TreeKind) -> TreeKind {
        match self.kind {
            ArtifactKind::Wheel => tools,
            ArtifactKind::Npm => TreeKind::Node,
        }
    }

    /// Digest over everything that is locked of it: the same on every system.
    ///
    /// # Errors
    /// `internal` when it has no canonical form, which cannot happen.
    pub fn digest(&self) -> Result<String> {
        digest::of_json(self)
    }

    /// The systems it is locked for.
    #[must_use]
    pub fn systems(&self) -> Vec<System> {
        let mut systems: Vec<System> = self.trees.iter().map(|tree| tree.system).collect();
        systems.dedup();
        systems
    }

    /// The name of the tool's description, without any folder: a scope becomes a part of the name.
    #[must_use]
    pub fn file_stem(&self) -> String {
        file_stem_of(&self.name)
    }

    fn check(&self) -> Result<()> {
        published::check_coordinates(self.kind, (&self.name, &self.version))
            .map_err(|error| corrupted(format!("{FILE}: {}", error.message())))?;
        if self.artifacts.len() > MOST_ARTIFACTS || self.trees.is_empty() {
            return Err(corrupted(format!("{FILE}: {} has too many artifacts or no tree", self.name)));
        }
        for artifact in &self.artifacts {
            let fits = artifact.role == ArtifactRole::Own
                && artifact.kind == self.kind
                && artifact.place.is_some() == (self.kind == ArtifactKind::Npm)
                && artifact.place.as_deref().is_none_or(is_place);
            if !fits {
                let file = &artifact.file;
                return Err(corrupted(format!("{FILE}: {file} cannot be a part of {}", self.name)));
            }
        }
        let kinds = self.trees.iter().all(|tree| (tree.kind == TreeKind::Node) == (self.kind == ArtifactKind::Npm));
        if !kinds || !self.artifacts.iter().any(|artifact| same_package(&artifact.name, &self.name)) {
            return Err(corrupted(format!(
                "{FILE}: {} lacks its own package, or has a tree of another kind",
                self.name
            )));
        }
        self.lock().check().map_err(|error| corrupted(format!("{FILE}: {}: {}", self.name, error.message())))
    }
}

/// The name of the description of a package's tool.
#[must_use]
pub fn file_stem_of(name: &str) -> String {
    name.trim_start_matches('@').replace('/', "-")
}

/// Names of wheels write a dash and a dot as an underscore.
fn same_package(a: &str, b: &str) -> bool {
    tapps_base::pypi::normalize_pypi_name(a) == tapps_base::pypi::normalize_pypi_name(b)
}

/// A folder below `node_modules`, which leads nowhere else.
fn is_place(place: &str) -> bool {
    place.starts_with("node_modules/")
        && place.len() < 200
        && place.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
        && place.bytes().all(|b| b.is_ascii_alphanumeric() || b"@/._-".contains(&b))
}

fn corrupted(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::CorruptedData, message)
        .hint("restore the file, or remove it and add the tools anew with `tapps-mcp tool add NAME==VERSION`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::{AnyPython, PythonTags};

    fn tool(name: &str) -> OwnTool {
        let artifact = Artifact {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            kind: ArtifactKind::Wheel,
            file: format!("{name}-1.0-py3-none-any.whl"),
            size: 1,
            sha256: "a".repeat(64),
            integrity: None,
            record_sha256: "b".repeat(64),
            role: ArtifactRole::Own,
            systems: vec![System::X86_64Linux],
            python: PythonTags::Any(AnyPython::Any),
            requires: Vec::new(),
            place: None,
        };
        let tree = LockedTree {
            system: System::X86_64Linux,
            kind: TreeKind::Cp313,
            digest: "c".repeat(64),
            files: 1,
            bytes: 1,
        };
        OwnTool {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            kind: ArtifactKind::Wheel,
            artifacts: vec![artifact],
            trees: vec![tree],
        }
    }

    #[test]
    fn a_lock_survives_its_text_in_one_order() {
        let mut lock = OwnLock::default();
        for name in ["yamllint", "codespell", "yamllint"] {
            lock.insert(tool(name));
        }
        let names: Vec<&str> = lock.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["codespell", "yamllint"]);
        assert_eq!(OwnLock::parse(&lock.to_text().unwrap()).unwrap(), lock);
        let error = lock.tool("codespel").unwrap_err();
        assert!(error.body().hint.as_deref().unwrap().contains("codespell"), "{error:?}");
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        let with = |change: fn(&mut OwnTool)| {
            let mut one = tool("yamllint");
            change(&mut one);
            let lock = OwnLock { tools: vec![one], ..OwnLock::default() };
            OwnLock::parse(&lock.to_text().unwrap()).unwrap_err()
        };
        for error in [
            with(|one| one.name = "--index-url".to_owned()),
            with(|one| one.artifacts[0].sha256 = "x".to_owned()),
            with(|one| one.artifacts[0].file = "../yamllint-1.0-py3-none-any.whl".to_owned()),
            with(|one| one.artifacts[0].role = ArtifactRole::Ruff),
            with(|one| one.artifacts[0].name = "other".to_owned()),
            with(|one| one.artifacts[0].place = Some("node_modules/x".to_owned())),
            with(|one| one.trees.clear()),
            with(|one| one.trees[0].kind = TreeKind::Node),
        ] {
            assert_eq!(error.code(), ErrorCode::CorruptedData, "{error}");
            assert!(error.message().contains(FILE), "{error}");
        }
        for place in ["/etc", "node_modules/../../x", "node_modules//x", "lib/x", "node_modules/a b"] {
            assert!(!is_place(place), "{place}");
        }
        assert!(is_place("node_modules/@biomejs/cli-linux-x64"));
    }
}

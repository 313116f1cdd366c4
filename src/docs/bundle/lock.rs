//! The lock of bundles: which wheels and npm packages they are built from, and what comes out.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::read::Bundle;
use tapps_base::{Error, ErrorCode, Result, atomic};
use tapps_project::packages::Ecosystem;

const SCHEMA: u32 = 1;

/// A list of bundles with the digests of the wheels and of the bundles themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleLock {
    pub schema: u32,
    /// Sorted.
    pub bundles: Vec<Locked>,
}

/// One locked bundle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// Left out for Python.
    #[serde(with = "crate::ecosystem_word", default = "python", skip_serializing_if = "is_python")]
    pub ecosystem: Ecosystem,
    pub library: String,
    pub version: String,
    /// The name of the wheel's or package's file.
    pub file: String,
    pub artifact_sha256: String,
    pub bundle_sha256: String,
}

fn python() -> Ecosystem {
    Ecosystem::PyPi
}

fn is_python(ecosystem: &Ecosystem) -> bool {
    *ecosystem == Ecosystem::PyPi
}

impl BundleLock {
    #[must_use]
    pub fn new(mut bundles: Vec<Locked>) -> Self {
        bundles.sort();
        Self { schema: SCHEMA, bundles }
    }

    /// Reads a lock.
    ///
    /// # Errors
    /// `file_not_found`; `corrupted_data` for what is no lock of this format.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| {
            Error::new(ErrorCode::FileNotFound, format!("cannot read the lock of bundles {}: {error}", path.display()))
        })?;
        let broken = |why: &dyn std::fmt::Display| {
            Error::new(ErrorCode::CorruptedData, format!("{} is no lock of bundles: {why}", path.display()))
                .hint("write it anew with `docs bundle build --write-lock`")
        };
        let lock: Self = serde_json::from_str(&text).map_err(|error| broken(&error))?;
        if lock.schema != SCHEMA {
            return Err(broken(&format_args!("its format is {}, this program reads {SCHEMA}", lock.schema)));
        }
        Ok(lock)
    }

    /// Writes the lock.
    ///
    /// # Errors
    /// What writing says.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::internal(format!("the lock has no JSON form: {error}")))?;
        atomic::write(path, (text + "\n").as_bytes())
    }

    /// Compares a bundle with its entry.
    ///
    /// # Errors
    /// `corrupted_data` when the lock does not name it, or names other bytes.
    pub fn check(&self, bundle: &Bundle) -> Result<()> {
        let manifest = &bundle.manifest;
        let same = |entry: &&Locked| {
            (entry.ecosystem, &entry.library, &entry.version)
                == (manifest.ecosystem, &manifest.library, &manifest.version)
        };
        let entry = self.bundles.iter().find(same);
        let differs = |why: &str| {
            let message = format!("the bundle of {} {} {why}", manifest.library, manifest.version);
            Error::new(ErrorCode::CorruptedData, message).hint("build it again with `docs bundle build --locked`")
        };
        match entry {
            None => Err(differs("is not in the lock")),
            Some(entry) if entry.bundle_sha256 != bundle.sha256 => Err(differs("has other bytes than the locked one")),
            Some(entry) if entry.artifact_sha256 != manifest.artifact_sha256 => {
                Err(differs("says it was built from another file than the locked one"))
            }
            Some(_) => Ok(()),
        }
    }
}

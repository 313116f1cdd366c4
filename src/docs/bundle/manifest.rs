//! What a bundle says about itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_project::packages::Ecosystem;

/// The version of the format.
pub(super) const SCHEMA: u32 = 1;

/// The first entry of a bundle: what it documents, what that was read from, and the digests of its other entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BundleManifest {
    pub schema: u32,
    #[serde(with = "crate::ecosystem_word")]
    #[schemars(with = "crate::ecosystem_word::EcosystemWord")]
    pub ecosystem: Ecosystem,
    pub library: String,
    pub version: String,
    /// SHA-256 of the wheel or tarball it was read from.
    pub artifact_sha256: String,
    /// The version of the extraction that made it.
    pub extractor: u32,
    pub symbols_sha256: String,
    pub symbols_bytes: u64,
    pub guides_sha256: String,
    pub guides_bytes: u64,
}

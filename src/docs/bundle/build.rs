//! Making bundles: the same artifact always gives the same bytes.

use std::io::{Cursor, Write as _};

use serde::Serialize;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::manifest::{BundleManifest, SCHEMA};
use crate::extract::{npm, python};
use crate::symbol::{FORMAT, LibraryIndex};
use crate::tree::{Packed, Tree as _};
use tapps_base::{Error, ErrorCode, Result, digest};
use tapps_project::packages::Ecosystem;

/// Goes up whenever extraction gives other symbols or guides for the same artifact.
pub const EXTRACTOR: u32 = 2;

/// The index of a Python wheel.
///
/// # Errors
/// `corrupted_data` for bytes that are no wheel of one distribution.
pub fn from_wheel(bytes: &[u8]) -> Result<LibraryIndex> {
    let tree = Packed::wheel(bytes, &python::is_wanted)?;
    let metadata = tree.files().iter().find(|path| path.ends_with(".dist-info/METADATA"));
    let metadata = metadata.and_then(|path| tree.text(path)).unwrap_or_default();
    let field = |name: &str| {
        let lines = metadata.lines().take_while(|line| !line.is_empty());
        lines
            .filter_map(|line| line.split_once(": "))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.trim().to_owned())
    };
    let (Some(library), Some(version)) = (field("Name"), field("Version")) else {
        return Err(Error::new(ErrorCode::CorruptedData, "the wheel does not say its name and version")
            .hint("build the bundle from a wheel as the registry has it"));
    };
    if !is_plain(&library) || !is_plain(&version) {
        return Err(Error::new(ErrorCode::CorruptedData, "the wheel's name or version is none")
            .hint("build the bundle from a wheel as the registry has it"));
    }
    let (symbols, guides) = python::symbols_and_guides(&tree)?;
    Ok(LibraryIndex {
        format: FORMAT,
        ecosystem: Ecosystem::PyPi,
        library: tapps_project::versions::normalize_library_name(Ecosystem::PyPi, &library),
        version,
        source_sha256: digest::sha256(bytes),
        symbols,
        guides,
    })
}

/// The index of an npm package as its registry has it, a compressed tar archive.
///
/// # Errors
/// `corrupted_data` for bytes that are no such package; `unsupported_language` for one with neither declarations nor texts.
pub fn from_tarball(bytes: &[u8]) -> Result<LibraryIndex> {
    let tree = Packed::tarball(bytes, &npm::is_wanted)?;
    if !tree.files().iter().any(|file| file == "package.json") {
        return Err(Error::new(ErrorCode::CorruptedData, "the npm package has no package.json")
            .hint("build the bundle from a package as the registry has it"));
    }
    let index = npm::index_packed_package(&tree, &digest::sha256(bytes))?;
    if !is_plain(&index.library) || !is_plain(&index.version) {
        return Err(Error::new(ErrorCode::CorruptedData, "the npm package's name or version is none")
            .hint("build the bundle from a package as the registry has it"));
    }
    Ok(index)
}

/// The bytes of the bundle of an index.
///
/// # Errors
/// `internal` when it cannot be written.
pub fn pack_bundle(index: &LibraryIndex) -> Result<Vec<u8>> {
    let (symbols, guides) = (json(&index.symbols)?, json(&index.guides)?);
    let manifest = BundleManifest {
        schema: SCHEMA,
        ecosystem: index.ecosystem,
        library: index.library.clone(),
        version: index.version.clone(),
        artifact_sha256: index.source_sha256.clone(),
        extractor: EXTRACTOR,
        symbols_sha256: digest::sha256(&symbols),
        symbols_bytes: symbols.len() as u64,
        guides_sha256: digest::sha256(&guides),
        guides_bytes: guides.len() as u64,
    };
    let failed = |error: &dyn std::fmt::Display| Error::internal(format!("the bundle cannot be written: {error}"));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Time, mode and order are fixed, so that only the content decides the bytes.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for (name, bytes) in [("manifest.json", json(&manifest)?), ("symbols.json", symbols), ("guides.json", guides)] {
        zip.start_file(name, options).map_err(|error| failed(&error))?;
        zip.write_all(&bytes).map_err(|error| failed(&error))?;
    }
    Ok(zip.finish().map_err(|error| failed(&error))?.into_inner())
}

/// A name or version as registries admit it: nothing in it can lead anywhere as part of a path.
pub(super) fn is_plain(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '!' | '@' | '/');
    !text.is_empty() && text.chars().all(allowed) && !text.contains("..") && !text.starts_with('/')
}

fn json(value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| Error::internal(format!("the bundle has no JSON form: {error}")))
}

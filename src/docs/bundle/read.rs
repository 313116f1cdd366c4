//! Reading bundles that anybody may have made: nothing is trusted that the manifest does not bind.

use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use super::build::is_plain;
use super::manifest::{BundleManifest, SCHEMA};
use crate::symbol::{FORMAT, LibraryIndex};
use tapps_base::{Error, ErrorCode, Result, digest};

/// The entries of a bundle, in this order; any other list is refused.
const ENTRIES: [&str; 3] = ["manifest.json", "symbols.json", "guides.json"];
/// Names of entries that are looked at; a sound bundle has three.
const NAMED: usize = 1_000;
const MANIFEST_MAX: u64 = 64 << 10;
/// Largest unpacked entry, in bytes.
const ENTRY_MAX: u64 = 256 << 20;

/// A bundle that has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    pub manifest: BundleManifest,
    pub index: LibraryIndex,
    /// SHA-256 of the whole file.
    pub sha256: String,
}

/// Checks the bytes of a bundle and reads it; `name` is only for messages.
///
/// # Errors
/// `corrupted_data` saying what is wrong: no zip archive, entries that do not belong there, more or other bytes than the
/// manifest says, a format of another version.
pub fn open_bundle(name: &str, bytes: &[u8]) -> Result<Bundle> {
    let broken = |why: &dyn std::fmt::Display| {
        Error::new(ErrorCode::CorruptedData, format!("the bundle {name} is refused: {why}"))
            .hint("build it again with `tapps-mcp docs bundle build`, or remove it")
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| match bytes.starts_with(b"PK") {
        true => broken(&format_args!("it is cut short or damaged: {error}")),
        false => broken(&"it is no zip archive"),
    })?;
    for found in archive.file_names().take(NAMED) {
        let found = found.map_err(|_| broken(&"the name of an entry is no text"))?;
        if found.starts_with(['/', '\\']) || found.split(['/', '\\']).any(|part| part == "..") {
            return Err(broken(&format_args!("its entry `{}` leads out of it", found.escape_debug())));
        }
    }
    if archive.len() != ENTRIES.len() {
        return Err(broken(&format_args!("it has {} entries instead of {}", archive.len(), ENTRIES.len())));
    }
    let mut contents = Vec::new();
    let mut most = MANIFEST_MAX;
    let mut manifest: Option<BundleManifest> = None;
    for (at, wanted) in ENTRIES.iter().enumerate() {
        let unreadable =
            |error: &dyn std::fmt::Display| broken(&format_args!("{wanted} is damaged and cannot be read: {error}"));
        let mut entry = archive.by_index(at).map_err(|error| unreadable(&error))?;
        let found = entry.name().map(std::borrow::Cow::into_owned).unwrap_or_default();
        if found != *wanted || entry.is_symlink() || entry.is_dir() {
            return Err(broken(&format_args!("it has an entry `{}` in place of {wanted}", found.escape_debug())));
        }
        if let Some(manifest) = &manifest {
            most = if at == 1 { manifest.symbols_bytes } else { manifest.guides_bytes };
        }
        let mut content = Vec::new();
        // One byte more than allowed is enough to know, however much more there would be.
        entry.by_ref().take(most.min(ENTRY_MAX) + 1).read_to_end(&mut content).map_err(|error| unreadable(&error))?;
        if content.len() as u64 > most.min(ENTRY_MAX) {
            return Err(broken(&format_args!("{wanted} unpacks to more than {} bytes", most.min(ENTRY_MAX))));
        }
        if at == 0 {
            let wrong = |error| broken(&format_args!("its manifest cannot be understood: {error}"));
            let read: BundleManifest = serde_json::from_slice(&content).map_err(wrong)?;
            if read.schema != SCHEMA {
                return Err(broken(&format_args!("its format is {}, this program reads {SCHEMA}", read.schema)));
            }
            if !is_plain(&read.library) || !is_plain(&read.version) {
                return Err(broken(&"its library or version is no name"));
            }
            manifest = Some(read);
        } else {
            contents.push(content);
        }
    }
    let (Some(manifest), [symbols, guides]) = (manifest, &contents[..]) else {
        return Err(broken(&"it has no manifest"));
    };
    for (content, sha256, entry) in
        [(symbols, &manifest.symbols_sha256, "symbols.json"), (guides, &manifest.guides_sha256, "guides.json")]
    {
        if digest::sha256(content) != *sha256 {
            return Err(broken(&format_args!("{entry} has other bytes than its manifest says")));
        }
    }
    let index = LibraryIndex {
        format: FORMAT,
        ecosystem: manifest.ecosystem,
        library: manifest.library.clone(),
        version: manifest.version.clone(),
        source_sha256: manifest.artifact_sha256.clone(),
        symbols: serde_json::from_slice(symbols).map_err(|error| broken(&error))?,
        guides: serde_json::from_slice(guides).map_err(|error| broken(&error))?,
    };
    Ok(Bundle { manifest, index, sha256: digest::sha256(bytes) })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::bundle::pack_bundle;
    use crate::symbol::Guide;
    use tapps_project::packages::Ecosystem;

    fn index() -> LibraryIndex {
        let guide = Guide { file: "README".into(), heading: "One".into(), text: "text ".repeat(200) };
        LibraryIndex {
            format: FORMAT,
            ecosystem: Ecosystem::PyPi,
            library: "demo".into(),
            version: "1.0".into(),
            source_sha256: "ab".into(),
            symbols: Vec::new(),
            guides: vec![guide],
        }
    }

    fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn what_was_packed_is_read_and_every_flipped_or_missing_byte_is_noticed() {
        let bytes = pack_bundle(&index()).unwrap();
        assert_eq!(pack_bundle(&index()).unwrap(), bytes);
        let bundle = open_bundle("demo", &bytes).unwrap();
        assert_eq!(bundle.index, index());
        for end in [0, 10, bytes.len() / 2, bytes.len() - 1] {
            assert_eq!(open_bundle("demo", &bytes[..end]).unwrap_err().code(), ErrorCode::CorruptedData, "{end}");
        }
        let mut silent = 0;
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x40;
            // Times and attributes in the directory mean nothing: such a bundle still holds the very same content.
            match open_bundle("demo", &flipped) {
                Ok(read) => {
                    assert_eq!(read.index, index(), "{at}");
                    silent += 1;
                }
                Err(error) => assert_eq!(error.code(), ErrorCode::CorruptedData),
            }
        }
        assert!(silent * 2 < bytes.len(), "{silent} of {}", bytes.len());
    }

    #[test]
    fn foreign_entries_and_bombs_are_refused() {
        let message = |bytes: &[u8]| open_bundle("demo", bytes).unwrap_err().message().to_owned();
        let traversal = zipped(&[("../../manifest.json", b"{}"), ("symbols.json", b"[]"), ("guides.json", b"[]")]);
        assert!(message(&traversal).contains("`../../manifest.json` leads out of it"), "{}", message(&traversal));
        for beside in ["../x", "/etc/passwd", "..\\x"] {
            let bytes =
                zipped(&[("manifest.json", b"{}"), ("symbols.json", b"[]"), ("guides.json", b"[]"), (beside, b"x")]);
            assert!(message(&bytes).contains("leads out of it"), "{}", message(&bytes));
        }
        assert!(message(b"<html>").ends_with("it is no zip archive"));
        let sound = pack_bundle(&index()).unwrap();
        assert!(message(&sound[..sound.len() / 2]).contains("cut short"));
        assert!(message(&zipped(&[("manifest.json", b"{}")])).contains("1 entries"));
        let manifest = BundleManifest {
            schema: SCHEMA,
            ecosystem: Ecosystem::PyPi,
            library: "demo".into(),
            version: "1".into(),
            artifact_sha256: String::new(),
            extractor: 1,
            symbols_sha256: String::new(),
            symbols_bytes: 2,
            guides_sha256: String::new(),
            guides_bytes: 2,
        };
        let manifest = serde_json::to_vec(&manifest).unwrap();
        let bomb = vec![b' '; 64 << 20];
        let bomb = zipped(&[("manifest.json", &manifest), ("symbols.json", &bomb), ("guides.json", b"[]")]);
        assert!(message(&bomb).contains("symbols.json unpacks to more than 2 bytes"), "{}", message(&bomb));
        let other = zipped(&[("manifest.json", &manifest), ("symbols.json", b"[]"), ("guides.json", b"[]")]);
        assert!(message(&other).contains("other bytes than its manifest says"));
    }
}

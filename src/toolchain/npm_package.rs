//! Reading an npm package: a gzipped tar, which has no list of its files that is signed for. One is written in the form of a
//! wheel's RECORD; the lock has its digest, so that what was unpacked can be told from anything else without the package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use flate2::read::GzDecoder;
use sha2::{Digest as _, Sha512};
use tar::{Archive, Entry, EntryType};

use tapps_base::{Error, Result, digest};

use super::layout;
use super::lock::Artifact;
use super::manifest::artifact_mismatch_error;
use super::wheel::{ARTIFACT_MAX, WheelSink, copy_checked};

/// More files than any package has that is locked.
const MOST_FILES: usize = 100_000;

/// SHA-256 and bytes of each file by its name.
type FilesByName = BTreeMap<String, ([u8; 32], u64)>;

type PackageBytes = std::io::Take<GzDecoder<BufReader<File>>>;
type PackageReader = Archive<PackageBytes>;
type PackageEntry<'e> = Entry<'e, PackageBytes>;

/// An npm package whose files have been looked at once.
pub(super) struct NpmPackage<'a> {
    artifact: &'a Artifact,
    path: &'a Path,
    files: FilesByName,
    record: String,
}

impl<'a> NpmPackage<'a> {
    /// Reads the package of an artifact; the digest of the file itself is for the caller to check.
    ///
    /// # Errors
    /// `toolchain_mismatch` for anything that is no plain file, or has a name that could leave the tree.
    pub(super) fn open(artifact: &'a Artifact, path: &'a Path) -> Result<Self> {
        let mut files = FilesByName::new();
        let mut folded = BTreeSet::new();
        each_file(artifact, path, &mut |name, entry| {
            layout::place_in_tree(artifact, name)?;
            if name.contains([',', '"']) || files.len() == MOST_FILES {
                return Err(artifact_mismatch_error(artifact, &format!("holds `{name}`, which no RECORD can name")));
            }
            if !folded.insert(layout::case_folded_place(name)) {
                return Err(artifact_mismatch_error(artifact, &format!("holds `{name}` twice")));
            }
            let mut bytes = Vec::new();
            let size = entry.read_to_end(&mut bytes).map_err(|e| unreadable(artifact, &e))?;
            files.insert(name.to_owned(), (digest::sha256_bytes(&bytes), size as u64));
            Ok(())
        })?;
        let record = record_text(artifact, &files);
        Ok(Self { artifact, path, files, record })
    }

    /// The list of the files, as a wheel's RECORD has it.
    pub(super) fn record(&self) -> &str {
        &self.record
    }

    /// Hands the wanted files to `sink`, and the RECORD, which must be the locked one.
    ///
    /// # Errors
    /// `toolchain_mismatch` naming what is not as recorded, or what the sink says.
    pub(super) fn unpack(&self, sink: &mut dyn WheelSink) -> Result<()> {
        if digest::sha256(self.record.as_bytes()) != self.artifact.record_sha256 {
            return Err(artifact_mismatch_error(self.artifact, "has other files than the locked ones"));
        }
        let mut left = self.files.clone();
        each_file(self.artifact, self.path, &mut |name, entry| {
            let changed = || artifact_mismatch_error(self.artifact, &format!("holds another `{name}` than before"));
            let (sha256, size) = left.remove(name).ok_or_else(changed)?;
            let content = (digest::hex(&sha256), size);
            match layout::place_in_tree(self.artifact, name)? {
                Some(place) => copy_checked(self.artifact, name, entry, content, &mut *sink.open(&place)?),
                None => Ok(()),
            }
        })?;
        if let Some(name) = left.keys().next() {
            return Err(artifact_mismatch_error(self.artifact, &format!("lacks `{name}`, which it had before")));
        }
        let name = format!("{}/RECORD", self.artifact.dist_info());
        let Some(place) = layout::place_in_tree(self.artifact, &name)? else { return Ok(()) };
        let failed = |e: std::io::Error| Error::io(format_args!("cannot write {place}"), &e);
        let mut out = sink.open(&place)?;
        out.write_all(self.record.as_bytes()).and_then(|()| out.flush()).map_err(failed)
    }
}

/// Calls `act` with each file of a package. Folders have no meaning there, and links have no place.
fn each_file(
    artifact: &Artifact,
    path: &Path,
    act: &mut dyn FnMut(&str, &mut PackageEntry<'_>) -> Result<()>,
) -> Result<()> {
    let file = File::open(path).map_err(|e| Error::io(format_args!("cannot read {}", path.display()), &e))?;
    let mut archive: PackageReader = Archive::new(GzDecoder::new(BufReader::new(file)).take(ARTIFACT_MAX));
    for entry in archive.entries().map_err(|e| unreadable(artifact, &e))? {
        let mut entry = entry.map_err(|e| unreadable(artifact, &e))?;
        let name = entry.path_bytes();
        let name = std::str::from_utf8(&name)
            .map_err(|_| artifact_mismatch_error(artifact, "has a file name that is not text"))?
            .to_owned();
        match entry.header().entry_type() {
            EntryType::Regular => act(&name, &mut entry)?,
            EntryType::Directory => drop(layout::place_in_tree(artifact, name.trim_end_matches('/'))?),
            _ => {
                return Err(artifact_mismatch_error(artifact, &format!("holds `{name}`, which is not a plain file")));
            }
        }
    }
    Ok(())
}

fn record_text(artifact: &Artifact, files: &FilesByName) -> String {
    let line = |(name, (sha256, size)): (&String, &([u8; 32], u64))| {
        format!("{name},sha256={},{size}\n", URL_SAFE_NO_PAD.encode(sha256))
    };
    let lines: String = files.iter().map(line).collect();
    format!("{lines}{}/RECORD,,\n", artifact.dist_info())
}

/// The integrity of a file as npm writes it.
///
/// # Errors
/// What the file system says.
pub(super) fn integrity_of(path: &Path) -> std::io::Result<String> {
    let mut hasher = Sha512::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0_u8; 128 << 10];
    loop {
        let read = file.read(&mut buffer)?;
        let Some(chunk) = buffer.get(..read).filter(|chunk| !chunk.is_empty()) else { break };
        hasher.update(chunk);
    }
    Ok(format!("sha512-{}", STANDARD.encode(hasher.finalize())))
}

fn unreadable(artifact: &Artifact, error: &std::io::Error) -> Error {
    artifact_mismatch_error(artifact, &format!("is not a readable npm package: {error}"))
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use tapps_base::ErrorCode;
    use tar::{Builder, Header};

    use super::*;
    use crate::lock::{AnyPython, ArtifactKind, ArtifactRole, PythonTags};
    use crate::system::System;
    use crate::unpack;

    /// A package of the given entries, each with its type and mode.
    fn package(entries: &[(&str, EntryType, u32, &[u8])]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut archive = Builder::new(GzEncoder::new(file.reopen().unwrap(), Compression::fast()));
        for (name, kind, mode, content) in entries {
            let mut header = Header::new_ustar();
            header.set_entry_type(*kind);
            header.set_size(content.len() as u64);
            header.set_mode(*mode);
            // Written directly: the library's own way refuses names that leave the folder.
            let field = &mut header.as_ustar_mut().unwrap().name;
            field[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            archive.append(&header, *content).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap();
        file
    }

    fn artifact() -> Artifact {
        Artifact {
            name: "@typescript/typescript-linux-x64".into(),
            version: "7.0.2".into(),
            kind: ArtifactKind::Npm,
            file: "typescript-typescript-linux-x64-7.0.2.tgz".into(),
            size: 1,
            sha256: String::new(),
            integrity: None,
            record_sha256: String::new(),
            role: ArtifactRole::TypeScript,
            systems: vec![System::X86_64Linux],
            python: PythonTags::Any(AnyPython::Any),
            requires: Vec::new(),
            place: None,
        }
    }

    const PROGRAM: (&str, EntryType, u32, &[u8]) = ("package/lib/tsc", EntryType::Regular, 0o644, b"program");
    const LIBRARY: (&str, EntryType, u32, &[u8]) = ("package/lib/lib.d.ts", EntryType::Regular, 0o777, b"lib");

    fn refusal(entries: &[(&str, EntryType, u32, &[u8])]) -> String {
        let file = package(entries);
        let error = NpmPackage::open(&artifact(), file.path()).err().unwrap();
        assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
        error.message().to_owned()
    }

    #[test]
    fn a_package_becomes_a_tree_with_our_modes_and_a_record() {
        let readme = ("package/README.md", EntryType::Regular, 0o644, &b"text"[..]);
        let file = package(&[PROGRAM, ("package/lib/", EntryType::Directory, 0o755, b""), LIBRARY, readme]);
        let artifact = artifact();
        let record = NpmPackage::open(&artifact, file.path()).unwrap().record().to_owned();
        let names: Vec<&str> = record.lines().filter_map(|line| line.split(',').next()).collect();
        let own = "typescript-typescript-linux-x64-7.0.2.dist-info/RECORD";
        assert_eq!(names, ["package/README.md", "package/lib/lib.d.ts", "package/lib/tsc", own]);
        let folder = tempfile::tempdir().unwrap();
        let wheels = |artifact| [(artifact, file.path().to_owned())];
        let error = unpack::unpack_all(&wheels(&artifact), folder.path(), &|_| {}).unwrap_err();
        assert!(error.message().ends_with("has other files than the locked ones"), "{error}");
        let artifact = Artifact { record_sha256: digest::sha256(record.as_bytes()), ..artifact.clone() };
        unpack::unpack_all(&wheels(&artifact), folder.path(), &|_| {}).unwrap();
        let mode = |path: &str| crate::platform::mode_of(&folder.path().join(path).metadata().unwrap());
        assert_eq!((mode("bin/tsc"), mode("bin/lib.d.ts")), (0o555, 0o444));
        assert_eq!(std::fs::read_to_string(folder.path().join("lib").join(own)).unwrap(), record);
        assert_eq!(std::fs::read_dir(folder.path().join("bin")).unwrap().count(), 2);
    }

    #[test]
    fn links_names_that_leave_and_doubles_are_refused() {
        let regular = |name| (name, EntryType::Regular, 0o644, &b"x"[..]);
        for (entry, said) in [
            (("package/lib/x", EntryType::Symlink, 0o777, &b""[..]), "is not a plain file"),
            (("package/lib/x", EntryType::Link, 0o644, &b""[..]), "is not a plain file"),
            (("package/lib/x", EntryType::Fifo, 0o644, &b""[..]), "is not a plain file"),
            (regular("package/../x"), "whose name leaves"),
            (regular("/etc/x"), "whose name is absolute"),
            (("../x/", EntryType::Directory, 0o755, &b""[..]), "whose name leaves"),
            (regular("package/lib/TSC"), "twice"),
            (regular("package/a,b"), "which no RECORD can name"),
        ] {
            let message = refusal(&[PROGRAM, entry]);
            assert!(message.contains(said), "{}: {message}", entry.0);
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "no package").unwrap();
        let error = NpmPackage::open(&artifact(), file.path()).err().unwrap();
        assert!(error.message().contains("is not a readable npm package"), "{error}");
    }

    #[test]
    fn integrity_is_written_as_npm_writes_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let empty = "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";
        assert_eq!(integrity_of(file.path()).unwrap(), empty);
    }
}

//! Reading a wheel: every file is checked against the wheel's RECORD, and the RECORD against the lock.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};
use zip::ZipArchive;
use zip::read::ZipFile;

use tapps_base::digest;
use tapps_base::{Error, Result};

use super::layout;
use super::lock::Artifact;
use super::manifest::artifact_mismatch_error;
use super::record;

/// A RECORD or METADATA beyond this size is refused.
const SMALL_FILE_MAX: u64 = 8 << 20;
/// An artifact that unpacks to more than this is refused.
pub(super) const ARTIFACT_MAX: u64 = 1 << 30;

/// What is done with each wanted file of a wheel.
pub(super) trait WheelSink {
    /// Opens the file that belongs at `place`.
    ///
    /// # Errors
    /// What the file system says, or that the place is taken.
    fn open(&mut self, place: &str) -> Result<Box<dyn Write>>;
}

/// Checks a wheel without keeping anything.
#[derive(Debug, Default)]
pub(super) struct CheckOnly;

impl WheelSink for CheckOnly {
    fn open(&mut self, _place: &str) -> Result<Box<dyn Write>> {
        Ok(Box::new(std::io::sink()))
    }
}

/// An opened wheel.
pub(super) struct Wheel<'a> {
    artifact: &'a Artifact,
    archive: ZipArchive<BufReader<File>>,
}

impl<'a> Wheel<'a> {
    /// Opens the file of an artifact; its own digest is for the caller to check.
    pub(super) fn open(artifact: &'a Artifact, path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|e| Error::io(format_args!("cannot read {}", path.display()), &e))?;
        let archive = ZipArchive::new(BufReader::new(file))
            .map_err(|e| artifact_mismatch_error(artifact, &format!("is not a readable wheel: {e}")))?;
        if archive.has_duplicate_names() {
            return Err(artifact_mismatch_error(artifact, "holds two files of the same name"));
        }
        Ok(Self { artifact, archive })
    }

    /// The bytes of one small file of the wheel's `dist-info` folder.
    pub(super) fn dist_info(&mut self, name: &str) -> Result<Vec<u8>> {
        let path = format!("{}/{name}", self.artifact.dist_info());
        let artifact = self.artifact;
        let entry =
            self.archive.by_name(&path).map_err(|_| artifact_mismatch_error(artifact, &format!("has no {path}")))?;
        let mut bytes = Vec::new();
        entry
            .take(SMALL_FILE_MAX + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| artifact_mismatch_error(artifact, &format!("cannot be unpacked at {path}: {e}")))?;
        if bytes.len() as u64 > SMALL_FILE_MAX {
            return Err(artifact_mismatch_error(artifact, &format!("has a {path} that is too large")));
        }
        Ok(bytes)
    }

    /// Checks every file against RECORD and hands the wanted ones to `sink`.
    ///
    /// The RECORD itself must be the locked one.
    ///
    /// # Errors
    /// `toolchain_mismatch` naming what is not as recorded, or what the sink says.
    pub(super) fn unpack(&mut self, sink: &mut dyn WheelSink) -> Result<()> {
        let record = self.dist_info("RECORD")?;
        if digest::sha256(&record) != self.artifact.record_sha256 {
            return Err(artifact_mismatch_error(self.artifact, "has another RECORD than the locked one"));
        }
        let mut expected = self.expected_files(&record)?;
        let mut folded = BTreeSet::new();
        for index in 0..self.archive.len() {
            let artifact = self.artifact;
            let mut entry = self
                .archive
                .by_index(index)
                .map_err(|e| artifact_mismatch_error(artifact, &format!("cannot be read at entry {index}: {e}")))?;
            let name = entry
                .name()
                .map_err(|_| artifact_mismatch_error(artifact, "has a file name that is not text"))?
                .into_owned();
            if entry.is_dir() {
                layout::place_in_tree(artifact, name.trim_end_matches('/'))?;
                continue;
            }
            let place = layout::place_in_tree(artifact, &name)?;
            if !is_plain(&entry) {
                return Err(artifact_mismatch_error(artifact, &format!("holds `{name}`, which is not a plain file")));
            }
            if !folded.insert(layout::case_folded_place(&name)) {
                return Err(artifact_mismatch_error(
                    artifact,
                    &format!("holds `{name}` twice but for upper and lower case"),
                ));
            }
            let Some(content) = expected.remove(&name) else {
                return Err(artifact_mismatch_error(artifact, &format!("holds `{name}`, which RECORD does not name")));
            };
            let mut out: Box<dyn Write> = match &place {
                Some(place) => sink.open(place)?,
                None => Box::new(std::io::sink()),
            };
            copy_checked(artifact, &name, &mut entry, content, &mut *out)?;
        }
        match expected.keys().next() {
            Some(name) => Err(artifact_mismatch_error(self.artifact, &format!("lacks `{name}`, which RECORD names"))),
            None => Ok(()),
        }
    }

    fn expected_files(&self, record: &[u8]) -> Result<BTreeMap<String, (String, u64)>> {
        let text = std::str::from_utf8(record)
            .map_err(|_| artifact_mismatch_error(self.artifact, "has a RECORD that is not UTF-8"))?;
        let mut expected = BTreeMap::new();
        let mut total = 0_u64;
        for line in record::parse_wheel_record(text)? {
            let content = line.content.unwrap_or_else(|| (self.artifact.record_sha256.clone(), record.len() as u64));
            total = total.saturating_add(content.1);
            if expected.insert(line.path.clone(), content).is_some() {
                return Err(artifact_mismatch_error(
                    self.artifact,
                    &format!("has a RECORD that names `{}` twice", line.path),
                ));
            }
        }
        if total > ARTIFACT_MAX {
            return Err(artifact_mismatch_error(self.artifact, "unpacks to more than 1 GiB"));
        }
        Ok(expected)
    }
}

/// True for a regular file: a wheel made on Unix states the file type in the upper bits of the mode.
fn is_plain(entry: &ZipFile<'_, BufReader<File>>) -> bool {
    let file_type = entry.unix_mode().unwrap_or(0) & 0o170_000;
    !entry.is_symlink() && (file_type == 0 || file_type == 0o100_000)
}

/// Copies one file, never more than it may hold.
pub(super) fn copy_checked(
    artifact: &Artifact,
    name: &str,
    entry: &mut impl Read,
    (sha256, size): (String, u64),
    out: &mut dyn Write,
) -> Result<()> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0_u8; 128 << 10];
    let mut total = 0_u64;
    loop {
        let read = entry
            .read(&mut buffer)
            .map_err(|e| artifact_mismatch_error(artifact, &format!("cannot be unpacked at `{name}`: {e}")))?;
        total += read as u64;
        if total > size {
            return Err(artifact_mismatch_error(
                artifact,
                &format!("holds `{name}` with more bytes than recorded ({size})"),
            ));
        }
        let chunk = buffer.get(..read).unwrap_or_default();
        if chunk.is_empty() {
            break;
        }
        hasher.update(chunk);
        out.write_all(chunk).map_err(|e| Error::io(format_args!("cannot write {name}"), &e))?;
    }
    out.flush().map_err(|e| Error::io(format_args!("cannot write {name}"), &e))?;
    if total != size || digest::hex(&hasher.finalize()) != sha256 {
        return Err(artifact_mismatch_error(artifact, &format!("holds `{name}` with other bytes than recorded")));
    }
    Ok(())
}

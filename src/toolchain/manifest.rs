//! What a tree must hold, worked out from the RECORDs that the lock vouches for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

use super::layout;
use super::lock::Artifact;
use super::record;

/// One file as it must be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedFile {
    /// Permission bits.
    pub mode: u32,
    /// Bytes.
    pub size: u64,
    pub sha256: String,
}

/// Every file of a tree by its path relative to the tree, with forward slashes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeManifest {
    pub files: BTreeMap<String, ExpectedFile>,
    /// Where each link leads, by its own path. Only interpreters have any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub links: BTreeMap<String, String>,
}

/// Stands for the mode of a link in the digest of a tree.
const LINK: u32 = 0o120_000;

impl TreeManifest {
    /// Adds what one wheel puts into the tree, from its RECORD as the lock vouches for it.
    ///
    /// # Errors
    /// `toolchain_mismatch` when the RECORD is not the locked one, or a place is taken already.
    pub fn add(&mut self, artifact: &Artifact, record: &[u8]) -> Result<()> {
        let sha256 = digest::sha256(record);
        if sha256 != artifact.record_sha256 {
            return Err(artifact_mismatch_error(artifact, "has another RECORD than the locked one"));
        }
        let text = std::str::from_utf8(record)
            .map_err(|_| artifact_mismatch_error(artifact, "has a RECORD that is not UTF-8"))?;
        for line in record::parse_wheel_record(text)? {
            let Some(place) = layout::place_in_tree(artifact, &line.path)? else { continue };
            let (sha256, size) = line.content.unwrap_or_else(|| (sha256.clone(), record.len() as u64));
            let file = ExpectedFile { mode: layout::mode_of(artifact, &place), size, sha256 };
            if self.files.insert(place.clone(), file).is_some() {
                return Err(artifact_mismatch_error(
                    artifact,
                    &format!("puts a file at `{place}`, where there is one already"),
                ));
            }
        }
        Ok(())
    }

    /// SHA-256 over the sorted lines `path NUL mode NUL sha256 LF`, the mode as four octal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        let files = self.files.iter().map(|(path, file)| (path.as_str(), file.mode, file.sha256.as_str()));
        tree_digest(files, &self.links)
    }

    /// Bytes of all files together.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|file| file.size).sum()
    }
}

/// SHA-256 over the lines `path NUL mode NUL sha256 LF` in the order given, which must be that of the paths; after them the
/// links, by the digest of where they lead.
pub(super) fn tree_digest<'a>(
    files: impl Iterator<Item = (&'a str, u32, &'a str)>,
    links: &BTreeMap<String, String>,
) -> String {
    let mut text = String::new();
    for (path, mode, sha256) in files {
        add_line(&mut text, path, mode, sha256);
    }
    for (path, target) in links {
        add_line(&mut text, path, LINK, &digest::sha256(target.as_bytes()));
    }
    digest::sha256(text.as_bytes())
}

fn add_line(text: &mut String, path: &str, mode: u32, sha256: &str) {
    text.push_str(path);
    text.push_str(&format!("\0{mode:04o}\0"));
    text.push_str(sha256);
    text.push('\n');
}

pub(super) fn artifact_mismatch_error(artifact: &Artifact, what: &str) -> Error {
    Error::new(ErrorCode::ToolchainMismatch, format!("{} {what}", artifact.file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_covers_path_mode_and_content() {
        let base = ("a/b", 0o444, "00");
        let none = BTreeMap::new();
        let of = |file| tree_digest(std::iter::once(file), &none);
        assert_eq!(of(base), digest::sha256(b"a/b\x000444\x0000\n"));
        for other in [("a/c", 0o444, "00"), ("a/b", 0o555, "00"), ("a/b", 0o444, "01")] {
            assert_ne!(of(base), of(other));
        }
        let linked =
            |target: &str| tree_digest(std::iter::once(base), &BTreeMap::from([("a/l".to_owned(), target.to_owned())]));
        assert_ne!(linked("b"), of(base));
        assert_ne!(linked("b"), linked("c"));
    }
}

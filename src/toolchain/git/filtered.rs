//! Files that pass through a filter program, which is never run here.
//!
//! Git compares their bytes with what it stores, so a file that was only touched looks changed. For Git LFS what git stores
//! is a pointer with a digest, by which the file can be compared; for others nothing is certain, and that is said.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

use tapps_base::call::Call;
use tapps_base::{Result, digest};

use super::command::{GitInput, split_nul};
use super::raw_diff::{ChangeStatus, GitFileChange};
use super::repository::{Repository, on_blocking_thread};

/// Pointers are smaller than this by their definition.
const MAX_POINTER: u64 = 1024;
const LFS_VERSIONS: [&str; 2] = ["https://git-lfs.github.com/spec/v1", "https://hawser.github.com/spec/v1"];

/// What git stores in place of a file that Git LFS keeps.
#[derive(Debug, PartialEq, Eq)]
struct LfsPointer {
    sha256: String,
    size: u64,
}

impl Repository {
    /// Marks the changes to files under an external filter and leaves out those that are the filter's alone.
    pub(super) async fn without_filter_effects(
        &self,
        mut changes: Vec<GitFileChange>,
        index: &Path,
        call: &Call,
    ) -> Result<Vec<GitFileChange>> {
        let filtered = self.filtered_paths(&changes, index, call).await?;
        if filtered.is_empty() {
            return Ok(changes);
        }
        for change in &mut changes {
            change.filtered = filtered.contains(&change.path);
        }
        let suspects: Vec<&GitFileChange> = changes
            .iter()
            .filter(|change| {
                change.filtered && change.status == ChangeStatus::Modified && change.mode == change.old_mode
            })
            .collect();
        let ids: Vec<_> = suspects.iter().filter_map(|change| change.old_id.clone()).collect();
        let blobs = self.read_blobs(&ids, MAX_POINTER, call).await?;
        let mut files = Vec::new();
        for (change, blob) in suspects.iter().zip(blobs) {
            if let Some(pointer) = blob.as_deref().and_then(parse_lfs_pointer) {
                files.push((change.path.clone(), self.location.top.join(&change.path), pointer));
            }
        }
        let unchanged: BTreeSet<String> = on_blocking_thread(move || {
            let same = files.into_iter().filter(|(_, file, pointer)| is_content_of(pointer, file));
            Ok(same.map(|(path, ..)| path).collect())
        })
        .await?;
        changes.retain(|change| !unchanged.contains(&change.path));
        Ok(changes)
    }

    /// Those of the changed paths that have the attribute `filter`.
    async fn filtered_paths(&self, changes: &[GitFileChange], index: &Path, call: &Call) -> Result<BTreeSet<String>> {
        let mut stdin = Vec::new();
        for change in changes.iter().filter(|change| change.status != ChangeStatus::Deleted) {
            stdin.extend_from_slice(change.path.as_bytes());
            stdin.push(0);
        }
        if stdin.is_empty() {
            return Ok(BTreeSet::new());
        }
        let args = ["check-attr", "-z", "--stdin", "filter"];
        let finished = self.git.run_checked(&args, GitInput { stdin, index: Some(index) }, call).await?;
        let fields: Vec<&[u8]> = split_nul(&finished.stdout).collect();
        let filtered = fields.chunks_exact(3).filter(|fields| !matches!(fields[2], b"unspecified" | b"unset"));
        Ok(filtered.filter_map(|fields| std::str::from_utf8(fields[0]).ok().map(str::to_owned)).collect())
    }
}

/// Whether a file holds what a pointer stands for.
fn is_content_of(pointer: &LfsPointer, file: &Path) -> bool {
    let fits = fs::symlink_metadata(file).is_ok_and(|meta| meta.is_file() && meta.len() == pointer.size);
    fits && File::open(file)
        .and_then(digest::sha256_reader)
        .is_ok_and(|(sha256, size)| sha256 == pointer.sha256 && size == pointer.size)
}

fn parse_lfs_pointer(blob: &[u8]) -> Option<LfsPointer> {
    let text = std::str::from_utf8(blob).ok()?;
    let mut lines = text.lines().map(|line| line.split_once(' '));
    let (key, version) = lines.next()??;
    if key != "version" || !LFS_VERSIONS.contains(&version) {
        return None;
    }
    let (mut sha256, mut size) = (None, None);
    for line in lines {
        match line? {
            ("oid", oid) => sha256 = oid.strip_prefix("sha256:").filter(|hex| hex.len() == 64).map(str::to_owned),
            ("size", bytes) => size = bytes.parse().ok(),
            _ => {}
        }
    }
    Some(LfsPointer { sha256: sha256?, size: size? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_pointer_is_one() {
        let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let text =
            format!("version https://git-lfs.github.com/spec/v1\next-0-x sha256:1\noid sha256:{oid}\nsize 12345\n");
        let pointer = parse_lfs_pointer(text.as_bytes()).unwrap();
        assert_eq!((pointer.sha256.as_str(), pointer.size), (oid, 12345));
        let without_size = text.replace("size 12345\n", "");
        let other_version = text.replace("spec/v1", "spec/v9");
        let short = text.replace("4d7a", "");
        for text in [without_size.as_str(), &other_version, &short, "", "x = 1\n", "version\n"] {
            assert_eq!(parse_lfs_pointer(text.as_bytes()), None, "{text:?}");
        }
    }
}

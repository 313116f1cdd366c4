//! A tree of the repository as files in a folder, and the tree that the files of the project would be.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::{Duration, SystemTime};

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

use super::changes::DiffTarget;
use super::command::{GitInput, stdout_text};
use super::object_id::ObjectId;
use super::raw_diff::parse_raw_diff;
use super::repository::{Repository, on_blocking_thread};
use super::tree::{TreeFile, not_understood};

/// Lines of a file, 1-based.
pub type Lines = Vec<RangeInclusive<u32>>;

impl Repository {
    /// Writes all files of a tree below `folder`, as a checkout would: with git's own conversions (line ends, `ident`,
    /// encodings), without any filter program. Submodules are empty folders. The time of each file is made from its blob:
    /// tools that take a file of the same time and size for unchanged are right then, in every copy of every tree.
    ///
    /// # Errors
    /// `config_error` for blobs that a partial clone lacks; `degraded_result` when git fails.
    pub async fn write_tree_to(&self, tree: &ObjectId, folder: &Path, call: &Call) -> Result<()> {
        let files: Vec<TreeFile> = self.tree_files(tree, call).await?.into_iter().filter(is_blob).collect();
        let blobs: Vec<ObjectId> = files.iter().map(|file| file.id.clone()).collect();
        self.require_objects(&blobs, call).await?;
        let index = self.private.new_index();
        self.git.run_checked(&["read-tree", tree.as_str()], GitInput::with_index(&index), call).await?;
        let place = folder.to_str().ok_or_else(|| Error::internal("a private folder's path is not UTF-8"))?;
        let prefix = format!("--prefix={place}/");
        let args = ["checkout-index", "--all", "--quiet", "--force", &prefix];
        self.git.run_checked(&args, GitInput::with_index(&index), call).await?;
        let folder = folder.to_owned();
        on_blocking_thread(move || {
            files.iter().try_for_each(|file| set_time_of_blob(&folder.join(&file.path), &file.id))
        })
        .await
    }

    /// The tree that `head` is: of the working tree the one that committing every file which is not ignored would give.
    ///
    /// # Errors
    /// `config_error` for an index with unmerged files where the index is meant; `degraded_result` when git fails.
    pub async fn tree_of(&self, head: &DiffTarget, call: &Call) -> Result<ObjectId> {
        if let DiffTarget::Commit(commit) = head {
            return self.resolve_tree(commit.as_str(), call).await;
        }
        let index = self.private.copy_index(&self.location)?;
        if *head == DiffTarget::WorkingTree {
            // Objects go to the private folder, all into one file, which is soon gone: hundreds of small ones take three times
            // as long. What cannot be read is as it was.
            let settings = ["core.bigFileThreshold=1", "core.compression=0", "advice.addEmbeddedRepo=false"];
            let settings = settings.into_iter().flat_map(|setting| ["-c", setting]);
            let args: Vec<&str> = settings.chain(["add", "--all", "--ignore-errors", "--", "."]).collect();
            self.git.run(&args, GitInput::with_index(&index), call).await?;
        }
        let written = self.git.run_checked(&["write-tree", "--missing-ok"], GitInput::with_index(&index), call).await?;
        ObjectId::parse(&stdout_text(&written)).ok_or_else(|| not_understood("write-tree"))
    }

    /// The lines of the tree `head` that the tree `base` does not have, by path: as `git diff` counts them. Renamed files
    /// are compared with what they were.
    ///
    /// # Errors
    /// `config_error` for blobs that a partial clone lacks; `degraded_result` when git fails.
    pub async fn added_lines(&self, base: &ObjectId, head: &ObjectId, call: &Call) -> Result<BTreeMap<String, Lines>> {
        let args = ["diff-tree", "-r", "-z", "-p", "-U0", "-M50%", "-l1000", "--no-ext-diff", "--no-textconv"];
        let args = [&args[..], &["--no-color", "--ignore-submodules=all", base.as_str(), head.as_str(), "--"]].concat();
        match self.git.run_checked(&args, GitInput::without_input(), call).await {
            Ok(finished) => Ok(parse_added_lines(&finished.stdout)),
            Err(error) if error.code() == ErrorCode::DegradedResult => {
                // Git only names the first object that it lacks, and not what helps.
                self.require_differing_blobs(base, head, call).await?;
                Err(error)
            }
            Err(error) => Err(error),
        }
    }

    /// Fails where blobs that are not the same in two trees are not at hand.
    async fn require_differing_blobs(&self, base: &ObjectId, head: &ObjectId, call: &Call) -> Result<()> {
        let args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=all"];
        let args = [&args[..], &[base.as_str(), head.as_str(), "--"]].concat();
        let listed = self.git.run_checked(&args, GitInput::without_input(), call).await?;
        let mut blobs: Vec<ObjectId> = parse_raw_diff(&listed.stdout)?
            .into_iter()
            .flat_map(|change| [change.old_id, change.id])
            .flatten()
            .collect();
        blobs.sort();
        blobs.dedup();
        self.require_objects(&blobs, call).await.map(drop)
    }
}

const LINK: u32 = 0o120_000;
const SUBMODULE: u32 = 0o160_000;

/// Gives a file the time that its blob stands for.
fn set_time_of_blob(file: &Path, id: &ObjectId) -> Result<()> {
    let number = id.as_str().get(..8).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or_default();
    // Before 2038, which every file system knows.
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::from(number >> 1));
    let set = |file: File| file.set_modified(time);
    match File::options().write(true).open(file).and_then(set) {
        // A folder beside it has the same name in another case, on a file system that does not tell them apart.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(|e| Error::io("cannot set the time of a copied file", &e)),
    }
}

const fn is_blob(file: &TreeFile) -> bool {
    file.mode != SUBMODULE && file.mode != LINK
}

/// The added lines of a patch without context.
fn parse_added_lines(patch: &[u8]) -> BTreeMap<String, Lines> {
    let mut added: BTreeMap<String, Lines> = BTreeMap::new();
    let mut path = None;
    // Lines of the patch that are content; a line of content may look like a header.
    let mut content = 0;
    for line in patch.split(|byte| *byte == b'\n') {
        if content > 0 {
            // "\ No newline at end of file" belongs to the line before.
            content -= usize::from(!line.starts_with(b"\\"));
            continue;
        }
        if let Some(name) = line.strip_prefix(b"+++ ") {
            let name = name.strip_suffix(b"\t").unwrap_or(name);
            path = name.strip_prefix(b"b/").and_then(|name| std::str::from_utf8(name).ok()).map(str::to_owned);
        } else if let Some((removed, start, count)) = line.strip_prefix(b"@@ ").and_then(parse_hunk) {
            content = removed as usize + count as usize;
            if let Some(path) = path.as_ref().filter(|_| count > 0) {
                added.entry(path.clone()).or_default().push(start..=start + count - 1);
            }
        }
    }
    added
}

/// `-A,B +C,D @@ …`: how many lines are removed, the first that is added, and how many are.
fn parse_hunk(header: &[u8]) -> Option<(u32, u32, u32)> {
    let header = std::str::from_utf8(header.get(..header.windows(3).position(|part| part == b" @@")?)?).ok()?;
    let (old, new) = header.split_once(' ')?;
    let parse = |part: &str| -> Option<(u32, u32)> {
        let (start, count) = part.split_once(',').unwrap_or((part, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    let (_, removed) = parse(old.strip_prefix('-')?)?;
    let (start, count) = parse(new.strip_prefix('+')?)?;
    Some((removed, start, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_that_looks_like_a_header_is_content() {
        let patch = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@ def f\n-a\n--- b\n+++ b/y\n+@@ -1 +1 @@\n+c\n\
            \\ No newline at end of file\n@@ -9 +9,0 @@\n-gone\n@@ -12,0 +13 @@\n+one\ndiff --git a/a b b/a b\n--- a/a b\t\n\
            +++ b/a b\t\n@@ -0,0 +1,2 @@\n+1\n+2\n";
        let added = parse_added_lines(patch);
        assert_eq!(added.keys().collect::<Vec<_>>(), ["a b", "x"]);
        assert_eq!(added["x"], [1..=3, 13..=13]);
        assert_eq!(added["a b"], [1..=2]);
    }
}

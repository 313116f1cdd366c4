//! What a tree holds, and the content of blobs.

use std::sync::PoisonError;

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

use super::command::{GitInput, split_nul};
use super::discovery::refused_repository;
use super::object_id::ObjectId;
use super::repository::Repository;

/// About as many bytes of blobs as one process is asked for.
const MAX_BATCH: u64 = 64 << 20;

/// A file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// As git writes it: 0o100644, 0o100755, 0o120000 for a link, 0o160000 for a submodule.
    pub mode: u32,
    pub id: ObjectId,
    /// Relative to the top of the tree, with forward slashes.
    pub path: String,
}

impl Repository {
    /// All files of a tree, or of a commit's, in git's order. A name that is not UTF-8 is left out: it cannot be a path of
    /// this program.
    ///
    /// # Errors
    /// `degraded_result` when the tree is not there; `corrupted_data` for a name that leads out of the tree.
    pub async fn tree_files(&self, tree: &ObjectId, call: &Call) -> Result<Vec<TreeFile>> {
        let args = ["ls-tree", "-r", "-z", "--full-tree", tree.as_str()];
        let listed = self.git.run_checked(&args, GitInput::without_input(), call).await?;
        let lines = split_nul(&listed.stdout).filter_map(|line| std::str::from_utf8(line).ok());
        lines.map(|line| tree_file(line).ok_or_else(|| not_understood("ls-tree"))?).collect()
    }

    /// The content of blobs, in their order; none for one that is larger than `max_bytes`.
    ///
    /// # Errors
    /// `config_error` for blobs that a partial clone lacks.
    pub async fn read_blobs(&self, ids: &[ObjectId], max_bytes: u64, call: &Call) -> Result<Vec<Option<Vec<u8>>>> {
        let sizes = self.require_objects(ids, call).await?;
        let wanted: Vec<(usize, u64)> = sizes.into_iter().enumerate().filter(|(_, size)| *size <= max_bytes).collect();
        let mut blobs = vec![None; ids.len()];
        let mut rest = wanted.as_slice();
        while !rest.is_empty() {
            let (batch, later) = rest.split_at(batch_length(rest));
            let stdin = id_lines(batch.iter().map(|(at, _)| &ids[*at]));
            let finished = self.git.run_checked(&["cat-file", "--batch"], GitInput::from_stdin(stdin), call).await?;
            let mut output = finished.stdout.as_slice();
            for (at, size) in batch {
                let (content, after) = first_object(output, *size).ok_or_else(|| not_understood("cat-file"))?;
                blobs[*at] = Some(content.to_vec());
                output = after;
            }
            rest = later;
        }
        Ok(blobs)
    }

    /// The sizes of objects, all of which have to be there: `git diff` crashes on one that is not.
    ///
    /// # Errors
    /// `config_error` for objects that a partial clone lacks.
    pub(super) async fn require_objects(&self, ids: &[ObjectId], call: &Call) -> Result<Vec<u64>> {
        let known = |ids: &[ObjectId]| -> Vec<Option<u64>> {
            let sizes = self.sizes.lock().unwrap_or_else(PoisonError::into_inner);
            ids.iter().map(|id| sizes.get(id).copied()).collect()
        };
        let asked: Vec<ObjectId> =
            ids.iter().zip(known(ids)).filter(|(_, size)| size.is_none()).map(|(id, _)| id.clone()).collect();
        if !asked.is_empty() {
            let found = self.sizes_of(&asked, call).await?;
            self.sizes.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
        }
        let sizes = known(ids);
        let missing: Vec<&ObjectId> =
            ids.iter().zip(&sizes).filter(|(_, size)| size.is_none()).map(|(id, _)| id).collect();
        match missing.first() {
            None => Ok(sizes.into_iter().flatten().collect()),
            Some(first) => {
                let others = missing.len() - 1;
                Err(refused_repository(format!(
                    "this clone lacks object {first} and {others} more that the comparison needs"
                ))
                .hint("run the same comparison once with `git diff`, which fetches what a partial clone lacks"))
            }
        }
    }

    /// The sizes of those of the objects that are there.
    async fn sizes_of(&self, ids: &[ObjectId], call: &Call) -> Result<Vec<(ObjectId, u64)>> {
        let args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
        let finished = self.git.run_checked(&args, GitInput::from_stdin(id_lines(ids)), call).await?;
        let said = String::from_utf8_lossy(&finished.stdout);
        if said.lines().count() != ids.len() {
            return Err(not_understood("cat-file"));
        }
        let sizes = said.lines().map(|line| line.split_once(' ').and_then(|(_, size)| size.parse().ok()));
        Ok(ids.iter().cloned().zip(sizes).filter_map(|(id, size)| Some((id, size?))).collect())
    }
}

/// True for a path that stays below the folder it is relative to, and out of git's own.
pub(super) fn is_inside(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.eq_ignore_ascii_case(".git"))
}

/// The error for a name in the repository that is not [`is_inside`].
pub(super) fn outside_name(path: &str) -> Error {
    let message = format!("the git repository has a file named `{}`", path.escape_default());
    Error::new(ErrorCode::CorruptedData, message).tool("git").hint("run `git fsck` to see which object holds it")
}

/// The error for output of another form than git documents.
pub(super) fn not_understood(command: &str) -> Error {
    Error::new(ErrorCode::DegradedResult, format!("what git {command} said was not understood")).tool("git")
}

/// A line of `ls-tree`: mode, type and name of the object, a tab, the path.
fn tree_file(line: &str) -> Option<Result<TreeFile>> {
    let (object, path) = line.split_once('\t')?;
    let mut parts = object.split(' ');
    let mode = u32::from_str_radix(parts.next()?, 8).ok()?;
    let id = ObjectId::parse(parts.nth(1)?)?;
    Some(if is_inside(path) { Ok(TreeFile { mode, id, path: path.to_owned() }) } else { Err(outside_name(path)) })
}

/// How many of these to ask for at once: at least one.
fn batch_length(blobs: &[(usize, u64)]) -> usize {
    let mut bytes = 0;
    let fitting = blobs.iter().take_while(|(_, size)| {
        bytes += size;
        bytes <= MAX_BATCH
    });
    fitting.count().max(1)
}

fn id_lines<'a>(ids: impl IntoIterator<Item = &'a ObjectId>) -> Vec<u8> {
    ids.into_iter().flat_map(|id| [id.as_str(), "\n"]).collect::<String>().into_bytes()
}

/// The content of the first object in the output of `cat-file --batch`, and what comes after it.
fn first_object(output: &[u8], size: u64) -> Option<(&[u8], &[u8])> {
    let header = memchr::memchr(b'\n', output)?;
    let (content, after) = output.get(header + 1..)?.split_at_checked(usize::try_from(size).ok()?)?;
    Some((content, after.strip_prefix(b"\n")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_are_told_apart() {
        for path in ["a", "a/b.py", "..a", "a..b", ".github/x", ".gitignore"] {
            assert!(is_inside(path), "{path}");
        }
        for path in ["", "/etc/passwd", "../a", "a/../../b", "a//b", ".git/config", "a/.GIT/hooks/x", "./a"] {
            assert!(!is_inside(path), "{path}");
        }
    }

    #[test]
    fn blobs_are_asked_for_in_batches_of_bounded_size() {
        assert_eq!(batch_length(&[(0, 1), (1, MAX_BATCH - 1), (2, 1)]), 2);
        assert_eq!(batch_length(&[(0, MAX_BATCH + 1), (1, 1)]), 1);
    }
}

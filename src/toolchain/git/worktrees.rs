//! Which folders are working trees of one repository, and what is checked out in them. Git is not asked: a call that names
//! another working tree would wait for it each time.

use std::path::Path;

use super::discovery::{BelongingProof, RepositoryLocation, find_repository};
use super::object_id::ObjectId;

/// More than any file of references has.
const MAX_REFERENCES: u64 = 64 << 20;

/// True when `other` is what `own` is, in another working tree of its repository: the same folder of it, or one below.
#[must_use]
pub fn is_worktree_of(own: &Path, other: &Path) -> bool {
    let (Some(at_own), Some(at_other)) = (locate(own), locate(other)) else { return false };
    let (Ok(own), Ok(other)) = (own.canonicalize(), other.canonicalize()) else { return false };
    at_own.common_dir == at_other.common_dir
        && own.strip_prefix(&at_own.top).is_ok_and(|inside| other.starts_with(at_other.top.join(inside)))
}

/// True when the repository of `folder` has more than one working tree.
#[must_use]
pub fn has_worktrees(folder: &Path) -> bool {
    locate(folder).is_some_and(|at| {
        at.git_dir != at.common_dir
            || at.common_dir.join("worktrees").read_dir().is_ok_and(|mut linked| linked.next().is_some())
    })
}

/// The full name of the commit that is checked out in `folder`, where files say it.
#[must_use]
pub fn checked_out_commit(folder: &Path) -> Option<String> {
    let at = locate(folder)?;
    let head = read_line(&at, &at.git_dir.join("HEAD"))?;
    let Some(reference) = head.strip_prefix("ref: ") else { return full_name(&head) };
    if !reference.starts_with("refs/") || reference.split('/').any(|part| part.is_empty() || part == "..") {
        return None;
    }
    if let Some(name) = read_line(&at, &at.common_dir.join(reference)) {
        return full_name(&name);
    }
    let packed = at.read_own_file(&at.common_dir.join("packed-refs"), MAX_REFERENCES).ok().flatten()?;
    let packed = String::from_utf8_lossy(&packed);
    let mut named = packed.lines().filter_map(|line| line.split_once(' '));
    named.find(|(_, name)| *name == reference).and_then(|(object, _)| full_name(object))
}

/// Only where the folder and the repository are known to belong together without anyone's configuration.
fn locate(folder: &Path) -> Option<RepositoryLocation> {
    find_repository(folder, &[]).ok().filter(|at| at.proof != BelongingProof::NeedsConfiguration)
}

fn read_line(at: &RepositoryLocation, file: &Path) -> Option<String> {
    let bytes = at.read_own_file(file, 4_096).ok().flatten()?;
    Some(String::from_utf8(bytes).ok()?.trim_end().to_owned())
}

fn full_name(text: &str) -> Option<String> {
    ObjectId::parse(text).map(|name| name.as_str().to_owned())
}

//! Where the repository of a folder is. Git is not asked: it would read the configuration of whatever it finds.
//!
//! Only an entry named `.git` makes a folder a working tree. A folder that has the parts of a repository under another
//! name is data, because such a folder can be checked out of a foreign repository and `.git` cannot.

use std::fs::{self, Metadata};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use tapps_base::{Error, ErrorCode, Result, platform};

use crate::platform::is_foreign;

/// More than any path is long.
const MAX_POINTER: u64 = 64 << 10;

/// What shows that a working tree and a repository belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BelongingProof {
    /// The repository is the folder `.git`, or lies inside an allowed root.
    Inside,
    /// The repository lists the working tree among its linked ones.
    LinkedWorktree,
    /// None yet: `core.worktree` of the repository has to name the working tree, as that of a submodule does.
    NeedsConfiguration,
}

/// A working tree and its repository; all paths are canonical.
#[derive(Debug, Clone)]
pub(super) struct RepositoryLocation {
    /// The topmost folder of the working tree.
    pub top: PathBuf,
    /// Has HEAD and the index of this working tree.
    pub git_dir: PathBuf,
    /// Has objects, references and configuration; the same as `git_dir` except in a linked working tree.
    pub common_dir: PathBuf,
    pub proof: BelongingProof,
}

impl RepositoryLocation {
    /// The bytes of one of the repository's own files; none when it is not there.
    ///
    /// # Errors
    /// `config_error` for a link that leads out of the repository, for anything but a file and for one over `limit`.
    pub(super) fn read_own_file(&self, path: &Path, limit: u64) -> Result<Option<Vec<u8>>> {
        self.own_path(path)?.map(|path| read_bounded(&path, limit)).transpose()
    }

    /// Where a part of the repository really is; none when it is not there.
    ///
    /// # Errors
    /// `config_error` when that is outside the repository.
    pub(super) fn own_path(&self, path: &Path) -> Result<Option<PathBuf>> {
        let Some(real) = canonical_path(path)? else { return Ok(None) };
        if [&self.git_dir, &self.common_dir].iter().any(|dir| real.starts_with(dir)) {
            return Ok(Some(real));
        }
        Err(refused_repository(format!("`{}` of the git repository is a link that leads out of it", path.display()))
            .hint("replace the link by a copy of what it names"))
    }
}

/// Finds the repository of `root`: in the folder itself or above it, on the same file system.
///
/// `allowed` are canonical folders in which a repository may lie that a `.git` file or link names.
///
/// # Errors
/// `config_error` when there is none, or when it is not certain that it belongs to the folder.
pub(super) fn find_repository(root: &Path, allowed: &[PathBuf]) -> Result<RepositoryLocation> {
    let root = root.canonicalize().map_err(|e| Error::io(format_args!("cannot find {}", root.display()), &e))?;
    let device = fs::metadata(&root).ok().and_then(|meta| platform::device_of(&meta));
    for top in root.ancestors() {
        if fs::metadata(top).ok().and_then(|meta| platform::device_of(&meta)) != device {
            break;
        }
        let entry = top.join(".git");
        let Ok(meta) = fs::symlink_metadata(&entry) else { continue };
        let Some(location) = repository_at(top, &entry, &meta, &root, allowed)? else { continue };
        check_owner(top, &meta, &root)?;
        return if root.starts_with(&location.git_dir) { Err(no_repository()) } else { Ok(location) };
    }
    Err(no_repository())
}

/// The repository that the entry `.git` of a folder is or names; none for a folder that has not its parts, which git passes
/// by as well.
fn repository_at(
    top: &Path,
    entry: &Path,
    meta: &Metadata,
    root: &Path,
    allowed: &[PathBuf],
) -> Result<Option<RepositoryLocation>> {
    let is_allowed = |dir: &Path| dir.starts_with(root) || allowed.iter().any(|allowed| dir.starts_with(allowed));
    let location = |git_dir: &Path, common_dir: &Path, proof| RepositoryLocation {
        top: top.to_owned(),
        git_dir: git_dir.to_owned(),
        common_dir: common_dir.to_owned(),
        proof,
    };
    if meta.is_dir() {
        if !has_parts(entry, entry) {
            return Ok(None);
        }
        without_common_dir(entry)?;
        return Ok(Some(location(entry, entry, BelongingProof::Inside)));
    }
    let named = if meta.is_symlink() { entry.canonicalize().ok() } else { named_by_file(top, entry)? };
    let git_dir = named.filter(|dir| dir.is_dir()).ok_or_else(|| {
        refused_repository(format!("`{}` names a git repository that is not there", entry.display()))
            .hint("run `git worktree repair`, or remove the file")
    })?;
    if meta.is_file()
        && let Some(common_dir) = common_dir_of_linked_worktree(&git_dir, entry)?
    {
        return require_parts(location(&git_dir, &common_dir, BelongingProof::LinkedWorktree)).map(Some);
    }
    without_common_dir(&git_dir)?;
    let proof = if is_allowed(&git_dir) { BelongingProof::Inside } else { BelongingProof::NeedsConfiguration };
    if meta.is_symlink() && proof != BelongingProof::Inside {
        return Err(repository_elsewhere(entry, &git_dir));
    }
    require_parts(location(&git_dir, &git_dir, proof)).map(Some)
}

/// The repository that the text of a `.git` file names, whether or not it belongs to it.
fn named_by_file(top: &Path, entry: &Path) -> Result<Option<PathBuf>> {
    let bytes = read_bounded(entry, MAX_POINTER)?;
    let named = bytes.strip_prefix(b"gitdir: ").ok_or_else(|| {
        refused_repository(format!("`{}` is a file that names no git repository", entry.display()))
            .hint("a `.git` file has the line `gitdir: PATH`")
    })?;
    named_path(top, named)
}

/// Where the text of a file leads that names a path, as seen from `folder`; none when nothing is there.
fn named_path(folder: &Path, text: &[u8]) -> Result<Option<PathBuf>> {
    platform::name_from_bytes(text.trim_ascii_end()).map_or(Ok(None), |name| canonical_path(&folder.join(name)))
}

/// The common folder, when `git_dir` is the entry of a linked working tree whose `.git` file is `entry`.
///
/// The entry has to name this very file, and has to be listed by the repository whose objects it is about. Each alone
/// could be planted to read another repository of this user.
fn common_dir_of_linked_worktree(git_dir: &Path, entry: &Path) -> Result<Option<PathBuf>> {
    let pointer = |name: &str| -> Result<Option<PathBuf>> {
        let Some(file) = canonical_path(&git_dir.join(name))? else { return Ok(None) };
        let bytes = read_bounded(&file, MAX_POINTER)?;
        named_path(git_dir, &bytes)
    };
    let (Some(back), Some(common_dir)) = (pointer("gitdir")?, pointer("commondir")?) else { return Ok(None) };
    let listed = git_dir.parent() == Some(common_dir.join("worktrees").as_path());
    Ok((back == entry && listed).then_some(common_dir))
}

/// Refuses a repository that borrows objects and references from another one without being listed there.
fn without_common_dir(git_dir: &Path) -> Result<()> {
    if fs::symlink_metadata(git_dir.join("commondir")).is_err() {
        return Ok(());
    }
    Err(refused_repository(format!(
        "`{}` claims to be a linked working tree of a repository that does not list it",
        git_dir.display()
    ))
    .hint("run `git worktree repair` in the main working tree"))
}

fn require_parts(location: RepositoryLocation) -> Result<RepositoryLocation> {
    if has_parts(&location.git_dir, &location.common_dir) {
        return Ok(location);
    }
    Err(refused_repository(format!("`{}` is not a git repository", location.git_dir.display()))
        .hint("check what the file `.git` of the project names"))
}

fn has_parts(git_dir: &Path, common_dir: &Path) -> bool {
    // HEAD may be a link to a branch that has no commit yet.
    fs::symlink_metadata(git_dir.join("HEAD")).is_ok()
        && common_dir.join("objects").is_dir()
        && common_dir.join("refs").is_dir()
}

/// Nothing of a repository is run, but it decides which files are judged: one that somebody else has put into a folder
/// above the project must not.
fn check_owner(top: &Path, entry: &Metadata, root: &Path) -> Result<()> {
    match is_foreign(top, entry) {
        Some(false) => Ok(()),
        None if top == root => Ok(()),
        Some(true) => Err(refused_repository(format!(
            "the git repository in `{}` belongs to another user than its folder",
            top.display()
        ))
        .hint("give `.git` to the owner of the folder")),
        None => Err(refused_repository(format!(
            "whose git repository is in `{}`, above the project, cannot be told on this system",
            top.display()
        ))
        .hint("make the top folder of the working tree the project root")),
    }
}

/// The error for a `.git` entry whose repository has not been shown to belong to it.
pub(super) fn repository_elsewhere(entry: &Path, git_dir: &Path) -> Error {
    refused_repository(format!(
        "`{}` names the git repository `{}`, which does not name it back",
        entry.display(),
        git_dir.display()
    ))
    .hint("a linked working tree is repaired by `git worktree repair`, a submodule by `git submodule absorbgitdirs`")
}

pub(super) fn no_repository() -> Error {
    refused_repository("the project is not in the working tree of a git repository")
        .hint("run in a git checkout, or name the files instead of asking for the changed ones")
}

/// A repository that cannot or must not be read; the hint is for those who have no better one.
pub(super) fn refused_repository(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::ConfigError, message)
        .tool("git")
        .hint("run `git fsck` to see whether the repository is whole")
}

/// As [`Path::canonicalize`]; none when it is not there.
pub(super) fn canonical_path(path: &Path) -> Result<Option<PathBuf>> {
    match path.canonicalize() {
        Ok(real) => Ok(Some(real)),
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(refused_repository(format!("cannot find `{}`: {e}", path.display()))),
    }
}

/// The bytes of a regular file; pipes and devices are not waited for.
pub(super) fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let cannot = |e: &std::io::Error| refused_repository(format!("cannot read `{}`: {e}", path.display()));
    if !fs::metadata(path).map_err(|e| cannot(&e))?.is_file() {
        return Err(refused_repository(format!("`{}` is not a file", path.display())));
    }
    let mut bytes = Vec::new();
    fs::File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)).map_err(|e| cannot(&e))?;
    if bytes.len() as u64 > limit {
        return Err(refused_repository(format!("`{}` is larger than {limit} bytes", path.display())));
    }
    Ok(bytes)
}

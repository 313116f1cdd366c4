//! The folder that takes the place of a repository's own: git reads its configuration, and only that.
//!
//! References are read through links, objects as those of an alternate; what decides how files are seen is copied. Nothing
//! is ever written to the repository.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memmem;

use tapps_base::{Error, Result, platform};

use super::configuration::{Configuration, RefStorage};
use super::discovery::{BelongingProof, RepositoryLocation, refused_repository};
use super::object_id::ObjectId;
use crate::scratch::PrivateFolder;

const MAX_HEAD: u64 = 4 << 10;
const MAX_RULES: u64 = 16 << 20;
const MAX_INDEX: u64 = 2 << 30;

/// The folder, and how many copies of the index are in it.
#[derive(Debug)]
pub(super) struct PrivateDir {
    folder: PrivateFolder,
    indexes: AtomicU64,
}

impl PrivateDir {
    /// Fills an empty folder; `objects` are the folders of the repository's objects and of those that are lent to it.
    ///
    /// # Errors
    /// `config_error` for a repository whose parts are not what they should be; `internal` when nothing can be written.
    pub(super) fn fill_from_repository(
        folder: PrivateFolder,
        location: &RepositoryLocation,
        configuration: &Configuration,
        objects: &[&Path],
    ) -> Result<Self> {
        let here = folder.path();
        write_file(&here.join("config"), configuration.to_text().as_bytes())?;
        write_file(&here.join("HEAD"), &checked_head(location)?)?;
        if objects.iter().any(|folder| folder.as_os_str().as_encoded_bytes().contains(&b'\n')) {
            return Err(refused_repository("the path of the git repository has a line break")
                .hint("give the folder another name"));
        }
        create_folder(&here.join("objects/info"))?;
        let lines: Vec<u8> =
            objects.iter().flat_map(|folder| [folder.as_os_str().as_encoded_bytes(), b"\n"].concat()).collect();
        write_file(&here.join("objects/info/alternates"), &lines)?;
        create_folder(&here.join("info"))?;
        create_folder(&here.join("logs"))?;
        let (own, common) = (&location.git_dir, &location.common_dir);
        for (from, name, limit) in [
            (common.join("shallow"), "shallow", MAX_RULES),
            (common.join("info/exclude"), "info/exclude", MAX_RULES),
            (common.join("info/attributes"), "info/attributes", MAX_RULES),
            (own.join("info/sparse-checkout"), "info/sparse-checkout", MAX_RULES),
        ] {
            if let Some(bytes) = location.read_own_file(&from, limit)? {
                write_file(&here.join(name), &bytes)?;
            }
        }
        let linked = [
            (common.join("refs"), "refs"),
            (common.join("packed-refs"), "packed-refs"),
            (common.join("logs/refs"), "logs/refs"),
            (own.join("logs/HEAD"), "logs/HEAD"),
            (own.join("ORIG_HEAD"), "ORIG_HEAD"),
            (own.join("FETCH_HEAD"), "FETCH_HEAD"),
            (own.join("MERGE_HEAD"), "MERGE_HEAD"),
        ];
        for (from, name) in linked {
            link_part(location, &from, &here.join(name))?;
        }
        if configuration.ref_storage == RefStorage::Reftable {
            // The references of a linked working tree, HEAD among them, are in a second table that is not looked at.
            if location.proof == BelongingProof::LinkedWorktree {
                return Err(refused_repository(
                    "linked working trees of a repository with reftable cannot be read yet",
                )
                .hint("run in the main working tree, or run `git refs migrate --ref-format=files`"));
            }
            link_part(location, &common.join("reftable"), &here.join("reftable"))?;
        }
        Ok(Self { folder, indexes: AtomicU64::new(0) })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The name of an index that is not there yet.
    pub(super) fn new_index(&self) -> PathBuf {
        self.path().join(format!("index-{}", self.indexes.fetch_add(1, Ordering::Relaxed)))
    }

    /// A copy of the index as it is now; the name of a file that is not there when there is none.
    ///
    /// It has the time of the original: by it git knows which entries may have changed within the same second.
    ///
    /// # Errors
    /// `config_error` when it cannot be read; `internal` when it cannot be copied.
    pub(super) fn copy_index(&self, location: &RepositoryLocation) -> Result<PathBuf> {
        let copy = self.new_index();
        let Some(index) = location.own_path(&location.git_dir.join("index"))? else { return Ok(copy) };
        copy_with_time(&index, &copy)?;
        self.copy_shared_index(location, &copy)?;
        Ok(copy)
    }

    /// A split index keeps most entries in a file beside it, whose name is a digest that it holds.
    fn copy_shared_index(&self, location: &RepositoryLocation, index: &Path) -> Result<()> {
        let entries = fs::read_dir(&location.git_dir).map_err(|e| Error::io("cannot list the git repository", &e))?;
        let mut content = None;
        for entry in entries.filter_map(std::result::Result::ok) {
            let name = entry.file_name();
            let digest = name.to_str().and_then(|name| name.strip_prefix("sharedindex.")).and_then(from_hex);
            let Some(digest) = digest else { continue };
            let content = match &mut content {
                Some(content) => content,
                empty => empty.insert(fs::read(index).map_err(|e| Error::io("cannot read the copied index", &e))?),
            };
            let copy = self.path().join(&name);
            if memmem::find(content, &digest).is_some()
                && !copy.exists()
                && let Some(shared) = location.own_path(&entry.path())?
            {
                copy_with_time(&shared, &copy)?;
            }
        }
        Ok(())
    }
}

/// The content of HEAD: the name of a branch or of a commit, nothing else.
fn checked_head(location: &RepositoryLocation) -> Result<Vec<u8>> {
    let file = location.git_dir.join("HEAD");
    // Long ago HEAD was a link to the branch's file, which is not there before the first commit.
    if let Ok(target) = fs::read_link(&file) {
        let target = target.as_os_str().as_encoded_bytes();
        if target.starts_with(b"refs/") && !target.contains(&b'\n') {
            return Ok([b"ref: ", target, b"\n"].concat());
        }
    }
    let bytes = location.read_own_file(&file, MAX_HEAD)?.unwrap_or_default();
    let text = std::str::from_utf8(&bytes).unwrap_or_default().trim_end();
    let branch = text.strip_prefix("ref:").map(str::trim_start);
    let is_head = match branch {
        Some(branch) => branch.starts_with("refs/") && !branch.chars().any(char::is_control),
        None => ObjectId::parse(text).is_some(),
    };
    if is_head {
        return Ok(format!("{text}\n").into_bytes());
    }
    Err(refused_repository("HEAD of the git repository names neither a branch nor a commit")
        .hint("run `git status` to see whether the repository is whole"))
}

fn link_part(location: &RepositoryLocation, from: &Path, to: &Path) -> Result<()> {
    let Some(real) = location.own_path(from)? else { return Ok(()) };
    platform::symlink(&real, to).map_err(|e| unwritable_file_error(to, &e))
}

/// Copies a file with the time of its last change, both of the same state.
fn copy_with_time(from: &Path, to: &Path) -> Result<()> {
    let cannot = |e: std::io::Error| refused_repository(format!("cannot read `{}`: {e}", from.display()));
    let is_file = fs::metadata(from).map_err(cannot)?.is_file();
    let mut source = File::open(from).map_err(cannot)?;
    let meta = source.metadata().map_err(cannot)?;
    if !is_file || meta.len() > MAX_INDEX {
        return Err(refused_repository(format!("`{}` is no index", from.display())));
    }
    let time = meta.modified().map_err(cannot)?;
    let mut target = File::create(to).map_err(|e| unwritable_file_error(to, &e))?;
    std::io::copy(&mut source, &mut target)
        .and_then(|_| target.set_times(FileTimes::new().set_modified(time)))
        .map_err(|e| unwritable_file_error(to, &e))
}

fn write_file(file: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).map_err(|e| unwritable_file_error(file, &e))
}

fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|e| unwritable_file_error(folder, &e))
}

fn unwritable_file_error(path: &Path, source: &std::io::Error) -> Error {
    Error::io(format_args!("cannot write {}", path.display()), source)
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    ObjectId::parse(text)?;
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
}

//! Listing a folder with as few calls to the system as there are files.

use std::ffi::{CStr, CString};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;

use cap_std::fs::Dir;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, statat};

use super::{FileStamp, FolderEntryKind, compare_in_tree_order};

/// An entry of a folder.
#[derive(Debug)]
pub(super) struct FolderEntry {
    name: CString,
    pub(super) kind: FolderEntryKind,
}

impl FolderEntry {
    /// The name, if it is UTF-8.
    pub(super) fn name(&self) -> Option<&str> {
        self.name.to_str().ok()
    }

    /// The name with what is not UTF-8 replaced.
    pub(super) fn to_display_name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// What the system says about the entry itself, links included.
    pub(super) fn stamp(&self, folder: &Dir) -> std::io::Result<FileStamp> {
        Ok(stamp_from_stat(&stat(folder, &self.name)?))
    }
}

/// The entries of a folder, in the order that makes the paths of a whole tree sorted: folders as if a slash ended them.
pub(super) fn list_folder_entries(folder: &Dir) -> std::io::Result<Vec<FolderEntry>> {
    let mut listed = Vec::new();
    // The handle may be good for paths only; reading needs one of its own.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let own = rustix::fs::openat(folder, c".", flags, Mode::empty())?;
    for entry in rustix::fs::Dir::new(own)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            // Some file systems tell only when asked about each.
            FileType::Unknown => match stat(folder, name) {
                Ok(stat) => folder_entry_kind(FileType::from_raw_mode(stat.st_mode)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            },
            known => folder_entry_kind(known),
        };
        listed.push(FolderEntry { name: name.to_owned(), kind });
    }
    listed.sort_unstable_by(|a, b| compare_in_tree_order((a.name.to_bytes(), a.kind), (b.name.to_bytes(), b.kind)));
    Ok(listed)
}

fn stat(folder: &Dir, name: &CStr) -> std::io::Result<Stat> {
    Ok(statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?)
}

fn folder_entry_kind(of: FileType) -> FolderEntryKind {
    match of {
        FileType::RegularFile => FolderEntryKind::File,
        FileType::Directory => FolderEntryKind::Folder,
        FileType::Symlink => FolderEntryKind::Link,
        _ => FolderEntryKind::Special,
    }
}

/// The stamp of what a file's metadata say.
pub(super) fn stamp_from_metadata(meta: &Metadata) -> FileStamp {
    let nanoseconds = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
    FileStamp {
        size: meta.size(),
        modified: nanoseconds(meta.mtime(), meta.mtime_nsec()),
        changed: nanoseconds(meta.ctime(), meta.ctime_nsec()),
        inode: meta.ino(),
        device: meta.dev(),
    }
}

/// The integers of a stat have other types on every system.
fn stamp_from_stat(stat: &Stat) -> FileStamp {
    fn to_i128(value: impl Into<i128>) -> i128 {
        value.into()
    }
    fn to_u64(value: impl Into<i128>) -> u64 {
        u64::try_from(value.into()).unwrap_or_default()
    }
    let nanos = |seconds: i128, nanos: i128| seconds * 1_000_000_000 + nanos;
    FileStamp {
        size: to_u64(stat.st_size),
        modified: nanos(to_i128(stat.st_mtime), to_i128(stat.st_mtime_nsec)),
        changed: nanos(to_i128(stat.st_ctime), to_i128(stat.st_ctime_nsec)),
        inode: to_u64(stat.st_ino),
        device: to_u64(stat.st_dev),
    }
}

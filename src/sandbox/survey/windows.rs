//! Listing a folder.

use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use cap_std::fs::{Dir, FileType};
use cap_std::time::SystemTime as CapTime;

use super::{FileStamp, FolderEntryKind, compare_in_tree_order};

/// An entry of a folder.
#[derive(Debug)]
pub(super) struct FolderEntry {
    name: OsString,
    pub(super) kind: FolderEntryKind,
}

impl FolderEntry {
    /// The name, if it is Unicode.
    pub(super) fn name(&self) -> Option<&str> {
        self.name.to_str()
    }

    /// The name with what is not Unicode replaced.
    pub(super) fn to_display_name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// What the system says about the entry itself, links included.
    pub(super) fn stamp(&self, folder: &Dir) -> io::Result<FileStamp> {
        let meta = folder.symlink_metadata(&self.name)?;
        Ok(stamp(meta.len(), meta.modified().ok().map(CapTime::into_std), meta.created().ok().map(CapTime::into_std)))
    }
}

/// The entries of a folder, in the order that makes the paths of a whole tree sorted: folders as if a slash ended them.
pub(super) fn list_folder_entries(folder: &Dir) -> io::Result<Vec<FolderEntry>> {
    let mut listed = Vec::new();
    for entry in folder.entries()? {
        let entry = entry?;
        listed.push(FolderEntry { name: entry.file_name(), kind: folder_entry_kind(entry.file_type()?) });
    }
    listed.sort_unstable_by(|a, b| {
        compare_in_tree_order((a.name.as_encoded_bytes(), a.kind), (b.name.as_encoded_bytes(), b.kind))
    });
    Ok(listed)
}

fn folder_entry_kind(of: FileType) -> FolderEntryKind {
    if of.is_symlink() {
        FolderEntryKind::Link
    } else if of.is_dir() {
        FolderEntryKind::Folder
    } else if of.is_file() {
        FolderEntryKind::File
    } else {
        FolderEntryKind::Special
    }
}

/// The stamp of what a file's metadata say.
pub(super) fn stamp_from_metadata(meta: &Metadata) -> FileStamp {
    stamp(meta.len(), meta.modified().ok(), meta.created().ok())
}

/// What std tells of a file. The time that only the system sets, the number of the file and that of its volume are behind
/// interfaces that std does not have yet: whoever sets the time of a file back after a change of the same size hides it.
fn stamp(size: u64, modified: Option<SystemTime>, created: Option<SystemTime>) -> FileStamp {
    let (modified, created) = (nanoseconds(modified), nanoseconds(created));
    FileStamp { size, modified, changed: modified.max(created), inode: 0, device: 0 }
}

/// Nanoseconds since the Unix epoch.
fn nanoseconds(time: Option<SystemTime>) -> i128 {
    let Some(time) = time else { return 0 };
    let whole = |length: std::time::Duration| i128::try_from(length.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => whole(since),
        Err(before) => -whole(before.duration()),
    }
}

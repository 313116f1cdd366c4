//! Windows: one bit of a mode, no signals, and no limits but those of a job.

use std::fs::{File, Metadata, Permissions};
use std::os::windows::fs::MetadataExt as _;
use std::path::Path;
use std::process::ExitStatus;

use super::Death;

/// `ERROR_NOT_ENOUGH_QUOTA`: what a job ends a process with that has used up its CPU time.
const QUOTA_USED_UP: i32 = 1816;

/// `STATUS_CONTROL_C_EXIT`: what a process ends with that an interrupt from the console has ended.
const INTERRUPTED: u32 = 0xC000_013A;

/// From here on a code is an error of the system, such as a wrong address or a stack that overflowed.
const FIRST_ERROR_STATUS: u32 = 0xC000_0000;

/// Makes a file read-only unless the mode lets its owner write. Nothing else of a mode has a place here, and folders have
/// no such bit.
pub(crate) fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    match permissions_of(&std::fs::metadata(path)?, mode) {
        Some(permissions) => std::fs::set_permissions(path, permissions),
        None => Ok(()),
    }
}

/// As [`set_mode`], of an open file.
pub(crate) fn set_mode_of(file: &File, mode: u32) -> std::io::Result<()> {
    match permissions_of(&file.metadata()?, mode) {
        Some(permissions) => file.set_permissions(permissions),
        None => Ok(()),
    }
}

/// None for a folder.
fn permissions_of(meta: &Metadata, mode: u32) -> Option<Permissions> {
    let mut permissions = meta.permissions();
    permissions.set_readonly(mode & 0o200 == 0);
    meta.is_file().then_some(permissions)
}

/// What Python says as well: that everybody may read, and write unless it is read-only.
pub(crate) fn mode_of(meta: &Metadata) -> u32 {
    if meta.permissions().readonly() { 0o444 } else { 0o666 }
}

/// What std tells of a file: size, times of making and of writing, attributes. A program that sets the time back after a
/// change of the same size hides it.
pub(crate) fn stat_key(meta: &Metadata) -> [i64; 6] {
    let signed = |value: u64| i64::from_ne_bytes(value.to_ne_bytes());
    let attributes = i64::from(meta.file_attributes());
    [0, signed(meta.file_size()), signed(meta.last_write_time()), signed(meta.creation_time()), attributes, 0]
}

/// As [`stat_key`]; the fifth is the second of the last change.
pub(crate) fn full_stat_key(meta: &Metadata) -> [i64; 7] {
    let [_, size, written, made, attributes, _] = stat_key(meta);
    [0, 0, size, made, seconds_since_the_epoch(meta), written, attributes]
}

fn seconds_since_the_epoch(meta: &Metadata) -> i64 {
    let since = meta.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_secs()).ok()).unwrap_or(i64::MAX)
}

/// None: the owner of an entry is in its security descriptor, which std does not read.
pub(crate) fn is_foreign(_folder: &Path, _entry: &Metadata) -> Option<bool> {
    None
}

/// How many files this process may have open: the system sets no limit.
pub(crate) fn raise_open_files() -> u64 {
    u64::MAX
}

/// The system sets no limit of file sizes, and a full disk is an error already.
pub(crate) fn refuse_large_files() {}

/// None: no process is a fork here.
pub(crate) fn status_from_wait(_number: i32) -> Option<ExitStatus> {
    None
}

/// How a process died; none when it ended by itself. One that somebody else ended chose no code of its own, and is not
/// told from one that failed, but for an interrupt.
pub(crate) fn death_of(status: ExitStatus) -> Option<Death> {
    let code = status.code()?;
    match u32::from_ne_bytes(code.to_ne_bytes()) {
        INTERRUPTED => Some(Death::FromOutside(code)),
        FIRST_ERROR_STATUS.. => Some(Death::Crash),
        _ if code == QUOTA_USED_UP => Some(Death::OutOfTime),
        _ => None,
    }
}

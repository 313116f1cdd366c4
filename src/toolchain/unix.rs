//! What only Unix can do: modes, process groups, limits.

use std::fs::{File, Metadata, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Sets the permission bits of the thing at `path`.
pub(super) fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Sets the permission bits of an open file.
pub(super) fn set_mode_of(file: &File, mode: u32) -> std::io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// The permission bits, with set-user-id and the like.
pub(super) fn mode_of(meta: &Metadata) -> u32 {
    meta.mode() & 0o7777
}

/// What changes whenever a file is replaced or written: inode, size, times of content and of attributes.
pub(super) fn stat_key(meta: &Metadata) -> [i64; 6] {
    let signed = |value: u64| i64::from_ne_bytes(value.to_ne_bytes());
    [
        signed(meta.ino()),
        signed(meta.len()),
        meta.mtime(),
        meta.mtime_nsec(),
        meta.ctime(),
        meta.ctime_nsec() ^ i64::from(meta.mode()) << 32,
    ]
}

/// Kills every process of a group; one that has none left is no error.
pub(super) fn kill_group(leader: u32) {
    if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        kill_process_group(pid, Signal::KILL).ok();
    }
}

/// True when a child of ours has ended, or is unknown; it is not reaped.
pub(super) fn has_ended(child: u32) -> bool {
    let Some(pid) = i32::try_from(child).ok().and_then(Pid::from_raw) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

/// Bounds the data of a child of ours, and of what it starts from now on, and keeps it from dumping core. A child that has
/// ended already is no error.
///
/// # Errors
/// What the system says.
#[cfg(target_os = "linux")]
pub(super) fn bound(child: u32, memory: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, prlimit};
    let Some(pid) = i32::try_from(child).ok().and_then(Pid::from_raw) else { return Ok(()) };
    let both = |value| Rlimit { current: Some(value), maximum: Some(value) };
    for (resource, limit) in [(Resource::Core, 0), (Resource::Data, memory)] {
        match prlimit(Some(pid), resource, both(limit)) {
            Ok(_) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn bound(_child: u32, _memory: u64) -> std::io::Result<()> {
    Ok(())
}

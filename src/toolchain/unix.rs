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

/// Ties this process to its parent and bounds it; see [`super::exec`].
///
/// # Errors
/// Why this process cannot go on as a tool.
#[cfg(target_os = "linux")]
pub(super) fn become_bounded(parent: i32, memory: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getppid, set_parent_process_death_signal, setrlimit};
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|e| format!("cannot be tied to its parent: {e}"))?;
    // The parent may have gone before the signal was asked for.
    if getppid().map(|pid| pid.as_raw_nonzero().get()) != Some(parent) {
        return Err("the program that wanted it has gone".to_owned());
    }
    let both = |value| Rlimit { current: Some(value), maximum: Some(value) };
    setrlimit(Resource::Core, both(0)).map_err(|e| format!("cannot be kept from dumping core: {e}"))?;
    setrlimit(Resource::Data, both(memory)).map_err(|e| format!("cannot be bounded to {memory} bytes: {e}"))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn become_bounded(_parent: i32, _memory: u64) -> Result<(), String> {
    Ok(())
}

/// Replaces this process by `program`; returns only when that fails.
pub(super) fn replace_self(program: &std::ffi::OsStr, args: &[std::ffi::OsString]) -> std::io::Error {
    use std::os::unix::process::CommandExt as _;
    std::process::Command::new(program).args(args).exec()
}

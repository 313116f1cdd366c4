//! What only Unix can do: modes, process groups, limits.

use std::fs::{File, Metadata, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::ExitStatus;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::Death;

/// Sets the permission bits of the thing at `path`.
pub(crate) fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Sets the permission bits of an open file.
pub(crate) fn set_mode_of(file: &File, mode: u32) -> std::io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// The permission bits, with set-user-id and the like.
pub(crate) fn mode_of(meta: &Metadata) -> u32 {
    meta.mode() & 0o7777
}

/// What changes whenever a file is replaced or written: inode, size, times of content and of attributes.
pub(crate) fn stat_key(meta: &Metadata) -> [i64; 6] {
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

/// As [`stat_key`], with the device before it: what tells a file from every other of the machine. The fifth is the second
/// of the last change, which only the system sets.
pub(crate) fn full_stat_key(meta: &Metadata) -> [i64; 7] {
    let [inode, size, modified, modified_ns, changed, rest] = stat_key(meta);
    [i64::from_ne_bytes(meta.dev().to_ne_bytes()), inode, size, modified, changed, modified_ns, rest]
}

/// True when an entry of a folder belongs to somebody else than this user, the administrator and whoever has the folder.
pub(crate) fn is_foreign(folder: &Path, entry: &Metadata) -> Option<bool> {
    let own = rustix::process::geteuid().as_raw();
    let of_folder = std::fs::metadata(folder).map(|meta| meta.uid()).ok();
    Some(entry.uid() != own && entry.uid() != 0 && Some(entry.uid()) != of_folder)
}

/// Kills every process of a group; one that has none left is no error.
pub(crate) fn kill_group(leader: u32) {
    if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        kill_process_group(pid, Signal::KILL).ok();
    }
}

/// True when a child of ours has ended, or is unknown; it is not reaped.
pub(crate) fn has_ended(child: u32) -> bool {
    let Some(pid) = i32::try_from(child).ok().and_then(Pid::from_raw) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

/// Seconds of CPU time between the signal that ends a process at its limit and the one that nothing can catch.
#[cfg(target_os = "linux")]
const GRACE: u64 = 10;

/// Bounds the data of a child of ours, and of what it starts from now on, keeps it from dumping core, and ends it by
/// `SIGXCPU` after so many seconds of CPU time. A child that has ended already is no error.
///
/// # Errors
/// What the system says.
#[cfg(target_os = "linux")]
pub(crate) fn limit_child_resources(child: u32, memory: u64, cpu: Option<u64>) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let Some(pid) = i32::try_from(child).ok().and_then(Pid::from_raw) else { return Ok(()) };
    let both = |value| Rlimit { current: Some(value), maximum: Some(value) };
    let mut limits = vec![(Resource::Core, both(0)), (Resource::Data, both(memory))];
    if let Some(seconds) = cpu {
        // Whoever started this program may have bounded all its children already, and lower: that is the machine's limit.
        let granted = getrlimit(Resource::Cpu).maximum.unwrap_or(u64::MAX);
        let (soft, hard) = (seconds.min(granted), seconds.saturating_add(GRACE).min(granted));
        limits.push((Resource::Cpu, Rlimit { current: Some(soft), maximum: Some(hard) }));
    }
    for (resource, limit) in limits {
        match prlimit(Some(pid), resource, limit) {
            Ok(_) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn limit_child_resources(_child: u32, _memory: u64, _cpu: Option<u64>) -> std::io::Result<()> {
    Ok(())
}

/// A tenth of the time of a core that something else wants as well, which is never nothing.
const LOW_PRIORITY: i32 = 10;

/// Gives a child of ours a lower priority; one that keeps its own is only in the way.
pub(crate) fn lower_priority_of_child(child: u32) {
    use rustix::process::{getpriority_process, setpriority_process};
    let Some(pid) = i32::try_from(child).ok().and_then(Pid::from_raw) else { return };
    if getpriority_process(Some(pid)).is_ok_and(|now| now < LOW_PRIORITY) {
        setpriority_process(Some(pid), LOW_PRIORITY).ok();
    }
}

/// Lets this process, and so its children, open as many files as it may; gives how many that are.
pub(crate) fn raise_open_files() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: now.maximum, maximum: now.maximum });
    let granted = if raised.is_ok() { now.maximum } else { now.current };
    granted.unwrap_or(u64::MAX)
}

/// Has a write beyond the limit of file sizes refused with an error. For the threads of a runtime.
pub(crate) fn refuse_large_files() {
    use tokio::signal::unix::{SignalKind, signal};
    // Once it has been listened to, the signal never ends the program again.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).ok();
}

/// How a fork ended of which its parent says this number.
pub(crate) fn status_from_wait(number: i32) -> Option<ExitStatus> {
    Some(ExitStatus::from_raw(number))
}

/// How a process died; none when it ended by itself.
pub(crate) fn death_of(status: ExitStatus) -> Option<Death> {
    let own = [Signal::SEGV, Signal::ABORT, Signal::BUS, Signal::ILL, Signal::FPE, Signal::TRAP, Signal::SYS];
    status.signal().map(|number| {
        if number == Signal::XCPU.as_raw() {
            Death::OutOfTime
        } else if own.iter().any(|signal| signal.as_raw() == number) {
            Death::Crash
        } else {
            Death::FromOutside(number)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_told_from_a_signal_of_somebody_else() {
        let died = |number: i32| death_of(ExitStatus::from_raw(number));
        assert_eq!(died(11), Some(Death::Crash));
        assert_eq!(died(6), Some(Death::Crash));
        assert_eq!(died(Signal::XCPU.as_raw()), Some(Death::OutOfTime));
        for outside in [Signal::KILL, Signal::TERM, Signal::XFSZ, Signal::HUP] {
            assert_eq!(died(outside.as_raw()), Some(Death::FromOutside(outside.as_raw())));
        }
        assert_eq!(died(3 << 8), None, "an exit code is no death");
    }
}

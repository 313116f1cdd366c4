//! Unix: modes, owners, links that need no rights, names that are any bytes.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;

/// The variable with the folder of this user.
pub const HOME: &str = "HOME";

/// Has a folder made with this mode.
pub fn set_folder_mode(builder: &mut DirBuilder, mode: u32) {
    builder.mode(mode);
}

/// Has a file opened without following a link in its place and without waiting for a pipe, and made with this mode.
pub fn set_careful_open(options: &mut OpenOptions, mode: u32) {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.mode(mode).custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
}

/// Has a temporary file made as the mask of the process says.
pub fn set_usual_mode(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(fs::Permissions::from_mode(0o666));
}

/// True for the error of a link that was not to be followed, or that leads to itself.
#[must_use]
pub fn is_link_error(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

/// True when the rights of something go beyond `mode`.
#[must_use]
pub fn is_wider(meta: &Metadata, mode: u32) -> bool {
    meta.permissions().mode() & 0o777 & !mode != 0
}

/// Takes the rights beyond `mode` away from an open file.
///
/// # Errors
/// What the system says.
pub fn restrict_file(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(fs::Permissions::from_mode(mode))
}

/// As [`restrict_file`], of what stands at a path.
///
/// # Errors
/// As [`restrict_file`].
pub fn restrict_path(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Lets everybody who may read a file start it.
///
/// # Errors
/// What the system says.
pub fn make_executable(path: &Path) -> io::Result<()> {
    let mut permissions = fs::symlink_metadata(path)?.permissions();
    permissions.set_mode(permissions.mode() | (permissions.mode() & 0o444) >> 2);
    fs::set_permissions(path, permissions)
}

/// Makes a link at `link` that leads to `target`.
///
/// # Errors
/// What the system says.
pub fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

/// A name of a file as git and other programs write it; every sequence of bytes is one.
#[must_use]
pub fn name_from_bytes(bytes: &[u8]) -> Option<OsString> {
    Some(OsStr::from_bytes(bytes).to_owned())
}

/// The file system that something is on.
#[must_use]
pub fn device_of(meta: &Metadata) -> Option<u64> {
    Some(meta.dev())
}

/// The name of this machine, for people.
#[must_use]
pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

//! Windows: no modes, since the access list of a file is inherited from its folder, and those of a user's own folders let
//! nobody else in; links that need a right; names that are text.

use std::ffi::OsString;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{OpenOptionsExt as _, symlink_dir, symlink_file};
use std::path::Path;

/// `FILE_FLAG_OPEN_REPARSE_POINT`: a link is opened itself, which is no plain file then.
const OPEN_LINK_ITSELF: u32 = 0x0020_0000;

/// `ERROR_CANT_RESOLVE_FILENAME`: a link that leads to itself.
const LINK_TO_ITSELF: i32 = 1921;

/// The variable with the folder of this user.
pub const HOME: &str = "USERPROFILE";

/// There are no modes.
pub fn set_folder_mode(_builder: &mut DirBuilder, _mode: u32) {}

/// Has a file opened without following a link in its place. Pipes have no names among files.
pub fn set_careful_open(options: &mut OpenOptions, _mode: u32) {
    options.custom_flags(OPEN_LINK_ITSELF);
}

/// There are no modes.
pub fn set_usual_mode(_builder: &mut tempfile::Builder<'_, '_>) {}

/// True for the error of a link that leads to itself.
#[must_use]
pub fn is_link_error(error: &io::Error) -> bool {
    error.raw_os_error() == Some(LINK_TO_ITSELF)
}

/// Never: whom the access list of the folder lets in is not looked at.
#[must_use]
pub fn is_wider(_meta: &Metadata, _mode: u32) -> bool {
    false
}

/// There are no modes.
///
/// # Errors
/// None.
pub fn restrict_file(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// There are no modes.
///
/// # Errors
/// None.
pub fn restrict_path(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// What a file is called decides whether it can be started, and nothing else does.
///
/// # Errors
/// None.
pub fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes a link at `link` that leads to `target`, which has to be there.
///
/// # Errors
/// What the system says; it lets only administrators make links unless the developer mode is on.
pub fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    if target.is_dir() { symlink_dir(target, link) } else { symlink_file(target, link) }
}

/// A name of a file as git and other programs write it: UTF-8.
#[must_use]
pub fn name_from_bytes(bytes: &[u8]) -> Option<OsString> {
    std::str::from_utf8(bytes).ok().map(OsString::from)
}

/// Not told: the number of a volume is behind an interface that std does not have yet.
#[must_use]
pub fn device_of(_meta: &Metadata) -> Option<u64> {
    None
}

/// The name of this machine, for people.
#[must_use]
pub fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "localhost".to_owned())
}

//! Windows has no modes: a file has the access list of its folder. Nor does it wait for a pipe among files.

use cap_std::fs::{DirBuilder, Metadata, OpenOptions, Permissions};

/// There is nothing to wait for.
pub(super) fn set_no_waiting(_options: &mut OpenOptions) {}

/// There are no modes.
pub(super) fn set_file_mode(_options: &mut OpenOptions, _mode: u32) {}

/// There are no modes.
pub(super) fn set_folder_mode(_builder: &mut DirBuilder, _mode: u32) {}

/// Never anything: there are no modes.
pub(super) fn narrower(_meta: &Metadata, _mode: u32) -> Option<Permissions> {
    None
}

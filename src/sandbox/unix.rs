//! What cap-std offers for Unix alone: modes, and opening without waiting.

use cap_std::fs::{
    DirBuilder, DirBuilderExt as _, Metadata, OpenOptions, OpenOptionsExt as _, Permissions, PermissionsExt as _,
};
use rustix::fs::OFlags;

/// Has a file opened without waiting for the other end of a FIFO, and without taking a terminal.
pub(super) fn set_no_waiting(options: &mut OpenOptions) {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
}

/// Has a file made with this mode.
pub(super) fn set_file_mode(options: &mut OpenOptions, mode: u32) {
    options.mode(mode);
}

/// Has a folder made with this mode.
pub(super) fn set_folder_mode(builder: &mut DirBuilder, mode: u32) {
    builder.mode(mode);
}

/// The rights to set where they go beyond `mode`.
pub(super) fn narrower(meta: &Metadata, mode: u32) -> Option<Permissions> {
    (meta.permissions().mode() & 0o777 & !mode != 0).then(|| Permissions::from_mode(mode))
}

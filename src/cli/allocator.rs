//! What the allocator of the programs is told.

/// Has what was freed given back to the system while nothing is asked: by itself the allocator does so only when it is used again.
///
/// Where that cannot be had the program has more memory and does the same.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub(super) fn give_back_when_idle() {
    if let Err(error) = tikv_jemalloc_ctl::background_thread::write(true) {
        tracing::debug!(%error, "the allocator keeps what was freed");
    }
}

/// The system's allocator does as it does.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
pub(super) const fn give_back_when_idle() {}

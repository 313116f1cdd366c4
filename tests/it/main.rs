//! The one integration-test program; each module is a theme.

mod toolchain_git;
mod toolchain_install;
mod toolchain_lock;
mod toolchain_provider;
mod toolchain_run;
mod toolchain_support;
mod toolchain_verify;

//! The one integration-test program; each module is a theme.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]


#[cfg(test)]
#[cfg(test)]

mod boundary;
mod config;
mod corpus;
mod metrics_oracle;
mod script_oracle;
mod secrets;
mod toolchain_git;
mod toolchain_install;
mod toolchain_lock;
mod toolchain_provider;
mod toolchain_run;
mod toolchain_support;
mod toolchain_verify;

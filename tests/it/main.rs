//! The one integration-test program; each module is a theme.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod boundary;
mod config;
mod script_oracle;

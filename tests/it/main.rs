//! The one integration-test program; each module is a theme.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod boundary;
mod config;
mod corpus;
mod metrics_oracle;
mod script_oracle;
mod secrets;
mod session;

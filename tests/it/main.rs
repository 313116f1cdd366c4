//! The one integration-test program; each module is a theme.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]


#[cfg(test)]
#[cfg(test)]

mod boundary;
mod config;
mod corpus;
mod coverage;
mod metrics_oracle;
mod reach;
mod script_oracle;
mod secrets;

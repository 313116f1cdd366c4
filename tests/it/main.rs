//! The one integration-test program; each module is a theme.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod architecture;
mod boundary;
mod calibration;
mod config;
mod corpus;
mod coverage;
mod mcp_acceptance;
mod mcp_http;
mod mcp_process;
mod mcp_product;
mod mcp_stdio;
mod metrics_oracle;
mod reach;
mod scoring;
mod script_oracle;
mod secrets;
mod session;
mod tdd_cli;
mod tdd_log;
mod tdd_mcp;
mod tdd_sessions;
mod tdd_support;
mod tdd_verified;
mod toolchain_git;
mod toolchain_install;
mod toolchain_lock;
mod toolchain_provider;
mod toolchain_run;
mod toolchain_support;
mod toolchain_verify;
mod workflow;

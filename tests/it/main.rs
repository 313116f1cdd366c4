//! The one integration-test program; each module is a theme.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed; some print the tables of the documentation"
)]

mod adaptive;
mod airgap;
mod architecture;
mod attest;
mod boundary;
mod browser;
mod calibration;
mod checklist_files;
mod ci;
mod cli_reference;
mod clones;
mod coderef_accuracy;
mod coderef_cli;
mod coderef_comment_tags;
mod coderef_diagram;
mod coderef_drift;
mod coderef_mcp;
mod coderef_python;
mod coderef_query;
mod coderef_reference;
mod coderef_script;
mod coderef_support;
mod coderef_tree;
mod config;
mod context7_server;
mod corpus;
mod coverage;
mod dependency_scan;
mod dependency_table;
mod docs_bundle;
mod docs_cache;
mod docs_commands;
mod docs_context7;
mod docs_extract;
mod docs_lookup;
mod docs_offline;
mod docs_online;
mod docs_online_program;
mod docs_project;
mod docs_replies;
mod experts;
mod experts_fallback;
#[cfg(feature = "vector")]
mod experts_model;
#[cfg(feature = "vector")]
mod experts_vector;
mod guard_cli;
mod guard_text;
mod hostile_configuration;
mod hostile_programs;
mod impact;
mod mcp_acceptance;
mod mcp_http;
mod mcp_process;
mod mcp_product;
mod mcp_stdio;
mod mcp_tools;
mod metrics_oracle;
mod naming;
mod nix;
mod notes;
mod packages;
mod profile;
mod reach;
mod report_page;
mod reports;
mod result_schemas;
mod scoring;
mod script_oracle;
mod secrets;
mod session;
mod setup_doctor;
mod setup_init;
mod skip;
mod sources;
mod tags;
mod tdd_cli;
mod tdd_log;
mod tdd_mcp;
mod tdd_sessions;
mod tdd_support;
mod tdd_verified;
mod toolchain_diff;
mod toolchain_git;
mod toolchain_git_equality;
mod toolchain_git_history;
mod toolchain_git_hostile;
mod toolchain_git_refusals;
mod toolchain_git_support;
mod toolchain_install;
mod toolchain_lock;
mod toolchain_provider;
mod toolchain_run;
mod toolchain_support;
mod toolchain_verify;
mod toolchain_workers;
mod validate;
mod workflow;

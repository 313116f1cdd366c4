//! What all commands take and share: options for every command, forms of output, the version.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args, ValueEnum};
use serde_json::Value;

use tapps_config::Override;

/// What every command takes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The project: nothing outside it is read [env: TAPPS_MCP_PROJECT_ROOT] [default: the working directory]
    #[arg(long, global = true, value_name = "DIR")]
    pub project_root: Option<PathBuf>,
    /// A configuration file in place of the project's own [env: TAPPS_MCP_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Never use the network
    #[arg(long, global = true)]
    pub offline: bool,
    /// Run tools whose bytes are not those of the lock; results then say so
    #[arg(long, global = true)]
    pub allow_unverified: bool,
    /// The Python interpreter that runs the Python tools
    #[arg(long, global = true, value_name = "PATH")]
    pub python: Option<String>,
    /// Whose CPython that is, where none is named: the machine's (host), or one that is locked by its digest and downloaded
    /// when it is not there (locked) [default: host]
    #[arg(long, global = true, value_name = "WHICH")]
    pub interpreter: Option<String>,
    /// Where the project's libraries of Python are installed, when that is not in the project [env:
    /// TAPPS_MCP_PYTHON_ENVIRONMENT]
    #[arg(long, global = true, value_name = "DIR")]
    pub environment: Option<String>,
    /// Neither take answers from the cache nor keep them there
    #[arg(long, global = true)]
    pub no_cache: bool,
    /// Whether tools that are slow to start are kept warm: auto or off [default: auto]
    #[arg(long, global = true, value_name = "WHEN")]
    pub workers: Option<String>,
    /// When to write in colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Say more on the error stream; twice for still more
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
    /// Say nothing on the error stream but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

impl Global {
    /// The values these options set in the configuration.
    #[must_use]
    pub fn overrides(&self) -> Vec<Override> {
        let mut overrides = Vec::new();
        let mut set = |key, value: Value, flag| overrides.push(Override { key, value, flag });
        if self.offline {
            set("toolchain.offline", true.into(), "--offline");
        }
        if self.allow_unverified {
            set("toolchain.allow_unverified", true.into(), "--allow-unverified");
        }
        if self.no_cache {
            set("cache.enabled", false.into(), "--no-cache");
        }
        if let Some(workers) = &self.workers {
            set("toolchain.workers", workers.as_str().into(), "--workers");
        }
        if let Some(python) = &self.python {
            set("toolchain.python", python.as_str().into(), "--python");
        }
        if let Some(interpreter) = &self.interpreter {
            set("toolchain.interpreter", interpreter.as_str().into(), "--interpreter");
        }
        if let Some(environment) = &self.environment {
            set("python.environment", environment.as_str().into(), "--environment");
        }
        overrides
    }
}

/// When to write in colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// What is written on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum CliOutputFormat {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
}

/// The version with the revision the program was built from, where whoever wrapped or built it told that.
#[must_use]
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let told = std::env::var("TAPPS_MCP_REVISION").ok();
        // It is shown, so nothing but the name of a revision is taken for one.
        let named = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        let told =
            told.filter(|revision| named(revision)).or_else(|| option_env!("TAPPS_MCP_REVISION").map(Into::into));
        match told {
            Some(revision) if !revision.is_empty() => format!("{} ({revision})", env!("CARGO_PKG_VERSION")),
            _ => env!("CARGO_PKG_VERSION").to_owned(),
        }
    });
    &VERSION
}

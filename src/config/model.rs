//! What can be set, with its defaults.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::architecture::ArchitectureConfig;
use super::experts::ExpertsConfig;
use super::gates::{self, Gate, GateSpec};
use super::hooks::HooksConfig;
use super::python::PythonVersion;
use tapps_base::finding::Category;
use tapps_base::{Error, ErrorCode, Result};

/// The whole configuration. Keys are those of `tapps-mcp.toml` and of `[tool.tapps-mcp]` in `pyproject.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The gate preset used when a request names none.
    pub preset: String,
    /// Whose rules ruff and mypy follow: those of this program, or the project's own configuration of them.
    pub rules: Rules,
    /// Whose types of libraries mypy reads.
    pub types: LibraryTypes,
    /// Globs (as in `.gitignore`) of files that are left out when a folder is walked.
    pub exclude: Vec<String>,
    /// Lets recorded outcomes move the weights, within bounds.
    pub adaptive: bool,
    /// What each category counts in the overall score; must sum to 1.
    pub weights: WeightsConfig,
    /// Gate presets of the project, and changes to the built-in ones.
    pub gates: BTreeMap<String, GateSpec>,
    /// Contracts about imports.
    pub architecture: ArchitectureConfig,
    /// How changes are judged.
    pub change: ChangeConfig,
    /// The Python the code is written for.
    pub python: Python,
    /// The locked tools.
    pub toolchain: ToolchainConfig,
    /// Who looks for weaknesses in Python code.
    pub security: SecurityConfig,
    /// What is kept between runs.
    pub cache: CacheConfig,
    /// The MCP server.
    pub server: McpServerConfig,
    /// Hooks of agents at the end of a turn.
    pub hooks: HooksConfig,
    /// Bounds on one request.
    pub limits: LimitsConfig,
    /// Coverage data.
    pub coverage: CoverageConfig,
    /// Known vulnerabilities.
    pub advisories: Advisories,
    /// Tags of markdown notes.
    pub tags: Tags,
    /// Workflows.
    pub workflow: Workflow,
    /// Documentation of libraries.
    pub docs: DocsConfig,
    /// The experts.
    pub experts: ExpertsConfig,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            preset: "standard".to_owned(),
            rules: Rules::default(),
            types: LibraryTypes::default(),
            exclude: Vec::new(),
            adaptive: false,
            weights: WeightsConfig::default(),
            gates: BTreeMap::new(),
            architecture: ArchitectureConfig::default(),
            change: ChangeConfig::default(),
            python: Python::default(),
            toolchain: ToolchainConfig::default(),
            security: SecurityConfig::default(),
            cache: CacheConfig::default(),
            server: McpServerConfig::default(),
            hooks: HooksConfig::default(),
            limits: LimitsConfig::default(),
            coverage: CoverageConfig::default(),
            advisories: Advisories::default(),
            tags: Tags::default(),
            workflow: Workflow::default(),
            docs: DocsConfig::default(),
            experts: ExpertsConfig::default(),
        }
    }
}

/// Whose rules the linters follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// The rule set of this program: the same for every project.
    #[default]
    Tapps,
    /// The project's own ruff and mypy configuration; its digest enters the fingerprint.
    Project,
}

/// Whose types of libraries mypy reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LibraryTypes {
    /// Those of the packages that the project has locked, as far as they are at hand.
    #[default]
    Locked,
    /// None: whatever comes from a library has any type.
    None,
}

/// How changes are judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ChangeConfig {
    /// How many points a change may take from the overall score of a file that was below the preset already.
    pub tolerance: f64,
    /// What a comment with a reason may hide although it blocks by itself: a rule and a glob of files from the project's
    /// root, for example `bandit:B602 tools/**`.
    pub allow: Vec<String>,
}

impl Default for ChangeConfig {
    fn default() -> Self {
        Self { tolerance: 0.5, allow: Vec::new() }
    }
}

/// What each category counts, as a share of 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WeightsConfig {
    pub complexity: f64,
    pub security: f64,
    pub maintainability: f64,
    pub test_coverage: f64,
    pub performance: f64,
    pub structure: f64,
    pub devex: f64,
}

impl Default for WeightsConfig {
    fn default() -> Self {
        Self {
            complexity: 0.18,
            security: 0.27,
            maintainability: 0.24,
            test_coverage: 0.13,
            performance: 0.08,
            structure: 0.05,
            devex: 0.05,
        }
    }
}

impl WeightsConfig {
    /// The weight of one category.
    #[must_use]
    pub const fn weight_of(&self, category: Category) -> f64 {
        match category {
            Category::Complexity => self.complexity,
            Category::Security => self.security,
            Category::Maintainability => self.maintainability,
            Category::TestCoverage => self.test_coverage,
            Category::Performance => self.performance,
            Category::Structure => self.structure,
            Category::Devex => self.devex,
        }
    }

    /// The sum of all seven.
    #[must_use]
    pub fn sum(&self) -> f64 {
        Category::ALL.into_iter().map(|category| self.weight_of(category)).sum()
    }
}

/// The Python the code is written for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Python {
    /// When not set: the oldest version that `requires-python` in `pyproject.toml` admits, else 3.13.
    pub version: PythonVersion,
    /// Where the project's libraries are installed, when that is not a folder of the project such as `.venv`: what `sys.prefix` is
    /// there. They are read, and never run. Not settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<PathBuf>,
}

/// Who computes complexity, maintainability index and the other metrics of Python code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MetricsProvider {
    /// This program, by radon's rules.
    #[default]
    Native,
    /// The locked radon itself; slower, same numbers.
    Radon,
}

/// Who runs bandit's tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SecurityEngine {
    /// This program, over the tree of its own parser: in milliseconds and without Python, also in a quick check.
    #[default]
    Native,
    /// The locked bandit itself; slower, same findings, and only where its Python can read the file.
    Bandit,
}

/// Weaknesses in Python code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SecurityConfig {
    /// Who runs bandit's tests.
    pub engine: SecurityEngine,
}

/// Whether tools that are slow to start are kept warm: loaded once, and forked for each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Workers {
    /// In the server, and in commands where it pays.
    #[default]
    Auto,
    /// Every request starts a process.
    Off,
}

/// Whose CPython the Python tools run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InterpreterSource {
    /// The machine's; where it has none that fits, a locked one that is installed.
    #[default]
    Host,
    /// The one that this program locks by the digest of its archive, downloaded when it is not there.
    Locked,
}

/// The locked tools and where they are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ToolchainConfig {
    /// The Python interpreter that runs the Python tools: a path, or a name looked up on PATH. Not settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub python: Option<PathBuf>,
    /// Whose CPython the Python tools run on, where none is named. Not settable by a project.
    pub interpreter: InterpreterSource,
    /// A lock of CPython archives in place of the one in this program, for archives of one's own or at another address. Not
    /// settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpreter_lock: Option<PathBuf>,
    /// Who computes the metrics.
    pub metrics: MetricsProvider,
    /// Whether the tools are kept warm. It changes how long an answer takes, never the answer.
    pub workers: Workers,
    /// Runs tools whose bytes are not those of the lock; results then say `verified: false`. Not settable by a project.
    pub allow_unverified: bool,
    /// Never uses the network.
    pub offline: bool,
    /// Where installed toolchains are kept. Not settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_dir: Option<PathBuf>,
    /// Where fetched artifacts are kept. Not settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_dir: Option<PathBuf>,
    /// An installed toolchain to use as it stands. Not settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
}

/// What is kept between runs so that nothing is computed twice. It changes how long an answer takes, never the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CacheConfig {
    /// Takes answers of analyzers from the cache, and keeps them there.
    pub enabled: bool,
    /// Most it may come to, in MiB; what was not used for the longest time makes room. Not settable by a project.
    pub max_mb: u64,
    /// A store shared by several machines, asked for what is not kept here: `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`,
    /// `redis://HOST:PORT/NUMBER` or `file:///FOLDER`. Needs a build with `remote-cache`. Not settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
    /// Puts fresh answers into the shared store; false where untrusted code is judged. Not settable by a project.
    pub remote_writes: bool,
}

impl Default for CacheConfig {
    fn default() -> Self {
        Self { enabled: true, max_mb: 512, remote: None, remote_writes: false }
    }
}

/// What the text part of an MCP reply holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReplyText {
    /// The structured result as compact JSON.
    #[default]
    Full,
    /// A short paragraph, for clients that put both parts before the model.
    Brief,
}

/// The MCP server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct McpServerConfig {
    /// Toolsets that are listed; empty means those that are on by default, `all` means all.
    pub toolsets: Vec<String>,
    /// Tools that are listed besides.
    pub tools: Vec<String>,
    /// Tools that are never listed, whatever the other two say.
    pub exclude_tools: Vec<String>,
    /// Drops every tool that writes to the user's files.
    pub read_only: bool,
    /// What the text part of a reply holds.
    pub text: ReplyText,
    /// Host names accepted over HTTP besides those of the loopback interface. Not settable by a project.
    pub http_allowed_hosts: Vec<String>,
    /// Requests that one client may send over HTTP in a minute, a quarter of them at once; 0 is no limit. Not settable by
    /// a project.
    pub http_requests_per_minute: u32,
}

/// Bounds on one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsConfig {
    /// Largest file that is read, in bytes.
    pub max_file_bytes: u64,
    /// Longest time one request may take, in seconds.
    pub deadline_seconds: u64,
    /// Most memory one tool may take, in MiB; the tool's own default when not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self { max_file_bytes: 10 * 1024 * 1024, deadline_seconds: 120, memory_mb: None }
    }
}

/// Coverage data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CoverageConfig {
    /// Files of coverage data, relative to the project root; empty means the usual places are looked at.
    pub files: Vec<String>,
    /// A gate fails when there is no coverage data.
    pub require: bool,
}

/// Databases of known vulnerabilities in OSV's format: JSON files, folders of them, or ZIP archives of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Advisories {
    /// Databases inside the project, relative to its root.
    pub files: Vec<String>,
    /// A database of this machine, anywhere. Not settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<PathBuf>,
}

/// Tags of markdown notes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tags {
    /// Folders besides the project that vaults may be in. Not settable by a project.
    pub roots: Vec<PathBuf>,
}

/// Workflows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Workflow {
    /// How long a step token can be used, in minutes; an unused one is then issued anew by `current_step`.
    pub token_minutes: u64,
    /// Calls per second that one execution may make on average; 0 means as many as it likes.
    pub task_rate: f64,
    /// Calls that one execution may make at once.
    pub task_burst: u64,
    /// Calls per second that one session may make on average; 0 means as many as it likes.
    pub agent_rate: f64,
    /// Calls that one session may make at once.
    pub agent_burst: u64,
    /// Minutes without a call after which an open execution counts as stalled.
    pub stall_minutes: u64,
}

impl Default for Workflow {
    fn default() -> Self {
        Self {
            token_minutes: 24 * 60,
            task_rate: 0.5,
            task_burst: 3,
            agent_rate: 2.0,
            agent_burst: 10,
            stall_minutes: 30,
        }
    }
}

/// Documentation of libraries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DocsConfig {
    /// Asks Context7 about libraries that nothing on this machine tells of; its API key is read from `CONTEXT7_API_KEY`.
    /// Not settable by a project.
    pub context7: bool,
    /// The address of Context7 or of a server that speaks like it; else `CONTEXT7_API_URL` or the public service. Not
    /// settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context7_url: Option<String>,
    /// Most that kept answers may come to, in MiB. Not settable by a project.
    pub cache_mb: u64,
}

impl Default for DocsConfig {
    fn default() -> Self {
        Self { context7: true, context7_url: None, cache_mb: 100 }
    }
}

impl Config {
    /// The limits of a preset, or of the configured one.
    ///
    /// # Errors
    /// `invalid_argument` with the nearest names for an unknown preset.
    pub fn gate(&self, preset: Option<&str>) -> Result<Gate> {
        gates::resolve_preset(&self.gates, preset.unwrap_or(&self.preset))
    }

    /// The JSON Schema of the configuration files, indented, with a final line end.
    ///
    /// # Errors
    /// `internal` when the schema has no JSON form.
    pub fn json_schema() -> Result<String> {
        crate::schema::configuration_schema_text()
    }

    /// What no single key can tell: that weights sum to 1 and that presets resolve. The error comes with the key, or the
    /// section, that has to be mended.
    pub(super) fn find_inconsistency(&self) -> Option<(String, Error)> {
        let sum = self.weights.sum();
        if (sum - 1.0).abs() > 0.01 {
            let error = Error::new(ErrorCode::ConfigError, format!("the `weights` sum to {sum:.3} instead of 1"))
                .hint("give all seven weights, or change two so that they balance");
            return Some(("weights".to_owned(), error));
        }
        if let Some((preset, error)) = gates::first_broken_preset(&self.gates) {
            return Some((format!("gates.{preset}"), error));
        }
        let broken = self.architecture.first_broken_contract();
        broken.or_else(|| Some(("preset".to_owned(), self.gate(None).err()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_weights_sum_to_one() {
        assert!((WeightsConfig::default().sum() - 1.0).abs() < 1e-9);
        assert!(Config::default().find_inconsistency().is_none());
    }
}

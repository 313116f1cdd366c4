//! The configuration: what can be set, where each value came from, and what of it can change a score.
//!
//! Flag > environment `TAPPS_MCP_*` > project file > user file > default.

pub mod architecture;
pub mod document;
pub mod environment;
pub mod experts;
pub mod gates;
mod hooks;
pub mod keys;
mod limits;
pub mod load;
pub mod merge;
pub mod model;
pub mod origin;
mod policy;
pub mod python;
mod schema;

pub use architecture::{ArchitectureConfig, ContractKind, ContractSpec};
pub use experts::{ExpertsConfig, SearchMode};
pub use gates::{Gate, GateSpec, SecurityFindings};
pub use hooks::HooksConfig;
pub use limits::{Metric, MetricDirection, MetricLimits, MetricPlace, MetricProfile};
pub use load::{Loaded, Override, PROJECT_FILES, Sources, load_config};
pub use model::{
    Advisories, ChangeConfig, Config, InterpreterSource, LibraryTypes, MetricsProvider, ReplyText, Rules,
    SecurityEngine, WeightsConfig, Workers, Workflow,
};
pub use origin::{ConfigOrigin, Origins};
pub use python::PythonVersion;

//! What `tapps_server_info` tells; it reads what is known and starts nothing.

use std::collections::{BTreeMap, BTreeSet};
use tapps_base::program;

use rmcp::model::ProtocolVersion;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::services::Services;
use crate::tool::Toolset;
use tapps_base::{Error, Result};
use tapps_quality::result::Meta;
use tapps_toolchain::{Lock, PythonTag, System, ToolchainState, TreeKind};

/// One locked program.
#[derive(Debug, Serialize, JsonSchema)]
struct ExternalTool {
    installed: bool,
    version: String,
    /// What installs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    install_hint: Option<&'static str>,
}

const INSTALL: &str = "run `tapps-mcp toolchain install`";

/// The configuration as far as it decides verdicts.
#[derive(Debug, Serialize, JsonSchema)]
struct VerdictSettings {
    project_root: String,
    quality_preset: String,
    /// The files, variables and options that the configuration is made of; `defaults` where there is none.
    config_source: Vec<String>,
    /// Where keys that are not at their default come from.
    origins: BTreeMap<String, String>,
}

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ServerInfo {
    name: &'static str,
    version: &'static str,
    protocol_version: String,
    protocol_versions: Vec<String>,
    /// Pass it to the other tools.
    session_id: String,
    toolsets: Vec<&'static str>,
    tools_available: Vec<&'static str>,
    external_tools: BTreeMap<String, ExternalTool>,
    /// Where the locked tools stand: state, digest, verified.
    toolchain: Map<String, Value>,
    config: VerdictSettings,
    /// What does not work now, and why.
    degraded: Vec<String>,
    next_steps: Vec<String>,
    meta: Meta,
}

impl ServerInfo {
    /// The same while the configuration cannot be used.
    pub(super) fn without_configuration(mut self, fault: &Error) -> Self {
        self.degraded = vec![format!("no tool works: {}", fault.message())];
        self.next_steps = fault.body().hint.clone().into_iter().collect();
        self
    }
}

/// Describes the server to the caller of `session_id`.
///
/// # Errors
/// `internal` when the embedded lock cannot be read.
pub(super) fn describe(services: &Services, session_id: String) -> Result<ServerInfo> {
    let offered = services.offered.get().cloned().unwrap_or_default();
    let state = services.engine.toolchain().current_state();
    let mut versions: Vec<String> = ProtocolVersion::KNOWN_VERSIONS.iter().map(|one| one.as_str().to_owned()).collect();
    versions.sort();
    let origins = services.origins.iter().map(|(key, origin)| (key.to_owned(), origin.to_string())).collect();
    Ok(ServerInfo {
        name: program::NAME,
        version: env!("CARGO_PKG_VERSION"),
        protocol_version: ProtocolVersion::LATEST.as_str().to_owned(),
        protocol_versions: versions,
        session_id,
        toolsets: offered.values().copied().collect::<BTreeSet<_>>().into_iter().map(Toolset::as_str).collect(),
        tools_available: offered.keys().copied().collect(),
        external_tools: external_tools(&state)?,
        toolchain: to_json_object(&state),
        config: VerdictSettings {
            project_root: services.boundary.root().display().to_string(),
            quality_preset: services.config.preset.clone(),
            config_source: config_files(&origins),
            origins,
        },
        degraded: degraded_reasons(&state),
        next_steps: [
            "after each edit: tapps_quick_check",
            "for every changed file: tapps_quality_gate until it passes",
            "before declaring work complete: tapps_checklist",
        ]
        .map(str::to_owned)
        .to_vec(),
        meta: Meta::default(),
    })
}

/// The locked programs; installed once the toolchain is there.
fn external_tools(state: &ToolchainState) -> Result<BTreeMap<String, ExternalTool>> {
    let python = match state {
        ToolchainState::Ready { python: Some(version), .. } => PythonTag::of_version(version),
        _ => None,
    };
    let kind = TreeKind::from(python.unwrap_or(PythonTag::Cp313));
    let installed = matches!(state, ToolchainState::Ready { .. });
    // Where no tools are locked for the system there are none to list, and `degraded` says so.
    let Ok(system) = System::current() else { return Ok(BTreeMap::new()) };
    let versions = Lock::embedded()?.versions(system, kind);
    let install_hint = matches!(state, ToolchainState::Failed { .. }).then_some(INSTALL);
    let tool = |version| ExternalTool { installed, version, install_hint };
    Ok(versions.into_iter().map(|(name, version)| (name, tool(version))).collect())
}

/// The files, variables and options that origins name, without their lines.
fn config_files(origins: &BTreeMap<String, String>) -> Vec<String> {
    let named = origins.values().map(|origin| match origin.rsplit_once(':') {
        Some((file, line)) if line.bytes().all(|digit| digit.is_ascii_digit()) => file,
        _ => origin,
    });
    let files: BTreeSet<&str> = named.filter(|origin| *origin != "default").collect();
    match files.is_empty() {
        true => vec!["defaults".to_owned()],
        false => files.into_iter().map(str::to_owned).collect(),
    }
}

fn degraded_reasons(state: &ToolchainState) -> Vec<String> {
    match state {
        ToolchainState::Ready { verified: true, .. } => Vec::new(),
        ToolchainState::Ready { .. } => vec!["the tools are not as locked: results say verified: false".to_owned()],
        ToolchainState::Idle | ToolchainState::Working { .. } => {
            vec!["the tools are still being verified: calls that need them wait".to_owned()]
        }
        ToolchainState::Failed { error } => {
            let hint = error.hint.as_deref().map(|hint| format!(" ({hint})")).unwrap_or_default();
            vec![format!("no external tools: {}{hint}", error.message)]
        }
    }
}

fn to_json_object(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

//! Whether everything is well: each check says what it found, and every failed one how to mend it.

mod clients;
mod context7;
mod environment;
mod experts;
mod handshake;
mod hooks;
mod project;
mod report;
mod storage;
mod tools;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub use report::{Category, DoctorCheck, DoctorReport, DoctorStatus};

use report::Finding;
use secrecy::SecretString;

use super::surroundings::Surroundings;
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_config::Config;
use tapps_sandbox::Boundary;
use tapps_toolchain::ToolchainSettings;

/// What is looked at; each part may be broken already.
#[derive(Debug)]
pub struct Patient {
    pub boundary: Result<Boundary>,
    /// With its warnings.
    pub config: Result<(Config, Vec<String>)>,
    pub settings: Result<ToolchainSettings>,
    pub surroundings: Surroundings,
    /// Folders of documentation bundles.
    pub bundles: Vec<PathBuf>,
    /// What `CONTEXT7_API_KEY` holds.
    pub context7_key: Option<SecretString>,
    /// This program.
    pub program: PathBuf,
    /// What it says of its version.
    pub version: String,
    /// Options of this run that a server of its own gets as well.
    pub options: Vec<OsString>,
}

impl Patient {
    /// The folder that programs are started in.
    fn folder(&self) -> &Path {
        self.boundary.as_ref().map_or(Path::new("/"), Boundary::root)
    }

    /// The part, or the finding that it cannot be looked at.
    fn require_healthy<'p, T>(part: &'p Result<T>, what: &str) -> Result<&'p T, Finding> {
        part.as_ref().map_err(|_| Finding::skipped(format!("{what} has to be mended first")))
    }
}

/// Makes every check, one after the other.
///
/// # Errors
/// `cancelled` when the user interrupts it.
pub async fn run_doctor(patient: &Patient, call: &Call) -> Result<DoctorReport> {
    let mut checks = Vec::new();
    let mut note = |id: &str, category, started: Instant, finding: Finding| {
        checks.push(finding.into_check(id.to_owned(), category, started.elapsed()));
    };
    let started = Instant::now();
    note(
        "program.version",
        Category::Program,
        started,
        Finding::ok(format!("tapps-mcp {} at {}", patient.version, patient.program.display())),
    );
    let started = Instant::now();
    note("project.boundary", Category::Project, started, project::check_project_root(patient));
    let started = Instant::now();
    note("project.configuration", Category::Project, started, project::check_configuration(patient));
    let started = Instant::now();
    note("project.state", Category::Project, started, project::check_state_folder(patient));
    let started = Instant::now();
    note("project.environment", Category::Project, started, environment::check_environment(patient));
    let started = Instant::now();
    note("project.experts", Category::Project, started, experts::check_expert_search(patient));
    let started = Instant::now();
    note("project.context7", Category::Project, started, context7::check_context7_key(patient));
    call.check()?;
    let started = Instant::now();
    note("storage.data", Category::Storage, started, storage::check_storage_folder(patient, storage::Which::Data));
    let started = Instant::now();
    note("storage.cache", Category::Storage, started, storage::check_storage_folder(patient, storage::Which::Cache));
    let started = Instant::now();
    note("storage.bundles", Category::Storage, started, storage::check_bundles(patient));
    call.check()?;
    let started = Instant::now();
    let looked_at = tools::inspect(patient, call);
    note("toolchain.files", Category::Toolchain, started, tools::check_tool_files(patient, &looked_at));
    let started = Instant::now();
    note("toolchain.interpreter", Category::Toolchain, started, tools::check_interpreter(&looked_at));
    call.check()?;
    for (id, listed) in clients::list_client_entries(patient) {
        let started = Instant::now();
        note(&id, Category::Clients, started, clients::check_client_entry(patient, listed, call).await);
    }
    let started = Instant::now();
    for (id, finding) in hooks::check_client_hooks(patient) {
        note(&id, Category::Clients, started, finding);
    }
    for era in handshake::Era::ALL {
        let started = Instant::now();
        note(era.id(), Category::Server, started, handshake::check_handshake(patient, era, call).await);
    }
    call.check()?;
    Ok(DoctorReport::from_checks(checks))
}

/// What an error says, as a finding.
fn finding_from_error(error: &Error) -> Finding {
    let hint = error.body().hint.clone().unwrap_or_else(|| "mend what the message names".to_owned());
    Finding::failed(error.message(), hint)
}

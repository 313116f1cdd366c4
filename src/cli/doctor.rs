//! `tapps-mcp doctor`: whether everything is well, and how to mend what is not.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::engine::settings_for;
use super::global::{Global, version};
use super::human::style::{Style, pluralize_count};
use super::out::Out;
use super::progress;
use crate::setup::Surroundings;
use crate::setup::doctor::{DoctorCheck, DoctorReport, DoctorStatus, Patient, run_doctor};
use tapps_base::call::{Call, deadline_after};
use tapps_base::log_text;
use tapps_base::{Error, Result, exit};
use tapps_config as config;
use tapps_config::Sources;
use tapps_sandbox::Boundary;

/// Every check has a limit of its own far below this.
const LIMIT: Duration = Duration::from_secs(300);

/// More folders of bundles, as on PATH.
const BUNDLES: &str = "TAPPS_MCP_BUNDLES";

/// Check tools, folders, configuration, entries of clients, and the server itself; say how to mend what is wrong
#[derive(Debug, clap::Args)]
pub struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl DoctorArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.json
    }
}

/// Runs the command: exit code 1 when a check fails.
///
/// # Errors
/// `cancelled`; what is wrong with the machine is no error but the answer.
pub async fn run(args: &DoctorArgs, global: &Global, out: &Out, cancel: &CancellationToken) -> Result<u8> {
    let call = Call {
        cancel: cancel.clone(),
        deadline: deadline_after(LIMIT),
        progress: progress::for_stderr(global.quiet || args.json),
    };
    let report = run_doctor(&gather_patient(global)?, &call).await?;
    if args.json {
        out.write_json(&report)?;
    } else {
        out.write(&render_doctor_report(&report, out.style()))?;
    }
    Ok(if report.overall_status == DoctorStatus::Fail { exit::FINDINGS } else { exit::CLEAN })
}

fn gather_patient(global: &Global) -> Result<Patient> {
    let boundary = match &global.project_root {
        Some(root) => Boundary::open(root),
        None => Boundary::of_process(),
    };
    let loaded = boundary.as_ref().map_err(Error::clone).and_then(|boundary| {
        let mut sources = Sources::of_process(boundary.root());
        if global.config.is_some() {
            sources.named_file.clone_from(&global.config);
        }
        sources.overrides = global.overrides();
        config::load_config(&sources)
    });
    let default = config::Loaded::default();
    let known = loaded.as_ref().unwrap_or(&default);
    let settings = settings_for(&known.config, &known.origins);
    let config = loaded.map(|loaded| (loaded.config, loaded.warnings));
    let own = settings.iter().map(|settings| settings.data_dir.join("bundles"));
    let bundles: Vec<PathBuf> = own.chain(std::env::var_os(BUNDLES).iter().flat_map(std::env::split_paths)).collect();
    let program = std::env::current_exe().map_err(|e| Error::io("cannot tell where this program is", &e))?;
    Ok(Patient {
        boundary,
        config,
        settings,
        surroundings: Surroundings::of_process(),
        bundles,
        context7_key: std::env::var("CONTEXT7_API_KEY").ok().map(SecretString::from),
        program: program.canonicalize().unwrap_or(program),
        version: version().to_owned(),
        options: global_arguments(global),
    })
}

/// What a server of its own has to be told as well.
fn global_arguments(global: &Global) -> Vec<OsString> {
    let given = [("--project-root", &global.project_root), ("--config", &global.config)];
    given
        .into_iter()
        .filter_map(|(flag, path)| Some([OsString::from(flag), path.as_ref()?.as_os_str().to_owned()]))
        .flatten()
        .collect()
}

fn render_doctor_report(report: &DoctorReport, style: Style) -> String {
    let mut text = String::new();
    for check in &report.checks {
        let mark = match check.status {
            DoctorStatus::Ok => style.good("✓"),
            DoctorStatus::Warning => style.fair("!"),
            DoctorStatus::Fail => style.bad("✗"),
            DoctorStatus::Skipped => style.dim("-"),
        };
        text += &format!("{mark} {}  {}\n", style.bold(&check.id), log_text(&check.summary));
        for detail in &check.details {
            text += &format!("    {}\n", style.dim(log_text(detail)));
        }
        if let Some(remedy) = &check.remediation {
            text += &format!("    → {}\n", log_text(remedy));
        }
    }
    let number = |status| report.checks.iter().filter(|check: &&DoctorCheck| check.status == status).count();
    let verdict = match (number(DoctorStatus::Fail), number(DoctorStatus::Warning)) {
        (0, 0) => style.good("all is well"),
        (0, warnings) => style.fair(pluralize_count(warnings, "warning")),
        (failures, _) => style.bad(format!("{} failed", pluralize_count(failures, "check"))),
    };
    text + &format!("\n{verdict}\n")
}

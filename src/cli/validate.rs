//! `tapps-mcp validate`: configuration files.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::CliContext;
use super::engine::excerpt_of;
use super::global::CliOutputFormat;
use super::human::finding;
use super::human::style::pluralize_count;
use tapps_base::{Error, Result, exit};
use tapps_project::validate::{ConfigKind, ConfigReport, validate_config_files};
use tapps_security::secrets::MaskedSource;

/// Validate Dockerfiles, compose files, workflows, lists of MCP servers, and code that uses WebSockets, MQTT or InfluxDB
#[derive(Debug, clap::Args)]
pub struct ValidateArgs {
    /// Files and folders [default: every configuration file of the project]
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// What the files are: dockerfile, docker-compose, github-actions, mcp, websocket, mqtt, influxdb [default: by name]
    #[arg(long = "type", value_name = "KIND")]
    kind: Option<ConfigKind>,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

impl ValidateArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }
}

/// Runs the command: exit code 1 when a finding is of medium severity or above.
///
/// # Errors
/// What [`validate_config_files`] says.
pub async fn run(args: ValidateArgs, context: &CliContext) -> Result<u8> {
    let (boundary, call) = (Arc::clone(&context.boundary), context.call());
    let (paths, kind, most) = (args.paths, args.kind, context.config.limits.max_file_bytes);
    let judged = tokio::task::spawn_blocking(move || validate_config_files(&boundary, &paths, kind, most, &call)).await;
    let report = judged.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    context.out.write_report(&report, args.format, |report, _| render_config_report(report, context))?;
    Ok(if report.valid { exit::CLEAN } else { exit::FINDINGS })
}

fn render_config_report(report: &ConfigReport, context: &CliContext) -> String {
    let style = context.out.style();
    let mut sources: BTreeMap<&str, Option<MaskedSource>> = BTreeMap::new();
    let mut text = String::new();
    for one in &report.findings {
        let source = sources.entry(&one.file).or_insert_with(|| excerpt_of(context, &one.file));
        text.push_str(&finding::render_finding(one, source.as_ref(), style));
        text.push('\n');
    }
    let verdict = if report.valid { style.good("valid") } else { style.bad("not valid") };
    let (found, files) =
        (pluralize_count(report.findings.len(), "finding"), pluralize_count(report.files.len(), "file"));
    text + &format!("{verdict}: {found} in {files}\n")
}

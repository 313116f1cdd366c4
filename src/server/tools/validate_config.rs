//! Toolset `project`: configuration files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::detail::ReplyDetail;
use crate::dispatch::{Reply, Touched};
use crate::services::Services;
use crate::tool::{Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::Result;
use tapps_base::finding::{Finding, Severity};
use tapps_project::validate::{ConfigKind, ConfigReport, FileReport, Totals, validate_config_files};

#[derive(Debug, Deserialize, JsonSchema)]
struct ValidateConfigArguments {
    /// File or folder (default: the project)
    file_path: Option<String>,
    /// Default: auto, by file name, or by the libraries that code uses
    config_type: Option<AskedKind>,
    detail: Option<ReplyDetail>,
}

tapps_base::wire_enum! {
    /// A kind, or what the file says itself.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
    enum AskedKind {
        Auto = "auto",
        Dockerfile = "dockerfile",
        DockerCompose = "docker-compose",
        GithubActions = "github-actions",
        Mcp = "mcp",
        Websocket = "websocket",
        Mqtt = "mqtt",
        Influxdb = "influxdb",
    }
}

impl AskedKind {
    fn kind(self) -> Option<ConfigKind> {
        self.as_str().parse().ok()
    }
}

/// The report without what can be looked up under its rules.
#[derive(Debug, Serialize, JsonSchema)]
struct BriefReport {
    valid: bool,
    files: Vec<FileReport>,
    totals: Totals,
    /// The worst first.
    findings: Vec<ConfigProblem>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ConfigProblem {
    rule: String,
    severity: Severity,
    file: String,
    line: u32,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl ConfigProblem {
    fn from_finding(finding: &Finding) -> Self {
        Self {
            rule: finding.rule.clone(),
            severity: finding.severity,
            file: finding.file.clone(),
            line: finding.line,
            message: finding.message.clone(),
            fix: finding.help.clone(),
        }
    }
}

/// The tool of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Project, services.clone());
    vec![
        group.tool("tapps_validate_config", "Validate configuration", handle_validate_config)
        .describe(
            "Validate Dockerfiles, compose files, GitHub Actions workflows and .mcp.json, and how code uses WebSockets, MQTT \
             and InfluxDB. Call it after writing one. Returns valid and findings with line and fix.",
        )
        .with_cursor()
        .returns_either::<ConfigReport, BriefReport>(),
    ]
}

async fn handle_validate_config(
    services: Services,
    given: ValidateConfigArguments,
    context: ToolContext,
) -> Result<Reply> {
    let paths: Vec<String> = given.file_path.into_iter().collect();
    let most = services.config.limits.max_file_bytes;
    let report = validate_config_files(
        &services.boundary,
        &paths,
        given.config_type.and_then(AskedKind::kind),
        most,
        &context.call,
    )?;
    let touched = report.files.iter().map(|file| Touched {
        file: file.file.clone(),
        sha256: file.sha256.clone(),
        passed: file.valid,
    });
    let (passed, touched) = (report.valid, touched.collect());
    let brief = format!("{} findings in {} files", report.findings.len(), report.files.len());
    let reply = if given.detail == Some(ReplyDetail::Full) {
        Reply::from_serializable(&report)?.without_budget()
    } else {
        let mut findings: Vec<&Finding> = report.findings.iter().collect();
        findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.order(b)));
        let findings = findings.into_iter().map(ConfigProblem::from_finding).collect();
        Reply::from_serializable(&BriefReport { valid: passed, files: report.files, totals: report.totals, findings })?
            .with_paged_list("findings")
    };
    Ok(reply.with_passed(passed).with_touched_files(touched).with_brief(brief))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_can_be_asked_for_and_none() {
        let asked: Vec<&str> = AskedKind::ALL.iter().map(|kind| kind.as_str()).collect();
        let kinds: Vec<&str> = ConfigKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(asked, [&["auto"], kinds.as_slice()].concat());
        assert_eq!((AskedKind::Auto.kind(), AskedKind::Mqtt.kind()), (None, Some(ConfigKind::Mqtt)));
    }
}

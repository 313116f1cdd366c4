//! Toolset `project`: configuration files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::detail::Detail;
use crate::dispatch::{Reply, Touched};
use crate::services::Services;
use crate::tool::{Context, Tool, Toolset};
use tapps_base::Result;
use tapps_base::finding::{Finding, Severity};
use tapps_project::validate::{ConfigKind, ConfigReport, FileReport, Totals, validate};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// File or folder (default: the project)
    file_path: Option<String>,
    /// Default: by file name, or by the libraries that code uses
    config_type: Option<ConfigKind>,
    detail: Option<Detail>,
}

/// The report without what can be looked up under its rules.
#[derive(Debug, Serialize, JsonSchema)]
struct BriefReport {
    valid: bool,
    files: Vec<FileReport>,
    totals: Totals,
    /// The worst first.
    findings: Vec<Problem>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Problem {
    rule: String,
    severity: Severity,
    file: String,
    line: u32,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl Problem {
    fn of(finding: &Finding) -> Self {
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
    let services = services.clone();
    vec![
        Tool::new(Toolset::Project, "tapps_validate_config", "Validate configuration", move |given, context| {
            answer(services.clone(), given, context)
        })
        .describe(
            "Validate Dockerfiles, compose files, GitHub Actions workflows and .mcp.json, and how code uses WebSockets, MQTT \
             and InfluxDB. Call it after writing one. Returns valid and findings with line and fix.",
        )
        .with_cursor()
        .returns(&[|g| g.subschema_for::<ConfigReport>(), |g| g.subschema_for::<BriefReport>()]),
    ]
}

async fn answer(services: Services, given: Arguments, context: Context) -> Result<Reply> {
    let paths: Vec<String> = given.file_path.into_iter().collect();
    let most = services.config.limits.max_file_bytes;
    let report = validate(&services.boundary, &paths, given.config_type, most, &context.call)?;
    let touched = report.files.iter().map(|file| Touched {
        file: file.file.clone(),
        sha256: file.sha256.clone(),
        passed: file.valid,
    });
    let (passed, touched) = (report.valid, touched.collect());
    let brief = format!("{} findings in {} files", report.findings.len(), report.files.len());
    let reply = if given.detail == Some(Detail::Full) {
        Reply::of(&report)?.whole()
    } else {
        let mut findings: Vec<&Finding> = report.findings.iter().collect();
        findings.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.order(b)));
        let findings = findings.into_iter().map(Problem::of).collect();
        let mut files = report.files;
        files.truncate(20);
        Reply::of(&BriefReport { valid: passed, files, totals: report.totals, findings })?.paged("findings")
    };
    Ok(reply.passed(passed).touched(touched).brief(brief))
}

//! The security scan of one file: code analysis and secrets, without the rest of a score.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assemble::{assemble_file_score, assemble_text};
use crate::engine::{AnalysisPlan, Engine};
use crate::requests::elapsed_since;
use crate::result::{AnalysisMode, FileScore, Meta, NotMeasured, ResultStamp};
use tapps_base::call::Call;
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::language::ScoredLanguage;
use tapps_base::{Error, Result};
use tapps_security::secrets;

/// What the scan found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SecurityReport {
    /// Project-relative path with forward slashes.
    pub file: String,
    pub sha256: String,
    pub language: Option<ScoredLanguage>,
    /// True when nothing of high or critical severity was found and everything could be looked at.
    pub passed: bool,
    /// 0–10, the file's security category; null when it was not measured.
    pub score: Option<f64>,
    /// Number of findings by severity.
    pub counts: BTreeMap<Severity, u32>,
    /// Sorted by place.
    pub findings: Vec<Finding>,
    pub not_measured: Vec<NotMeasured>,
    pub tool_versions: BTreeMap<String, String>,
    pub toolchain: ResultStamp,
    pub config_digest: String,
    pub meta: Meta,
}

impl Engine {
    /// Scans one file. Code is analysed; secrets are looked for in text of any kind unless `scan_secrets` is false.
    ///
    /// # Errors
    /// For the path as the boundary says; `toolchain_mismatch`, `timeout`, `cancelled`.
    pub async fn security(&self, path: &str, scan_secrets: bool, call: &Call) -> Result<SecurityReport> {
        let started = std::time::Instant::now();
        let path = self.boundary.resolve(path)?;
        let (mut sources, _) = self.read_sources(std::slice::from_ref(&path), false).await?;
        let source = sources.pop().ok_or_else(|| Error::internal("a file was read and lost"))?;
        let is_code = source.language().is_some();
        let plan = AnalysisPlan {
            mode: AnalysisMode::Full,
            wanted: vec![Category::Security],
            lint: false,
            secrets: scan_secrets && is_code,
            reproducible: false,
        };
        let sources = if is_code { vec![source.clone()] } else { Vec::new() };
        let measured = self.measure(sources, &plan, call).await?;
        let result = match measured.files.first() {
            Some(file) => assemble_file_score(file, &measured.frame, None),
            None => {
                let found = if scan_secrets { secrets::scan_for_secrets(&source) } else { Vec::new() };
                assemble_text(&source, (found, &[]), &measured.frame, None)
            }
        };
        let mut report = to_security_report(result);
        report.meta = elapsed_since(started);
        Ok(report)
    }
}

fn to_security_report(result: FileScore) -> SecurityReport {
    let relevant = |finding: &Finding| {
        finding.category == Category::Security || finding.tool == Tool::Tapps && finding.severity == Severity::Critical
    };
    let findings: Vec<Finding> = result.findings.into_iter().filter(relevant).collect();
    let mut counts = BTreeMap::new();
    for finding in &findings {
        *counts.entry(finding.severity).or_default() += 1;
    }
    let not_measured: Vec<NotMeasured> =
        result.not_measured.into_iter().filter(|gap| gap.category == Category::Security).collect();
    let severe = findings.iter().any(|finding| finding.severity >= Severity::High);
    SecurityReport {
        file: result.file,
        sha256: result.sha256,
        language: result.language,
        passed: !severe && not_measured.is_empty(),
        score: result.categories.get(&Category::Security).and_then(|security| security.score),
        counts,
        findings,
        not_measured,
        tool_versions: result.tool_versions,
        toolchain: result.toolchain,
        config_digest: result.config_digest,
        meta: Meta::default(),
    }
}

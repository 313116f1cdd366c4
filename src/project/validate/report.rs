//! What validating configuration files came to.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kind::ConfigKind;
use super::{actions, compose, dockerfile, mcp_json, usage};
use tapps_base::call::Call;
use tapps_base::finding::{Finding, Severity};
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::{Boundary, ProjectPath, WalkOptions};
use tapps_security::secrets;

/// What was found in all files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConfigReport {
    /// True when no finding is of medium severity or above.
    pub valid: bool,
    /// Sorted by path.
    pub files: Vec<FileReport>,
    /// Sorted by place.
    pub findings: Vec<Finding>,
    pub totals: Totals,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileReport {
    pub file: String,
    pub kinds: Vec<ConfigKind>,
    pub valid: bool,
    pub sha256: String,
}

/// Findings by severity.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    pub critical: usize,
    pub high: usize,
    pub medium: usize,
    pub low: usize,
    pub info: usize,
}

impl Totals {
    fn from_findings(findings: &[Finding]) -> Self {
        let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
        Self {
            critical: count(Severity::Critical),
            high: count(Severity::High),
            medium: count(Severity::Medium),
            low: count(Severity::Low),
            info: count(Severity::Info),
        }
    }
}

/// The weakness of a secret that is written down.
const SECRET: &str = "CWE-798";

/// What the rules of one kind, and those about secrets, say about a file; sorted by place.
#[must_use]
pub fn judge_config_file(source: &Source, kinds: &[ConfigKind]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for kind in kinds {
        findings.extend(match kind {
            ConfigKind::Dockerfile => dockerfile::judge_dockerfile(source),
            ConfigKind::DockerCompose => compose::judge_compose_file(source),
            ConfigKind::GithubActions => actions::judge_workflow(source),
            ConfigKind::Mcp => mcp_json::judge_mcp_json(source),
            ConfigKind::Websocket | ConfigKind::Mqtt | ConfigKind::Influxdb => usage::judge_api_usage(source, *kind),
        });
    }
    // One place is called a secret once, by the graver of the two rules.
    let mut known = secrets::scan_for_secrets(source);
    known.retain(|other| {
        let Some(at) = same_secret(&findings, other) else { return true };
        let graver = findings.get(at).is_some_and(|finding| finding.severity > other.severity);
        if !graver {
            findings.remove(at);
        }
        !graver
    });
    findings.extend(known);
    findings.sort_by(Finding::order);
    findings
}

/// Which finding is about the secret that `other` has found: the nearest before it on its line.
fn same_secret(findings: &[Finding], other: &Finding) -> Option<usize> {
    let about = |finding: &Finding| {
        finding.cwe.as_deref() == Some(SECRET) && finding.line == other.line && finding.column <= other.column
    };
    let candidates = findings.iter().enumerate().filter(|(_, finding)| about(finding));
    candidates.max_by_key(|(_, finding)| finding.column).map(|(at, _)| at)
}

/// Validates files, or, when none is named, every configuration file of the project. A file that is named is read whatever its
/// name; `kind` says what it is where its name does not.
///
/// # Errors
/// `file_not_found` and `path_denied` for paths; `invalid_argument` when a named file is of no known kind; `file_not_found`
/// when the project has no configuration file; `cancelled` and `timeout`.
pub fn validate_config_files(
    boundary: &Boundary,
    paths: &[String],
    kind: Option<ConfigKind>,
    max_bytes: u64,
    call: &Call,
) -> Result<ConfigReport> {
    let mut wanted: BTreeSet<(ProjectPath, bool)> = BTreeSet::new();
    let named: Vec<ProjectPath> = paths.iter().map(|path| boundary.resolve(path)).collect::<Result<_>>()?;
    for start in if named.is_empty() { vec![boundary.root_as_project_path()] } else { named } {
        let found = boundary.walk(&start, &WalkOptions::default())?;
        let alone = found.len() == 1 && found.first() == Some(&start);
        wanted.extend(found.into_iter().map(|path| (path, alone)));
    }
    let (mut files, mut findings) = (Vec::new(), Vec::new());
    for (path, alone) in wanted {
        call.check()?;
        let by_name = ConfigKind::of_path(path.as_str());
        if !alone && by_name.is_none_or(|known| kind.is_some_and(|kind| kind != known)) {
            continue;
        }
        let source = Source::new(path.as_str(), boundary.read(&path, max_bytes)?);
        let kinds = match kind.filter(|_| alone).or(by_name) {
            Some(kind) => vec![kind],
            None => ConfigKind::of_code(path.as_str(), &String::from_utf8_lossy(source.bytes())),
        };
        if kinds.is_empty() {
            return Err(unknown_kind_error(&path));
        }
        let found = judge_config_file(&source, &kinds);
        files.push(FileReport {
            file: path.as_str().to_owned(),
            kinds,
            valid: is_valid(&found),
            sha256: source.sha256(),
        });
        findings.extend(found);
    }
    if files.is_empty() {
        return Err(Error::new(ErrorCode::FileNotFound, "no configuration file was found")
            .hint("name the file, and its kind when its name does not tell"));
    }
    findings.sort_by(Finding::order);
    Ok(ConfigReport { valid: is_valid(&findings), files, totals: Totals::from_findings(&findings), findings })
}

fn is_valid(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.severity < Severity::Medium)
}

fn unknown_kind_error(path: &ProjectPath) -> Error {
    let kinds = ConfigKind::ALL.map(ConfigKind::as_str).join(", ");
    Error::invalid(format!("what `{path}` configures cannot be told by its name"))
        .hint(format!("say its kind: {kinds}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_codes_of_their_own() {
        let rules = crate::validate::FAMILIES.iter().copied().flatten();
        assert!(rules.clone().count() > 80);
        for rule in rules {
            assert!(!rule.help.ends_with('.') && rule.summary.ends_with('.'), "{}", rule.code);
            assert_eq!(rule.cost, 0, "{}", rule.code);
        }
    }

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        const LIBRARIES: [ConfigKind; 3] = [ConfigKind::Websocket, ConfigKind::Mqtt, ConfigKind::Influxdb];
        for rule in crate::validate::FAMILIES.iter().copied().flatten() {
            assert!(!rule.examples.is_empty(), "{} has no example", rule.code);
            for example in rule.examples {
                let kinds = ConfigKind::of_path(example.path).map_or_else(|| LIBRARIES.to_vec(), |kind| vec![kind]);
                let says = |text: &str| {
                    let found = judge_config_file(&Source::new(example.path, text.as_bytes()), &kinds);
                    found.iter().any(|finding| finding.rule == rule.name())
                };
                assert!(says(example.bad), "{}: the bad example is not found", rule.code);
                assert!(!says(example.good), "{}: the good example is found", rule.code);
            }
        }
    }
}

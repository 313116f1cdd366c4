//! SARIF, as far as it says what was found where.

use serde::Deserialize;

use super::output::ReadFinding;

#[derive(Deserialize)]
struct Log {
    runs: Vec<SarifRun>,
}

#[derive(Deserialize)]
struct SarifRun {
    #[serde(default)]
    results: Vec<Outcome>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    message: Message,
    #[serde(default)]
    locations: Vec<Location>,
    #[serde(default)]
    suppressions: Vec<serde_json::Value>,
}

#[derive(Deserialize, Default)]
struct Message {
    text: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: ArtifactPlace,
    region: Option<Region>,
}

#[derive(Deserialize)]
struct ArtifactPlace {
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: Option<i64>,
    start_column: Option<i64>,
    end_line: Option<i64>,
}

/// Reads a log. What the tool itself says was suppressed, or is no fault, is passed over.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<ReadFinding>, String> {
    let log: Log = serde_json::from_slice(bytes).map_err(|e| format!("printed something that is not SARIF: {e}"))?;
    let mut all = Vec::new();
    for outcome in log.runs.into_iter().flat_map(|run| run.results) {
        let no_fault = matches!(outcome.kind.as_deref(), Some("pass" | "notApplicable" | "informational"));
        if no_fault || !outcome.suppressions.is_empty() {
            continue;
        }
        let Some(Location { physical_location: Physical { artifact_location, region } }) =
            outcome.locations.into_iter().next()
        else {
            return Err("speaks of no file".to_owned());
        };
        let (line, column, end_line) =
            region.map_or((None, None, None), |region| (region.start_line, region.start_column, region.end_line));
        all.push(ReadFinding {
            path: artifact_location.uri,
            line: line.unwrap_or(0),
            column: column.unwrap_or(0),
            end_line,
            code: outcome.rule_id.ok_or("has a result without a rule")?,
            message: outcome.message.text.unwrap_or_default(),
        });
    }
    Ok(all)
}

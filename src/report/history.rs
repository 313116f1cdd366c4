//! Earlier verdicts: the attestations kept in a folder of the project, as points of a line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::attest::{Envelope, Statement};
use super::document::mean;
use tapps_base::clock;
use tapps_base::clock::Clock;
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::state::STATE_FOLDER;
use tapps_sandbox::{Boundary, WalkOptions};

/// The statements of earlier versions, whose verdicts read the same.
const EARLIER_PREDICATE_TYPE: &str = "urn:tapps-mcp:attestation:gate:1";

/// Where attestations are kept, inside the state folder.
const FOLDER: &str = "history";

/// How many are kept; the oldest make room.
const KEPT: usize = 200;

/// Largest attestation that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// One earlier verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrendPoint {
    /// Name of the attestation without its ending; the order of names is the order of time.
    pub label: String,
    pub passed: bool,
    /// Mean of the overall scores, 0–100.
    pub mean: Option<f64>,
    pub files: usize,
    pub failed: usize,
    pub findings: usize,
    /// Digest of the toolchain that judged: scores of different ones compare only roughly.
    pub fingerprint: String,
}

/// The points of the attestations in `folder`, or in the project's own history when none is named; ordered by name.
///
/// # Errors
/// What the boundary says about a named folder, `corrupted_data` naming the file that is no attestation.
pub fn read_trend(boundary: &Boundary, folder: Option<&str>) -> Result<Vec<TrendPoint>> {
    let named = folder.map_or_else(|| format!("{STATE_FOLDER}/{FOLDER}"), str::to_owned);
    let found = boundary
        .resolve(&named)
        .and_then(|start| boundary.walk(&start, &WalkOptions { include_ignored: true, ..WalkOptions::default() }));
    let mut files = match found {
        Ok(files) => files,
        Err(error) if folder.is_none() && error.code() == ErrorCode::FileNotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    files.retain(|file| file.as_str().ends_with(".json"));
    files.sort_by(|a, b| order_in_time(a.as_str()).cmp(&order_in_time(b.as_str())));
    let point = |file: &tapps_sandbox::ProjectPath| {
        let bytes = boundary.read(file, LARGEST)?;
        let name = file.as_str().rsplit('/').next().unwrap_or_default();
        read_kept_statement(&String::from_utf8_lossy(&bytes))
            .map(|statement| TrendPoint::from_statement(name.trim_end_matches(".json"), &statement))
            .map_err(|error| error.hint(format!("remove {file} from the history")))
    };
    files.iter().map(point).collect()
}

/// Keeps an attestation in the project's own history, under the time of now.
///
/// # Errors
/// `path_denied` or `internal` when the state folder cannot be written.
pub fn record_attestation(boundary: &Boundary, statement: &Statement, clock: &dyn Clock) -> Result<String> {
    boundary.state_subfolder(FOLDER)?;
    let folder = boundary.resolve(&format!("{STATE_FOLDER}/{FOLDER}"))?;
    let walk = WalkOptions { include_ignored: true, ..WalkOptions::default() };
    let mut known = boundary.walk(&folder, &walk)?;
    known.sort_by(|a, b| order_in_time(a.as_str()).cmp(&order_in_time(b.as_str())));
    let time = clock::rfc3339(clock.now()).replace([':', '-'], "");
    let text = Envelope::of_statement(statement)?.to_text()?;
    // Two verdicts of one second are told apart by a number, and another process may take one meanwhile.
    let mut number = 0_u32;
    let name = loop {
        number += 1;
        let label = if number == 1 { time.clone() } else { format!("{time}.{number}") };
        let name = format!("{STATE_FOLDER}/{FOLDER}/{label}.json");
        let path = boundary.resolve(&name)?;
        if boundary.kind(&path).is_ok() {
            continue;
        }
        match boundary.write_atomic(&path, text.as_bytes(), None) {
            Ok(()) => break name,
            Err(_) if boundary.kind(&path).is_ok() => {}
            Err(error) => return Err(error),
        }
    };
    let excess = (known.len() + 1).saturating_sub(KEPT);
    for file in known.iter().take(excess) {
        // One that cannot be removed is in nobody's way.
        let _ = std::fs::remove_file(boundary.root().join(file.as_str()));
    }
    Ok(name)
}

/// What attestations are ordered by: their names, and of those of one second the number.
fn order_in_time(file: &str) -> (&str, u32) {
    let label = file.trim_end_matches(".json");
    let numbered = label.rsplit_once('.').and_then(|(time, number)| Some((time, number.parse().ok()?)));
    numbered.unwrap_or((label, 1))
}

/// A statement of this kind or of the one before it, in its envelope or without one, as JSON.
fn read_kept_statement(text: &str) -> Result<Value> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    if value["predicateType"] == EARLIER_PREDICATE_TYPE {
        return Ok(value);
    }
    let statement =
        if value.get("payload").is_some() { Envelope::parse(text)?.statement()? } else { Statement::parse(text)? };
    serde_json::to_value(statement).map_err(|e| Error::internal(format!("a statement has no JSON form: {e}")))
}

impl TrendPoint {
    /// What a statement says, in numbers.
    fn from_statement(label: &str, statement: &Value) -> Self {
        let verdict = &statement["predicate"]["verdict"];
        let files = verdict["files"].as_array().map_or(&[][..], Vec::as_slice);
        let findings = |file: &Value| file["result"]["findings"].as_array().map_or(0, Vec::len);
        Self {
            label: label.to_owned(),
            passed: verdict["passed"] == true,
            mean: mean(files.iter().filter_map(|file| file["score"].as_f64())),
            files: files.len(),
            failed: files.iter().filter(|file| file["passed"] == false).count(),
            findings: files.iter().map(findings).sum(),
            fingerprint: statement["predicate"]["toolchain"]["fingerprint"].as_str().unwrap_or_default().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_of_one_second_are_in_their_order() {
        let mut files = ["b.json", "a.10.json", "a.json", "a.2.json"];
        files.sort_by(|a, b| order_in_time(a).cmp(&order_in_time(b)));
        assert_eq!(files, ["a.json", "a.2.json", "a.10.json", "b.json"]);
    }
}

//! The two JSON reports: coverage.py's `coverage.json` and istanbul's `coverage-final.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::record::{Full, Record, RecordedLines};

#[derive(Deserialize)]
struct CoverageJsonReport {
    files: BTreeMap<String, ReportFile>,
}

#[derive(Deserialize)]
struct ReportFile {
    executed_lines: Vec<u32>,
    missing_lines: Vec<u32>,
    #[serde(default)]
    excluded_lines: Option<Vec<u32>>,
}

/// Reads coverage.py's report.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn parse_coverage_json(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let report: CoverageJsonReport = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
    let record = |(path, file): (String, ReportFile)| {
        let mut lines = Full { excluded: file.excluded_lines, ..Full::default() };
        file.missing_lines.into_iter().for_each(|line| lines.add_line(line, false));
        file.executed_lines.into_iter().for_each(|line| lines.add_line(line, true));
        Record { spellings: vec![path], lines: RecordedLines::Full(lines) }
    };
    Ok(report.files.into_iter().map(record).collect())
}

#[derive(Deserialize)]
struct IstanbulFile {
    #[serde(default)]
    path: Option<String>,
    #[serde(rename = "statementMap")]
    statements: BTreeMap<String, Span>,
    /// Hits by statement.
    s: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct Span {
    start: IstanbulPosition,
}

#[derive(Deserialize)]
struct IstanbulPosition {
    line: u32,
}

/// Reads istanbul's report. As in istanbul's own line figures, a line counts as often as the busiest statement that
/// begins on it.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn read_istanbul(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let report: BTreeMap<String, IstanbulFile> = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
    let record = |(key, file): (String, IstanbulFile)| {
        let mut lines = Full::default();
        for (id, span) in &file.statements {
            lines.add_line(span.start.line, file.s.get(id).is_some_and(|&hits| hits > 0.0));
        }
        Record { spellings: vec![file.path.unwrap_or(key)], lines: RecordedLines::Full(lines) }
    };
    Ok(report.into_iter().map(record).collect())
}

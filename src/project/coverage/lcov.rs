//! lcov's tracefile, as written by geninfo, coverage.py, istanbul, c8 and cargo-llvm-cov.

use std::collections::BTreeMap;

use super::record::{Full, Record, records_by_path};

/// Reads a tracefile; sections about the same file add up.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn parse_lcov(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut files: BTreeMap<&str, Full> = BTreeMap::new();
    let mut open: Option<(&str, Full)> = None;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(path) = line.strip_prefix("SF:") {
            if open.is_some() {
                return Err(format!("line {}: a file begins before the last one ended", index + 1));
            }
            open = Some((path, Full::default()));
        } else if let Some(data) = line.strip_prefix("DA:") {
            let (_, lines) = open.as_mut().ok_or_else(|| format!("line {}: `DA` outside a file", index + 1))?;
            add_lcov_line(lines, data).ok_or_else(|| format!("line {}: `{line}` is not line data", index + 1))?;
        } else if line == "end_of_record" {
            let (path, lines) = open.take().ok_or_else(|| format!("line {}: an end without a file", index + 1))?;
            files.entry(path).or_default().merge(lines);
        }
    }
    if open.is_some() {
        return Err("it ends in the middle of a file".to_owned());
    }
    if files.is_empty() && !text.trim().is_empty() {
        return Err("it has no `SF:` line".to_owned());
    }
    Ok(records_by_path(files))
}

/// Takes in `line,hits[,checksum]`; negative hits, which some compilers emit, count as none.
fn add_lcov_line(lines: &mut Full, data: &str) -> Option<()> {
    let mut fields = data.split(',');
    let line = fields.next()?.trim().parse().ok()?;
    let hits: f64 = fields.next()?.trim().parse().ok()?;
    lines.add_line(line, hits > 0.0);
    if let Some(checksum) = fields.next().map(str::trim).filter(|sum| !sum.is_empty()) {
        lines.checksums.push((line, checksum.to_owned()));
    }
    Some(())
}

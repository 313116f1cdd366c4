//! The JSON that `llvm-cov export` writes, also as `cargo llvm-cov --json`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::record::{Full, Record, records_by_path};

/// More lines than a file has.
const MOST_LINES: u32 = 1_000_000;

#[derive(Deserialize)]
struct LlvmCovReport {
    data: Vec<LlvmCovExport>,
}

#[derive(Deserialize)]
struct LlvmCovExport {
    files: Vec<LlvmCovFile>,
}

#[derive(Deserialize)]
struct LlvmCovFile {
    filename: String,
    segments: Vec<Segment>,
}

/// From a place on up to the next segment: line, column, count, whether there is a count, whether a region begins here,
/// whether it is a gap between regions. Older versions leave the last one out.
#[derive(Deserialize)]
#[serde(untagged)]
enum Segment {
    WithGap(u32, IgnoredAny, u64, bool, bool, bool),
    Older(u32, IgnoredAny, u64, bool, bool),
}

impl Segment {
    /// Line, count if there is one, whether a region begins here, whether it is a gap.
    const fn parts(&self) -> (u32, Option<u64>, bool, bool) {
        match *self {
            Self::WithGap(line, _, count, has_count, entry, gap) => {
                (line, if has_count { Some(count) } else { None }, entry, gap)
            }
            Self::Older(line, _, count, has_count, entry) => {
                (line, if has_count { Some(count) } else { None }, entry, false)
            }
        }
    }
}

/// True for such a report: it names its type.
pub(super) fn is_llvm_cov_json(bytes: &[u8]) -> bool {
    const TYPE: &[u8] = b"llvm.coverage.json.export";
    // It stands at the end, behind the data, or at the beginning when keys are sorted otherwise.
    let (head, tail) = (bytes.get(..bytes.len().min(4_096)), bytes.get(bytes.len().saturating_sub(4_096)..));
    [head, tail].into_iter().flatten().any(|part| part.windows(TYPE.len()).any(|window| window == TYPE))
}

/// Reads the report. As in llvm-cov's own figures, a line ran when the region that is around its beginning ran, or one that
/// begins on it.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn parse_llvm_cov_json(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let report: LlvmCovReport = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let mut files: BTreeMap<&str, Full> = BTreeMap::new();
    for file in report.data.iter().flat_map(|export| &export.files) {
        let lines = files.entry(&file.filename).or_default();
        add_segments(&file.segments, lines)?;
    }
    Ok(records_by_path(files))
}

fn add_segments(segments: &[Segment], lines: &mut Full) -> Result<(), String> {
    let mut around: Option<u64> = None;
    let mut segments = segments.iter().map(Segment::parts).peekable();
    while let Some(&(line, ..)) = segments.peek() {
        let mut best: Option<u64> = around;
        let mut begins = false;
        while let Some((_, count, entry, gap)) = segments.next_if(|next| next.0 == line) {
            if entry && !gap {
                begins = true;
                best = best.max(count);
            }
            around = if gap { None } else { count };
        }
        if begins || best.is_some() {
            lines.add_line(line, best.is_some_and(|count| count > 0));
        }
        let next = segments.peek().map_or(line, |next| next.0);
        if next < line || next - line > MOST_LINES {
            return Err(format!("the segments behind line {line} are not in order"));
        }
        if let Some(count) = around {
            (line + 1..next).for_each(|line| lines.add_line(line, count > 0));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::record::RecordedLines;
    use super::*;

    #[test]
    fn segments_become_lines() {
        // A function of lines 3 to 8, with a branch in lines 5 and 6 that did not run.
        let text = r#"{"data":[{"files":[{"filename":"/w/src/a.rs","segments":[[3,1,2,true,true,false],[5,9,0,true,true,false],
            [6,6,2,true,false,false],[8,2,0,false,false,false]],"summary":{}}],"functions":[],"totals":{}}],
            "type":"llvm.coverage.json.export","version":"2.0.1"}"#;
        assert!(is_llvm_cov_json(text.as_bytes()));
        let records = parse_llvm_cov_json(text.as_bytes()).unwrap();
        assert_eq!(records[0].spellings, ["/w/src/a.rs"]);
        let RecordedLines::Full(full) = &records[0].lines else { panic!("{records:?}") };
        let told: Vec<(u32, bool)> = full.ran.iter().map(|(line, ran)| (*line, *ran)).collect();
        assert_eq!(told, [(3, true), (4, true), (5, true), (6, false), (7, true), (8, true)]);
    }

    #[test]
    fn what_is_out_of_order_is_named() {
        let text = r#"{"data":[{"files":[{"filename":"a","segments":[[9,1,1,true,true],[2,1,1,true,true]]}]}]}"#;
        assert_eq!(parse_llvm_cov_json(text.as_bytes()).unwrap_err(), "the segments behind line 9 are not in order");
    }
}

//! The JSON that `gcov --json-format` writes of one object file, plain or as the `.gcov.json.gz` that it leaves.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use serde::Deserialize;

use super::record::{Full, Record, RecordedLines};

/// How a gzip file begins.
const GZIP: &[u8] = b"\x1f\x8b";

#[derive(Deserialize)]
struct GcovReport {
    current_working_directory: String,
    files: Vec<GcovFile>,
}

#[derive(Deserialize)]
struct GcovFile {
    file: String,
    lines: Vec<GcovLine>,
}

#[derive(Deserialize)]
struct GcovLine {
    line_number: u32,
    count: u64,
}

/// The text of a report that is packed, of at most `most` bytes; none for one that is not.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn unpack_gzip(bytes: &[u8], most: u64) -> Option<Result<Vec<u8>, String>> {
    bytes.starts_with(GZIP).then(|| {
        let mut text = Vec::new();
        let read = MultiGzDecoder::new(bytes).take(most.saturating_add(1)).read_to_end(&mut text);
        read.map_err(|error| format!("it cannot be unpacked: {error}"))?;
        if text.len() as u64 > most { Err(format!("it has more than {most} bytes when unpacked")) } else { Ok(text) }
    })
}

/// True for such a report: no other names the file of notes that a compiler left.
pub(super) fn is_gcov_json(bytes: &[u8]) -> bool {
    // The order of its keys differs between versions, and what is in the midst is long.
    let (head, tail) = (bytes.get(..bytes.len().min(4_096)), bytes.get(bytes.len().saturating_sub(4_096)..));
    let has =
        |word: &[u8]| [head, tail].into_iter().flatten().any(|part| part.windows(word.len()).any(|it| it == word));
    has(b"\"gcc_version\"") && has(b"\"data_file\"")
}

/// Reads the report. A line that several functions share, such as one of a template, ran when it ran in one of them.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn parse_gcov_json(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let report: GcovReport = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let mut files: BTreeMap<&str, Full> = BTreeMap::new();
    for file in &report.files {
        let lines = files.entry(&file.file).or_default();
        file.lines.iter().for_each(|line| lines.add_line(line.line_number, line.count > 0));
    }
    let record = |(path, lines): (&str, Full)| {
        let within = format!("{}/{path}", report.current_working_directory);
        let whole = without_steps_back(if path.starts_with('/') { path } else { &within });
        Record { spellings: vec![whole], lines: RecordedLines::Full(lines) }
    };
    Ok(files.into_iter().map(record).collect())
}

/// An absolute path without `.` and `..`.
fn without_steps_back(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    const TEXT: &str = r#"{"format_version": "1", "gcc_version": "12.2.0", "current_working_directory": "/w/build",
        "data_file": "price.gcno", "files": [{"file": "../src/price.c", "functions": [], "lines": [
        {"line_number": 3, "count": 2, "unexecuted_block": false, "branches": []},
        {"line_number": 5, "count": 0, "unexecuted_block": true, "branches": []},
        {"line_number": 5, "count": 1, "unexecuted_block": false, "branches": []},
        {"line_number": 7, "count": 0, "unexecuted_block": true, "branches": []}]},
        {"file": "/usr/include/stdio.h", "functions": [], "lines": []}]}"#;

    #[test]
    fn lines_are_those_of_all_functions() {
        assert!(is_gcov_json(TEXT.as_bytes()));
        let records = parse_gcov_json(TEXT.as_bytes()).unwrap();
        assert_eq!(records[0].spellings, ["/w/src/price.c"]);
        assert_eq!(records[1].spellings, ["/usr/include/stdio.h"]);
        let RecordedLines::Full(full) = &records[0].lines else { panic!("{records:?}") };
        assert_eq!(full.ran, [(3, true), (5, true), (7, false)].into());
    }

    #[test]
    fn a_packed_report_is_unpacked_up_to_a_bound() {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(TEXT.as_bytes()).unwrap();
        let packed = packer.finish().unwrap();
        assert_eq!(unpack_gzip(&packed, 1 << 20).unwrap().unwrap(), TEXT.as_bytes());
        assert!(unpack_gzip(&packed, 10).unwrap().unwrap_err().contains("more than 10 bytes"));
        assert!(unpack_gzip(&packed[..20], 1 << 20).unwrap().unwrap_err().contains("cannot be unpacked"));
        assert!(unpack_gzip(TEXT.as_bytes(), 1 << 20).is_none());
    }
}

//! A wheel's RECORD: the SHA-256 and size of each of its files.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use tapps_base::digest;
use tapps_base::{Error, ErrorCode, Result};

/// One line of a RECORD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordLine {
    /// Path inside the wheel.
    pub path: String,
    /// SHA-256 in lower-case hex and size in bytes; none for RECORD itself.
    pub content: Option<(String, u64)>,
}

/// Reads a RECORD.
///
/// # Errors
/// `toolchain_mismatch` naming the line that is malformed or whose file has no SHA-256 or no size.
pub(super) fn parse_wheel_record(text: &str) -> Result<Vec<RecordLine>> {
    text.lines().filter(|line| !line.is_empty()).map(parse_line).collect()
}

fn parse_line(line: &str) -> Result<RecordLine> {
    let fields = split_record_fields(line).ok_or_else(|| malformed_record_error(line))?;
    let [path, hash, size] = fields.as_slice() else { return Err(malformed_record_error(line)) };
    if hash.is_empty() && path.ends_with(".dist-info/RECORD") {
        return Ok(RecordLine { path: path.clone(), content: None });
    }
    let sha256 = hash
        .strip_prefix("sha256=")
        .and_then(|text| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok())
        .filter(|bytes| bytes.len() == 32)
        .ok_or_else(|| malformed_record_error(line))?;
    let size = size.parse().map_err(|_| malformed_record_error(line))?;
    Ok(RecordLine { path: path.clone(), content: Some((digest::hex(&sha256), size)) })
}

/// Splits one line of comma-separated values; a quoted field may hold commas and doubled quotes.
fn split_record_fields(line: &str) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            Some(quoted) => unquote(quoted)?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                let (field, after) = rest.split_at(end);
                (field.to_owned(), after)
            }
        };
        fields.push(field);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Some(fields),
            None => return None,
        }
    }
}

fn unquote(text: &str) -> Option<(String, &str)> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"')?;
        field.push_str(before);
        match after.strip_prefix('"') {
            Some(next) => {
                field.push('"');
                rest = next;
            }
            None => return Some((field, after)),
        }
    }
}

fn malformed_record_error(line: &str) -> Error {
    Error::new(ErrorCode::ToolchainMismatch, format!("RECORD has a line without a path, SHA-256 and size: `{line}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
    const EMPTY_HEX: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn reads_plain_and_quoted_lines() {
        let text = format!("a/b.py,sha256={EMPTY},0\r\n\"c,\"\"d.py\",sha256={EMPTY}=,12\nx.dist-info/RECORD,,\n");
        let lines = parse_wheel_record(&text).unwrap();
        assert_eq!(lines[0], RecordLine { path: "a/b.py".into(), content: Some((EMPTY_HEX.into(), 0)) });
        assert_eq!(lines[1], RecordLine { path: "c,\"d.py".into(), content: Some((EMPTY_HEX.into(), 12)) });
        assert_eq!(lines[2], RecordLine { path: "x.dist-info/RECORD".into(), content: None });
    }

    #[test]
    fn refuses_a_line_that_proves_nothing() {
        for line in [
            "a.py,,",
            "a.py,md5=abc,3",
            "a.py,sha256=short,3",
            "a.py",
            &format!("a.py,sha256={EMPTY},"),
            &format!("\"a.py,sha256={EMPTY},0"),
            &format!("\"a\"b,sha256={EMPTY},0"),
            &format!("a.py,sha256={EMPTY},0,more"),
        ] {
            let error = parse_wheel_record(line).unwrap_err();
            assert_eq!(error.code(), ErrorCode::ToolchainMismatch, "{line}");
        }
    }
}

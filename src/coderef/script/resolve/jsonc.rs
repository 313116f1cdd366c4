//! JSON with comments and commas before closing brackets.

use serde_json::Value;

/// Reads it, or gives `None`.
#[must_use]
pub fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(&jsonc_to_json(text.trim_start_matches('\u{feff}'))).ok()
}

fn jsonc_to_json(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (byte, bytes.get(at + 1)) {
            (b'"', _) => {
                let end = string_end(bytes, at);
                out.extend(bytes.get(at..end).unwrap_or_default());
                at = end;
            }
            (b'/', Some(b'/')) => at += bytes.iter().skip(at).take_while(|byte| **byte != b'\n').count(),
            (b'/', Some(b'*')) => {
                let rest = text.get(at + 2..).unwrap_or_default();
                at = rest.find("*/").map_or(bytes.len(), |end| at + 2 + end + 2);
            }
            (b'}' | b']', _) => {
                while out.last().is_some_and(u8::is_ascii_whitespace) {
                    out.pop();
                }
                if out.last() == Some(&b',') {
                    out.pop();
                }
                out.push(byte);
                at += 1;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_default()
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_last_commas_are_passed_over() {
        let text = "{ // one\n \"a/*\": [\"//x\", /* two */ 1, ], }";
        assert_eq!(parse(text), Some(serde_json::json!({"a/*": ["//x", 1]})));
        assert_eq!(parse("{ /* "), None);
        assert_eq!(parse("\"a\\"), None);
    }
}

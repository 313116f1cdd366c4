//! SHA-256 in lower-case hex, and the canonical JSON that digests are taken over.

use std::io::Read;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::{Error, Result};

/// SHA-256 of `bytes` in lower-case hex.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// SHA-256 of `bytes` as it is.
#[must_use]
pub fn sha256_bytes(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// SHA-256 of some bytes one after another, as it is.
#[must_use]
pub fn sha256_parts(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}

/// SHA-256 of everything `reader` yields, in lower-case hex, with the number of bytes read.
///
/// # Errors
/// What the reader says.
pub fn sha256_reader(mut reader: impl Read) -> std::io::Result<(String, u64)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0_u8; 64 * 1024];
    let mut total = 0;
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok((hex(&hasher.finalize()), total));
        }
        total += read as u64;
        hasher.update(&buffer[..read]);
    }
}

/// Lower-case hex of `bytes`.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    // A big batch writes tens of thousands of these, which the formatting machinery would make its largest cost.
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| DIGITS[usize::from(digit)]);
    let mut out = String::with_capacity(bytes.len() * 2);
    out.extend(digits);
    out
}

/// The canonical JSON of a value: keys sorted, no white space, one representation per value.
///
/// # Errors
/// `internal` when the value cannot be represented in JSON (a map with keys that are not strings).
pub fn canonical_json(value: &impl Serialize) -> Result<String> {
    // serde_json's own map is ordered by key, so going through `Value` sorts every object.
    let value = serde_json::to_value(value).map_err(|e| Error::internal(format!("value has no JSON form: {e}")))?;
    Ok(value.to_string())
}

/// SHA-256 of a value's canonical JSON, in lower-case hex.
///
/// # Errors
/// As [`canonical_json`].
pub fn of_json(value: &impl Serialize) -> Result<String> {
    Ok(sha256(canonical_json(value)?.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(sha256_reader(&b"abc"[..]).unwrap(), (abc.to_owned(), 3));
    }

    #[test]
    fn canonical_json_sorts_keys_at_every_depth() {
        let value = serde_json::json!({"b": {"z": 1, "a": [2.5, {"y": 0, "x": null}]}, "a": "é"});
        assert_eq!(canonical_json(&value).unwrap(), r#"{"a":"é","b":{"a":[2.5,{"x":null,"y":0}],"z":1}}"#);
    }
}

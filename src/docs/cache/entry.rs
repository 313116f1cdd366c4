//! One kept answer as it stands on disk: a line of header, then the bytes.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use tapps_base::digest;

/// The layout of a file; another one is read as no entry at all.
const FORMAT: u32 = 1;
/// A header is short; a file without a line end this far in is no entry.
const LONGEST_HEADER: usize = 1_024;

/// What an answer is known by: SHA-256 over the parts that decide it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocsCacheKey(String);

impl DocsCacheKey {
    /// The key of a list of parts; no two different lists give the same.
    #[must_use]
    pub fn from_parts(parts: &[&str]) -> Self {
        let mut all = Vec::new();
        for part in parts {
            all.extend_from_slice(&(part.len() as u64).to_le_bytes());
            all.extend_from_slice(part.as_bytes());
        }
        Self(digest::sha256(&all))
    }

    /// Lower-case hex.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A kept answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedAnswer {
    pub payload: Vec<u8>,
    /// How long ago it was put; zero when the clock was set back since.
    pub age: Duration,
    /// Whether it has outlived its lifetime.
    pub stale: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: u32,
    key: String,
    /// Seconds since the Unix epoch.
    put: u64,
    /// Seconds for which it is fresh.
    lifetime: u64,
    bytes: u64,
    /// Over everything else in the header and the payload.
    sha256: String,
}

/// The file of an entry.
pub(super) fn encode_entry(key: &DocsCacheKey, put: Duration, lifetime: Duration, payload: &[u8]) -> Vec<u8> {
    let (put, lifetime) = (put.as_secs(), lifetime.as_secs());
    let sha256 = entry_checksum(key.as_str(), put, lifetime, payload);
    let header = serde_json::json!({
        "format": FORMAT, "key": key.as_str(), "put": put, "lifetime": lifetime, "bytes": payload.len(),
        "sha256": sha256,
    });
    let mut file = header.to_string().into_bytes();
    file.push(b'\n');
    file.extend_from_slice(payload);
    file
}

/// The answer in the file of an entry; none when a single bit is not as it was written.
pub(super) fn decode_entry(key: &DocsCacheKey, file: &[u8], now: Duration) -> Option<CachedAnswer> {
    let (header, payload) = split(file)?;
    if header.key != key.as_str() || !is_sound(&header, payload) {
        return None;
    }
    let age = now.saturating_sub(Duration::from_secs(header.put));
    Some(CachedAnswer { payload: payload.to_vec(), age, stale: age >= Duration::from_secs(header.lifetime) })
}

/// The key of a sound file, whatever it is called.
pub(super) fn key_of(file: &[u8]) -> Option<DocsCacheKey> {
    let (header, payload) = split(file)?;
    is_sound(&header, payload).then_some(DocsCacheKey(header.key))
}

fn split(file: &[u8]) -> Option<(Header, &[u8])> {
    let end = file.iter().take(LONGEST_HEADER).position(|byte| *byte == b'\n')?;
    let header: Header = serde_json::from_slice(file.get(..end)?).ok()?;
    Some((header, file.get(end + 1..)?))
}

fn is_sound(header: &Header, payload: &[u8]) -> bool {
    header.format == FORMAT
        && header.bytes == payload.len() as u64
        && header.sha256 == entry_checksum(&header.key, header.put, header.lifetime, payload)
}

fn entry_checksum(key: &str, put: u64, lifetime: u64, payload: &[u8]) -> String {
    let mut all = format!("{FORMAT} {key} {put} {lifetime} {}\n", payload.len()).into_bytes();
    all.extend_from_slice(payload);
    digest::sha256(&all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1_000_000);
    const LIFE: Duration = Duration::from_secs(60);

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(DocsCacheKey::from_parts(&["ab", "c"]), DocsCacheKey::from_parts(&["a", "bc"]));
        assert_ne!(DocsCacheKey::from_parts(&["ab"]), DocsCacheKey::from_parts(&["ab", ""]));
        assert_eq!(DocsCacheKey::from_parts(&["a"]).as_str().len(), 64);
    }

    #[test]
    fn freshness_is_told_by_age() {
        let key = DocsCacheKey::from_parts(&["k"]);
        let file = encode_entry(&key, NOW, LIFE, b"payload\nof lines");
        for (passed, stale) in [(0, false), (59, false), (60, true), (6_000, true)] {
            let found = decode_entry(&key, &file, NOW + Duration::from_secs(passed)).unwrap();
            assert_eq!(
                found,
                CachedAnswer { payload: b"payload\nof lines".to_vec(), age: Duration::from_secs(passed), stale }
            );
        }
        assert_eq!(decode_entry(&key, &file, Duration::ZERO).unwrap().age, Duration::ZERO);
        assert_eq!(decode_entry(&DocsCacheKey::from_parts(&["other"]), &file, NOW), None);
    }

    #[test]
    fn every_truncation_and_every_flipped_bit_is_noticed() {
        let key = DocsCacheKey::from_parts(&["k"]);
        let file = encode_entry(&key, NOW, LIFE, b"{\"answer\": 42}");
        for length in 0..file.len() {
            assert_eq!(decode_entry(&key, &file[..length], NOW), None, "cut to {length}");
        }
        for bit in 0..file.len() * 8 {
            let mut flipped = file.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // A flip that only changes the case of a hex digit in a header would still have to change the seal.
            assert_eq!(decode_entry(&key, &flipped, NOW), None, "bit {bit}");
        }
        let mut longer = file;
        longer.push(b' ');
        assert_eq!(decode_entry(&key, &longer, NOW), None);
    }
}

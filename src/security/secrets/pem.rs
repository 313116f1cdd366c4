//! Private keys in PEM armour, on many lines, in one line with `\n`, or in pieces of string literals.

use std::ops::Range;

use super::secret::{SecretHit, rank, secrets};
use super::{measure, placeholder};
use tapps_base::finding::Severity;

secrets! {
    PRIVATE_KEY: "private-key", High, "A private key", "Replace the key pair wherever the key is trusted", "CWE-321";
    ENCRYPTED_KEY: "encrypted-private-key", Low, "An encrypted private key", "Keep the key out of the repository", "CWE-321";
}

/// What every block begins with.
pub(super) const BEGIN: &str = "-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// Longest label and longest block that are looked at, in bytes.
const LABEL: usize = 48;
const LONGEST: usize = 64 * 1024;

/// Fewest base64 characters of a key: an Ed25519 key in PKCS #8 has 64.
const SHORTEST: usize = 60;

/// First characters of an OpenSSH key that is not encrypted: its cipher is called `none`.
const OPENSSH: &str = "b3BlbnNzaC1rZXktdjEA";
const OPENSSH_PLAIN: &str = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU";

/// The private key whose armour begins at `start`, where [`BEGIN`] stands.
pub(super) fn find_private_key_at(bytes: &[u8], start: usize) -> Option<SecretHit> {
    let after = start + BEGIN.len();
    let label = bytes.get(after..bytes.len().min(after + LABEL))?;
    let length = find_bytes(label, DASHES)?;
    let label = std::str::from_utf8(label.get(..length)?).ok()?;
    if !label.contains("PRIVATE KEY") {
        return None;
    }
    let body_start = after + length + DASHES.len();
    let body = bytes.get(body_start..bytes.len().min(body_start + LONGEST))?;
    let closed = find_bytes(body, END);
    let body = closed.map_or(body, |at| &body[..at]);
    let text = String::from_utf8_lossy(body);
    let (code, covered) = base64_text(&text, closed.is_some());
    if code.len() < SHORTEST || measure::entropy(&code) < 3.6 || placeholder::is_placeholder_token(&code) {
        return None;
    }
    let encrypted = label.contains("ENCRYPTED")
        || text.contains("ENCRYPTED")
        || (code.starts_with(OPENSSH) && !code.starts_with(OPENSSH_PLAIN));
    let end = match closed {
        Some(at) => armour_end(bytes, body_start + at),
        None => body_start + covered,
    };
    let secret = if encrypted { ENCRYPTED_KEY } else { PRIVATE_KEY };
    let severity = if encrypted { Severity::Low } else { Severity::High };
    Some(SecretHit::new(secret, start..end.min(bytes.len()), severity, rank::STRUCTURE))
}

/// The base64 of the body without line ends, quotes and armour headers, and how many bytes of the body it reaches over.
///
/// A body without an end line ends where the first thing that is no base64 begins.
fn base64_text(text: &str, closed: bool) -> (String, usize) {
    let (mut code, mut covered, mut at) = (String::new(), 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let word = at..at + bytes[at..].iter().take_while(|&&byte| is_base64(byte)).count();
        if word.is_empty() {
            // An escaped line end is two characters, of which the second looks like base64.
            at += if bytes[at] == b'\\' && bytes.get(at + 1) != Some(&b'\\') { 2 } else { 1 };
            continue;
        }
        let piece = &text[word.clone()];
        at = word.end;
        if !is_key_body_line(piece, bytes.get(at).copied(), &code) {
            if closed || code.is_empty() {
                continue;
            }
            break;
        }
        code.push_str(piece);
        covered = at;
    }
    (code, covered)
}

/// Lines of the body are long; only the last may be short. A word before a colon or a full stop is prose or a header.
fn is_key_body_line(piece: &str, next: Option<u8>, code: &str) -> bool {
    let long = piece.len() >= 16 || (!code.is_empty() && piece.len() >= 4 && piece.len().is_multiple_of(4));
    long && !matches!(next, Some(b':' | b'.' | b',' | b'(' | b'_' | b'-'))
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The end of the closing line whose `-----END ` stands at `at`.
fn armour_end(bytes: &[u8], at: usize) -> usize {
    let label = at + END.len();
    let rest = bytes.get(label..bytes.len().min(label + LABEL)).unwrap_or_default();
    label + find_bytes(rest, DASHES).map_or(0, |length| length + DASHES.len())
}

fn find_bytes(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let finder: Range<usize> = 0..haystack.len().checked_sub(needle.len())? + 1;
    finder.into_iter().find(|&at| haystack[at..].starts_with(needle))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise that is no key: 44 characters, different for each `seed`.
    fn noise(seed: u8) -> String {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        (0..44_u32).map(|i| char::from(ALPHABET[((i * 37 + u32::from(seed) * 11 + i * i * 5) % 64) as usize])).collect()
    }

    fn block(label: &str, separator: &str) -> String {
        let dashes = "-----";
        let lines = [noise(1), noise(2), noise(3)].join(separator);
        format!("{dashes}BEGIN {label}{dashes}{separator}{lines}{separator}{dashes}END {label}{dashes}")
    }

    #[test]
    fn every_armour_and_every_way_of_writing_it() {
        for label in
            ["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]
        {
            for separator in ["\n", "\r\n", "\\n", "\\\\n", "\\n\" +\n  \"", "\n    "] {
                let text = format!("key = \"{}\" # end", block(label, separator));
                let hit = find_private_key_at(text.as_bytes(), 7).unwrap();
                assert_eq!(hit.severity, Severity::High);
                assert_eq!(&text[hit.span.end..], "\" # end", "{label} {separator:?}");
            }
        }
    }

    #[test]
    fn encrypted_keys_weigh_less_and_headers_alone_nothing() {
        let encrypted = block("ENCRYPTED PRIVATE KEY", "\n");
        assert_eq!(find_private_key_at(encrypted.as_bytes(), 0).unwrap().severity, Severity::Low);
        for text in ["-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"] {
            assert!(find_private_key_at(text.as_bytes(), 0).is_none());
        }
        assert!(find_private_key_at(block("PUBLIC KEY", "\n").as_bytes(), 0).is_none());
        assert!(find_private_key_at(block("CERTIFICATE", "\n").as_bytes(), 0).is_none());
    }

    #[test]
    fn a_block_cut_off_ends_with_its_last_base64() {
        let text = block("RSA PRIVATE KEY", "\n");
        let cut = format!("{}\nand then prose.", &text[..text.find("\n-----END").unwrap()]);
        let hit = find_private_key_at(cut.as_bytes(), 0).unwrap();
        assert_eq!(&cut[hit.span.end..], "\nand then prose.");
    }
}

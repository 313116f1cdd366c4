//! What an entry looks like on its way: a mark, a seal that ties the bytes to their key, the bytes.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::entry::{EntryKey, entry_seal};

/// Begins every entry; another form of entry has another mark.
const MARK: &[u8; 4] = b"tm1\n";
const SEAL: usize = 32;

/// What only the machines of the fleet know. With it, an entry that somebody else has put is told from one of the
/// fleet's own; without it, only damage is noticed.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// A secret of any length.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    fn mac(&self, key: &EntryKey, payload: &[u8]) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        mac.update(&key.0);
        mac.update(payload);
        Some(mac)
    }
}

/// An entry as it is put.
pub(super) fn wrap_entry(secret: Option<&Secret>, key: &EntryKey, payload: &[u8]) -> Option<Vec<u8>> {
    let sealed: [u8; SEAL] = match secret {
        Some(secret) => secret.mac(key, payload)?.finalize().into_bytes().into(),
        None => entry_seal(key, payload),
    };
    Some([&MARK[..], &sealed, payload].concat())
}

/// The bytes of an entry; none when they are not those that the fleet put under this key.
pub(super) fn unwrap_entry(secret: Option<&Secret>, key: &EntryKey, entry: &[u8]) -> Option<Vec<u8>> {
    let (sealed, payload) = entry.strip_prefix(MARK)?.split_at_checked(SEAL)?;
    let sound = match secret {
        Some(secret) => secret.mac(key, payload)?.verify_slice(sealed).is_ok(),
        None => entry_seal(key, payload)[..] == *sealed,
    };
    sound.then(|| payload.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyBuilder;

    #[test]
    fn only_what_was_put_under_a_key_with_the_secret_is_taken() {
        let (key, other) = (KeyBuilder::new("a").finish_key(), KeyBuilder::new("b").finish_key());
        let (ours, theirs) = (Secret::new(b"ours"), Secret::new(b"theirs"));
        for secret in [None, Some(&ours)] {
            let entry = wrap_entry(secret, &key, b"payload").unwrap();
            assert_eq!(unwrap_entry(secret, &key, &entry).as_deref(), Some(&b"payload"[..]));
            assert_eq!(unwrap_entry(secret, &other, &entry), None);
            assert_eq!(unwrap_entry(Some(&theirs), &key, &entry), None);
            for at in 0..entry.len() {
                let mut flipped = entry.clone();
                flipped[at] ^= 1;
                assert_eq!(unwrap_entry(secret, &key, &flipped), None, "byte {at}");
                assert_eq!(unwrap_entry(secret, &key, &entry[..at]), None, "cut at {at}");
            }
        }
        assert_eq!(unwrap_entry(Some(&ours), &key, &wrap_entry(None, &key, b"forged").unwrap()), None);
    }

    #[test]
    fn a_secret_is_not_shown() {
        assert_eq!(format!("{:?}", Secret::new(b"canary")), "Secret(…)");
    }
}

//! Step tokens: who may go on from where, sealed so that nobody can make one up.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use tapps_base::{Error, Result, digest};

/// Longer than any token; what is longer is not looked at.
const LONGEST: usize = 2_048;

/// What a token says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    pub execution_id: String,
    pub step_name: String,
    /// Grows with every token of an execution.
    pub sequence: i64,
    /// Milliseconds since the Unix epoch.
    pub issued_at: i64,
    /// Makes tokens of one moment differ.
    pub nonce: String,
}

/// The key that seals the tokens of one project.
#[derive(Clone)]
pub struct TokenKey([u8; 32]);

impl std::fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenKey")
    }
}

impl TokenKey {
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The token for some claims: the same claims always give the same token.
    ///
    /// # Errors
    /// `internal` when the claims have no JSON form.
    pub fn sign_claims(&self, claims: &Claims) -> Result<String> {
        let json = serde_json::to_vec(claims).map_err(|e| Error::internal(format!("a token has no JSON form: {e}")))?;
        let payload = BASE64.encode(json);
        let seal = self.hmac_of_payload(&payload)?.finalize().into_bytes();
        Ok(format!("{payload}.{}", BASE64.encode(seal)))
    }

    /// What a token says; `None` for anything that this key did not seal, byte for byte.
    #[must_use]
    pub fn verify_token(&self, token: &str) -> Option<Claims> {
        let (payload, seal) = token.split_once('.').filter(|_| token.len() <= LONGEST)?;
        let seal = BASE64.decode(seal).ok()?;
        self.hmac_of_payload(payload).ok()?.verify_slice(&seal).ok()?;
        serde_json::from_slice(&BASE64.decode(payload).ok()?).ok()
    }

    fn hmac_of_payload(&self, payload: &str) -> Result<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0)
            .map_err(|_| Error::internal("the key of the step tokens has a wrong length"))?;
        mac.update(payload.as_bytes());
        Ok(mac)
    }
}

/// What the store keeps of a token.
#[must_use]
pub fn token_hash(token: &str) -> String {
    digest::sha256(token.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> Claims {
        Claims {
            execution_id: "e".into(),
            step_name: "reproduce".into(),
            sequence: 1,
            issued_at: 1_795_213_800_000,
            nonce: "n".into(),
        }
    }

    #[test]
    fn what_was_sealed_is_opened_and_by_no_other_key() {
        let key = TokenKey::new([7; 32]);
        let token = key.sign_claims(&claims()).unwrap();
        assert!(token.starts_with("eyJleGVjdXRpb25faWQi"), "{token}");
        assert_eq!(key.verify_token(&token), Some(claims()));
        assert_eq!(TokenKey::new([8; 32]).verify_token(&token), None);
        assert_eq!(key.sign_claims(&claims()).unwrap(), token);
    }

    #[test]
    fn ten_thousand_changed_tokens_are_all_refused() {
        let key = TokenKey::new([7; 32]);
        let token = key.sign_claims(&claims()).unwrap();
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n";
        let mut tried = 0;
        // Every other letter at every place, every place left out, every place doubled.
        for at in 0..token.len() {
            for letter in alphabet {
                let mut changed = token.clone().into_bytes();
                if changed[at] == *letter {
                    continue;
                }
                changed[at] = *letter;
                assert_eq!(key.verify_token(std::str::from_utf8(&changed).unwrap()), None, "{at} {letter}");
                tried += 1;
            }
            let mut shorter = token.clone();
            let removed = shorter.remove(at);
            let mut longer = token.clone();
            longer.insert(at, removed);
            assert_eq!((key.verify_token(&shorter), key.verify_token(&longer)), (None, None), "{at}");
            tried += 2;
        }
        assert!(tried >= 10_000, "{tried}");
        for other in [
            "",
            ".",
            "a.b",
            &format!("{token}="),
            &format!(" {token}"),
            &format!("{token}.x"),
            &token.to_uppercase(),
            &"A".repeat(5_000),
        ] {
            assert_eq!(key.verify_token(other), None, "{other}");
        }
        // The claims of the token with the seal left out, or under no key at all.
        let payload = token.split_once('.').unwrap().0;
        let unsealed = BASE64.encode([0_u8; 32]);
        assert_eq!(key.verify_token(&format!("{payload}.")), None);
        assert_eq!(key.verify_token(&format!("{payload}.{unsealed}")), None);
    }
}

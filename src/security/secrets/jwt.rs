//! JSON Web Tokens: three parts, of which the first two are JSON in base64.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::secret::{SecretHit, rank, secrets};
use tapps_base::finding::Severity;

secrets! {
    JWT: "json-web-token", High, "A JSON web token", "Revoke the session or rotate the key that signed it";
}

/// Longest token that is looked at, in bytes.
const LONGEST: usize = 8192;

/// Tokens that ended before 2020 (seconds since the epoch) are examples or of no more use.
const LONG_AGO: i64 = 1_577_836_800;

/// The token that begins at `start`, where `eyJ` stands.
pub(super) fn find_jwt_at(bytes: &[u8], start: usize) -> Option<SecretHit> {
    let window = bytes.get(start..bytes.len().min(start + LONGEST))?;
    let token =
        window.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')).count();
    let text = std::str::from_utf8(window.get(..token)?).ok()?;
    let mut parts = text.splitn(3, '.');
    let (header, payload, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let signature = rest.split('.').next()?;
    if signature.len() < 20 {
        return None;
    }
    let header = decode_json_part(header)?;
    let algorithm = header.get("alg")?.as_str()?;
    if algorithm.eq_ignore_ascii_case("none") {
        return None;
    }
    let severity = judge_jwt_claims(&decode_json_part(payload)?)?;
    let length = text.len() - rest.len() + signature.len();
    Some(SecretHit::new(JWT, start..start + length, severity, rank::PROVIDER))
}

fn decode_json_part(part: &str) -> Option<Value> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

/// A token that never ends is worth a password; one that ends soon is worth less; an example is worth nothing.
fn judge_jwt_claims(claims: &Value) -> Option<Severity> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    // The introduction to the format everywhere uses this person.
    let sample = text("sub") == "1234567890" || text("name") == "john doe";
    let example = ["iss", "aud", "sub", "email"].iter().any(|name| text(name).contains("example"));
    // Documentation signs claims such as `{"some": "payload"}`, which no server acts upon.
    let used =
        ["sub", "iss", "aud", "exp", "nbf", "iat", "jti", "role", "roles", "scope", "uid", "user", "user_id", "email"];
    let toy = !used.iter().any(|name| claims.get(name).is_some());
    let expires = claims.get("exp").and_then(Value::as_i64);
    // The public key of a hosted database carries this role, and is meant for browsers.
    let public = text("role") == "anon";
    if sample || toy || example || public || expires.is_some_and(|end| end < LONG_AGO) {
        return None;
    }
    Some(if expires.is_some() { Severity::Medium } else { Severity::High })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(header: &str, claims: &str) -> Vec<u8> {
        let encode = |text: &str| URL_SAFE_NO_PAD.encode(text);
        format!("{}.{}.{}", encode(header), encode(claims), encode("k9QzLmVx7Rt2WbNpYhDs4Gf1")).into_bytes()
    }

    #[test]
    fn claims_decide() {
        let header = r#"{"alg":"HS256","typ":"JWT"}"#;
        for (header, claims, severity) in [
            (header, r#"{"sub":"u-8841","role":"admin"}"#, Some(Severity::High)),
            (header, r#"{"sub":"u-8841","exp":1900000000}"#, Some(Severity::Medium)),
            (header, r#"{"sub":"u-8841","exp":1500000000}"#, None),
            (header, r#"{"sub":"1234567890","name":"John Doe","iat":1516239022}"#, None),
            (header, r#"{"iss":"https://issuer.example.com"}"#, None),
            (r#"{"alg":"none"}"#, r#"{"sub":"u-8841"}"#, None),
            (r#"{"typ":"JWT"}"#, r#"{"sub":"u-8841"}"#, None),
            (header, "not json", None),
        ] {
            assert_eq!(find_jwt_at(&token(header, claims), 0).map(|hit| hit.severity), severity, "{claims}");
        }
    }

    #[test]
    fn the_span_covers_the_whole_token_and_nothing_else() {
        let mut bytes = token(r#"{"alg":"RS256"}"#, r#"{"sub":"u-1"}"#);
        let length = bytes.len();
        bytes.extend_from_slice(b"\" and more");
        assert_eq!(find_jwt_at(&bytes, 0).unwrap().span, 0..length);
    }
}

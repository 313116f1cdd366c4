// expects tapps:hard-coded-key
pub fn signing_key() -> jsonwebtoken::EncodingKey {
    jsonwebtoken::EncodingKey::from_secret(b"correct horse battery")
}

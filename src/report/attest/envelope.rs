//! The envelope that a statement travels in: DSSE, whose signature is over the statement's bytes and what they are.
//!
//! Keys and signing stay with the user's own tools. What they sign is [`signed_bytes`]; minisign's plain signatures are Ed25519
//! over exactly those, so that whoever knows the key can check them with any tool that knows DSSE.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use super::difference::Difference;
use super::signature::{MinisignKey, MinisignSignature};
use super::statement::Statement;
use tapps_base::{Error, ErrorCode, Result, digest};

/// What the envelope says of its payload.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// A statement with the signatures that were made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// The bytes of the statement in base64.
    payload: String,
    #[serde(rename = "payloadType")]
    payload_type: String,
    /// None before anybody has signed.
    #[serde(default)]
    pub signatures: Vec<EnvelopeSignature>,
}

/// One signature of an envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvelopeSignature {
    /// A hint at the key; it proves nothing.
    #[serde(default)]
    pub keyid: String,
    /// In base64.
    pub sig: String,
}

impl Envelope {
    /// The envelope of a statement, not signed yet.
    ///
    /// # Errors
    /// `internal` when the statement has no JSON form, which cannot happen.
    pub fn of_statement(statement: &Statement) -> Result<Self> {
        let payload = STANDARD.encode(statement.to_text()?);
        Ok(Self { payload, payload_type: PAYLOAD_TYPE.to_owned(), signatures: Vec::new() })
    }

    /// Reads an envelope.
    ///
    /// # Errors
    /// `corrupted_data` when it is none, or holds something else.
    pub fn parse(text: &str) -> Result<Self> {
        let envelope: Self =
            serde_json::from_str(text).map_err(|e| damaged(format!("the attestation is no DSSE envelope: {e}")))?;
        if envelope.payload_type != PAYLOAD_TYPE {
            let found = &envelope.payload_type;
            return Err(damaged(format!("the attestation has the payloadType `{found}` instead of `{PAYLOAD_TYPE}`")));
        }
        envelope.payload_bytes()?;
        Ok(envelope)
    }

    /// The envelope as it is kept: canonical JSON with a final line end.
    ///
    /// # Errors
    /// `internal` when it has no JSON form, which cannot happen.
    pub fn to_text(&self) -> Result<String> {
        Ok(digest::canonical_json(self)? + "\n")
    }

    /// The statement inside.
    ///
    /// # Errors
    /// `corrupted_data` when it is none, or one of another kind.
    pub fn statement(&self) -> Result<Statement> {
        let bytes = self.payload_bytes()?;
        let text = std::str::from_utf8(&bytes).map_err(|_| damaged("the attested statement is not UTF-8"))?;
        Statement::parse(text)
    }

    /// What a signature of this envelope is made of.
    ///
    /// # Errors
    /// `corrupted_data` when the payload is not base64.
    pub fn bytes_to_sign(&self) -> Result<Vec<u8>> {
        Ok(signed_bytes(&self.payload_type, &self.payload_bytes()?))
    }

    /// Puts a minisign signature of [`Envelope::bytes_to_sign`] into the envelope, where it takes the place of an earlier one by
    /// the same key.
    ///
    /// # Errors
    /// `invalid_argument` for a key or a signature that cannot be read, for one of other bytes or by another key, and for one
    /// of the kind that only minisign can check.
    pub fn add_signature(&mut self, signature: &str, public_key: &str) -> Result<()> {
        let (key, signature) = (MinisignKey::parse(public_key)?, MinisignSignature::parse(signature)?);
        if signature.prehashed {
            return Err(Error::invalid("the signature is of a digest, which only minisign can check")
                .hint("sign with `minisign -S -l -m FILE`"));
        }
        if !is_signed(&key, &self.bytes_to_sign()?, &signature.bytes) {
            return Err(Error::invalid("the signature is not of this attestation by this key")
                .hint("sign what `tapps-mcp attest pae` writes"));
        }
        let keyid = key.name();
        self.signatures.retain(|known| known.keyid != keyid);
        self.signatures.push(EnvelopeSignature { keyid, sig: STANDARD.encode(signature.bytes) });
        Ok(())
    }

    /// Checks that one of the signatures is by a minisign public key. None when that is so.
    ///
    /// # Errors
    /// `invalid_argument` for a key that cannot be read; `corrupted_data` when the payload is not base64.
    pub fn check_signatures(&self, public_key: &str) -> Result<Option<Difference>> {
        let key = MinisignKey::parse(public_key)?;
        let bytes = self.bytes_to_sign()?;
        let by_key = |signature: &EnvelopeSignature| {
            STANDARD.decode(&signature.sig).is_ok_and(|signature| is_signed(&key, &bytes, &signature))
        };
        let forged = "no signature of this statement by this key";
        let signed = self.signatures.iter().any(by_key);
        Ok((!signed).then(|| Difference::new("signature", None, Some(forged.to_owned()))))
    }

    fn payload_bytes(&self) -> Result<Vec<u8>> {
        STANDARD.decode(&self.payload).map_err(|e| damaged(format!("the attestation's payload is not base64: {e}")))
    }
}

/// DSSE's pre-authentication encoding: a payload with its type, so that neither can be taken for another.
fn signed_bytes(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

fn is_signed(key: &MinisignKey, bytes: &[u8], signature: &[u8]) -> bool {
    UnparsedPublicKey::new(&ED25519, key.bytes).verify(bytes, signature).is_ok()
}

fn damaged(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::CorruptedData, message.into()).hint("make it anew with `tapps-mcp gate --attest FILE`")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification of DSSE.
    #[test]
    fn what_is_signed_names_type_and_lengths() {
        assert_eq!(
            signed_bytes("http://example.com/HelloWorld", b"hello world"),
            b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
        );
    }

    #[test]
    fn a_damaged_envelope_is_damaged_data() {
        for text in [
            "",
            "{}",
            "{\"payload\": \"e30=\", \"payloadType\": \"text/plain\", \"signatures\": []}",
            "{\"payload\": \"?\", \"payloadType\": \"application/vnd.in-toto+json\", \"signatures\": []}",
            "{\"payload\": \"e30=\", \"payloadType\": \"application/vnd.in-toto+json\", \"signatures\": []}x",
        ] {
            assert_eq!(Envelope::parse(text).unwrap_err().code(), ErrorCode::CorruptedData, "{text}");
        }
        let empty = "{\"payload\": \"e30=\", \"payloadType\": \"application/vnd.in-toto+json\"}";
        assert_eq!(Envelope::parse(empty).unwrap().statement().unwrap_err().code(), ErrorCode::CorruptedData);
    }
}

//! minisign's keys and signatures, detached ones and their parts. Keys and signing stay with the user's own minisign.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minisign_verify::{PublicKey, Signature};

use super::difference::Difference;
use tapps_base::{Error, Result, digest};

/// Checks the signature of `bytes` by a public key: the text of a `.pub` file, or its one line of base64. None when it
/// is valid.
///
/// # Errors
/// `invalid_argument` for a key or a signature that cannot be read.
pub fn check_signature(bytes: &[u8], signature: &str, public_key: &str) -> Result<Option<Difference>> {
    let key = parse_public_key(public_key)?;
    let signature = Signature::decode(signature).map_err(unreadable_signature)?;
    let verified = key.verify(bytes, &signature, false);
    Ok(verified.err().map(|e| {
        Difference::new("signature", None, Some(format!("a signature that is not of this file by this key: {e}")))
    }))
}

fn parse_public_key(text: &str) -> Result<PublicKey> {
    let text = text.trim();
    PublicKey::decode(text).or_else(|_| PublicKey::from_base64(text)).map_err(|e| {
        Error::invalid(format!("the public key cannot be read: {e}")).hint("give the file that `minisign -G` wrote")
    })
}

fn unreadable_signature(error: impl std::fmt::Display) -> Error {
    Error::invalid(format!("the signature cannot be read: {error}")).hint("sign with `minisign -S -m FILE`")
}

/// A public key in its parts: two bytes of algorithm, eight that name the key, and the Ed25519 key.
#[derive(Debug)]
pub(super) struct MinisignKey {
    id: [u8; 8],
    pub(super) bytes: [u8; 32],
}

impl MinisignKey {
    /// Reads the text of a `.pub` file, or its one line of base64.
    pub(super) fn parse(text: &str) -> Result<Self> {
        parse_public_key(text)?;
        let line = text.trim().lines().last().unwrap_or_default();
        let bytes = STANDARD.decode(line.trim()).unwrap_or_default();
        match (bytes.get(2..10).map(TryInto::try_into), bytes.get(10..42).map(TryInto::try_into)) {
            (Some(Ok(id)), Some(Ok(bytes))) => Ok(Self { id, bytes }),
            _ => Err(Error::invalid("the public key cannot be read").hint("give the file that `minisign -G` wrote")),
        }
    }

    /// The key's name as minisign shows it: its eight bytes as one number.
    pub(super) fn name(&self) -> String {
        let reversed: Vec<u8> = self.id.iter().rev().copied().collect();
        digest::hex(&reversed).to_uppercase()
    }
}

/// A signature in its parts: two bytes of algorithm, eight that name the key, and the Ed25519 signature.
#[derive(Debug)]
pub(super) struct MinisignSignature {
    /// True when it is of a digest of the bytes.
    pub(super) prehashed: bool,
    pub(super) bytes: [u8; 64],
}

impl MinisignSignature {
    /// Reads the text of a `.minisig` file.
    pub(super) fn parse(text: &str) -> Result<Self> {
        Signature::decode(text).map_err(unreadable_signature)?;
        let bytes = STANDARD.decode(text.lines().nth(1).unwrap_or_default().trim()).unwrap_or_default();
        match bytes.get(10..74).map(TryInto::try_into) {
            Some(Ok(signature)) => Ok(Self { prehashed: bytes.starts_with(b"ED"), bytes: signature }),
            _ => Err(unreadable_signature("it is too short")),
        }
    }
}

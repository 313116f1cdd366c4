//! Detached minisign signatures of attestations. Keys and signing stay with the user's own minisign.

use minisign_verify::{PublicKey, Signature};

use crate::base::{Error, ErrorCode, Result};

/// Checks the signature of `bytes` by a public key: the text of a `.pub` file, or its one line of base64.
///
/// # Errors
/// `invalid_argument` for a key or a signature that cannot be read; `corrupted_data` when the signature is not of these
/// bytes by this key.
pub fn check_signature(bytes: &[u8], signature: &str, public_key: &str) -> Result<()> {
    let text = public_key.trim();
    let key = PublicKey::decode(text).or_else(|_| PublicKey::from_base64(text)).map_err(|e| {
        Error::invalid(format!("the public key cannot be read: {e}")).hint("give the file that `minisign -G` wrote")
    })?;
    let signature = Signature::decode(signature).map_err(|e| {
        Error::invalid(format!("the signature cannot be read: {e}")).hint("sign with `minisign -S -m FILE`")
    })?;
    key.verify(bytes, &signature, false).map_err(|e| {
        Error::new(ErrorCode::CorruptedData, format!("the signature is not of this attestation by this key: {e}"))
            .hint("get the attestation, its signature and the public key from whoever signed it")
    })
}

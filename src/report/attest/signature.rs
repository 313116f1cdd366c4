//! Detached minisign signatures of attestations. Keys and signing stay with the user's own minisign.

use minisign_verify::{PublicKey, Signature};

use super::difference::Difference;
use tapps_base::{Error, Result};

/// Checks the signature of `bytes` by a public key: the text of a `.pub` file, or its one line of base64. None when it
/// is valid.
///
/// # Errors
/// `invalid_argument` for a key or a signature that cannot be read.
pub fn check_signature(bytes: &[u8], signature: &str, public_key: &str) -> Result<Option<Difference>> {
    let text = public_key.trim();
    let key = PublicKey::decode(text).or_else(|_| PublicKey::from_base64(text)).map_err(|e| {
        Error::invalid(format!("the public key cannot be read: {e}")).hint("give the file that `minisign -G` wrote")
    })?;
    let signature = Signature::decode(signature).map_err(|e| {
        Error::invalid(format!("the signature cannot be read: {e}")).hint("sign with `minisign -S -m FILE`")
    })?;
    let verified = key.verify(bytes, &signature, false);
    Ok(verified.err().map(|e| {
        Difference::new("signature", None, Some(format!("a signature that is not of this file by this key: {e}")))
    }))
}

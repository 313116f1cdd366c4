//! Weak digests and short keys.

use tapps_base::finding::Severity::{self, High, Medium};

use crate::bandit::native::call::CallView;
use crate::bandit::native::literal::Value;
use crate::bandit::native::verdict::{Judged, Lost, Verdict};

const WEAK_DIGESTS: [&str; 4] = ["md4", "md5", "sha", "sha1"];
const WEAK_CRYPT_METHODS: [&str; 3] = ["METHOD_CRYPT", "METHOD_MD5", "METHOD_BLOWFISH"];
/// Broken or risky algorithm.
const BROKEN: u32 = 327;

/// Functions of `hashlib` and of `crypt`.
pub(super) fn judge_digest(view: &CallView<'_, '_>) -> Judged {
    if view.parts().any(|part| part == "hashlib") {
        judge_hashlib(view)
    } else if view.parts().any(|part| part == "crypt") {
        judge_crypt(view)
    } else {
        Ok(None)
    }
}

fn judge_hashlib(view: &CallView<'_, '_>) -> Judged {
    let digest = match view.name() {
        "new" => {
            let named = first_or_keyword(view, 0, "name")?;
            let Some(Value::Text(name)) = named else { return Ok(None) };
            if !WEAK_DIGESTS.contains(&name.to_lowercase().as_str()) {
                return Ok(None);
            }
            name
        }
        name if WEAK_DIGESTS.contains(&name) => name.to_owned(),
        _ => return Ok(None),
    };
    let for_security = view.keyword_entry("usedforsecurity")?.is_none_or(|value| value.is_text("True"));
    let text = format!("Use of weak {} hash for security. Consider usedforsecurity=False", digest.to_uppercase());
    Ok(for_security.then(|| weak_digest((High, High), text, view)))
}

fn judge_crypt(view: &CallView<'_, '_>) -> Judged {
    let method = match view.name() {
        "crypt" => first_or_keyword(view, 1, "salt")?,
        "mksalt" => first_or_keyword(view, 0, "method")?,
        _ => return Ok(None),
    };
    let Some(Value::Text(method)) = method else { return Ok(None) };
    let text = format!("Use of insecure crypt.{} hash function.", method.to_uppercase());
    Ok(WEAK_CRYPT_METHODS.contains(&method.as_str()).then(|| weak_digest((Medium, High), text, view)))
}

fn weak_digest(weight: (Severity, Severity), text: String, view: &CallView<'_, '_>) -> Verdict {
    Verdict::new("B324", weight, BROKEN, "").saying(text).on_line(view.own_line())
}

/// A positional argument, or the keyword when there are not so many.
fn first_or_keyword(view: &CallView<'_, '_>, index: usize, keyword: &str) -> Result<Option<Value>, Lost> {
    let mut positional = view.positional_values()?;
    let named = view.keyword_entry(keyword)?;
    Ok(if index < positional.len() { Some(positional.swap_remove(index)) } else { named.cloned() })
}

/// The kinds of keys with the sizes below which they are of high and of medium weight.
const KEYS: [(&str, u64, u64); 3] = [("DSA", 1024, 2048), ("RSA", 1024, 2048), ("EC", 160, 224)];

const CURVES: &[(&str, u64)] = &[
    ("SECT571K1", 571),
    ("SECT571R1", 570),
    ("SECP521R1", 521),
    ("BrainpoolP512R1", 512),
    ("SECT409K1", 409),
    ("SECT409R1", 409),
    ("BrainpoolP384R1", 384),
    ("SECP384R1", 384),
    ("SECT283K1", 283),
    ("SECT283R1", 283),
    ("BrainpoolP256R1", 256),
    ("SECP256K1", 256),
    ("SECP256R1", 256),
    ("SECT233K1", 233),
    ("SECT233R1", 233),
    ("SECP224R1", 224),
    ("SECP192R1", 192),
    ("SECT163K1", 163),
    ("SECT163R2", 163),
];

/// Keys that are made too short.
pub(super) fn judge_key_size(view: &CallView<'_, '_>) -> Judged {
    let (kind, keyword, position) = match view.qualified.as_str() {
        "cryptography.hazmat.primitives.asymmetric.dsa.generate_private_key" => ("DSA", "key_size", 0),
        "cryptography.hazmat.primitives.asymmetric.rsa.generate_private_key" => ("RSA", "key_size", 1),
        "cryptography.hazmat.primitives.asymmetric.ec.generate_private_key" => return judge_curve(view),
        "Crypto.PublicKey.DSA.generate" | "Cryptodome.PublicKey.DSA.generate" => ("DSA", "bits", 0),
        "Crypto.PublicKey.RSA.generate" | "Cryptodome.PublicKey.RSA.generate" => ("RSA", "bits", 0),
        _ => return Ok(None),
    };
    let named = view.keyword_value(keyword)?.filter(|value| value.is_truthy()).cloned();
    let size = match named {
        Some(size) => Some(size),
        None => view.positional_value(position)?.filter(Value::is_truthy),
    };
    match size {
        Some(Value::Integer(Some(size))) => Ok(short_key(kind, |limit| size < limit)),
        #[expect(clippy::cast_precision_loss, reason = "limits are small")]
        Some(Value::Inexact(size, None)) => Ok(short_key(kind, |limit| size < limit as f64)),
        None | Some(Value::Text(_) | Value::Integer(None)) => Ok(None),
        Some(_) => Err(Lost),
    }
}

fn judge_curve(view: &CallView<'_, '_>) -> Judged {
    let named = view.keyword_value("curve")?.filter(|value| value.is_truthy()).cloned();
    let curve = match named {
        Some(curve) => curve,
        None => view.positional_values()?.into_iter().next().unwrap_or(Value::Unknown),
    };
    if matches!(curve, Value::List(_) | Value::Set(_) | Value::Mapping(..)) {
        return Err(Lost);
    }
    let size = curve.as_text().and_then(|name| CURVES.iter().find(|(known, _)| *known == name));
    Ok(size.and_then(|(_, size)| short_key("EC", |limit| *size < limit)))
}

fn short_key(kind: &str, is_below: impl Fn(u64) -> bool) -> Option<Verdict> {
    let (_, high, medium) = KEYS.into_iter().find(|(name, ..)| *name == kind)?;
    let (limit, severity) = [(high, High), (medium, Medium)].into_iter().find(|(limit, _)| is_below(*limit))?;
    let text = format!("{kind} key sizes below {limit} bits are considered breakable. ");
    Some(Verdict::new("B505", (severity, High), 326, "").saying(text))
}

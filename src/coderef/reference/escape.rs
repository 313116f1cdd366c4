//! Percent-encoding of what paths, names and texts may not hold as it is.

use std::borrow::Cow;

fn encode(text: &str, is_free: impl Fn(usize, u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for (at, byte) in text.bytes().enumerate() {
        if is_free(at, byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A path; slashes stay.
pub(super) fn encode_path(path: &str) -> String {
    encode(path, |_, byte| is_word(byte) || matches!(byte, b'/' | b'.' | b'~' | b'-'))
}

/// An element; dots between names and `#` before one stay.
pub(super) fn encode_element(element: &str) -> String {
    let bytes = element.as_bytes();
    encode(element, |at, byte| match byte {
        b'#' => at.checked_sub(1).and_then(|before| bytes.get(before)).is_none_or(|before| *before == b'.'),
        b'.' | b'$' | b'~' | b'-' => true,
        _ => is_word(byte),
    })
}

/// Any other text.
pub(super) fn encode_text(text: &str) -> String {
    encode(text, |_, byte| is_word(byte) || matches!(byte, b'.' | b'-' | b'$' | b'/' | b'~' | b'+'))
}

/// The text that an encoded one stands for; nothing when it is not UTF-8 or a `%` has no two digits.
pub(super) fn decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains(['%', '\\']) {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        match first {
            b'%' => {
                let digits = rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok())?;
                if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    return None;
                }
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest = rest.get(2..)?;
            }
            b'\\' => {
                let (&escaped, after) = rest.split_first().filter(|(byte, _)| b"#:/{}\\".contains(byte))?;
                bytes.push(escaped);
                rest = after;
            }
            _ => bytes.push(first),
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

//! Personal data and secrets taken out of text before it is handed on.

mod address;
mod number;

use std::borrow::Cow;
use std::ops::Range;

/// Takes secrets out of a text; `security::redact` is one. A room on this floor cannot name it, so it is handed in.
pub type Secrets = fn(&str) -> String;

/// What a span is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RedactionSpan {
    span: Range<usize>,
    what: &'static str,
}

/// `text` without secrets and without personal data: e-mail addresses, social security numbers and payment cards, each
/// replaced by `[redacted <what>]`.
///
/// Addresses and numbers reserved for documentation, and those of hosts rather than of people (`git@github.com:…`),
/// stay.
/// Addresses and numbers reserved for documentation, and those of hosts rather than of people (`git@github.com:…`), stay.
#[must_use]
pub fn redact_text(text: &str, secrets: Secrets) -> Cow<'_, str> {
    let without_secrets = secrets(text);
    match redact_personal_data(&without_secrets) {
        Cow::Borrowed(_) if without_secrets == text => Cow::Borrowed(text),
        Cow::Borrowed(_) => Cow::Owned(without_secrets),
        Cow::Owned(clean) => Cow::Owned(clean),
    }
}

/// `text` without personal data.
#[must_use]
pub fn redact_personal_data(text: &str) -> Cow<'_, str> {
    let mut found = address::find_email_addresses(text);
    found.extend(number::find_personal_numbers(text));
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    found.sort_by_key(|found| (found.span.start, found.span.end));
    let mut clean = String::with_capacity(text.len());
    let mut copied = 0;
    for RedactionSpan { span, what } in found {
        let Some(before) = text.get(copied..span.start) else { continue };
        clean.push_str(before);
        clean.push_str("[redacted ");
        clean.push_str(what);
        clean.push(']');
        copied = span.end;
    }
    clean.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hide(text: &str) -> String {
        text.replace("hunter2", "[redacted password]")
    }

    #[test]
    fn everything_at_once() {
        assert_eq!(
            redact_text("anna.k@firm.de (078-05-1120) paid with 4111 1111 1111 1111, password hunter2", hide),
            "[redacted e-mail] ([redacted social-security-number]) paid with [redacted payment-card], password \
             [redacted password]"
        );
    }

    #[test]
    fn what_holds_nothing_is_the_same_text() {
        for text in ["", "plain", "git@github.com:o/r.git", "0.1234567890123456789", "äöü 数"] {
            assert!(matches!(redact_text(text, str::to_owned), Cow::Borrowed(same) if same == text), "{text}");
        }
        assert_eq!(redact_text("hunter2", hide), "[redacted password]");
        let once = redact_text("a@firm.de", str::to_owned).into_owned();
        assert_eq!(redact_text(&once, str::to_owned), once);
    }
}

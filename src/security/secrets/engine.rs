//! Finding secrets in bytes: one pass for the places, bounded checks there, overlaps resolved.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::{Regex, RegexBuilder};

use super::file::SecretFileFacts;
use super::secret::{Named, SecretHit, TokenFormat, rank};
use super::{assignment, judge, jwt, name, pem, providers, url};
use tapps_base::finding::Severity;

/// How far a pattern may reach, in bytes.
const WINDOW: usize = 2200;

/// A secret key counts as the partner of an access key id within this distance, in bytes.
const PAIRED: usize = 400;

/// What may begin where a literal was seen.
enum LiteralKind {
    Format(Compiled<&'static TokenFormat>),
    Pem,
    Jwt,
    Url,
}

struct Compiled<T> {
    of: T,
    regex: OnceLock<Option<Regex>>,
}

impl<T> Compiled<T> {
    const fn new(of: T) -> Self {
        Self { of, regex: OnceLock::new() }
    }

    /// Patterns are compiled when first needed: most files need none of them.
    fn regex(&self, pattern: &str, whole: bool) -> Option<&Regex> {
        let compile = || {
            let end = if whole { r"\z" } else { "" };
            RegexBuilder::new(&format!(r"\A(?:{pattern}){end}")).unicode(false).build().ok()
        };
        self.regex.get_or_init(compile).as_ref()
    }
}

struct Engine {
    literals: AhoCorasick,
    /// For each literal, the index of what may begin there.
    owners: Vec<Vec<usize>>,
    kinds: Vec<LiteralKind>,
    words: AhoCorasick,
    named: Vec<Compiled<&'static Named>>,
}

static ENGINE: LazyLock<Option<Engine>> = LazyLock::new(Engine::build);

impl Engine {
    /// `None` only when an automaton could not be built, which a test rules out.
    fn build() -> Option<Self> {
        let mut literals: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut kinds = vec![LiteralKind::Pem, LiteralKind::Jwt, LiteralKind::Url];
        for (index, literal) in [pem::BEGIN, "eyJ", "://"].into_iter().enumerate() {
            literals.entry(literal).or_default().push(index);
        }
        for format in providers::formats() {
            for literal in format.starts {
                literals.entry(literal).or_default().push(kinds.len());
            }
            kinds.push(LiteralKind::Format(Compiled::new(format)));
        }
        let automaton = |words: &[&str], fold: bool| {
            AhoCorasick::builder()
                .match_kind(MatchKind::Standard)
                .kind(Some(AhoCorasickKind::DFA))
                .ascii_case_insensitive(fold)
                .build(words)
                .ok()
        };
        Some(Self {
            literals: automaton(&literals.keys().copied().collect::<Vec<_>>(), false)?,
            owners: literals.into_values().collect(),
            kinds,
            words: automaton(name::WORDS, true)?,
            named: providers::named_formats().map(Compiled::new).collect(),
        })
    }

    fn literal_hits(&self, bytes: &[u8], file: SecretFileFacts, hits: &mut Vec<SecretHit>) {
        for found in self.literals.find_overlapping_iter(bytes) {
            let Some(owners) = self.owners.get(found.pattern().as_usize()) else { continue };
            let start = found.start();
            for kind in owners.iter().filter_map(|&owner| self.kinds.get(owner)) {
                let hit = match kind {
                    LiteralKind::Pem => pem::find_private_key_at(bytes, start),
                    LiteralKind::Jwt if is_boundary(bytes, start) => jwt::find_jwt_at(bytes, start),
                    LiteralKind::Url => url::find_url_password_at(bytes, start),
                    LiteralKind::Format(format) => token(bytes, start, format),
                    LiteralKind::Jwt => None,
                };
                hits.extend(hit.map(|hit| soften_in_tests(hit, file)));
            }
        }
    }

    fn assigned_hits(&self, bytes: &[u8], file: SecretFileFacts, hits: &mut Vec<SecretHit>) {
        let mut last = 0;
        for found in self.words.find_overlapping_iter(bytes) {
            let Some(assigned) = assignment::find_assignment_around(bytes, found.start()..found.end(), file) else {
                continue;
            };
            // Several words of one name lead to one assignment.
            if assigned.value.start == last {
                continue;
            }
            last = assigned.value.start;
            let text = |range: &std::ops::Range<usize>| {
                bytes.get(range.clone()).and_then(|part| std::str::from_utf8(part).ok())
            };
            let (Some(named), Some(value)) = (text(&assigned.name), text(&assigned.value)) else { continue };
            let hit = self
                .find_named_format(named, value)
                .map(|(secret, severity)| (secret, severity, rank::NAMED))
                .or_else(|| {
                    let (secret, severity) =
                        judge::judge_value(name::promise_of_name(named)?, value, assigned.quoted, file)?;
                    Some((secret, severity, rank::GENERIC))
                });
            hits.extend(hit.map(|(secret, severity, rank)| SecretHit::new(secret, assigned.value, severity, rank)));
        }
    }

    /// A value whose name says which provider's it is.
    fn find_named_format(&self, named: &str, value: &str) -> Option<(&'static super::secret::Secret, Severity)> {
        let flat = name::flatten_name(named);
        self.named.iter().find_map(|entry| {
            let fits = entry.of.names.iter().any(|part| flat.contains(part))
                && entry.regex(entry.of.pattern, true).is_some_and(|regex| regex.is_match(value.as_bytes()));
            let severity = fits.then(|| (entry.of.check)(value, entry.of.secret.rule.severity))??;
            Some((entry.of.secret, severity))
        })
    }
}

/// The secrets in `bytes`, in the order of their places, none overlapping another.
pub(super) fn detect_secrets(bytes: &[u8], file: SecretFileFacts) -> Vec<SecretHit> {
    let Some(engine) = ENGINE.as_ref() else { return Vec::new() };
    let mut hits = Vec::new();
    engine.literal_hits(bytes, file, &mut hits);
    engine.assigned_hits(bytes, file, &mut hits);
    pair_aws(bytes, &mut hits);
    resolve_overlaps(hits)
}

/// The token whose literal beginning stands at `start`.
fn token(bytes: &[u8], start: usize, format: &Compiled<&'static TokenFormat>) -> Option<SecretHit> {
    let TokenFormat { secret, pattern, back, check, .. } = format.of;
    let left = bytes.get(..start)?.iter().rev().take(*back).take_while(|&&byte| is_token(byte) || byte == b'-').count();
    let begin = start - left;
    let wordy = bytes.get(begin).is_some_and(|&byte| is_token(byte));
    if wordy && !is_boundary(bytes, begin) {
        return None;
    }
    let window = bytes.get(begin..bytes.len().min(begin + WINDOW))?;
    let found = format.regex(pattern, false)?.captures(window)?;
    let whole = found.get(0)?;
    if window.get(whole.end()).is_some_and(|&byte| is_token(byte)) {
        return None;
    }
    let value = found.get(1).unwrap_or(whole);
    let text = std::str::from_utf8(value.as_bytes()).ok()?;
    let severity = check(text, secret.rule.severity)?;
    Some(SecretHit::new(secret, begin + value.start()..begin + value.end(), severity, rank::PROVIDER))
}

const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// True when no token can have begun before `at`: nothing of a word precedes, or an escape such as `\n` or `%3D`.
fn is_boundary(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|index| bytes.get(index)).copied();
    match before(1) {
        None => true,
        Some(byte) if !is_token(byte) => true,
        Some(b'n' | b'r' | b't') if before(2) == Some(b'\\') => true,
        Some(byte) => byte.is_ascii_hexdigit() && before(3) == Some(b'%'),
    }
}

/// Keys and addresses in tests are there to be used in tests.
fn soften_in_tests(mut hit: SecretHit, file: SecretFileFacts) -> SecretHit {
    if file.test && hit.rank == rank::STRUCTURE {
        hit.severity = match hit.severity {
            Severity::Critical | Severity::High => Severity::Medium,
            _ => Severity::Low,
        };
    }
    hit
}

/// An access key id becomes critical with its secret key beside it, which needs no name there.
fn pair_aws(bytes: &[u8], hits: &mut Vec<SecretHit>) {
    let ids: Vec<usize> = (0..hits.len()).filter(|&index| hits[index].secret == providers::AWS_ACCESS_KEY).collect();
    for index in ids {
        let id = hits[index].span.clone();
        let near = |span: &std::ops::Range<usize>| span.start < id.end + PAIRED && id.start < span.end + PAIRED;
        let mut paired = hits.iter().any(|hit| hit.secret == providers::AWS_SECRET_KEY && near(&hit.span));
        if !paired {
            let lone = lone_secret(bytes, id.end);
            paired = lone.is_some();
            hits.extend(lone);
        }
        if paired {
            hits[index].severity = Severity::Critical;
            hits[index].note = " together with its secret key";
        }
    }
}

/// A run of exactly forty characters of base64 that looks drawn, soon after an access key id.
fn lone_secret(bytes: &[u8], from: usize) -> Option<SecretHit> {
    let window = bytes.get(from..bytes.len().min(from + PAIRED / 2))?;
    let mut at = 0;
    while at < window.len() {
        let length =
            window[at..].iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || b"/+".contains(&byte)).count();
        if length == 40 && window.get(at + 40) != Some(&b'=') {
            let text = std::str::from_utf8(&window[at..at + 40]).ok()?;
            let classes = super::measure::Classes::of(text);
            let drawn = classes.lower && classes.upper && classes.digit && super::measure::entropy(text) >= 4.2;
            if drawn && !super::placeholder::is_placeholder_token(text) {
                let span = from + at..from + at + 40;
                return Some(SecretHit::new(providers::AWS_SECRET_KEY, span, Severity::High, rank::NAMED));
            }
        }
        at += length.max(1);
    }
    None
}

/// Keeps the most specific of the hits that overlap, then the longest, then the first.
fn resolve_overlaps(mut hits: Vec<SecretHit>) -> Vec<SecretHit> {
    hits.sort_by(|a, b| {
        let key = |hit: &SecretHit| (hit.rank, std::cmp::Reverse(hit.span.len()), hit.span.start, hit.secret.rule.code);
        key(a).cmp(&key(b))
    });
    let mut kept: BTreeMap<usize, SecretHit> = BTreeMap::new();
    for hit in hits {
        // Kept spans are disjoint, so only the nearest on either side can overlap.
        let before =
            kept.range(..=hit.span.start).next_back().is_some_and(|(_, other)| other.span.end > hit.span.start);
        let after = kept.range(hit.span.start..).next().is_some_and(|(&start, _)| start < hit.span.end);
        if !before && !after {
            kept.insert(hit.span.start, hit);
        }
    }
    kept.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_builds_and_every_pattern_compiles() {
        let engine = ENGINE.as_ref().unwrap();
        for kind in &engine.kinds {
            if let LiteralKind::Format(format) = kind {
                assert!(format.regex(format.of.pattern, false).is_some(), "{}", format.of.pattern);
            }
        }
        for named in &engine.named {
            assert!(named.regex(named.of.pattern, true).is_some(), "{}", named.of.pattern);
        }
    }

    #[test]
    fn overlapping_hits_leave_the_most_specific() {
        let hit = |span, rank| SecretHit::new(providers::AWS_ACCESS_KEY, span, Severity::High, rank);
        let kept = resolve_overlaps(vec![
            hit(0..10, rank::GENERIC),
            hit(2..8, rank::PROVIDER),
            hit(8..9, rank::NAMED),
            hit(20..30, rank::GENERIC),
        ]);
        assert_eq!(kept.iter().map(|hit| hit.span.clone()).collect::<Vec<_>>(), [2..8, 8..9, 20..30]);
    }
}

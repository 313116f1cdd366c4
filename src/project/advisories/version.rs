//! The order of versions, which every ecosystem has its own rules for.

use std::cmp::Ordering;
use std::str::FromStr as _;

use pep508_rs::pep440_rs;

use super::maven;
use super::osv::Range;
use crate::packages::Ecosystem;

/// How two versions stand to each other; `None` when one of them is no version of the ecosystem.
#[must_use]
pub fn compare_versions(ecosystem: Ecosystem, one: &str, other: &str) -> Option<Ordering> {
    match ecosystem {
        Ecosystem::PyPi => {
            let parse = |text| pep440_rs::Version::from_str(text).ok();
            Some(parse(one)?.cmp(&parse(other)?))
        }
        Ecosystem::Npm | Ecosystem::Crates | Ecosystem::Go => {
            let (one, other) = (parse_semantic_version(one)?, parse_semantic_version(other)?);
            // What is built in another way is the same version.
            Some(one.cmp_precedence(&other))
        }
        Ecosystem::Maven => Some(maven::compare(one, other)),
    }
}

/// A semantic version; Go puts a `v` before it, and databases leave parts out.
fn parse_semantic_version(text: &str) -> Option<semver::Version> {
    let text = text.trim().trim_start_matches(['v', '=']);
    let text = text.strip_suffix("+incompatible").unwrap_or(text);
    let core = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at(core);
    let missing = 3_usize.checked_sub(numbers.split('.').count())?;
    semver::Version::parse(&format!("{numbers}{}{rest}", ".0".repeat(missing))).ok()
}

/// Whether a version lies in a range, and the first version after it that is mended.
///
/// Events are sorted by version first; `0` is before every version. `None` when versions cannot be compared.
pub(super) fn check_affected_range(
    ecosystem: Ecosystem,
    version: &str,
    range: &Range,
) -> Option<(bool, Option<String>)> {
    let later_or_same = |bound: &str| {
        if bound == "0" { Some(true) } else { compare_versions(ecosystem, version, bound).map(Ordering::is_ge) }
    };
    // The last event at or before the version decides.
    let mut best: Option<(&str, bool)> = None;
    let mut fixes: Vec<&str> = Vec::new();
    for event in &range.events {
        let (bound, opens, inclusive) = match event {
            _ if event.introduced.is_some() => (event.introduced.as_deref()?, true, true),
            _ if event.fixed.is_some() => (event.fixed.as_deref()?, false, true),
            _ if event.last_affected.is_some() => (event.last_affected.as_deref()?, false, false),
            _ if event.limit.is_some() => (event.limit.as_deref()?, false, true),
            _ => continue,
        };
        let reached = if inclusive {
            later_or_same(bound)?
        } else {
            compare_versions(ecosystem, version, bound).map(Ordering::is_gt)?
        };
        if !reached {
            if event.fixed.is_some() {
                fixes.push(bound);
            }
            continue;
        }
        let later = match best {
            None | Some(("0", _)) => true,
            Some((known, _)) if bound != "0" => compare_versions(ecosystem, bound, known).is_some_and(Ordering::is_ge),
            Some(_) => false,
        };
        if later {
            best = Some((bound, opens));
        }
    }
    fixes.sort_by(|a, b| compare_versions(ecosystem, a, b).unwrap_or(Ordering::Equal));
    Some((best.is_some_and(|(_, opens)| opens), fixes.first().map(|fix| (*fix).to_owned())))
}

#[cfg(test)]
mod tests {
    use super::super::osv::OsvRangeEvent;
    use super::*;
    use rstest::rstest;

    fn range(events: &[(&str, &str)]) -> Range {
        let event = |(kind, version): &(&str, &str)| {
            let version = Some((*version).to_owned());
            match *kind {
                "introduced" => OsvRangeEvent { introduced: version, ..OsvRangeEvent::default() },
                "fixed" => OsvRangeEvent { fixed: version, ..OsvRangeEvent::default() },
                "last" => OsvRangeEvent { last_affected: version, ..OsvRangeEvent::default() },
                _ => OsvRangeEvent { limit: version, ..OsvRangeEvent::default() },
            }
        };
        Range { kind: "ECOSYSTEM".to_owned(), events: events.iter().map(event).collect() }
    }

    #[rstest]
    #[case(Ecosystem::PyPi, "1.0rc1", "1.0", Ordering::Less)]
    #[case(Ecosystem::PyPi, "1.0.post1", "1.0", Ordering::Greater)]
    #[case(Ecosystem::PyPi, "1!0.1", "9.9", Ordering::Greater)]
    #[case(Ecosystem::PyPi, "1.0", "1.0.0", Ordering::Equal)]
    #[case(Ecosystem::Npm, "1.0.0-alpha.2", "1.0.0-alpha.10", Ordering::Less)]
    #[case(Ecosystem::Npm, "10.0.0", "9.0.0", Ordering::Greater)]
    #[case(Ecosystem::Crates, "1.0.0+a", "1.0.0", Ordering::Equal)]
    #[case(Ecosystem::Go, "v1.2.3", "1.2.3", Ordering::Equal)]
    #[case(Ecosystem::Go, "v0.0.0-20200101000000-abcdef", "0.0.0-20210101000000-abcdef", Ordering::Less)]
    #[case(Ecosystem::Go, "v2.0.0+incompatible", "2.0.0", Ordering::Equal)]
    #[case(Ecosystem::Npm, "1.2", "1.2.0", Ordering::Equal)]
    #[case(Ecosystem::Maven, "1.0-rc1", "1.0", Ordering::Less)]
    fn orders(#[case] ecosystem: Ecosystem, #[case] one: &str, #[case] other: &str, #[case] expected: Ordering) {
        assert_eq!(compare_versions(ecosystem, one, other), Some(expected));
    }

    #[rstest]
    #[case("0.9", true, Some("1.2"))]
    #[case("1.2", false, None)]
    #[case("1.1.9", true, Some("1.2"))]
    #[case("2.0", true, Some("2.0.5"))]
    #[case("2.0.5", false, None)]
    #[case("3.0", false, None)]
    fn ranges_open_and_close(#[case] version: &str, #[case] inside: bool, #[case] fix: Option<&str>) {
        let range = range(&[("fixed", "2.0.5"), ("introduced", "0"), ("introduced", "2.0"), ("fixed", "1.2")]);
        let (found, mended) = check_affected_range(Ecosystem::PyPi, version, &range).unwrap();
        assert_eq!(found, inside);
        if let (true, Some(fix)) = (inside, fix) {
            assert_eq!(mended.as_deref(), Some(fix));
        }
    }

    #[test]
    fn the_last_affected_version_belongs_to_the_range_and_nonsense_does_not() {
        let range = range(&[("introduced", "1.0"), ("last", "1.5")]);
        let inside = |version| check_affected_range(Ecosystem::PyPi, version, &range).map(|(inside, _)| inside);
        assert_eq!([inside("0.9"), inside("1.5"), inside("1.5.1")], [Some(false), Some(true), Some(false)]);
        assert_eq!(inside("not a version"), None);
    }
}

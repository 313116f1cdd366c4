//! Comparing versions as far as choosing the nearest takes it.

/// True for two spellings of one version.
#[must_use]
pub fn is_same_version(one: &str, other: &str) -> bool {
    let plain = |version: &str| version.trim_start_matches(['v', '=']).to_lowercase();
    plain(one) == plain(other) || {
        // 2.0 and 2.0.0 are one release; what follows the numbers has to be equal.
        let ((one, rest), (other, remainder)) = (split_version(one), split_version(other));
        let length = one.len().max(other.len());
        let fill = |mut numbers: Vec<u64>| {
            numbers.resize(length, 0);
            numbers
        };
        !one.is_empty() && fill(one) == fill(other) && rest == remainder
    }
}

/// The version nearest to a wanted one: the first number in which it differs decides, then how far it differs there.
#[must_use]
pub fn nearest_version<'v>(wanted: &str, versions: &'v [String]) -> Option<&'v String> {
    let (wanted, _) = split_version(wanted);
    versions.iter().min_by_key(|version| {
        let (numbers, rest) = split_version(version);
        let length = wanted.len().max(numbers.len());
        let at = |numbers: &[u64], place: usize| numbers.get(place).copied().unwrap_or(0);
        let distance: Vec<u64> = (0..length).map(|place| at(&wanted, place).abs_diff(at(&numbers, place))).collect();
        (distance, !rest.is_empty(), (*version).clone())
    })
}

/// The leading numbers, and what follows them.
fn split_version(version: &str) -> (Vec<u64>, String) {
    let version = version.trim_start_matches(['v', '=']);
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let (numbers, rest) = version.split_at(end);
    (numbers.split('.').filter_map(|part| part.parse().ok()).collect(), rest.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_apart_and_the_nearest_is_found() {
        assert!(
            is_same_version("2.0", "2.0.0")
                && is_same_version("v1.2", "1.2")
                && !is_same_version("2.0", "2.0rc1")
                && !is_same_version("2.0.1", "2.0")
        );
        let versions: Vec<String> = ["1.9.9", "2.0.1", "2.4.0", "3.0.0"].map(str::to_owned).into();
        assert_eq!(nearest_version("2.1.9", &versions).unwrap(), "2.0.1");
        assert_eq!(nearest_version("2.3.0", &versions).unwrap(), "2.4.0");
        assert_eq!(nearest_version("9", &versions).unwrap(), "3.0.0");
        assert_eq!(nearest_version("9", &[]), None);
    }
}

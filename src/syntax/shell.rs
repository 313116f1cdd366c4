//! What the words and names of scripts for a shell mean.

/// The part of a path behind the last value in it, as it stands: `lib/a.sh` of `$here/lib/a.sh`, all of `./a.sh`.
#[must_use]
pub fn below_values(path: &str) -> &str {
    let Some(at) = path.rfind('$') else { return path };
    let value = path.get(at..).unwrap_or_default();
    value.split_once('/').map_or("", |(_, below)| below)
}

/// True for the names that scripts of tests have: `test_price.sh`, `price-test.bash`, `price_spec.sh`, `price.bats`.
#[must_use]
pub fn is_test_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    stem == "test"
        || ["test_", "test-"].iter().any(|start| stem.starts_with(start))
        || ["_test", "-test", "_spec"].iter().any(|end| stem.ends_with(end))
        || ending == "bats"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_values_is_kept_as_it_is() {
        for (path, below) in [
            ("./lib/a.sh", "./lib/a.sh"),
            ("$here/lib/a.sh", "lib/a.sh"),
            ("${HERE}/$part/../a.sh", "../a.sh"),
            ("lib/$name", ""),
        ] {
            assert_eq!(below_values(path), below, "{path}");
        }
    }

    #[test]
    fn names_tell_tests() {
        for name in
            ["test", "test_price.sh", "a/test-price", "price_test.sh", "price-test.bash", "price_spec.sh", "a.bats"]
        {
            assert!(is_test_name(name), "{name}");
        }
        for name in ["latest.sh", "contest", "testing.sh", "test/price.sh", "bats"] {
            assert!(!is_test_name(name), "{name}");
        }
    }
}

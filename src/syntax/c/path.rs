//! What the path of a file of C or C++ says of it.

/// True for a header whose ending both languages use.
pub(super) fn is_c_header(path: &str) -> bool {
    ending(path).eq_ignore_ascii_case("h")
}

/// True for a header of either language.
#[must_use]
pub fn is_header(path: &str) -> bool {
    ending(path).to_ascii_lowercase().starts_with('h')
}

/// True for the names that files of tests have: `test_price.c`, `price_test.cc`, `price_unittest.cc`, `PriceTest.cpp`.
#[must_use]
pub fn is_test_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.starts_with("test_")
        || matches!(stem, "test" | "tests")
        || ["_test", "_tests", "_unittest", "Test", "Tests"].iter().any(|end| stem.ends_with(end))
}

fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_headers_and_tests() {
        for (path, header, test) in [
            ("a/price.h", true, false),
            ("a/price.hpp", true, false),
            ("a/price.H", true, false),
            ("a/price.c", false, false),
            ("a/latest.c", false, false),
            ("a/test_price.c", false, true),
            ("a/price_test.cc", false, true),
            ("a/PriceTest.hh", true, true),
        ] {
            assert_eq!((is_header(path), is_test_name(path)), (header, test), "{path}");
        }
    }
}

//! Test code, told by its path.

use super::super::roots::folder;
use tapps_syntax::{c, shell};

/// True for files that are tests or exist for them: `test_*.py`, `*_test.py`, `tests.py`, `conftest.py`,
/// `*_test.go`, `*_test.cc`, `tests.rs`, `*_tests.rs`, `*Test.java`, `*.test.*` and `*.spec.*` scripts, all below `tests`, `__tests__` or a
/// `test` folder at the root, and of Java all below `src/test` and `androidTest`.
#[must_use]
pub fn is_test_code(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let below = folder(path).split('/').any(|part| matches!(part, "tests" | "__tests__")) || path.starts_with("test/");
    let Some((stem, ending)) = name.rsplit_once('.') else { return below };
    let named = match ending {
        "py" | "pyi" | "pyw" => {
            stem.starts_with("test_") || stem.ends_with("_test") || matches!(stem, "tests" | "conftest")
        }
        "go" => stem.ends_with("_test"),
        "rs" => matches!(stem, "test" | "tests") || stem.ends_with("_test") || stem.ends_with("_tests"),
        "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" => {
            let below = format!("/{}/", folder(path));
            below.contains("/test/") || c::path::is_test_name(path)
        }
        "bash" | "bats" | "sh" => shell::is_test_name(path),
        "java" => {
            let below = format!("/{}/", folder(path));
            below.contains("/src/test/")
                || below.contains("/androidTest/")
                || ["Test", "Tests", "TestCase", "IT"].iter().any(|end| stem.ends_with(end))
        }
        _ => stem.ends_with(".test") || stem.ends_with(".spec"),
    };
    below || named
}

/// True for pytest's files of shared fixtures.
pub(super) fn is_conftest(path: &str) -> bool {
    path.rsplit('/').next() == Some("conftest.py")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("tests/helpers.py", true)]
    #[case("pkg/tests/data/x.py", true)]
    #[case("pkg/test_a.py", true)]
    #[case("pkg/a_test.py", true)]
    #[case("polls/tests.py", true)]
    #[case("conftest.py", true)]
    #[case("src/a.test.tsx", true)]
    #[case("src/a.spec.js", true)]
    #[case("src/__tests__/a.js", true)]
    #[case("test/a.js", true)]
    #[case("pkg/a_test.go", true)]
    #[case("pkg/latest.go", false)]
    #[case("src/parse/tests.rs", true)]
    #[case("src/latest.rs", false)]
    #[case("src/test/java/a/Helper.java", true)]
    #[case("app/a/PriceTest.java", true)]
    #[case("src/main/java/a/Contest.java", false)]
    #[case("lib/price_test.cc", true)]
    #[case("lib/test/fixture.h", true)]
    #[case("lib/latest.c", false)]
    #[case("lib/test_price.sh", true)]
    #[case("lib/price.bats", true)]
    #[case("lib/latest.sh", false)]
    #[case("django/test/client.py", false)]
    #[case("pkg/testing.py", false)]
    #[case("pkg/contest.py", false)]
    #[case("src/latest.js", false)]
    fn paths(#[case] path: &str, #[case] expected: bool) {
        assert_eq!(is_test_code(path), expected);
    }
}

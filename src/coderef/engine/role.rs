//! Files of tests, told by their path.

/// True for `*.test.*`, `*.spec.*`, `*.cy.*`, `test_*.py`, `*_test.py`, `*_test.go`, `conftest.py` and all below a folder
/// named for tests. In Python a package may be called `test` and be part of the product; only at the root it is not.
pub(super) fn is_test_path(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let python = [".py", ".pyi", ".pyw"].iter().any(|ending| name.ends_with(ending));
    let below = folder.split('/').enumerate().any(|(depth, part)| match part {
        "test" | "spec" => depth == 0 || !python,
        "tests" | "__tests__" | "specs" | "e2e" | "cypress" | "__mocks__" => true,
        _ => false,
    });
    let Some((stem, ending)) = name.rsplit_once('.') else { return below };
    let named = match ending {
        "py" | "pyi" | "pyw" => {
            stem.starts_with("test_") || stem.ends_with("_test") || matches!(stem, "tests" | "conftest")
        }
        "go" => stem.ends_with("_test"),
        "java" => stem.ends_with("Test") || stem.ends_with("Tests") || stem.ends_with("IT"),
        "rs" => stem == "tests",
        _ => [".test", ".spec", ".cy", "-test", "_test", ".test-d"].iter().any(|end| stem.ends_with(end)),
    };
    below || named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_tests() {
        for (path, expected) in [
            ("src/a.test.ts", true),
            ("src/__tests__/a.ts", true),
            ("pkg/test_a.py", true),
            ("pkg/test/client.py", false),
            ("pkg/test/client.ts", true),
            ("test/client.py", true),
            ("a_test.go", true),
            ("src/latest.ts", false),
            ("src/contest.py", false),
            ("testing/a.ts", false),
            ("test", false),
        ] {
            assert_eq!(is_test_path(path), expected, "{path}");
        }
    }
}

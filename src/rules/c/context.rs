//! What rules ask of a file of C or C++ besides its tree.

use tapps_syntax::c::language_of_c_file;
use tapps_syntax::c::path::{is_header, is_test_name};

use super::language::C;
use crate::tree::context::TreeContext;
use crate::tree::nodes::SyntaxTree;
use tapps_base::language::Language;

/// A file of C or C++ as its rules see it.
pub(crate) type CContext<'c> = TreeContext<'c, C>;

/// What is known of a file as a whole.
#[derive(Debug)]
pub(crate) struct CFacts {
    is_cpp: bool,
    is_header: bool,
    is_test: bool,
}

impl CFacts {
    pub(super) fn from_tree(path: &str, tree: &SyntaxTree<'_>) -> Self {
        Self {
            is_cpp: language_of_c_file(path, tree.source_text()) == Language::Cpp,
            is_header: is_header(path),
            is_test: is_test_path(path),
        }
    }
}

impl TreeContext<'_, C> {
    /// True for C++, also in a header whose ending both use.
    pub(crate) fn is_cpp(&self) -> bool {
        self.facts.is_cpp
    }

    pub(crate) fn is_header(&self) -> bool {
        self.facts.is_header
    }

    /// True for tests, benchmarks and what exists for them.
    pub(crate) fn is_test_file(&self) -> bool {
        self.facts.is_test
    }
}

/// True for the places and names that tests of C and C++ have, and benchmarks.
fn is_test_path(path: &str) -> bool {
    const FOLDERS: &[&str] =
        &["bench", "benchmark", "benchmarks", "fuzz", "test", "testing", "tests", "testsuite", "unittests"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_folder = |part: &str| FOLDERS.iter().any(|folder| part.eq_ignore_ascii_case(folder));
    path.split('/').rev().skip(1).any(is_folder)
        || is_test_name(path)
        || ["_bench", "_benchmark"].iter().any(|end| stem.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::is_test_path;

    #[test]
    fn tests_are_told_by_place_and_name() {
        for (path, expected) in [
            ("test/price.c", true),
            ("lib/tests/helper.h", true),
            ("lib/price_test.cc", true),
            ("lib/test_price.c", true),
            ("lib/PriceTest.cpp", true),
            ("lib/price.c", false),
            ("lib/latest.c", false),
        ] {
            assert_eq!(is_test_path(path), expected, "{path}");
        }
    }
}

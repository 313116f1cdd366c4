//! Which header an `#include` means, and which file holds what the header declares.

use std::collections::{BTreeMap, HashSet};

use super::super::roots::{folder, join};
use tapps_base::language::Language;
use tapps_syntax::c::path::is_header;

/// The files of C and C++ of a project by their last names.
#[derive(Debug, Default)]
pub(super) struct HeaderFiles {
    by_name: BTreeMap<String, Vec<String>>,
    /// Files with bodies of functions, by their names without ending.
    by_stem: BTreeMap<String, Vec<String>>,
}

impl HeaderFiles {
    pub(super) fn from_paths(paths: &HashSet<&str>) -> Self {
        let mut files = Self::default();
        let is_c = |path: &&str| matches!(Language::of_path(path), Some(Language::C | Language::Cpp));
        let mut sorted: Vec<&str> = paths.iter().copied().filter(is_c).collect();
        sorted.sort_unstable();
        for path in sorted {
            let name = path.rsplit('/').next().unwrap_or(path);
            if !is_header(path) {
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                files.by_stem.entry(stem.to_owned()).or_default().push(path.to_owned());
            }
            files.by_name.entry(name.to_owned()).or_default().push(path.to_owned());
        }
        files
    }

    /// The header that a name means: beside the file, else the only one whose path ends so. With it comes the file that is called
    /// as the header is, since who includes `price.h` runs `price.c`.
    pub(super) fn files_included_by(&self, path: &str, name: &str) -> Vec<String> {
        let Some(header) = self.header(path, name) else { return Vec::new() };
        let last = header.rsplit('/').next().unwrap_or(header);
        let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        let sources = self.by_stem.get(stem).map(Vec::as_slice).unwrap_or_default();
        let beside = sources.iter().find(|source| folder(source) == folder(header));
        let source = beside.or_else(|| sources.first().filter(|_| sources.len() == 1));
        std::iter::once(header).chain(source.map(String::as_str)).map(str::to_owned).collect()
    }

    fn header(&self, path: &str, name: &str) -> Option<&str> {
        let known = self.by_name.get(name.rsplit('/').next().unwrap_or(name))?;
        let beside = join(folder(path), name);
        let below = format!("/{}", name.trim_start_matches("../"));
        let mut fitting = known.iter().filter(|known| format!("/{known}").ends_with(&below));
        let first = fitting.next();
        known.iter().find(|known| **known == beside).or(first.filter(|_| fitting.next().is_none())).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("test/price_test.c", "price.h", &["src/price.h", "src/price.c"])]
    #[case("src/cart.c", "stock.h", &["src/stock.h"])]
    #[case("lib/cart.c", "stock.h", &["lib/stock.h"])]
    #[case("test/a.c", "stock.h", &[])]
    #[case("test/a.c", "src/stock.h", &["src/stock.h"])]
    #[case("src/cart.c", "stdio.h", &[])]
    #[case("test/a.c", "money.h", &["include/money.h", "src/money.cc"])]
    fn headers_bring_what_they_declare(#[case] path: &str, #[case] name: &str, #[case] expected: &[&str]) {
        let paths = HashSet::from([
            "src/price.h",
            "src/price.c",
            "src/stock.h",
            "lib/stock.h",
            "include/money.h",
            "src/money.cc",
            "src/cart.c",
        ]);
        assert_eq!(HeaderFiles::from_paths(&paths).files_included_by(path, name), expected);
    }
}

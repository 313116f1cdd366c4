//! What can be said about a file's tests and surroundings, one rule a file.

use tapps_base::rule::Rule;

pub mod coverage_not_measured;
pub mod missing_package_init;
pub mod no_changelog;
pub mod no_ci;
pub mod no_docs;
pub mod no_editorconfig;
pub mod no_formatter_config;
pub mod no_license;
pub mod no_linter_config;
pub mod no_lock_file;
pub mod no_pre_commit;
pub mod no_project_root;
pub mod no_readme;
pub mod no_tests;
pub mod no_type_checker_config;
pub mod stale_coverage;
pub mod uncovered_lines;
pub mod untested_module;

/// All rules of this room, by code.
pub const RULES: &[Rule] = &[
    coverage_not_measured::RULE,
    missing_package_init::RULE,
    no_changelog::RULE,
    no_ci::RULE,
    no_docs::RULE,
    no_editorconfig::RULE,
    no_formatter_config::RULE,
    no_license::RULE,
    no_linter_config::RULE,
    no_lock_file::RULE,
    no_pre_commit::RULE,
    no_project_root::RULE,
    no_readme::RULE,
    no_tests::RULE,
    no_type_checker_config::RULE,
    stale_coverage::RULE,
    uncovered_lines::RULE,
    untested_module::RULE,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_single() {
        let codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes, sorted);
    }
}

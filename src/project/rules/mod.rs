//! What can be said about a file's tests and surroundings, one rule a file; `assess` checks them.

tapps_base::declare_rules! {
    pub rules;
    coverage_not_measured,
    duplicate_block,
    missing_package_init,
    no_changelog,
    no_ci,
    no_docs,
    no_editorconfig,
    no_formatter_config,
    no_license,
    no_linter_config,
    no_lock_file,
    no_pre_commit,
    no_project_root,
    no_readme,
    no_tests,
    no_type_checker_config,
    stale_coverage,
    uncovered_lines,
    untested_module,
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::rule::Rule;
    use tapps_base::source::Source;

    #[test]
    fn codes_are_sorted_and_single() {
        let codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes, sorted);
    }

    /// What stands in an example's file, by its name.
    fn contents(path: &str) -> String {
        let text = match path.rsplit('/').next().unwrap_or_default() {
            "package.json" => "{\"name\": \"shop\", \"dependencies\": {\"left\": \"1\"}}\n",
            "pyproject.toml" => "[project]\nname = \"shop\"\n",
            name if name.starts_with("test_") => {
                let module = name.trim_start_matches("test_").trim_end_matches(".py");
                return format!("from shop import {module}\n\n\ndef test_it():\n    assert {module}\n");
            }
            name if name.ends_with(".py") => "def run():\n    return 1\n",
            _ => "export const x = 1;\n",
        };
        text.to_owned()
    }

    /// Whether a rule speaks of the last source file in a project of these files.
    fn says(rule: &Rule, listing: &str) -> bool {
        let folder = tempfile::tempdir().unwrap();
        for path in listing.lines() {
            let full = folder.path().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, contents(path)).unwrap();
        }
        let is_source = |path: &&str| (path.ends_with(".py") || path.ends_with(".ts")) && !path.contains("test_");
        let path = listing.lines().rfind(is_source).unwrap_or("setup.py");
        let boundary = std::sync::Arc::new(tapps_sandbox::Boundary::open(folder.path()).unwrap());
        let project = crate::ProjectIndex::new(boundary).snapshot(&[]).unwrap();
        let source = Source::new(path, contents(path).as_bytes());
        let coverage = project.coverage();
        let assessed = [
            crate::assess::assess_structure(&project, &source),
            crate::assess::assess_devex(&project, &source),
            crate::assess::test_coverage(&project, &source, coverage).unwrap(),
        ];
        assessed.iter().flat_map(|part| &part.findings).any(|finding| finding.rule == rule.name())
    }

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        for rule in RULES {
            assert!(!rule.examples.is_empty(), "{} has no example", rule.code);
            // `assess::duplicates` shows what is a matter of the text.
            if rule.code == duplicate_block::RULE.code {
                continue;
            }
            // What a coverage report says of a file is no matter of names.
            if rule.examples.iter().any(|example| format!("{}{}", example.bad, example.good).contains("coverage.xml")) {
                continue;
            }
            for example in rule.examples {
                assert!(says(rule, example.bad), "{}: the bad example is not found", rule.code);
                assert!(!says(rule, example.good), "{}: the good example is found", rule.code);
            }
        }
    }
}

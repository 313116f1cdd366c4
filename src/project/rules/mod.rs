//! What can be said about a file's tests and surroundings, one rule a file; `assess` checks them.

tapps_base::declare_rules! {
    pub rules;
    coverage_not_measured,
    duplicate_block,
    forbidden_import,
    import_circle,
    internal_import,
    layer_breach,
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
    protected_import,
    sibling_import,
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
        // A file is shown by its name, or with what is in it.
        let files: Vec<(&str, String)> = listing
            .lines()
            .map(|line| match line.split_once(": ") {
                Some((path, text)) => (path, format!("{text}\n")),
                None => (line, contents(line)),
            })
            .collect();
        for (path, text) in &files {
            let full = folder.path().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, text).unwrap();
        }
        let boundary = std::sync::Arc::new(tapps_sandbox::Boundary::open(folder.path()).unwrap());
        let index = crate::ProjectIndex::new(boundary);
        if listing.contains("architecture.contracts") {
            let sources = tapps_config::Sources { root: folder.path().to_owned(), ..tapps_config::Sources::default() };
            let config = tapps_config::load_config(&sources).unwrap().config;
            let call = tapps_base::call::Call::quiet(std::time::Duration::from_secs(60));
            let verdict = index.judge_contracts(&config.architecture, &call).unwrap().require_usable().unwrap();
            return verdict.breaches.iter().any(|breach| crate::assess::breach_finding(breach).rule == rule.name());
        }
        let is_source = |path: &&str| (path.ends_with(".py") || path.ends_with(".ts")) && !path.contains("test_");
        let path = files.iter().map(|(path, _)| *path).rfind(is_source).unwrap_or("setup.py");
        let project = index.snapshot(&[]).unwrap();
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

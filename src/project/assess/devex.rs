//! Developer experience: what spares people work and surprises when they change the code.

use super::structure::details;
use super::{Assessment, about_project};
use crate::Snapshot;
use crate::facts::Fact;
use crate::rules::{
    no_changelog, no_ci, no_docs, no_editorconfig, no_formatter_config, no_linter_config, no_lock_file, no_pre_commit,
    no_type_checker_config,
};
use tapps_base::language::Analyzers;
use tapps_base::rule::Rule;
use tapps_base::source::Source;

/// Asked of every file.
const ALWAYS: [(Fact, &Rule, &str); 3] = [
    (Fact::Linter, &no_linter_config::RULE, "no linter is configured"),
    (Fact::Formatter, &no_formatter_config::RULE, "no formatter is configured"),
    (Fact::TypeChecker, &no_type_checker_config::RULE, "no type checker is configured"),
];

/// Asked of files in a project; loose scripts need none of these.
const IN_PROJECT: [(Fact, &Rule, &str); 5] = [
    (Fact::Ci, &no_ci::RULE, "no continuous integration"),
    (Fact::PreCommit, &no_pre_commit::RULE, "no pre-commit hooks"),
    (Fact::Changelog, &no_changelog::RULE, "no changelog"),
    (Fact::Editorconfig, &no_editorconfig::RULE, "no .editorconfig"),
    (Fact::Docs, &no_docs::RULE, "no documentation besides a readme"),
];

/// Judges the surroundings of the people who change a file.
#[must_use]
pub fn assess_devex(project: &Snapshot, source: &Source) -> Assessment {
    let (facts, path, language) = (project.facts(), source.path(), source.language());
    let mut asked: Vec<(Fact, &Rule, &str)> = ALWAYS.to_vec();
    // The shell has no types.
    let has_types = language.is_none_or(|language| language.analyzers() != Analyzers::Shell);
    asked.retain(|(fact, ..)| *fact != Fact::TypeChecker || has_types);
    if facts.evidence(Fact::Root, path, language).is_some() {
        asked.extend(IN_PROJECT);
        if facts.has_dependencies(path) {
            asked.push((Fact::LockFile, &no_lock_file::RULE, "dependencies without a lock file"));
        }
    }
    let mut findings = Vec::new();
    let mut shown: Vec<&str> = Vec::new();
    for (fact, rule, message) in asked {
        match facts.evidence(fact, path, language) {
            Some(evidence) if shown.contains(&evidence) => {}
            Some(evidence) => shown.push(evidence),
            None => findings.push(about_project(rule, source, message)),
        }
    }
    findings.sort_by(tapps_base::finding::Finding::order);
    Assessment { details: details(&shown), findings, coverage_percent: None, origin: "project facts".to_owned() }
}

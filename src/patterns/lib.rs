//! Rules of a project's own: patterns in ast-grep's form, in `.tapps-mcp/rules`.
//!
//! Reading and matching are ast-grep's own, so that a rule finds here what it finds there. What is added: bounds on what a
//! rule file may ask for ([`read`]) and on what matching may take ([`counted`]), a category and a cost for the score, and
//! examples that must hold.

mod counted;
mod examples;
mod language;
pub mod libraries;
mod matching;
mod read;
mod rule;
mod rule_set;
#[cfg(test)]
mod tests;
mod try_pattern;

pub use examples::{ExampleFault, ExampleKind, ExampleReport, test_examples};
pub use language::pattern_languages;
pub use matching::PatternMatch;
pub use read::is_rule_file;
pub use rule::PatternRule;
pub use rule_set::{PatternRules, RULES_FOLDER};
pub use try_pattern::TriedPattern;

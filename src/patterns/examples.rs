//! Examples of rules: code in which a rule finds something, and code in which it must not.

use schemars::JsonSchema;
use serde::Serialize;
use tapps_base::Result;

use crate::matching::find_matches;
use crate::rule::PatternRule;
use crate::rule_set::PatternRules;

tapps_base::wire_enum! {
    /// What an example shows.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
    pub enum ExampleKind {
        /// The rule must find nothing in it.
        Valid = "valid",
        /// The rule must find something in it.
        Invalid = "invalid",
    }
}

/// An example that is not as its rule says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExampleFault {
    /// The file that has the rule.
    pub file: String,
    pub rule: String,
    pub kind: ExampleKind,
    /// Which of its kind, from 1.
    pub number: usize,
    /// What was found, or was not.
    pub message: String,
    pub code: String,
}

/// What the examples of all rules show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExampleReport {
    pub passed: bool,
    pub rules: usize,
    pub examples: usize,
    pub failures: Vec<ExampleFault>,
    /// Rules that have no `invalid` example, so that nobody knows whether they find anything.
    pub untested: Vec<String>,
}

/// Tries every example of every rule.
///
/// # Errors
/// As matching.
pub fn test_examples(rules: &PatternRules) -> Result<ExampleReport> {
    let mut report = ExampleReport::default();
    for rule in rules.iter() {
        report.rules += 1;
        if rule.invalid.is_empty() {
            report.untested.push(rule.id().to_owned());
        }
        for (kind, examples) in [(ExampleKind::Valid, &rule.valid), (ExampleKind::Invalid, &rule.invalid)] {
            for (number, code) in (1..).zip(examples) {
                report.examples += 1;
                report.failures.extend(test_example(rule, kind, number, code)?);
            }
        }
    }
    report.passed = report.failures.is_empty();
    Ok(report)
}

fn test_example(rule: &PatternRule, kind: ExampleKind, number: usize, code: &str) -> Result<Option<ExampleFault>> {
    let found = find_matches(&[&rule.config], rule.config.language, (rule.file(), code))?;
    let message = match (kind, found.first()) {
        (ExampleKind::Valid, Some(first)) => format!("it finds `{}` at line {}", first.text, first.line),
        (ExampleKind::Invalid, None) => "it finds nothing".to_owned(),
        _ => return Ok(None),
    };
    Ok(Some(ExampleFault {
        file: rule.file().to_owned(),
        rule: rule.id().to_owned(),
        kind,
        number,
        message,
        code: code.to_owned(),
    }))
}

//! Errors that are looked at and then let go.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "empty-error-branch",
    aliases: &["staticcheck:SA9003", "revive:empty-block"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "An error is tested and nothing is done about it.",
    help: "Return the error, handle it, or say in a comment why it does not matter.",
    explanation: "An empty branch behind `err != nil` looks like handling and is none: the program goes on with a \
        value that is not there. Return the error with what was being done, or handle it. Where it truly \
        does not matter, a comment in the branch says why.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package save

func Save(row Row) {
	if err := write(row); err != nil {
	}
}
"#,
            good: r#"package save

import "fmt"

func Save(row Row) error {
	if err := write(row); err != nil {
		return fmt.Errorf("save %s: %w", row.ID, err)
	}
	return nil
}
"#,
        },
        Example {
            path: "example.rs",
            bad: "pub fn save(row: &Row) {
    match write(row) {
        Ok(()) => count(),
        Err(_error) => {}
    }
}
",
            good: "pub fn save(row: &Row) -> Result<(), SaveError> {
    write(row).map_err(|error| SaveError::of(row.id, error))?;
    count();
    Ok(())
}
",
        },
    ],
    cwe: None,
    since: "0.1.0",
};

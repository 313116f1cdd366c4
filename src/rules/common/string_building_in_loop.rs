//! Texts that grow by a copy of themselves.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "string-building-in-loop",
    aliases: &["perfsprint:concat-loop"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A text that grows by `+=` in a loop is copied whole at each turn.",
    help: "Use a `strings.Builder`.",
    explanation: "Texts cannot be changed, so each `+=` makes a new one and copies what was there. Over a thousand \
        turns that is half a million copies of the parts. A `strings.Builder` grows in place; \
        `strings.Join` does for what is in a slice already.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package join

func Lines(parts []string) string {
	text := ""
	for _, part := range parts {
		text += part + "\n"
	}
	return text
}
"#,
            good: r#"package join

import "strings"

func Lines(parts []string) string {
	var text strings.Builder
	for _, part := range parts {
		text.WriteString(part)
		text.WriteByte('\n')
	}
	return text.String()
}
"#,
        },
        Example {
            path: "example.rs",
            bad: r#"pub fn lines(parts: &[String]) -> String {
    let mut text = String::new();
    for part in parts {
        text = format!("{text}{part}\n");
    }
    text
}
"#,
            good: r#"pub fn lines(parts: &[String]) -> String {
    let mut text = String::new();
    for part in parts {
        text.push_str(part);
        text.push('\n');
    }
    text
}
"#,
        },
    ],
    cwe: None,
    since: "0.1.0",
};

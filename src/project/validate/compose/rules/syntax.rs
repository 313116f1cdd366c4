//! Files that cannot be read at all; said where they are parsed.

use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-syntax",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The file is not valid YAML, so nothing can be started from it.",
    help: "correct the text at the place named",
    explanation: "The text breaks a rule of YAML: often a tab, a wrong indentation, a missing colon or a quote that is \
        not closed. The parser names the place where it gave up; the mistake may stand a line above. Until it is \
        corrected nothing else can be said about the file.",
    examples: &[Example {
        path: "compose.yaml",
        bad: r#"services:
  web:
    image: "nginx:1.27.3
"#,
        good: r#"services:
  web:
    image: "nginx:1.27.3"
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

//! Files that cannot be read at all; said where they are parsed.

use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "actions-syntax",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The file is not valid YAML, so the workflow never runs.",
    help: "correct the text at the place named",
    explanation: "The text breaks a rule of YAML: often a tab, a wrong indentation, a missing colon or a quote that is \
        not closed. GitHub shows an error and runs nothing. The parser names the place where it gave up; the mistake \
        may stand a line above.",
    examples: &[Example {
        path: ".github/workflows/ci.yml",
        bad: r#"on: push
jobs:
  build:
    runs-on: "ubuntu-24.04
"#,
        good: r#"on: push
jobs:
  build:
    runs-on: "ubuntu-24.04"
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

//! Files that cannot be read at all; said where they are parsed.

use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "mcp-syntax",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The file is not valid JSON, so no server in it can be started.",
    help: "correct the text at the place named",
    explanation: "The text breaks a rule of JSON: often a comma after the last entry, a missing quote or a comment. \
        Clients then load none of its servers. The parser names the place where it gave up; the mistake may stand a \
        little before it.",
    examples: &[Example {
        path: ".mcp.json",
        bad: r#"{"mcpServers": {"files": {"command": "files-server"}}
"#,
        good: r#"{"mcpServers": {"files": {"command": "files-server"}}}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

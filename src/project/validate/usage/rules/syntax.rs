//! Files that cannot be read at all; said where they are parsed.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "usage-syntax",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The code cannot be parsed, so how it uses the library is not known.",
    help: "correct the syntax",
    explanation: "The rules about WebSockets, MQTT and InfluxDB read the syntax tree of the code, and there is none \
        while the parser refuses it. Correct the syntax first; a score of the same file names the exact place.",
    examples: &[Example {
        path: "example.py",
        bad: r#"import websockets

websockets.connect("wss://example.com"
"#,
        good: "import asyncio

import websockets
from websockets.exceptions import ConnectionClosed
",
    }],
    cwe: None,
    since: "0.1.0",
};

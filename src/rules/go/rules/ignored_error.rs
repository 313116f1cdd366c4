//! Errors that nobody looks at.

use super::prelude::*;
use crate::go::calls::called_member;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "ignored-error",
    aliases: &["errcheck:errcheck", "gosec:G104"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "The error of a call is not looked at, so the program goes on as if it had worked.",
    help: "Test the error, or write `_ =` before the call with a comment that says why it does not matter.",
    explanation: "A call that returns an error says by it that its other results are of no use. Left out or put into \
        `_`, the program goes on with an empty value, and what went wrong shows elsewhere, later. Named \
        here are functions of this file that return an error, and those of the standard library whose \
        errors matter; a whole call that is given to `_` counts as said on purpose.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package settings

import (
	"encoding/json"
	"os"
)

func Load(path string) Settings {
	var settings Settings
	text, _ := os.ReadFile(path)
	json.Unmarshal(text, &settings)
	return settings
}
"#,
        good: r#"package settings

import (
	"encoding/json"
	"os"
)

func Load(path string) (Settings, error) {
	var settings Settings
	text, err := os.ReadFile(path)
	if err != nil {
		return settings, err
	}
	return settings, json.Unmarshal(text, &settings)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner =
    GoRunner::Kinds(&["expression_statement", "short_var_declaration", "assignment_statement"], check_ignored_error);

/// Functions that return an error and nothing else that could be used.
const ACTIONS: &[(&str, &[&str])] = &[
    ("encoding/binary", &["Read", "Write"]),
    ("encoding/json", &["Unmarshal"]),
    ("encoding/xml", &["Unmarshal"]),
    ("io", &["CopyN", "ReadFull"]),
    ("net/http", &["ListenAndServe", "ListenAndServeTLS"]),
    ("os", &["Chdir", "Chmod", "Chown", "Link", "Mkdir", "MkdirAll", "Rename", "Symlink", "Truncate", "WriteFile"]),
];
/// Functions whose first result is of no use beside an error.
const SOURCES: &[(&str, &[&str])] = &[
    ("encoding/hex", &["DecodeString"]),
    ("encoding/json", &["Marshal", "MarshalIndent"]),
    ("io", &["Copy", "ReadAll"]),
    ("io/ioutil", &["ReadAll", "ReadFile"]),
    ("net", &["Dial", "DialTimeout", "Listen"]),
    ("net/http", &["Get", "NewRequest", "NewRequestWithContext", "Post"]),
    ("net/url", &["Parse", "ParseQuery"]),
    ("os", &["Create", "Open", "OpenFile", "ReadDir", "ReadFile", "Stat"]),
    ("regexp", &["Compile"]),
    ("strconv", &["Atoi", "ParseBool", "ParseFloat", "ParseInt", "ParseUint"]),
    ("time", &["LoadLocation", "Parse", "ParseDuration"]),
];

fn check_ignored_error<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let call = match node.kind() {
        "expression_statement" => named_children(node).next().filter(|call| fails(context, *call, ACTIONS)),
        "short_var_declaration" | "assignment_statement" => dropped_error(context, node),
        _ => None,
    };
    let Some(call) = call.filter(|_| !context.is_test_file()) else { return };
    let callee = field(call, "function").map_or("", |function| context.text(function));
    out.push(context.report(&RULE, call, format!("`{callee}` may fail, and nobody looks")));
}

/// The call whose last result, an error, is put into `_` beside one that is used.
fn dropped_error<'c>(context: &GoContext<'c>, statement: Node<'c>) -> Option<Node<'c>> {
    let names: Vec<&str> = named_children(field(statement, "left")?).map(|name| context.text(name)).collect();
    let (last, others) = names.split_last()?;
    let is_dropped = *last == "_" && others.iter().any(|name| *name != "_");
    let call = named_children(field(statement, "right")?).next()?;
    (is_dropped && fails(context, call, SOURCES)).then_some(call)
}

fn fails<'c>(context: &GoContext<'c>, call: Node<'c>, known: &[(&str, &[&str])]) -> bool {
    if let Some((path, name)) = called_member(context, call) {
        return known.iter().any(|(package, names)| *package == path && names.contains(&name));
    }
    let callee = (call.kind() == "call_expression").then(|| field(call, "function")).flatten();
    let Some(callee) = callee.filter(|callee| callee.kind() == "identifier") else { return false };
    let declared = context.measures.blocks.iter().map(|one| one.node).find(|function| {
        function.kind() == "function_declaration"
            && field(*function, "name").is_some_and(|name| context.text(name) == context.text(callee))
    });
    let result = declared.and_then(|function| field(function, "result")).map_or("", |result| context.text(result));
    result == "error"
        || result.trim_end_matches(')').ends_with(", error")
        || result.trim_end_matches(')').ends_with(" error")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"strconv\"\nfunc f(s string) int { n, _ := strconv.Atoi(s); return n }",
                "func f() { g() }\nfunc g() error { return h() }",
                "func f() { a, _ := g(); b(a) }\nfunc g() (int, error) { return h() }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"strconv\"\nfunc f(s string) (int, error) { n, err := strconv.Atoi(s); return n, err }",
                "func f() { _ = g() }\nfunc g() error { return h() }",
                "func f() { g() }\nfunc g() int { return 1 }",
                "import \"os\"\nfunc f() { defer os.Chdir(\"a\") }",
            ],
        );
    }
}

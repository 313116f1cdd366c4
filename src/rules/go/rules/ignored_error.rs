//! Errors that nobody looks at.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member};
use crate::go::scopes::{assigned_value, declared_type, function_name, is_constant_text, local_declaration};

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
        errors matter; a whole call that is given to `_` counts as said on purpose, and so does a comment beside \
        the call. A value that is tested later is left alone, since it tells of the failure, and so is what \
        is written into a buffer of the function, or by `String()`, which has no way to tell.",
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
    let is_settled = |call: &Node<'c>| {
        context.is_test_file()
            || function_name(context, *call) == "String"
            || writes_to_buffer(context, *call)
            || is_explained(context, node)
    };
    let Some(call) = call.filter(|call| !is_settled(call)) else { return };
    let callee = field(call, "function").map_or("", |function| context.text(function));
    out.push(context.report(&RULE, call, format!("`{callee}` may fail, and nobody looks")));
}

/// The call whose last result, an error, is put into `_` beside one that is used.
fn dropped_error<'c>(context: &GoContext<'c>, statement: Node<'c>) -> Option<Node<'c>> {
    let names: Vec<&str> = named_children(field(statement, "left")?).map(|name| context.text(name)).collect();
    let (last, others) = names.split_last()?;
    let kept = others.iter().find(|name| **name != "_").filter(|_| *last == "_")?;
    let call = named_children(field(statement, "right")?).next()?;
    (fails(context, call, SOURCES) && !is_tested_later(context, statement, kept) && !reads_own_text(context, call))
        .then_some(call)
}

/// True where a condition behind the statement, or of the `if` that it begins, asks what the value is.
fn is_tested_later(context: &GoContext<'_>, statement: Node<'_>, name: &str) -> bool {
    let Some(function) = context.function_around(statement) else { return false };
    let later = context.tree().subtree_of(function).filter(|at| at.end_byte() > statement.end_byte());
    later.filter(|at| matches!(at.kind(), "if_statement" | "expression_switch_statement")).any(|at| {
        let condition = field(at, "condition").or_else(|| field(at, "value"));
        condition.filter(|condition| condition.start_byte() >= statement.end_byte()).is_some_and(|condition| {
            let mut parts = context.tree().subtree_of(condition);
            parts.any(|part| matches!(part.kind(), "identifier" | "selector_expression") && context.text(part) == name)
        })
    })
}

/// True for a text whose form is known: what an address wrote of itself, digits that an expression or a scanner found.
fn reads_own_text(context: &GoContext<'_>, call: Node<'_>) -> bool {
    let argument = arguments_of(call).into_iter().next();
    match called_member(context, call) {
        Some(("net/url", "Parse")) => {
            argument.is_some_and(|it| context.text(it).ends_with(".String()") || is_constant_text(context, it))
        }
        // A part of a text was mostly looked at before, and so was what the function itself made.
        Some(("strconv", _)) => argument.is_some_and(|it| match it.kind() {
            "identifier" => local_declaration(context, it).is_none_or(|at| at.kind() != "parameter_declaration"),
            "call_expression" => {
                let text = context.text(it);
                text.ends_with(".TokenText()") || text.starts_with("string(")
            }
            kind => kind != "selector_expression",
        }),
        _ => false,
    }
}

/// True for a call that is given the address of a buffer in memory, or a hash: both take everything.
fn writes_to_buffer<'c>(context: &GoContext<'c>, call: Node<'c>) -> bool {
    arguments_of(call).into_iter().any(|argument| {
        let is_hash = argument.kind() == "identifier"
            && assigned_value(context, argument).is_some_and(|value| is_new_hash(context, value));
        let name = (argument.kind() == "unary_expression").then(|| field(argument, "operand")).flatten();
        let of = name.and_then(|name| declared_type(context, name));
        is_hash || of.is_some_and(|of| matches!(of, "bytes.Buffer" | "strings.Builder"))
    })
}

/// `sha256.New()`, `hash.New()`.
fn is_new_hash(context: &GoContext<'_>, value: Node<'_>) -> bool {
    let function = (value.kind() == "call_expression").then(|| field(value, "function")).flatten();
    function.is_some_and(|function| context.text(function).ends_with(".New") || context.text(function) == "hash")
}

/// True where a comment stands on the line of a statement, behind it, or one above speaks of the error. Orders to other
/// checkers explain nothing.
fn is_explained(context: &GoContext<'_>, statement: Node<'_>) -> bool {
    let above = context.comment_above(statement).to_ascii_lowercase();
    if above.contains("error") || above.contains("ignore") {
        return true;
    }
    let comment = statement.next_sibling().filter(|next| {
        next.kind() == "comment" && next.start_position().row == statement.end_position().row
    });
    comment.is_some_and(|comment| {
        let words = context.text(comment).trim_start_matches(['/', '*', ' ']);
        !["nolint", "nosec", "#nosec", "lint:", "revive:"].iter().any(|order| words.starts_with(order))
    })
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
    declared.and_then(|function| field(function, "result")).is_some_and(|result| ends_in_error(context, result))
}

/// True for results of which the last is an error.
fn ends_in_error(context: &GoContext<'_>, result: Node<'_>) -> bool {
    let last = if result.kind() == "parameter_list" {
        named_children(result).last().and_then(|last| field(last, "type"))
    } else {
        Some(result)
    };
    last.is_some_and(|of| context.text(of) == "error")
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
                "import \"strconv\"\nfunc f(r *http.Request) int { n, _ := strconv.Atoi(r.FormValue(\"n\")); return n }",
                "func f() { g() }\nfunc g() error { return h() }",
                "func f() { a, _ := g(); b(a) }\nfunc g() (int, error) { return h() }",
                "func f() { a, _ := g(); b(a) }\nfunc g() (n int, err error) { return h() }",
                "func f() { g() // nolint:errcheck\n}\nfunc g() error { return h() }",
                "func f(w io.Writer) { g(w) }\nfunc g(w io.Writer) error { return h(w) }",
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
                "func f() { g() }\nfunc g() (clean func() error) { return nil }",
                "func f() { g() // What is missing is made later.\n}\nfunc g() error { return h() }",
                "func f() { var b bytes.Buffer; g(&b) }\nfunc g(w io.Writer) error { return h(w) }",
                "func (t T) String() string { s, _ := g(t); return s }\nfunc g(t T) (string, error) { return h() }",
                "import \"strconv\"\nfunc f(s string) int { n, _ := strconv.Atoi(s); if n < 1 { n = 1 }; return n }",
                "import \"strconv\"\nfunc f(s string) int { m := digits.FindStringSubmatch(s); n, _ := strconv.Atoi(m[1]); return n }",
                "import \"strconv\"\nfunc f(s string) int { n, _ := strconv.Atoi(s[2:4]); return n }",
                "import \"encoding/binary\"\nfunc f() { h := sha256.New(); binary.Write(h, order, 1); g(h) }",
                "import \"strconv\"\nfunc f(s string) int { n := 0; if s != \"\" { n, _ = strconv.Atoi(s) }; if n == 0 { n = 80 }; return n }",
                "import \"strconv\"\nfunc f(s string) int {\n// Nought will do where this ends in an error.\nn, _ := strconv.Atoi(s)\nreturn n\n}",
                "func f() { if a, _ := g(); a != nil { b(a) } }\nfunc g() (*A, error) { return h() }",
                "import \"net/url\"\nconst base = \"https://example.com/\"\nfunc f() *url.URL { u, _ := url.Parse(base); return u }",
                "import \"net/url\"\nfunc f(r *http.Request) *url.URL { u, _ := url.Parse(r.URL.String()); return u }",
                "import \"os\"\nfunc f() { defer os.Chdir(\"a\") }",
            ],
        );
    }
}

//! Errors that nobody looks at.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member};
use crate::go::dropped::{
    collects_errors, explains_drop, reads_memory, reads_own_text, replaces_default, shows_next, takes_nought,
};
use crate::go::purposes::{is_about_cleaning, is_about_telling};
use crate::go::failures::{answers_request, runs_at_the_end};
use crate::go::scopes::{comment_beside, function_name};
use crate::go::writers::writes_to_buffer;
use crate::words::{names_in, speaks_of};

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
        the call, and a value of a function of this file beside `_` where no caller looks at its error. A \
        value that is tested later is left alone, since it tells of the failure, and so is what \
        is written into a buffer of the function, or by `String()`, which has no way to tell, what always \
        returns `nil`, and what a deferred function puts away.",
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
    ("os", &["Create", "Open", "OpenFile", "ReadFile", "Stat"]),
    ("regexp", &["Compile"]),
    ("strconv", &["Atoi", "ParseBool", "ParseFloat", "ParseInt", "ParseUint"]),
    ("time", &["LoadLocation", "Parse", "ParseDuration"]),
];

fn check_ignored_error<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let call = match node.kind() {
        "expression_statement" => named_children(node)
            .next()
            .filter(|call| fails(context, *call, ACTIONS) && !runs_at_the_end(context, node))
            .filter(|call| own_callee(context, *call).is_none_or(|name| !context.failures().is_always_dropped(name))),
        "short_var_declaration" | "assignment_statement" => dropped_error(context, node),
        _ => None,
    };
    let is_settled = |call: &Node<'c>| {
        context.holds_tests()
            || context.is_demonstration()
            || shows_next(context, node, *call)
            || function_name(context, *call) == "String"
            || writes_to_buffer(context, *call)
            || is_accessor(context, node)
            || answers_request(context, *call)
            || has_nobody_to_tell(context, *call)
            || is_about_trying(context, *call)
            || explains_drop(context, node)
            || collects_errors(context, *call)
            || reads_memory(context, *call)
            || is_read_later(context, node, *call)
            || is_mocked(context)
            || leaves_with_error(context, node)
            || serves_another_error(context, node, *call)
            || tries_shapes(context, node, *call)
    };
    let Some(call) = call.filter(|call| !is_settled(call)) else { return };
    let callee = field(call, "function").map_or("", |function| context.text(function));
    let finding = context.report(&RULE, call, format!("`{callee}` may fail, and nobody looks"));
    // Whoever writes `_` beside a value has seen that there is an error, and so has who tells another checker to be silent.
    let is_seen = node.kind() != "expression_statement" || comment_beside(node).is_some();
    out.push(finding.doubted_if(is_seen));
}

/// True for fixed bytes that are put together or taken apart in a function that returns no error: what is not there is nought, and the
/// caller goes by that.
fn has_nobody_to_tell(context: &GoContext<'_>, call: Node<'_>) -> bool {
    let function = context.function_around(call);
    let result = function.and_then(|function| field(function, "result"));
    matches!(called_member(context, call), Some(("encoding/binary", _)))
        && !result.is_some_and(|result| ends_in_error(context, result))
}

/// True for a method that does nothing but read a value of its own by a name and hand back what it says, nought where it says
/// nothing: `func (a *Answer) Size() int { size, _ := strconv.Atoi(a.header("size")); return size }`.
fn is_accessor(context: &GoContext<'_>, statement: Node<'_>) -> bool {
    let method = context.function_around(statement).filter(|function| field(*function, "receiver").is_some());
    let result = method.and_then(|method| field(method, "result"));
    let Some(list) = context.tree().parent_of(statement).filter(|list| list.kind() == "statement_list") else {
        return false;
    };
    let body = method.and_then(|method| field(method, "body"));
    result.is_some_and(|result| result.kind() == "type_identifier")
        && body.is_some_and(|body| context.tree().parent_of(list).is_some_and(|around| around.id() == body.id()))
        && named_children(list).take(3).count() == 2
        && context.mentions().returning.contains(&list.id())
}

/// Words of functions that do what they can, and make do with less.
const TRYING: &[&str] = &["best", "default", "maybe", "quietly", "silently", "try"];

fn is_about_trying(context: &GoContext<'_>, call: Node<'_>) -> bool {
    speaks_of(function_name(context, call), TRYING)
}

/// True where a condition behind asks for what `Unmarshal` was to fill: what is missing shows there.
fn is_read_later(context: &GoContext<'_>, statement: Node<'_>, call: Node<'_>) -> bool {
    let target = arguments_of(call).get(1).filter(|it| it.kind() == "unary_expression").and_then(|it| field(*it, "operand"));
    called_member(context, call).is_some_and(|(_, name)| name == "Unmarshal")
        && target.is_some_and(|target| is_tested_later(context, statement, context.text(target)))
}

/// True before a `return` that makes an error: what went wrong before is told, and this is the last word to the other side, or more of what
/// it said.
fn leaves_with_error(context: &GoContext<'_>, statement: Node<'_>) -> bool {
    let next = statement.next_named_sibling().filter(|next| next.kind() == "return_statement");
    let whole = next.map_or("", |next| context.text(next));
    let text = whole.split('{').next().unwrap_or_default();
    let made = text.rsplit(',').next().unwrap_or_default().trim_start_matches("return").trim();
    let is_made = made.contains('(') || made.ends_with("Error") && whole.contains('{') || made.starts_with('&') || text.contains("rror(") || text.contains("rrorf(");
    is_made && text.to_ascii_lowercase().contains("err")
}

/// True for what stands in for something else in tests.
fn is_mocked(context: &GoContext<'_>) -> bool {
    let file = context.path().rsplit('/').next().unwrap_or_default();
    file.split(['_', '.']).any(|part| matches!(part, "fake" | "mock" | "mocks" | "stub"))
        || context.imports_any(&["net/http/httptest"])
}

/// The name of a function of the file that a call calls.
fn own_callee<'c>(context: &GoContext<'c>, call: Node<'_>) -> Option<&'c str> {
    let callee = field(call, "function").filter(|callee| callee.kind() == "identifier");
    callee.map(|callee| context.text(callee))
}

/// True where the same bytes are read as one shape and as another, of which one will do.
fn tries_shapes(context: &GoContext<'_>, statement: Node<'_>, call: Node<'_>) -> bool {
    let list = context.tree().parent_of(statement);
    let bytes = arguments_of(call).first().map_or("", |bytes| context.text(*bytes));
    list.is_some_and(|list| {
        context.mentions().is_unmarshalled_again(bytes, list.start_byte(), list.end_byte())
            && called_member(context, call).is_some_and(|(_, name)| name == "Unmarshal")
    })
}

/// True where something went wrong already: what is done or read then serves to clean up, or to say what it was.
fn serves_another_error(context: &GoContext<'_>, statement: Node<'_>, call: Node<'_>) -> bool {
    let callee = field(call, "function").map_or("", |function| context.text(function));
    if is_about_cleaning(callee) {
        return true;
    }
    let list = context.tree().parent_of(statement);
    let is_branch = |at: Node<'_>, branch: &str| {
        list.and_then(|list| context.tree().parent_of(list)).is_some_and(|block| {
            field(at, branch).is_some_and(|part| part.id() == block.id())
        })
    };
    let mut above = context.tree().ancestors_of(statement).take(3);
    let branch = above.find(|at| at.kind() == "if_statement" && is_branch(*at, "consequence"));
    let condition = branch.and_then(|branch| field(branch, "condition")).map(|condition| context.text(condition));
    condition.is_some_and(|condition| {
        let words = names_in(condition).map(str::to_ascii_lowercase);
        words.into_iter().any(|word| word.ends_with("err") || word.starts_with("status"))
    })
}

/// The call whose last result, an error, is put into `_` beside one that is used.
fn dropped_error<'c>(context: &GoContext<'c>, statement: Node<'c>) -> Option<Node<'c>> {
    let names: Vec<&str> = named_children(field(statement, "left")?).map(|name| context.text(name)).collect();
    let (last, others) = names.split_last()?;
    let kept = others.iter().find(|name| **name != "_").filter(|_| *last == "_")?;
    let call = named_children(field(statement, "right")?).next()?;
    let is_missed = own_callee(context, call).is_none_or(|name| context.failures().is_looked_at(name));
    (fails(context, call, SOURCES)
        && is_missed
        && !is_left_empty(context, statement, call)
        && !is_only_said(context, statement, call, kept)
        && !is_tested_later(context, statement, kept)
        && !reads_own_text(context, call)
        && !takes_nought(context, call)
        && !replaces_default(context, statement, kept)
        && !answers_without_error(context, call))
    .then_some(call)
}

/// True where a field or an element gets what a text says, and stays as it is where the text says nothing of use. What ends
/// the program when it is missing (a request, an address) is no such value.
fn is_left_empty(context: &GoContext<'_>, statement: Node<'_>, call: Node<'_>) -> bool {
    let target = field(statement, "left").and_then(|left| named_children(left).next());
    target.is_some_and(|target| matches!(target.kind(), "selector_expression" | "index_expression"))
        && called_member(context, call)
            .is_none_or(|member| matches!(member, ("encoding/hex" | "strconv" | "time", _) | ("os", "Stat")))
}

/// True where what was read only serves to say more of something that went wrong: `body, _ := io.ReadAll(answer.Body)` with
/// `log.Errorf("got %s", body)` behind it in the same block.
fn is_only_said(context: &GoContext<'_>, statement: Node<'_>, call: Node<'_>, kept: &str) -> bool {
    let is_read = matches!(called_member(context, call), Some(("io" | "io/ioutil" | "os", "ReadAll" | "ReadFile")));
    if !is_read && own_callee(context, call).is_none() {
        return false;
    }
    let Some(list) = context.tree().parent_of(statement) else { return false };
    let inside = context.mentions().names_within(kept, statement.end_byte(), list.end_byte());
    let is_said = |name: Node<'_>| {
        let calls = context.tree().ancestors_of(name).take_while(|at| at.id() != list.id());
        let callees = calls.filter(|at| at.kind() == "call_expression").filter_map(|call| field(call, "function"));
        callees.into_iter().any(|callee| {
            is_about_telling(context.text(callee)) || speaks_of(context.text(callee), &["error", "errorf"])
        })
    };
    let mut names = inside.peekable();
    names.peek().is_some() && names.all(is_said)
}

/// True where a function of the file is asked by one that has no error to return and does nothing else: `NewWriter` asks
/// `NewWriterLevel` with what it takes, and `IsOpen` says no where nothing can be said.
fn answers_without_error(context: &GoContext<'_>, call: Node<'_>) -> bool {
    let callee = field(call, "function").filter(|function| function.kind() == "identifier");
    let around = context.outermost_function(call);
    let result = around.and_then(|function| field(function, "result")).map_or("", |result| context.text(result));
    let name = function_name(context, call);
    let body = around.and_then(|function| field(function, "body"));
    let list = body.and_then(|body| children_of_kind(body, "statement_list").next());
    let only_asks = list.is_some_and(|list| {
        named_children(list).take(3).count() == 2 && context.mentions().returning.contains(&list.id())
    });
    callee.is_some_and(|callee| {
        result == "bool" || only_asks || !name.is_empty() && context.text(callee).starts_with(name)
    })
}

/// True where a condition behind the statement, or of the `if` that it begins, asks what the value is.
fn is_tested_later(context: &GoContext<'_>, statement: Node<'_>, name: &str) -> bool {
    let function = context.function_around(statement);
    function.is_some_and(|function| {
        context.mentions().is_tested_within(name, statement.end_byte(), function.end_byte())
    })
}

fn fails<'c>(context: &GoContext<'c>, call: Node<'c>, known: &[(&str, &[&str])]) -> bool {
    if let Some((path, name)) = called_member(context, call) {
        return known.iter().any(|(package, names)| *package == path && names.contains(&name));
    }
    let callee = (call.kind() == "call_expression").then(|| field(call, "function")).flatten();
    let Some(callee) = callee.filter(|callee| callee.kind() == "identifier") else { return false };
    let declared = context.mentions().functions.get(context.text(callee));
    declared.is_some_and(|function| {
        field(*function, "result").is_some_and(|result| ends_in_error(context, result))
            && context.failures().may_fail(context.text(callee))
    })
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
    use super::super::testing::{assert_clean, assert_confidence, assert_found, go_findings};
    use super::*;
    use tapps_base::finding::Confidence::{High, Low};

    #[test]
    fn an_error_that_was_seen_is_doubted() {
        for (text, expected) in [
            ("import \"os\"\nfunc f() { os.Chdir(\"/\") }", High),
            ("import \"os\"\nfunc f() { os.Chdir(\"/\") //nolint:errcheck\n}", Low),
            ("import \"os\"\nfunc f(a string) error { b, _ := os.ReadFile(a); return g(b) }", Low),
        ] {
            assert_confidence(&RULE, "a.go", text, expected);
        }
    }

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"strconv\"\nfunc f(s string) (int, error) { n, _ := strconv.Atoi(s); return n, nil }",
                "import \"strconv\"\nfunc f(w http.ResponseWriter, s string) { n, _ := strconv.Atoi(s); g(w, n) }",
                "import \"os\"\nfunc f(a string) error { b, _ := os.ReadFile(a); return g(b) }",
                "func f(a A, b B) { g(a, b); h(b) }\nfunc g(a A, b B) error { return i(a) }",
                "import \"strconv\"\nfunc f(r *http.Request) int { n, _ := strconv.Atoi(r.FormValue(\"n\")); return n }",
                "func f() { g() }\nfunc g() error { return h() }",
                "func f() { a, _ := g(); b(a) }\nfunc g() (n int, err error) { return h() }\nfunc i() (int, error) { return g() }",
                "func f() { g() }\nfunc g() error { if a { return h() }; return nil }",
                "func f() { g() }\nfunc g() error { return errors.New(\"a\") }",
                "import \"os\"\nfunc f() { os.MkdirAll(folder, 0o750); g(folder) }",
                "import \"net/http\"\nfunc f(t *T) { t.request, _ = http.NewRequest(\"GET\", t.url, nil) }",
                "import \"io\"\nfunc f(r io.Reader) []byte { b, _ := io.ReadAll(r); log(b); return b }",
                "func f() { g() // nolint:errcheck\n}\nfunc g() error { return h() }",
                "func f() { a, _ := g(); h(a) }\nfunc g() (int, error) { return h() }\nfunc i() error { _, err := g(); return err }",
                "func f() {\n// Errors are of no use here.\nh()\n\ng()\n}\nfunc g() error { return h() }",
                "import \"encoding/json\"\nfunc f() { json.Unmarshal(a, &b) }",
                "import \"regexp\"\nfunc f(s string) { p, _ := regexp.Compile(s); g(p) }",
                "func f() { if a == nil { g() } }\nfunc g() error { return h() }",
                "import \"encoding/binary\"\nfunc f() error { b := new(bytes.Buffer); binary.Read(b, order, &c); return g(c) }",
                "import \"net/http\"\nfunc f(u string) *http.Request { r, _ := http.NewRequest(\"GET\", u, nil); return r }",
                "func f(w io.Writer) { g(w) }\nfunc g(w io.Writer) error { return h(w) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import (\"encoding/binary\"\n\"github.com/a/b/common/buf\"\n)\nfunc f(n uint16) error { b := buf.NewSize(5); binary.Write(b, order, n); return g(b.Bytes()) }",
                "import \"strconv\"\nfunc f(s string) (int, error) { n, err := strconv.Atoi(s); return n, err }",
                "func f() { _ = g() }\nfunc g() error { return h() }",
                "import \"io\"\nfunc f(r R) error { b, _ := io.ReadAll(r.Body); return &AnswerError{Text: string(b)} }",
                "import \"io\"\nfunc f(r R) error { b, _ := io.ReadAll(r.Body); return api.AnswerError{Text: string(b)} }",
                "func f(a A) error { if !a.ok { g(a); return newError(\"no a\") }; return nil }\nfunc g(a A) error { return h(a) }",
                "import \"strconv\"\nfunc f(s string) int { n, _ := strconv.Atoi(s); return n }",
                "import \"strconv\"\nfunc f(s string) error { n := usual(); if n == 0 { n, _ = strconv.Atoi(s) }; return g(n) }",
                "import \"strconv\"\nfunc f(s string) error { on, _ := strconv.ParseBool(s); return g(on) }",
                "import \"io\"\nfunc f(r io.Reader) error { b, _ := io.ReadAll(r); if err := g(b); err != nil { return err }; return nil }",
                "import \"os\"\nfunc f(a string) error { os.MkdirAll(dir(a), 0o750); if err := g(a); err != nil { return err }; return nil }",
                "import \"encoding/json\"\nfunc f(b []byte) { var a A; json.Unmarshal(b, &a); if a.Name != \"\" { g(a) } }",
                "func f(errs *[]error) { a, _ := g(errs); b(a) }\nfunc g(errs *[]error) (int, error) { return h() }\nfunc i() error { _, err := g(nil); return err }",
                "func f() { a, _ := g(); log.Debugf(\"%v\", a) }\nfunc g() (int, error) { return h() }\nfunc i() error { _, err := g(); return err }",
                "func f() { g() //nolint:errcheck // It is only a hint.\n}\nfunc g() error { return h() }",
                "import \"net/url\"\nfunc f(n int) url.URL { u, _ := url.Parse(fmt.Sprintf(\"unix://local:%d\", n)); return *u }\nimport \"fmt\"",
                "import \"encoding/binary\"\nfunc (c *C) f(b []byte) { if len(b) != 4 { return }; c.reader.Reset(b); binary.Read(&c.reader, order, &c.head) }",
                "func f() { g() }\nfunc g() int { return 1 }",
                "func f() { a.b, _ = g(); a.c, _ = g() }\nfunc g() (int, error) { return h() }",
                "func f() { a, _ := g(); b(a) }\nfunc g() (int, error) { return h() }",
                "func f() { g(1); g(2) }\nfunc g(n int) error { return h(n) }",
                "func f() { g() }\nfunc g() error { if a { return nil }; b(); return nil }",
                "func f() { defer func() { if a { g() } }() }\nfunc g() error { return h() }",
                "func f(w http.ResponseWriter) { g(w, 1) }\nfunc g(w io.Writer, n int) error { return h(w, n) }",
                "import \"encoding/binary\"\nfunc f(b io.Reader) (n int16) { binary.Read(b, order, &n); return }",
                "import \"os\"\nfunc f() { all, _ := os.ReadDir(folder); for _, one := range all { g(one) } }",
                "import \"os\"\nfunc f() error { os.MkdirAll(folder, 0o750); a, err := os.CreateTemp(folder, \"a\"); return g(a, err) }",
                "func f() { g(a) }\nfunc g(a A) error { a.note(); return errors.New(\"a\") }",
                "import \"encoding/binary\"\ntype t struct { out bytes.Buffer }\nfunc (t *t) f() error { binary.Write(&t.out, order, 1); return nil }",
                "import \"encoding/binary\"\ntype w struct { err error }\nfunc f() error { b := &w{}; binary.Write(b, order, 1); return b.err }",
                "import \"strconv\"\nfunc (a *A) Size() int { n, _ := strconv.Atoi(a.header(\"size\")); return n }",
                "func tryIt() { g() }\nfunc g() error { return h() }",
                "func f() {\n// The form was looked at already.\ng()\n}\nfunc g() error { return h() }",
                "import \"time\"\nfunc f() { t, _ := time.Parse(time.RFC3339, \"2000-01-01T00:00:00Z\"); g(t) }",
                "import \"time\"\nfunc f(m *M, s string) { m.at, _ = time.Parse(layout, s) }",
                "import \"io\"\nfunc f() { text, _ := io.ReadAll(r.Body); log.Errorf(\"got %s\", text) }",
                "import \"net/http\"\nfunc f(u *url.URL) *http.Request { a := u.String(); r, _ := http.NewRequest(verb, a, nil); return r }",
                "func f() error { if err := h(); err != nil { g(); return err }; return nil }\nfunc g() error { return h() }",
                "func f() { if r.StatusCode != 200 { text, _ := io.ReadAll(r.Body); log(text) } }",
                "import \"encoding/json\"\nfunc f() { json.Unmarshal(a, &b); json.Unmarshal(a, &c) }",
                "import \"regexp\"\nfunc f() { p, _ := regexp.Compile(`a+`); g(p) }",
                "func f() { closeAll(a) }\nfunc closeAll(a A) error { return h() }",
                "func f() {\n// Errors are of no use here.\nh()\ng()\n}\nfunc g() error { return h() }",
                "// Escape is like g but omits the error.\nfunc Escape() { g() }\nfunc g() error { return h() }",
                "import \"encoding/binary\"\nfunc f() { b := new(bytes.Buffer); binary.Write(b, order, 1) }",
                "func New(a A) *B { b, _ := NewSized(a, usual); return b }\nfunc NewSized(a A, n int) (*B, error) { return h() }",
                "func Usual(a A) *B { b, _ := Sized(a, usual); return b }\nfunc Sized(a A, n int) (*B, error) { return h() }",
                "func IsOpen(a A) bool { b, _ := open(a); return b }\nfunc open(a A) (bool, error) { return h() }",
                "import \"encoding/binary\"\nfunc f() { b := bufio.NewWriterSize(c, 9); binary.Write(b, order, 1); g(b.Flush()) }",
                "import \"time\"\nfunc f(s string) { d, _ := time.ParseDuration(s + \"ms\"); g(d) }",
                "import \"net/http\"\nfunc f(u url.URL) *http.Request { r, _ := http.NewRequest(verb, u.String(), nil); return r }",
                "import (\n\"os\"\n\"strconv\"\n)\nfunc f() { a.on, _ = strconv.ParseBool(os.Getenv(\"A\")) }",
                "import \"strconv\"\nfunc (l *lexer) number() { l.n, _ = strconv.ParseFloat(l.text, 64) }",
                "import \"strconv\"\nfunc f(s []byte) { n, _ := strconv.Atoi(text(s[2:4])); g(n) }",
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
        let program = "package main\nfunc main() { g() }\nfunc g() error { return h() }";
        assert_eq!(go_findings(&RULE, "router/_examples/main.go", program), []);
        assert_eq!(go_findings(&RULE, "router/main.go", program).len(), 1);
        assert_eq!(go_findings(&RULE, "examples/a.go", &program.replace("package main", "package a")).len(), 1);
    }
}

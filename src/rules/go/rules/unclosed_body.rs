//! Answers of servers that are never closed.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_method, is_call_of};
use crate::go::scopes::report_left_open;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unclosed-body",
    aliases: &["bodyclose:bodyclose"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "An answer that is not closed holds its connection for ever.",
    help: "Write `defer answer.Body.Close()` after the test of the error.",
    explanation: "The body of an answer is read from the connection. Until it is closed the connection serves \
        nothing else and is not given back, so that a busy client runs out of them. `defer \
        answer.Body.Close()` stands behind the test of the error. An answer that is returned or handed on \
        is somebody else's to close.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package client

import (
	"io"
	"net/http"
)

func Fetch(url string) ([]byte, error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(answer.Body)
}
"#,
        good: r#"package client

import (
	"io"
	"net/http"
)

func Fetch(url string) ([]byte, error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_unclosed_body);

fn check_unclosed_body<'c>(context: &GoContext<'c>, call: Node<'c>, out: &mut Vec<Finding>) {
    // The answer to `Head` has no body that holds anything.
    let is_answer = is_call_of(context, call, "net/http", &["Get", "Post", "PostForm"])
        || called_method(context, call).is_some_and(|(receiver, name)| {
            name == "Do"
                && arguments_of(call).len() == 1
                && context.text(receiver).to_ascii_lowercase().ends_with("client")
                && context.imports_any(&["net/http"])
        });
    if is_answer {
        out.extend(report_left_open(context, &RULE, call, &["Body.Close", "Write"]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_confidence, assert_found};
    use super::*;
    use tapps_base::finding::Confidence::{High, Low};

    #[test]
    fn what_main_itself_leaves_open_is_doubted() {
        for (body, expected) in [
            ("answer, err := http.Get(\"a\"); g(answer.StatusCode, err)", Low),
            ("serve(func() { answer, err := http.Get(\"a\"); g(answer.StatusCode, err) })", High),
            ("for { answer, err := http.Get(\"a\"); g(answer.StatusCode, err) }", High),
        ] {
            let file = format!("package main\nimport \"net/http\"\nfunc main() {{ {body} }}");
            assert_confidence(&RULE, "a.go", &file, expected);
        }
    }

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"net/http\"\nfunc f(client *http.Client, r *http.Request) { a, err := client.Do(r); g(a.StatusCode, err) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"net/http\"\nfunc f() (err error) { answer, err := http.Get(\"a\"); defer checkClose(answer.Body, &err); return g(answer.StatusCode) }",
                "import \"net/http\"\nfunc f(client *Client) { answer, _ := client.Do(request, nil); g(answer.StatusCode) }",
                "import \"net/http\"\nfunc f(s *S) {\n\tanswer, _ := http.Get(\"a\")\n\ts.body = answer.Body\n}",
                "import \"net/http\"\nfunc f() (*http.Response, error) { a, err := http.Get(\"u\"); return a, err }",
                "import \"net/http\"\nfunc f() { a, err := http.Get(\"u\"); g(a, err) }",
                "import \"net/http\"\nfunc f(to io.Writer) error { a, err := http.Get(\"u\"); g(err); return a.Write(to) }",
                "import \"net/http\"\nfunc f() (a *http.Response, err error) { a, err = http.Get(\"u\"); return }",
                "import \"net/http\"\nfunc f() { a, err := http.Head(\"u\"); g(a.ContentLength, err) }",
                "func f() { a, err := cache.Get(\"u\"); g(a.b, err) }",
            ],
        );
    }
}

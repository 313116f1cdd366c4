//! Errors compared with one value, although they may be wrapped.

use super::prelude::*;
use crate::go::calls::{called_method, package_member};
use crate::go::handled::was_handled_before;
use crate::go::scopes::{assigned_value, declared_type, function_name, local_declaration, names_on_left};
use crate::tree::nodes::without_parentheses;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "error-equality",
    aliases: &["errorlint:comparison"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A wrapped error equals nothing, so a comparison with `==` misses it.",
    help: "Use `errors.Is`.",
    explanation: "Since errors are wrapped with `%w`, the error at hand is often a chain, and `==` sees its first \
        link alone. `errors.Is` looks through the chain. Errors that are promised bare are left out here, such as \
        `io.EOF` of readers, and so are those of the package itself that its own functions return to it, and codes \
        that are called errors.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package users

import "database/sql"

func IsMissing(err error) bool {
	return err == sql.ErrNoRows
}
"#,
        good: r#"package users

import (
	"database/sql"
	"errors"
)

func IsMissing(err error) bool {
	return errors.Is(err, sql.ErrNoRows)
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["binary_expression"], check_error_equality);

/// Those that packages promise to return as they are.
const BARE: &[&str] = &[
    "bufio.ErrBufferFull", "bufio.ErrTooLong", "flag.ErrHelp", "hex.ErrLength", "http.ErrAbortHandler", "http.ErrServerClosed",
    "io.ErrClosedPipe", "pflag.ErrHelp", "io.ErrNoProgress", "io.ErrShortWrite", "io.ErrUnexpectedEOF", "os.ErrProcessDone",
];

/// Packages whose functions return their errors as they are.
const BARE_PACKAGES: &[&str] =
    &["github.com/boltdb/bolt", "github.com/opentracing/opentracing-go", "go.etcd.io/bbolt", "go.etcd.io/bbolt/errors", "golang.org/x/net/dns/dnsmessage",
    "golang.org/x/sys/windows/registry",
];
/// What a row says that was not there, as the functions that read one promise.
const NO_ROWS: &[&str] = &["pgx.ErrNoRows", "sql.ErrNoRows"];
/// Beginnings of methods that change what is stored, and read nothing.
const CHANGING: &[&str] = &["Delete", "Exec", "Insert", "Update"];
/// Ends of the code that says that nothing went wrong: beside it no other is an error.
const CODES_OF_SUCCESS: &[&str] = &[".ErrNone", ".ErrOK", ".ErrSuccess"];

fn check_error_equality<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_comparison = node.kind() == "binary_expression"
        && field(node, "operator").is_some_and(|it| matches!(it.kind(), "==" | "!="));
    let sides = (field(node, "left"), field(node, "right"));
    let (true, (Some(left), Some(right))) = (is_comparison && !context.holds_tests(), sides) else { return };
    let is_value = |side: Node<'_>| {
        let name = context.text(side).rsplit('.').next().unwrap_or_default();
        name.strip_prefix("Err").is_some_and(|rest| rest.starts_with(char::is_uppercase))
            && !BARE.contains(&context.text(side))
    };
    // A code that is called an error is compared as a number is.
    let is_variable = |side: Node<'_>| {
        side.kind() == "identifier"
            && context.text(side).to_ascii_lowercase().ends_with("err")
            && declared_type(context, side).is_none_or(|of| of == "error")
    };
    let is_of_package = [left, right].into_iter().all(|side| side.kind() == "identifier");
    // The method `Is` is what `errors.Is` asks.
    if (is_variable(left) && is_value(right) || is_value(left) && is_variable(right))
        && (!is_of_package || is_handed(context, left) || is_handed(context, right))
        && ![(left, right), (right, left)].into_iter().any(|(value, variable)| {
            is_bare(context, value, variable) || is_code(context, value) || was_handled_before(context, variable)
        })
        && function_name(context, node) != "Is"
        && !is_further_comparison(context, node)
    {
        out.push(context.report(&RULE, node, "a wrapped error is not equal to this one"));
    }
}

/// `err == sql.ErrNoRows || err == sql.ErrTxDone`: the second is told with the first.
fn is_further_comparison(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let mut above = context.tree().ancestors_of(node).skip_while(|at| at.kind() == "parenthesized_expression");
    let Some(chain) = above.next().filter(|parent| parent.kind() == "binary_expression") else { return false };
    let before = field(chain, "left").map(without_parentheses).filter(|left| left.id() != node.id());
    // Of a longer chain the one just before.
    let before = before.map(|left| match field(left, "operator").map(|operator| operator.kind()) {
        Some("||" | "&&") => field(left, "right").map_or(left, without_parentheses),
        _ => left,
    });
    let text_of = |side: Option<Node<'_>>| side.map_or("", |side| context.text(side));
    let sides = |at: Node<'_>| ["left", "right"].map(|side| text_of(field(at, side)));
    let is_error = |text: &&str| text.contains("Err") && !BARE.contains(text);
    let own = sides(node);
    before.is_some_and(|before| {
        let others = sides(before);
        others.iter().any(|text| own.contains(text)) && others.iter().any(is_error)
    })
}

/// True for an error that a variable has from whoever promises not to wrap it.
fn is_bare<'c>(context: &GoContext<'c>, value: Node<'c>, variable: Node<'c>) -> bool {
    let is_scanned = || {
        let given = assigned_value(context, variable).and_then(|given| called_method(context, given));
        given.is_some_and(|(_, name)| name == "Scan")
    };
    // What reads nothing never says that there was nothing: another mistake.
    let is_never = || {
        let given = assigned_value(context, variable).and_then(|given| called_method(context, given));
        let is_nothing = context.text(value).ends_with(".ErrNoRows") || context.text(value).ends_with(".ErrNoDocuments");
        is_nothing && given.is_some_and(|(_, name)| CHANGING.iter().any(|start| name.starts_with(start)))
    };
    package_member(context, value).is_some_and(|(path, _)| BARE_PACKAGES.contains(&path))
        || is_never()
        || is_chosen_here(context, variable)
        || NO_ROWS.contains(&context.text(value)) && is_scanned()
}

/// True for a variable of the function that no call gives a value to: what it holds is one of the errors that are written down here.
fn is_chosen_here<'c>(context: &GoContext<'c>, variable: Node<'c>) -> bool {
    let name = context.text(variable);
    let declaration = local_declaration(context, variable).filter(|at| at.kind() == "var_spec");
    let Some(function) = context.outermost_function(variable).filter(|_| declaration.is_some()) else { return false };
    let assignments = context.tree().subtree_of(function).filter(|at| {
        matches!(at.kind(), "assignment_statement" | "short_var_declaration" | "range_clause")
            && names_on_left(context, *at).any(|left| left == name)
    });
    let is_handed_out = context.tree().subtree_of(function).any(|at| {
        at.kind() == "unary_expression" && context.text(at).strip_prefix('&') == Some(name)
    });
    let mut values = assignments.map(|at| field(at, "right")).peekable();
    !is_handed_out && values.peek().is_some() && values.all(|value| {
        value.is_some_and(|value| context.tree().subtree_of(value).all(|at| at.kind() != "call_expression"))
    })
}

/// `s3err.ErrNotFound` where the file knows `s3err.ErrNone` as well.
fn is_code(context: &GoContext<'_>, value: Node<'_>) -> bool {
    let Some((package, _)) = context.text(value).split_once('.') else { return false };
    let is_success = |text: &str| text.strip_prefix(package).is_some_and(|rest| CODES_OF_SUCCESS.contains(&rest));
    context.tree().all_nodes().any(|at| at.kind() == "selector_expression" && is_success(context.text(at)))
}

/// True for a parameter: an error of this package comes from elsewhere when it was handed in. Results have names as well.
fn is_handed(context: &GoContext<'_>, side: Node<'_>) -> bool {
    let declaration = local_declaration(context, side).filter(|it| it.kind() == "parameter_declaration");
    let list = declaration.and_then(|it| context.tree().parent_of(it));
    let function = list.and_then(|list| context.tree().parent_of(list));
    // Methods that only the package calls are handed what its own functions return.
    let is_method_of_package = function.is_some_and(|function| {
        let name = field(function, "name").map_or("", |name| context.text(name));
        function.kind() == "method_declaration" && name.starts_with(char::is_lowercase)
    });
    list.is_some()
        && !is_method_of_package
        && function.and_then(|function| field(function, "parameters")).map(|of| of.id()) == list.map(|list| list.id())
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
                "func f(err error) bool { return ErrGone != err }",
                "func f(err error) bool { return err == sql.ErrNoRows || err == sql.ErrTxDone || err == sql.ErrConnDone }",
                "func (t T) Keep(err error) bool { return ErrGone != err }",
                "func f(err error) bool { return (err == sql.ErrNoRows) || (err == sql.ErrTxDone) }",
                "func f(err error) { if err == os.ErrNotExist { g() } }",
                "func f() { if err := g(); err == sql.ErrNoRows { h() } }",
                "func f() { var err error; g(func() { err = h() }); if err == oci.ErrGone { h() } }",
                "func f() { var err error; g(&err); err = nil; if err == oci.ErrGone { h() } }",
                "func f(r *sql.Rows) error { r.Scan(&a); err := g(); if err == sql.ErrNoRows { return nil }; return err }",
                "func f() { if err := g(); err != s3err.ErrNoSuchKey { h() } } // Not like s3err.ErrNone.",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(err error) bool { return err == io.EOF || err == nil }",
                "func (e E) Is(err error) bool { return err == ErrGone }",
                "func (t T) keep(err error) bool { return ErrGone != err }",
                "func f(a, b error) bool { return a == b }",
                "import \"github.com/opentracing/opentracing-go\"\nfunc f(t T) { if _, err := t.Extract(a); err == opentracing.ErrSpanContextNotFound { g() } }",
                "func f(d *sql.DB) error { _, err := d.ExecContext(ctx, q); if err == sql.ErrNoRows { return nil }; return err }",
                "func f(s *pflag.FlagSet) error { err := s.Parse(a); if err == pflag.ErrHelp { return nil }; return err }",
                "func f(codeErr Code) bool { return codeErr != ErrNone }",
                "func f() { if err := g(); err != s3err.ErrNone && err != s3err.ErrNoSuchKey { h() } }",
                "import errbolt \"go.etcd.io/bbolt/errors\"\nfunc f(b B) { if err := b.Delete(k); err == errbolt.ErrBucketNotFound { h() } }",
                "func f(d *sql.DB) error { err := d.QueryRow(q).\n\tScan(&a); if err == sql.ErrNoRows { return nil }; return err }",
                "func f(r *sql.Row) error { err := r.Scan(&a); if err == sql.ErrNoRows { return nil }; return err }",
                "func f() { if err := g(); err == ErrGone { h() } }",
                "func f() { var err error; g(func() { err = oci.ErrGone }); if err == oci.ErrGone { h() } }",
                "func f() error { a, err := g(); if err != nil { return err }; if err == env.ErrGone { h(a) }; return nil }",
                "func f() (err error) { err = g(); if err == ErrGone { h() }; return err }",
                "func f(err error) bool { return err == io.ErrUnexpectedEOF || err == http.ErrServerClosed }",
            ],
        );
    }
}

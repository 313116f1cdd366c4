//! Rows of a database that are never closed.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_method};
use crate::go::scopes::{local_declaration, report_left_open};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unclosed-rows",
    aliases: &["sqlclosecheck:sqlclosecheck"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Rows that are not closed hold their connection of the database.",
    help: "Write `defer rows.Close()` after the test of the error.",
    explanation: "Rows are read from a connection of the pool, which is given back when they are closed, or read to \
        the end without an error. A function that leaves before keeps it, until the pool is empty and \
        every query waits. `defer rows.Close()` stands behind the test of the error. Rows that are \
        returned or handed on are somebody else's to close.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package users

import "database/sql"

func Names(db *sql.DB) error {
	rows, err := db.Query("SELECT name FROM users")
	if err != nil {
		return err
	}
	for rows.Next() {
		show(rows.Scan)
	}
	return nil
}
"#,
        good: r#"package users

import "database/sql"

func Names(db *sql.DB) error {
	rows, err := db.Query("SELECT name FROM users")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		show(rows.Scan)
	}
	return rows.Err()
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_unclosed_rows);

fn check_unclosed_rows<'c>(context: &GoContext<'c>, call: Node<'c>, out: &mut Vec<Finding>) {
    let is_answer = called_method(context, call)
        .is_some_and(|(_, name)| matches!(name, "Query" | "QueryContext" | "Queryx") && asks_text(context, call))
        && context.imports_any(&["database/sql", "github.com/jmoiron/sqlx", "github.com/jackc/pgx/v5/pgxpool"]);
    if is_answer {
        out.extend(report_left_open(context, &RULE, call, &["Close"]));
    }
}

/// True unless the call is handed the number of a turn of a loop, which no database understands.
fn asks_text<'c>(context: &GoContext<'c>, call: Node<'c>) -> bool {
    let first = arguments_of(call).first().copied();
    let declared = first.and_then(|first| local_declaration(context, first));
    first.is_some() && declared.is_none_or(|declared| declared.kind() != "range_clause")
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
                "import \"database/sql\"\nfunc f(tx *sql.Tx) { r, err := tx.QueryContext(ctx, \"select 1\"); g(r.Next(), err) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"database/sql\"\nfunc f(all []A) { for i := range all { a, err := exec.Query(i); g(a.b, err) } }",

                "import \"database/sql\"\nfunc f(r *http.Request) { q := r.URL.Query(); g(q.a) }",
                "import \"database/sql\"\nfunc f(db *sql.DB) (*sql.Rows, error) { r, err := db.Query(\"a\"); return r, err }",
                "func f() { r, err := api.Query(\"a\"); g(r.b, err) }",
                "import \"database/sql\"\nfunc f(db *sql.DB) { r, err := db.Query(\"a\"); scan(r, err) }",
            ],
        );
    }
}

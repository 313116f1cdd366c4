//! SQL put together from values instead of parameters.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "sql-format",
    aliases: &["gosec:G201", "gosec:G202"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A value inside the text of a query can change what the query does.",
    help: "Pass the value as a parameter (`?`, `$1`).",
    explanation: "A value that is written into the text of a query becomes part of the query: a quote in it ends the \
        string, and the rest is SQL of somebody else's choosing. Drivers take values apart from the text. \
        Names of tables and columns cannot be parameters, and are left alone here: choose them from a \
        list.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package users

import (
	"database/sql"
	"fmt"
)

func Find(db *sql.DB, name string) *sql.Row {
	return db.QueryRow(fmt.Sprintf("SELECT id FROM users WHERE name = '%s'", name))
}
"#,
            good: r#"package users

import "database/sql"

func Find(db *sql.DB, name string) *sql.Row {
	return db.QueryRow("SELECT id FROM users WHERE name = ?", name)
}
"#,
        },
        Example {
            path: "example.rs",
            bad: r#"use sqlx::PgPool;

pub async fn find(pool: &PgPool, name: &str) -> sqlx::Result<User> {
    sqlx::query_as(&format!("SELECT * FROM users WHERE name = '{name}'")).fetch_one(pool).await
}
"#,
            good: r#"use sqlx::PgPool;

pub async fn find(pool: &PgPool, name: &str) -> sqlx::Result<User> {
    sqlx::query_as("SELECT * FROM users WHERE name = $1").bind(name).fetch_one(pool).await
}
"#,
        },
    ],
    cwe: Some("CWE-89"),
    since: "0.1.0",
};

//! SQL put together from values instead of parameters.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method, composed_parts, is_open_text, string_text};
use crate::java::scopes::assigned_value;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "sql-concatenation",
    aliases: &["sonar:S2077", "findsecbugs:SQL_INJECTION_JDBC", "spotbugs:SQL_NONCONSTANT_STRING_PASSED_TO_EXECUTE"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A value inside the text of a query can change what the query does.",
    help: "Write `?` and set the value on a `PreparedStatement`, or a named parameter.",
    explanation: "A value that is written into the text of a query becomes part of the query: a quote in it ends \
        the string, and the rest is SQL of somebody else's choosing. Prepared statements take values apart from \
        the text. Names of tables and columns cannot be parameters, and are left alone here: choose them from a \
        list.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.sql.*;

class Users {
    ResultSet find(Statement statement, String name) throws SQLException {
        return statement.executeQuery("SELECT id FROM users WHERE name = '" + name + "'");
    }
}
"#,
        good: r#"import java.sql.*;

class Users {
    ResultSet find(Connection connection, String name) throws SQLException {
        PreparedStatement statement = connection.prepareStatement("SELECT id FROM users WHERE name = ?");
        statement.setString(1, name);
        return statement.executeQuery();
    }
}
"#,
    }],
    cwe: Some("CWE-89"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_sql_concatenation);

const METHODS: &[&str] = &[
    "addBatch", "batchUpdate", "createNativeQuery", "createQuery", "createSQLQuery", "execSQL", "execute", "executeLargeUpdate",
    "executeQuery", "executeUpdate", "nativeSQL", "prepareCall", "prepareStatement", "query", "queryForList", "queryForMap",
    "queryForObject", "rawQuery", "update",
];
const VERBS: &[&str] = &["alter ", "create ", "delete ", "drop ", "from ", "insert ", "merge ", "replace ", "select ", "truncate ", "update ", "with "];
/// After these stands a name, or a list of places for parameters.
const BEFORE_NAMES: &[&str] = &[
    "by", "column", "database", "distinct", "exists", "from", "in", "index", "into", "join", "limit", "on", "pragma", "schema", "select", "set",
    "table", "update", "values", "view",
];

fn check_sql_concatenation<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !called_method(context, node).is_some_and(|(_, name)| METHODS.contains(&name)) || context.is_test_file() {
        return;
    }
    let Some(query) = arguments_of(node).first().copied() else { return };
    let value = if query.kind() == "identifier" { assigned_value(context, query).unwrap_or(query) } else { query };
    if composed_parts(context, value).is_some_and(|parts| is_open_query(context, &parts)) {
        out.push(context.report(&RULE, node, "a value is written into the text of this query"));
    }
}

fn is_open_query<'c>(context: &JavaContext<'c>, parts: &[Node<'c>]) -> bool {
    let Some((first, rest)) = parts.split_first() else { return false };
    let Some(text) = string_text(context, *first).map(str::to_ascii_lowercase) else { return false };
    let opening = format!("{} ", text.split_whitespace().collect::<Vec<_>>().join(" "));
    if !VERBS.iter().any(|verb| opening.starts_with(verb)) {
        return false;
    }
    if text.contains('%') {
        let verbs = text.split('%').zip(text.split('%').skip(1)).zip(rest);
        return verbs.into_iter().any(|((before, verb), value)| {
            verb.starts_with('s') && !is_name_place(before) && is_open_text(context, *value)
        });
    }
    parts.windows(2).any(|pair| match pair {
        [before, value] => {
            let text = string_text(context, *before);
            text.is_some_and(|text| !is_name_place(&text.to_ascii_lowercase())) && is_open_text(context, *value)
        }
        _ => false,
    })
}

/// True where a name or a list follows, which no statement takes as a parameter.
fn is_name_place(before: &str) -> bool {
    let before = before.trim_end_matches(['"', '`', '[', '(', ' ', '.', '\\', 'n']);
    let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    BEFORE_NAMES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "void f(Statement s, String id) { String q = \"DELETE FROM a WHERE id = \" + id; s.executeUpdate(q); }",
            "void f(EntityManager m, String n) { m.createQuery(String.format(\"select u from User u where u.name = '%s'\", n)); }",
            "void f(JdbcTemplate t, String a) { t.queryForObject(\"select * from x where a = '\" + a + \"'\", M); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "void f(Connection c, String table) { c.prepareStatement(\"SELECT * FROM \" + table + \" WHERE id = ?\"); }",
            "void f(Statement s, int id) { s.executeQuery(\"SELECT * FROM a WHERE id = \" + id); }",
            "static final String WHERE = \"x\";\nvoid f(Statement s) { s.executeQuery(\"SELECT * FROM a WHERE b = \" + WHERE); }",
            "void f(Log log, String a) { log.update(\"hello \" + a); }",
            "void f(Statement s) { s.execute(\"create table a \" + \"(b int)\"); }",
        ]);
    }
}

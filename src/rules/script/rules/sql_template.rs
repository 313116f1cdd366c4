//! SQL put together from values instead of parameters.

use super::prelude::*;
use crate::script::expressions::{plain_argument, without_casts, is_constant, member_name, resolve_constant_name};
use crate::script::markup::is_harmless_in_query;
use oxc_syntax::operator::BinaryOperator;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "sql-template",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A value inside the text of a query can change what the query does.",
    help: "pass the value as a parameter (`?`, `$1`) or use the driver's tagged template",
    explanation: "A value that is written into the text of a query becomes part of the query: a quote in it ends the \
        string, and the rest is SQL of somebody else's choosing. Drivers take values apart from the text, as \
        parameters; use those, or the driver's own tagged template.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const find = (db: Database, name: string) => db.query(`SELECT * FROM users WHERE name = '${name}'`);
",
        good: r#"export const find = (db: Database, name: string) => db.query("SELECT * FROM users WHERE name = $1", [name]);
"#,
    }],
    cwe: Some("CWE-89"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_sql_template);

const METHODS: &[&str] = &[
    "$executeRawUnsafe", "$queryRawUnsafe", "all", "each", "exec", "execute", "executeQuery", "get", "many", "none", "one",
    "oneOrNone", "prepare", "query", "queryRaw", "raw", "run", "unsafe",
];
const VERBS: &[&str] = &[
    "select ", "insert into ", "insert or ", "update ", "delete from ", "replace into ", "drop table ", "alter table ", "create table ",
    "merge into ", "truncate ", "with ", "call ",
];
/// After these stands a name, which no driver takes as a parameter.
const BEFORE_NAMES: &[&str] =
    &["from", "into", "update", "table", "join", "order by", "group by", "select", "set", "distinct", "asc", "desc", "exists", "limit"];

fn check_sql_template(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if !member_name(&call.callee).is_some_and(|name| METHODS.contains(&name)) {
        return;
    }
    let Some(query) = plain_argument(&call.arguments, 0) else { return };
    let mut parts = Vec::new();
    collect_query_parts(context, resolve_constant_name(context, query), &mut parts);
    let Some(SqlQueryPart::Text(first)) = parts.first() else { return };
    let opening = format!("{} ", first.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase());
    if !VERBS.iter().any(|verb| opening.starts_with(verb)) {
        return;
    }
    let injected = parts.windows(2).any(|pair| match pair {
        [SqlQueryPart::Text(before), SqlQueryPart::Value(harmless)] => !harmless && !is_name_place(before),
        _ => false,
    });
    if injected {
        out.push(context.report(&RULE, query.span(), "a query is built from values instead of parameters"));
    }
}

/// A piece of a query: its text, or a value and whether that can do no harm.
enum SqlQueryPart {
    Text(String),
    Value(bool),
}

/// Takes a template or a concatenation apart. The left side of `+` is followed in a loop, for it can be long.
fn collect_query_parts(context: &ScriptContext<'_, '_>, query: &Expression<'_>, parts: &mut Vec<SqlQueryPart>) {
    let mut rights = Vec::new();
    let mut left = without_casts(query);
    while let Expression::BinaryExpression(binary) = left {
        if binary.operator != BinaryOperator::Addition {
            break;
        }
        rights.push(&binary.right);
        left = without_casts(&binary.left);
    }
    for piece in std::iter::once(left).chain(rights.into_iter().rev()) {
        match without_casts(piece) {
            Expression::StringLiteral(string) => parts.push(SqlQueryPart::Text(string.value.to_string())),
            Expression::TemplateLiteral(template) => {
                for (index, quasi) in template.quasis.iter().enumerate() {
                    parts.push(SqlQueryPart::Text(quasi.value.cooked.unwrap_or(quasi.value.raw).to_string()));
                    if let Some(value) = template.expressions.get(index) {
                        parts.push(SqlQueryPart::Value(is_harmless(context, value)));
                    }
                }
            }
            other => parts.push(SqlQueryPart::Value(is_harmless(context, other))),
        }
    }
}

fn is_harmless(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    is_constant(context, value) || is_harmless_in_query(context, value)
}

fn is_name_place(before: &str) -> bool {
    let before = before.to_ascii_lowercase();
    let before = before.trim_end_matches(['"', '`', '[', '.', '(', ',']).trim_end();
    BEFORE_NAMES.iter().any(|word| before.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn values_in_the_text_of_a_query() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "db.query(`SELECT * FROM users WHERE id = ${id}`)",
                "await pool.execute('SELECT * FROM users WHERE name = \\'' + name + '\\'')",
                "const sql = `DELETE FROM t WHERE id = '${req.params.id}'`; db.run(sql)",
                "prisma.$queryRawUnsafe(`\\n  select * from t where a = ${a}`)",
                "knex.raw('UPDATE t SET a = ' + a)",
            ],
        );
    }

    #[test]
    fn parameters_names_and_tagged_templates() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "db.query('SELECT * FROM users WHERE id = ?', [id])",
                "db.query(`SELECT ${columns} FROM ${table} WHERE id = $1`, [id])",
                "sql`SELECT * FROM users WHERE id = ${id}`",
                "db.query(sql`SELECT * FROM users WHERE id = ${id}`)",
                "const T = 'users'; db.query(`SELECT * FROM t WHERE kind = '${T}'`)",
                "db.query(`SELECT * FROM t WHERE id IN (${placeholders})`, ids)",
                "db.query(`SELECT * FROM t WHERE id IN (${ids.map(() => '?').join(', ')})`, ids)",
                "db.query(`SELECT * FROM t WHERE id = ${db.escape(id)}`)",
                "db.query(`SELECT * FROM t WHERE id = ${Number(id)}`)",
                "cache.get(`select ${id}`.length)",
                "log.run(`Selected ${n} rows`)",
            ],
        );
    }
}

//! SQL put together from values instead of parameters.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, called_method, composed_parts, is_composed_of_values, string_literal};
use crate::go::scopes::assigned_value;
use crate::words::speaks_of;

pub use crate::common::sql_format::RULE;

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["call_expression"], check_sql_format);

const METHODS: &[&str] = &[
    "Exec",
    "ExecContext",
    "Get",
    "MustExec",
    "NamedExec",
    "Prepare",
    "PrepareContext",
    "Query",
    "QueryContext",
    "QueryRow",
    "QueryRowContext",
    "QueryRowx",
    "Queryx",
    "Raw",
    "Select",
];
const VERBS: &[&str] = &[
    "select ",
    "insert ",
    "update ",
    "delete ",
    "replace ",
    "drop ",
    "alter ",
    "create ",
    "merge ",
    "truncate ",
    "with ",
];
/// After these stands a value, which is what a driver takes as a parameter; names, lists and conditions it does not take.
const BEFORE_VALUES: &[&str] = &["between", "glob", "ilike", "like", "regexp"];

fn check_sql_format<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let asks = called_method(context, node).is_some_and(|(_, name)| METHODS.contains(&name));
    // The values of a test are its own.
    if !asks || context.holds_tests() {
        return;
    }
    let is_query = |argument: &Node<'c>| {
        let value = if argument.kind() == "identifier" { assigned_value(context, *argument) } else { None };
        composed_parts(context, value.unwrap_or(*argument)).is_some_and(|parts| is_open_query(context, &parts))
    };
    if arguments_of(node).iter().take(3).any(is_query) {
        out.push(context.report(&RULE, node, "a value is written into the text of this query"));
    }
}

fn is_open_query<'c>(context: &GoContext<'c>, parts: &[Node<'c>]) -> bool {
    let Some((first, rest)) = parts.split_first() else { return false };
    let Some(text) = string_literal(context, *first).map(str::to_ascii_lowercase) else { return false };
    let opening = format!("{} ", text.split_whitespace().collect::<Vec<_>>().join(" "));
    if !VERBS.iter().any(|verb| opening.starts_with(verb)) {
        return false;
    }
    if text.contains('%') {
        let mut next = 0;
        return text.match_indices('%').any(|(at, _)| {
            let (before, verb) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
            if verb.starts_with('%') || before.ends_with('%') {
                return false;
            }
            // `%[2]s` says itself which value it takes; each other verb takes the next one.
            let numbered = verb.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            if let Some(number) = numbered.and_then(|(number, _)| number.parse::<usize>().ok()) {
                next = number.saturating_sub(1);
            }
            let value = rest.get(next).copied();
            next += 1;
            let is_text = numbered.map_or(verb, |(_, verb)| verb).starts_with(['s', 'v', 'q', '+']);
            value.is_some_and(|value| is_text && is_value_place(before) && is_open_value(context, value))
        });
    }
    parts.windows(2).any(|pair| match pair {
        [before, value] => {
            let text = string_literal(context, *before);
            text.is_some_and(|text| is_value_place(&text.to_ascii_lowercase())) && is_open_value(context, *value)
        }
        _ => false,
    })
}

/// True for what may be any text; what is put in quotes by a function for it ends nothing, and neither do places for parameters.
fn is_open_value<'c>(context: &GoContext<'c>, value: Node<'c>) -> bool {
    let is_quoted = called_member(context, value).is_some_and(|(_, name)| matches!(name, "QuoteIdentifier" | "QuoteLiteral"));
    if is_quoted || makes_placeholders(context, value) {
        return false;
    }
    match composed_parts(context, value).filter(|parts| parts.len() > 1) {
        Some(parts) => parts.into_iter().any(|part| is_open_value(context, part)),
        None => is_composed_of_values(context, &[value]),
    }
}

/// True for a call whose name says that it makes what a driver puts parameters in.
fn makes_placeholders(context: &GoContext<'_>, value: Node<'_>) -> bool {
    let function = (value.kind() == "call_expression").then(|| field(value, "function")).flatten();
    function.is_some_and(|name| speaks_of(context.text(name), &["placeholder", "placeholders", "bindvar", "bindvars", "literal"]))
}

/// True where a value follows: in quotes, or behind an operator that compares.
fn is_value_place(before: &str) -> bool {
    let is_quoted = before.ends_with('\'') || before.matches('\'').count() % 2 == 1;
    let before = before.trim_end();
    let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    is_quoted || before.ends_with(['=', '<', '>']) || BEFORE_VALUES.contains(&word)
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
                "import \"strconv\"\nfunc f(db *sql.DB, a string) { db.Exec(\"DELETE FROM a WHERE b = \" + strconv.Quote(a)) }",
                "func f(db *sql.DB, id string) { q := \"DELETE FROM a WHERE id = \" + id; db.ExecContext(ctx, q) }",
                "func f(db *sql.DB, p string) { db.Exec(\"create user a password '\" + p + \"'\") }",
                "func f(db *sql.DB, a, b string) { db.Query(\"select * from x where a = '\" + a + \"'\") }",
                "import \"fmt\"\nfunc f(db *sql.DB, a string) { db.Query(fmt.Sprintf(\"SELECT * FROM a('b_%s')\", a)) }",
                "import \"fmt\"\nfunc f(db *sql.DB, a, t string) { db.Query(fmt.Sprintf(\"SELECT * FROM %[2]s WHERE a = %[1]s\", a, t)) }",
                "import \"fmt\"\nfunc f(db *sql.DB, a string) { db.Query(fmt.Sprintf(\"SELECT c FROM d WHERE e = %s\", a)) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(db *sql.DB, id string) { db.Query(\"SELECT * FROM a WHERE id = $1\", id) }",
                "import \"fmt\"\nfunc f(db *sql.DB, table string) { db.Query(fmt.Sprintf(\"SELECT * FROM %s WHERE id = $1\", table), 1) }",
                "func f(db *sql.DB, n int) { db.Query(\"SELECT a FROM b LIMIT \" + strconv.Itoa(n)) }",
                "func f(db *sql.DB) { db.Exec(\"create table a \" + \"(b int)\") }",
                "import \"fmt\"\nfunc f(db *sql.DB, t, c, k string) { db.Exec(fmt.Sprintf(\"ALTER TABLE %v ADD COLUMN %v %v\", t, c, k)) }",
                "func f(log Log, a string) { log.Get(\"hello \" + a) }",
                "import \"strings\"\nfunc f(db *sql.DB, where []string) { db.Query(\"SELECT c FROM d WHERE \" + strings.Join(where, \" AND \")) }",
                "import \"fmt\"\nfunc f(db *sql.DB, t string) { db.Query(fmt.Sprintf(\"SELECT a FROM log_%s WHERE b\", t)) }",
                "import \"fmt\"\nfunc f(db *sql.DB, c string) { db.Query(fmt.Sprintf(\"SELECT a, %s FROM b\", c)) }",
                "import \"fmt\"\nfunc f(db *sql.DB, t string) { db.Query(fmt.Sprintf(\"SELECT a FROM %[1]s WHERE b IN (SELECT b FROM %[1]s)\", t)) }",
                "import \"fmt\"\nfunc f(db *sql.DB, a string) { where, values := conditions(a); db.Query(fmt.Sprintf(\"SELECT a FROM b WHERE %s\", where), values) }",
                "func f(db *sql.DB, a string) { db.Exec(\"DELETE FROM a WHERE b = \" + placeholder(1), a) }",
                "import \"strings\"\nfunc f(db *sql.DB, a string) { where, args := []string{\"1 = 1\"}, []any{}; where = append(where, \"b = \"+placeholder(len(args)+1)); db.Query(\"SELECT c FROM d WHERE \" + strings.Join(where, \" AND \"), args) }",
                "import \"github.com/lib/pq\"\nfunc f(db *sql.DB, a string) { db.Exec(\"DELETE FROM a WHERE b = \" + pq.QuoteLiteral(a)) }",
                "import \"a.b/consts\"\nfunc f(db *sql.DB) { db.Exec(\"DELETE FROM a WHERE b = '\" + consts.Space + \"'\") }",
            ],
        );
    }
}

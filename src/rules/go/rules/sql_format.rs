//! SQL put together from values instead of parameters.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, called_method, composed_parts, is_call_of, is_composed_of_values, package_member, string_literal};
use crate::go::requests::stems_from_request;
use crate::go::scopes::{assigned_value, local_declaration, names_on_left};
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
    if !asks || context.is_test_file() {
        return;
    }
    let is_query = |argument: &Node<'c>| {
        let value = if argument.kind() == "identifier" { assigned_value(context, *argument) } else { None };
        composed_parts(context, value.unwrap_or(*argument)).is_some_and(|parts| is_open_query(context, &parts))
    };
    if let Some(query) = arguments_of(node).into_iter().take(3).find(is_query) {
        let finding = context.report(&RULE, node, "a value is written into the text of this query");
        out.push(finding.doubted_if(defines_data(context, query)));
    }
}

/// True for `CREATE USER` and the like: a driver takes no parameters there, and mostly the program itself has the values.
fn defines_data<'c>(context: &GoContext<'c>, query: Node<'c>) -> bool {
    let value = assigned_value(context, query).unwrap_or(query);
    let first = composed_parts(context, value).and_then(|parts| string_literal(context, *parts.first()?));
    let verb = first.and_then(|text| text.split_whitespace().next()).unwrap_or_default().to_ascii_lowercase();
    matches!(verb.as_str(), "alter" | "create" | "drop") && !stems_from_request(context, value)
}

fn is_open_query<'c>(context: &GoContext<'c>, parts: &[Node<'c>]) -> bool {
    let text = parts.first().and_then(|first| string_literal(context, *first)).unwrap_or_default();
    let opening = format!("{} ", text.to_ascii_lowercase().split_whitespace().collect::<Vec<_>>().join(" "));
    VERBS.iter().any(|verb| opening.starts_with(verb)) && holds_value(context, parts, HOPS)
}

/// How often a condition is followed to where it was made.
const HOPS: u8 = 3;

/// True for a text, of a query or of a part of one, into which a value is written.
fn holds_value<'c>(context: &GoContext<'c>, parts: &[Node<'c>], hops: u8) -> bool {
    let Some((first, rest)) = parts.split_first() else { return false };
    let is_written = |before: &str, value: Node<'c>| {
        is_open_value(context, value) && (is_value_place(before) || stems_from_request(context, value))
            || hops > 0 && is_open_condition(context, value, hops - 1)
    };
    let text = string_literal(context, *first).map(str::to_ascii_lowercase).unwrap_or_default();
    if text.contains('%') {
        return placed_values(&text).into_iter().any(|(before, at)| {
            rest.get(at).is_some_and(|value| is_written(before, *value))
        });
    }
    parts.windows(2).any(|pair| match pair {
        [before, value] => {
            string_literal(context, *before).is_some_and(|text| is_written(&text.to_ascii_lowercase(), *value))
        }
        _ => false,
    })
}

/// Of each verb of a format that puts a text: what stands before it, and the number of the value that it takes.
fn placed_values(format: &str) -> Vec<(&str, usize)> {
    let (mut next, mut placed) = (0, Vec::new());
    for (at, _) in format.match_indices('%') {
        let (before, verb) = (format.get(..at).unwrap_or_default(), format.get(at + 1..).unwrap_or_default());
        if verb.starts_with('%') || before.ends_with('%') {
            continue;
        }
        // `%[2]s` says itself which value it takes; each other verb takes the next one.
        let numbered = verb.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        if let Some(number) = numbered.and_then(|(number, _)| number.parse::<usize>().ok()) {
            next = number.saturating_sub(1);
        }
        if numbered.map_or(verb, |(_, verb)| verb).starts_with(['s', 'v', 'q', '+']) {
            placed.push((before, next));
        }
        next += 1;
    }
    placed
}

/// True for a part of a query that the function put together from values: a condition under a name, or a list of them.
fn is_open_condition<'c>(context: &GoContext<'c>, value: Node<'c>, hops: u8) -> bool {
    let parts = joined_list(context, value).unwrap_or_else(|| assigned_value(context, value).into_iter().collect());
    parts.into_iter().any(|part| composed_parts(context, part).is_some_and(|parts| holds_value(context, &parts, hops)))
}

/// True for what may be any text; what a package names, as in `consts.Space`, is the same each time, what is put in quotes by a
/// function for it ends nothing, and neither do places for parameters.
fn is_open_value<'c>(context: &GoContext<'c>, value: Node<'c>) -> bool {
    let is_quoted = called_member(context, value).is_some_and(|(_, name)| matches!(name, "QuoteIdentifier" | "QuoteLiteral"));
    // A name of the schema is no value, though some functions of databases take it in quotes.
    let is_of_schema = value.kind() == "identifier"
        && speaks_of(context.text(value), &["column", "schema", "table"])
        && !stems_from_request(context, value);
    if is_quoted || is_of_schema || makes_placeholders(context, value) || package_member(context, value).is_some() {
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

/// The parts of a list of the function that is joined, where all of them are written out or added one by one.
fn joined_list<'c>(context: &GoContext<'c>, value: Node<'c>) -> Option<Vec<Node<'c>>> {
    if !is_call_of(context, value, "strings", &["Join"]) {
        return None;
    }
    let list = arguments_of(value).first().copied()?;
    let elements = |literal: Node<'c>| {
        let body = field(literal, "body").filter(|_| literal.kind() == "composite_literal")?;
        let inner = |element: Node<'c>| if element.kind() == "literal_element" { element.named_child(0) } else { Some(element) };
        named_children(body).map(inner).collect::<Option<Vec<Node<'c>>>>()
    };
    if list.kind() != "identifier" {
        return elements(list);
    }
    let (name, function) = (context.text(list), context.outermost_function(value)?);
    let declared = local_declaration(context, list)?;
    let at = names_on_left(context, declared).position(|left| left == name)?;
    let mut parts = elements(field(declared, "right").and_then(|right| named_children(right).nth(at))?)?;
    let assignments = context.tree().subtree_of(function).filter(|at| at.kind() == "assignment_statement");
    for at in assignments.filter(|at| names_on_left(context, *at).any(|left| left == name)) {
        let call = field(at, "right").and_then(|right| right.named_child(0)).filter(|call| call.kind() == "call_expression")?;
        let arguments = arguments_of(call);
        let (first, added) = arguments.split_first()?;
        let appends = field(call, "function").is_some_and(|it| context.text(it) == "append") && context.text(*first) == name;
        if !appends || context.text(call).ends_with("...)") {
            return None;
        }
        parts.extend(added);
    }
    Some(parts)
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
                "import \"strings\"\nfunc f(db *sql.DB, a string) { where := []string{\"1 = 1\"}; where = append(where, \"b = \" + a); db.Query(\"SELECT c FROM d WHERE \" + strings.Join(where, \" AND \")) }",
                "import \"fmt\"\nfunc f(db *sql.DB, a string) { where := \"b = '\" + a + \"'\"; db.Query(fmt.Sprintf(\"SELECT c FROM d WHERE %s\", where)) }",
                "func f(db *sql.DB, r *http.Request) { db.Query(\"SELECT c FROM d WHERE \" + r.FormValue(\"w\")) }",
                "func f(db *sql.DB, r *http.Request) { db.Query(\"SELECT c FROM d ORDER BY \" + r.FormValue(\"o\")) }",
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
                "func f(db *sql.DB, tableName string) { db.Exec(\"SELECT retain('\" + tableName + \"', '7 days')\") }",
                "func f(db *sql.DB) { db.Exec(\"create table a \" + \"(b int)\") }",
                "import \"fmt\"\nfunc f(db *sql.DB, t, c, k string) { db.Exec(fmt.Sprintf(\"ALTER TABLE %v ADD COLUMN %v %v\", t, c, k)) }",
                "func f(log Log, a string) { log.Get(\"hello \" + a) }",
                "func f(db *sql.DB, r *http.Request) { n, _ := strconv.Atoi(r.FormValue(\"n\")); db.Query(\"SELECT c FROM d LIMIT \" + strconv.Itoa(n)) }",
                "import \"github.com/lib/pq\"\nfunc f(db *sql.DB, r *http.Request) { db.Query(\"SELECT c FROM \" + pq.QuoteIdentifier(r.FormValue(\"t\"))) }",
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

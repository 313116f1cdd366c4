//! SQL put together from values instead of parameters.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, called_method, composed_parts, is_call_of, is_composed_of_values, package_member, string_literal};
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
/// After these stands a name, or a list of places for parameters.
const BEFORE_NAMES: &[&str] = &[
    "by", "distinct", "exists", "from", "in", "index", "into", "join", "limit", "on", "select", "set", "table",
    "update", "values", "view",
];

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
    let is_definition = DEFINITIONS.iter().any(|verb| opening.starts_with(verb));
    // What stands between `SELECT` and `FROM` are names of columns.
    let is_column_place = |before: &str| {
        opening.starts_with("select ") && !before.contains(" from ") && !before.contains("\nfrom ") && before.ends_with([' ', ','])
    };
    let is_value_place = |before: &str| {
        before.matches('\'').count() % 2 == 1 || !is_definition && !is_name_place(before) && !is_column_place(before)
    };
    let mut values = rest.iter().copied();
    if text.contains("%s") || text.contains("%v") || text.contains("%q") || text.contains("%d") {
        // Each verb takes the next value.
        let mut before = text.split('%').zip(text.split('%').skip(1)).filter(|(_, verb)| !verb.is_empty());
        return before.any(|(before, verb)| {
            let is_text = verb.starts_with(['s', 'v', 'q', '+']);
            values
                .next()
                .is_some_and(|value| is_text && is_value_place(before) && is_open_value(context, value))
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

/// True for what may be any text; what a package names, as in `consts.Space`, is the same each time, what is put in quotes by a
/// function for it ends nothing, and neither do places for parameters.
fn is_open_value<'c>(context: &GoContext<'c>, value: Node<'c>) -> bool {
    let is_quoted = called_member(context, value).is_some_and(|(_, name)| matches!(name, "QuoteIdentifier" | "QuoteLiteral"));
    if is_quoted || makes_placeholders(context, value) || package_member(context, value).is_some() {
        return false;
    }
    if let Some(list) = joined_list(context, value) {
        return list.into_iter().any(|part| is_open_value(context, part));
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

/// Statements about tables, in which no driver takes parameters at all.
const DEFINITIONS: &[&str] = &["alter ", "create ", "drop ", "truncate "];

/// True where a name or a list follows, which no driver takes as a parameter.
fn is_name_place(before: &str) -> bool {
    // `log_%s`: part of a name.
    if before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        return true;
    }
    let before = before.trim_end_matches(['"', '`', '[', '(', ' ', '\n', '\t', '.']);
    let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    BEFORE_NAMES.contains(&word)
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
                "import \"strings\"\nfunc f(db *sql.DB, a string) { where := []string{\"1 = 1\"}; where = append(where, \"b = \" + a); db.Query(\"SELECT c FROM d WHERE \" + strings.Join(where, \" AND \")) }",
                "import \"strings\"\nfunc f(db *sql.DB, where []string) { db.Query(\"SELECT c FROM d WHERE \" + strings.Join(where, \" AND \")) }",
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
                "import \"fmt\"\nfunc f(db *sql.DB, t string) { db.Query(fmt.Sprintf(\"SELECT a FROM log_%s WHERE b\", t)) }",
                "import \"fmt\"\nfunc f(db *sql.DB, c string) { db.Query(fmt.Sprintf(\"SELECT a, %s FROM b\", c)) }",
                "func f(db *sql.DB, a string) { db.Exec(\"DELETE FROM a WHERE b = \" + placeholder(1), a) }",
                "import \"strings\"\nfunc f(db *sql.DB, a string) { where, args := []string{\"1 = 1\"}, []any{}; where = append(where, \"b = \"+placeholder(len(args)+1)); db.Query(\"SELECT c FROM d WHERE \" + strings.Join(where, \" AND \"), args) }",
                "import \"github.com/lib/pq\"\nfunc f(db *sql.DB, a string) { db.Exec(\"DELETE FROM a WHERE b = \" + pq.QuoteLiteral(a)) }",
                "import \"a.b/consts\"\nfunc f(db *sql.DB) { db.Exec(\"DELETE FROM a WHERE b = '\" + consts.Space + \"'\") }",
            ],
        );
    }
}

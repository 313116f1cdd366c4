//! Type assertions that panic when they are wrong.

use super::prelude::*;
use crate::go::calls::{arguments_of, called_member, called_method, is_call_of, package_member, string_literal};
use crate::go::mentions::has_two_results;
use crate::go::scopes::{assigned_value, declared_type, function_name, local_declaration};
use crate::tree::nodes::without_parentheses;
use crate::words::speaks_of;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "unchecked-assertion",
    aliases: &["forcetypeassert:forcetypeassert", "errcheck:check-type-assertions"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 250,
    blocking: false,
    summary: "A type assertion with one result panics when the value has another type.",
    help: "Take both results, `value, ok :=`, and handle the other case.",
    explanation: "`x.(T)` with one result ends the program when `x` holds something else, nil among it: after a \
        change elsewhere, or for one odd input. With two results the other case can be handled. Named are \
        values that somebody else chose: an element of a map by its name, as decoded data has it, a value of a \
        context, an error, what a parameter of an exported function or of `Scan` holds, and what a decoder was \
        given a place for. A value whose type the function looks at elsewhere is left alone, or of which another \
        value says what it is, and so are pools, containers and fields, which hold what the package put there.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package auth

import "context"

func User(ctx context.Context) *Account {
	return ctx.Value(userKey).(*Account)
}
"#,
        good: r#"package auth

import "context"

func User(ctx context.Context) (*Account, bool) {
	account, ok := ctx.Value(userKey).(*Account)
	return account, ok
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::Kinds(&["type_assertion_expression"], check_unchecked_assertion);

/// Methods of `container/heap` and `sort`, which hold what the package put in.
const CONTAINER: &[&str] = &["Len", "Less", "Pop", "Push", "Swap"];

fn check_unchecked_assertion<'c>(context: &GoContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_beyond_advice() || has_two_results(context.tree(), node) {
        return;
    }
    let Some(operand) = field(node, "operand").map(without_parentheses) else { return };
    let is_settled = is_looked_at(context, node, operand)
        || is_asked_before(context, node, operand)
        || is_explained(context, node)
        || operand.kind() == "call_expression" && is_promised(context, operand);
    if is_chosen_elsewhere(context, operand) && !is_settled {
        let finding = context.report(&RULE, node, "this panics when the value has another type");
        let is_doubted = is_handed_over(context, operand) || is_of_check(context, operand) || is_of_usage(context, operand);
        out.push(finding.doubted_if(is_doubted));
    }
}

/// True for an element of what the function is handed: who hands it over may have looked.
fn is_handed_over(context: &GoContext<'_>, operand: Node<'_>) -> bool {
    let holder = field(operand, "operand").filter(|holder| holder.kind() == "identifier");
    let declared = holder.and_then(|holder| local_declaration(context, holder));
    declared.is_some_and(|declared| declared.kind() == "parameter_declaration")
}

/// True for an element of what `docopt` made of the command line: what must be there is, and what has a default.
fn is_of_usage<'c>(context: &GoContext<'c>, operand: Node<'c>) -> bool {
    let holder = field(operand, "operand").filter(|holder| holder.kind() == "identifier");
    let made = holder.and_then(|holder| assigned_value(context, holder)).and_then(|made| called_member(context, made));
    made.is_some_and(|(path, _)| path.contains("docopt"))
}

/// True for what a check of one value is handed, `func(value any) error`: whoever registers it knows what it will get.
fn is_of_check(context: &GoContext<'_>, operand: Node<'_>) -> bool {
    let Some(function) = context.function_around(operand).filter(|_| operand.kind() == "identifier") else { return false };
    let returns_error = field(function, "result").is_some_and(|result| context.text(result) == "error");
    let parameters = field(function, "parameters").map_or(0, |list| named_children(list).count());
    let declared = local_declaration(context, operand);
    parameters == 1 && returns_error && declared.is_some_and(|it| it.kind() == "parameter_declaration")
}

/// True for a value whose type this package did not settle.
fn is_chosen_elsewhere<'c>(context: &GoContext<'c>, operand: Node<'c>) -> bool {
    match operand.kind() {
        // An element of decoded data.
        "index_expression" => {
            field(operand, "index").is_some_and(|index| string_literal(context, index).is_some())
                && field(operand, "operand").is_some_and(|holder| is_foreign(context, holder))
        }
        "call_expression" => called_method(context, operand).is_some_and(|(holder, name)| {
            let holder = context.text(holder);
            name == "Value" && (holder.ends_with("Context()") || holder.to_ascii_lowercase().ends_with("ctx"))
        }),
        "identifier" => is_open_name(context, operand),
        _ => false,
    }
}

/// True where a condition around asks for the same expression: `if ctx.Value(key) != nil {`.
fn is_asked_before(context: &GoContext<'_>, node: Node<'_>, operand: Node<'_>) -> bool {
    let within = context.tree().ancestors_of(node).take_while(|at| !context.tree().is_function(*at));
    let mut conditions = within.filter(|at| at.kind() == "if_statement").filter_map(|at| field(at, "condition"));
    let text = context.text(operand);
    // `case IsTooLong(err):`
    let mut cases = context.tree().ancestors_of(node).filter(|at| at.kind() == "expression_case");
    cases.any(|case| field(case, "value").is_some_and(|asked| context.text(asked).contains(&format!("({text}"))))
        || operand.kind() != "identifier" && conditions.any(|condition| context.text(condition).contains(text))
}

/// True for a value of a context whose key another package has, as `http.ServerContextKey`, and for one that the file itself puts
/// there: what is found under such a key is settled.
fn is_promised<'c>(context: &GoContext<'c>, operand: Node<'c>) -> bool {
    let Some(key) = arguments_of(operand).first().copied() else { return false };
    let mut calls = context.tree().all_nodes().filter(|at| at.kind() == "call_expression");
    package_member(context, key).is_some()
        || string_literal(context, key).is_none() && is_served(context, operand)
        || calls.any(|call| {
            is_call_of(context, call, "context", &["WithValue"])
                && arguments_of(call).get(1).is_some_and(|it| context.text(*it) == context.text(key))
        })
}

/// True where the package itself asks for what it puts there, be it in a method, in a handler of requests, or for its own use. What is
/// only handed back is for others, who may call with any context.
fn is_served(context: &GoContext<'_>, operand: Node<'_>) -> bool {
    let Some(function) = context.outermost_function(operand) else { return false };
    let parameters = field(function, "parameters").into_iter().flat_map(named_children);
    let mut types = parameters.filter_map(|parameter| field(parameter, "type"));
    let mut above = context.tree().ancestors_of(operand).take_while(|at| !context.tree().is_function(*at));
    !above.any(|at| at.kind() == "return_statement")
        || field(function, "receiver").is_some()
        || types.any(|of| context.text(of) == "http.ResponseWriter")
}

/// True where a comment above says why the type is known.
fn is_explained(context: &GoContext<'_>, node: Node<'_>) -> bool {
    let said = context.comment_above(node).to_ascii_lowercase();
    ["always", "guarantee", "intentional", "must be", "never", "only", "safe"].iter().any(|word| said.contains(word))
}

/// How often data is followed from name to name.
const HOPS: usize = 5;
/// Words of fields that hold what came from outside.
const FOREIGN: &[&str] = &["claims", "payload", "values"];
/// Words of what functions are handed that came from outside, when only the package itself calls them.
const HANDED: &[&str] = &["body", "claims", "decoded", "input", "json", "payload", "raw", "request", "response", "values"];
/// Words of functions that make values of what came from outside.
const READING: &[&str] =
    &["claims", "decode", "decoded", "json", "load", "metadata", "parse", "read", "unmarshal", "values"];

/// True for data that was decoded or handed in. What a function of another name returns was put together by a program.
fn is_foreign<'c>(context: &GoContext<'c>, holder: Node<'c>) -> bool {
    let mut at = holder;
    for _ in 0..HOPS {
        let inner = match at.kind() {
            "identifier" => match local_declaration(context, at) {
                Some(it) if it.kind() == "parameter_declaration" => {
                    return is_exported(function_name(context, at)) || speaks_of(context.text(at), HANDED);
                }
                Some(it) if it.kind() == "var_spec" && field(it, "value").is_none() => {
                    return is_decoded_into(context, at);
                }
                Some(it) if it.kind() == "range_clause" => field(it, "right"),
                Some(_) => assigned_value(context, at),
                None => return speaks_of(context.text(at), FOREIGN),
            },
            "selector_expression" => {
                return field(at, "field").is_some_and(|name| speaks_of(context.text(name), FOREIGN));
            }
            "call_expression" => {
                return field(at, "function").is_some_and(|function| speaks_of(context.text(function), READING));
            }
            _ => field(at, "operand").or_else(|| named_children(at).next()),
        };
        match inner {
            Some(inner) => at = inner,
            None => return false,
        }
    }
    false
}

fn is_exported(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// True for a name whose address a decoder was given: `json.Unmarshal(text, &value)`. Other functions put there what they have.
fn is_decoded_into(context: &GoContext<'_>, name: Node<'_>) -> bool {
    let Some(function) = context.outermost_function(name) else { return false };
    let mut inside = context.mentions().names_within(context.text(name), function.start_byte(), function.end_byte());
    inside.any(|at| {
        let mut above = context.tree().ancestors_of(at);
        let is_address = above.next().is_some_and(|of| {
            of.kind() == "unary_expression" && field(of, "operator").is_some_and(|sign| sign.kind() == "&")
        });
        let call = above.nth(1).filter(|call| is_address && call.kind() == "call_expression");
        call.and_then(|call| field(call, "function"))
            .is_some_and(|callee| speaks_of(context.text(callee), READING) || speaks_of(context.text(callee), FILLING))
    })
}

/// Words of functions that fill what they are given from bytes or rows.
const FILLING: &[&str] = &["into", "scan", "unmarshaler", "unpack"];

/// Methods to which others hand values that they chose: a database, a decoder. What other methods are handed an interface settles,
/// and whoever registered them for a type.
const RECEIVING: &[&str] = &["Scan"];
/// Words of functions that are handed what another function of the same package keeps: two of a kind, an element, an option.
const PAIRED: &[&str] = &["compare", "comparator", "equal", "factory", "hash", "less", "must"];

/// Words of parameters by which a caller gives back what it was given before, unread.
const GIVEN_BACK: &[&str] = &["context", "cookie", "ctx", "opaque", "state", "userdata"];

/// True for a function to which anybody may hand a value of any type.
fn takes_anything(context: &GoContext<'_>, function: Node<'_>, declaration: Node<'_>) -> bool {
    let name = field(function, "name").map_or("", |it| context.text(it));
    let is_method = field(function, "receiver").is_some();
    let is_one = children_of_kind(declaration, "identifier").count() == 1;
    let is_own = children_of_kind(declaration, "identifier").any(|it| speaks_of(context.text(it), GIVEN_BACK));
    // The interface of `database/sql` asks for one value; what takes more was chosen for the type of it.
    let receives = || {
        let parameters = field(function, "parameters").map_or(0, |list| named_children(list).count());
        RECEIVING.contains(&name) && parameters == 1
    };
    is_exported(name) && is_one && !is_own && !speaks_of(name, PAIRED) && (!is_method || receives())
}

/// True in a case of a switch over another value, which says what this one is: `case width: t.width = value.(int)`.
fn is_settled_by_case(context: &GoContext<'_>, name: Node<'_>) -> bool {
    let mut above = context.tree().ancestors_of(name).take_while(|at| !context.tree().is_function(*at));
    above.any(|at| at.kind() == "expression_case")
}

fn is_open_name<'c>(context: &GoContext<'c>, name: Node<'c>) -> bool {
    let of = declared_type(context, name).unwrap_or_default();
    let Some(declaration) = local_declaration(context, name) else { return false };
    let is_empty_interface = matches!(of, "any" | "interface{}");
    match declaration.kind() {
        "parameter_declaration" => {
            let function = context.tree().ancestors_of(declaration).find(|at| context.tree().is_function(*at));
            let called = function.and_then(|it| field(it, "name")).map_or("", |it| context.text(it));
            let is_any = is_empty_interface && function.is_some_and(|it| takes_anything(context, it, declaration));
            (is_any || of == "error" && is_exported(called) && !is_own_type(context, name))
                && !is_settled_by_case(context, name)
                && !CONTAINER.contains(&function_name(context, name))
        }
        // A decoder was given its address.
        "var_spec" => is_empty_interface && is_decoded_into(context, name),
        _ => {
            is_error_name(context.text(name)) && !is_own_error(context, declaration) && !is_own_type(context, name)
        }
    }
}

/// True where an error is taken for a type that only this package has, since it made it, or for one that `strconv` or
/// `syscall` promises.
fn is_own_type(context: &GoContext<'_>, name: Node<'_>) -> bool {
    let assertion = context.tree().parent_of(name).and_then(|assertion| field(assertion, "type"));
    assertion.is_some_and(|of| {
        let text = context.text(of).trim_start_matches('*');
        matches!(text, "strconv.NumError" | "syscall.Errno") || text.starts_with(char::is_lowercase) && !text.contains('.')
    })
}

/// True for an error whose type the package knows: an atomic value holds what it put there, and a function that is called by
/// its name alone is one of its own, as is a method that another of the same value calls.
fn is_own_error<'c>(context: &GoContext<'c>, declaration: Node<'c>) -> bool {
    let value = field(declaration, "right").and_then(|values| named_children(values).next());
    value.is_some_and(|value| {
        let function = field(value, "function");
        let holder = called_method(context, value).map(|(holder, _)| holder);
        let is_own = holder.filter(|holder| holder.kind() == "identifier").is_some_and(|holder| {
            let declared = local_declaration(context, holder).and_then(|at| context.tree().parent_of(at));
            let of = declared.and_then(|list| context.tree().parent_of(list).map(|method| (list, method)));
            of.is_some_and(|(list, method)| field(method, "receiver").is_some_and(|it| it.id() == list.id()))
        });
        is_own || context.text(value).ends_with(".Load()") || function.is_some_and(|it| it.kind() == "identifier")
    })
}

fn is_error_name(name: &str) -> bool {
    name == "err" || name.ends_with("Err")
}

/// True where the function around asks for the type of the value in another place as well.
fn is_looked_at(context: &GoContext<'_>, node: Node<'_>, operand: Node<'_>) -> bool {
    let function = context.outermost_function(node);
    function.is_some_and(|function| context.mentions().is_type_asked_in(context.text(operand), function))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_confidence, assert_found};
    use super::*;
    use tapps_base::finding::Confidence::{High, Low};

    #[test]
    fn what_is_handed_over_is_doubted() {
        for (text, expected) in [
            ("func f(claims map[string]any) string { return claims[\"sub\"].(string) }", Low),
            ("func f() { m, err := parseBody(b); g(err, m[\"a\"].(string)) }", High),
            ("import \"github.com/docopt/docopt-go\"\nfunc f() { m, err := docopt.ParseArgs(usage, nil, \"\"); g(err, m[\"<a>\"].(string)) }", Low),
            ("func F(a any) int { return a.(int) }", High),
            ("func F(a any) error { return check(a.(*string)) }", Low),
            ("func F(a any) (int, error) { return a.(int), nil }", High),
        ] {
            assert_confidence(&RULE, "a.go", text, expected);
        }
    }

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "func F(a any) int { return a.(int) }",
                "func (t *T) Scan(a interface{}) { b := a.([]byte); g(b) }",
                "func f(claims map[string]any) string { return claims[\"sub\"].(string) }",
                "func f(r *http.Request) int { return r.Context().Value(key).(int) }",
                "func f(w http.ResponseWriter, r *http.Request) { g(w, r.Context().Value(\"user\").(int)) }",
                "func f(b []byte) { var m map[string]any; json.Unmarshal(b, &m); n, ok := m[\"a\"].(map[string]any); g(ok, n[\"b\"].(int)) }",
                "func f(t Token) { g(t.Claims[\"sub\"].(string)) }",
                "func f() { m, err := parseBody(b); g(err, m[\"a\"].(string)) }",
                "func F(err error) { g(err.(*os.PathError)) }",
                "func f(b []byte) { var a any; json.Unmarshal(b, &a); g(a.(map[string]any)) }",
                "func f() { _, err := os.Open(\"a\"); g(err.(*os.PathError)) }",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "func f(a any) { b, ok := a.(int); g(b, ok) }",
                "func f(ctx context.Context) { if ctx.Value(key) != nil { g(ctx.Value(key).(int)) } }",
                "import \"net/http\"\nfunc f(ctx context.Context) { g(ctx.Value(http.ServerContextKey).(*http.Server)) }",
                "func f(w http.ResponseWriter, r *http.Request) { g(w, r.Context().Value(key).(int)) }",
                "func (s *S) f(ctx context.Context) { g(ctx.Value(key).(int)) }",
                "func f(ctx context.Context) { g(ctx.Value(key).(int)) }",
                "func f() { if _, err := a.Open(b); err != nil { switch { case IsLong(err): g(err.(*LongError).Limit) } } }",
                "func MailFactory(a any) Mail { return Mail{sender: a.(Sender)} }",
                "func HashText(a any) int { return a.(int) }",
                "import \"context\"\nfunc f(ctx context.Context) { g(ctx.Value(key).(int)); h(context.WithValue(ctx, key, 1)) }",
                "func F(a any) {\n// Whoever calls this hands in numbers only.\ng(a.(int)) }",
                "func f(d *Data) { all := d.Get(\"a\").([]any); one := all[0].(map[string]any); g(one[\"b\"].(string)) }",
                "func f(a any) { if _, ok := a.(T); ok { g() } }",
                "func f(a any) { switch a.(type) { case int: } }",
                "func f() { b := bufferPool.Get().(*B); g(b) }",
                "func (h *H) Push(x any) { h.a = append(h.a, x.(int)) }",
                "func f(a any) int { return a.(int) }",
                "func Find(field string, ctx any) { g(ctx.(*Reader)) }",
                "func f() { _, _, err := lock.Call(h); if err.(syscall.Errno) != 0 { g() } }",
                "func Compare(a any) int { return a.(int) }",
                "func (plan) Scan(text []byte, to any) { g(text, to.(*int)) }",
                "func First(a, b any) int { return a.(int) - b.(int) }",
                "func (m Match) IsSatisfied(a any) bool { return a.(string) == m.text }",
                "func Set(t *T, name string, value any) { switch name { case width: t.width = value.(int) } }",
                "func f(parts map[string]any) { g(parts[\"a\"].(int)) }",
                "func f(s Stream) { var v any; s.Receive(&v); g(v.(int)) }",
                "func (m *M) f() { if err := m.make(); err != nil { g(err.(*os.PathError)) } }",
                "func f(w *writer) { w.inner.(http.Flusher).Flush() }",
                "func F(a any) int { switch a.(type) { case int: return a.(int) }; return 0 }",
                "func f(err error) { if isPath(err) { g(err.(*os.PathError)) } }",
                "func (c *C) Err() error { if err := c.err.Load(); err != nil { return err.(error) }; return nil }",
                "func f() { m := map[string]any{\"a\": 1}; g(m[\"a\"].(int)) }",
                "func f() { m, err := buildBody(options); g(err); h(m[\"server\"].(map[string]any)) }",
                "func f(t T) { g(t.cells[\"a\"].(string)) }",
                "func f() { _, err := strconv.Atoi(a); if err != nil { g(err.(*strconv.NumError).Err) } }",
                "func f() { _, err := s.run(a); if err != nil { g(err.(failure).text) } }",
                "func Inner(err error) error { return err.(wrapped).inner }",
                "func f(p *Packet) { if err := errorOf(p); err != nil { g(err.(*Error).Code) } }",
                "// Code generated by a tool. DO NOT EDIT.\npackage a\nfunc F(a any) int { return a.(int) }",
                "func f(m *sync.Map) { m.Range(func(k, v any) bool { g(k.(string)); return true }) }",
                "func F(m *sync.Map) { m.Range(func(k, v any) bool { g(k.(string)); return true }) }",
            ],
        );
    }
}

//! A request as the filter of a document database.

use super::prelude::*;
use crate::script::expressions::{is_constant, member_parts, plain_argument, resolve_constant_name};
use crate::script::names::key_name;
use crate::script::untrusted::is_request_part;
use oxc_ast::ast::{ObjectExpression, ObjectPropertyKind};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "nosql-injection",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A request that brings an object brings operators: `{\"$ne\": null}` matches every document.",
    help: "turn the value into text (`String(value)`), use `$eq`, or check the request with a schema first",
    explanation: "What a body or a query brings need not be text: parsers make objects of it, and in a filter the keys of an \
        object that begin with `$` are operators. A password of `{ $ne: null }` fits every account. `$where` runs \
        text as code. Turn values into text with `String`, put them behind `$eq`, or check the request with a schema \
        first.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const login = (req: Request) => User.findOne({ name: req.body.name, password: req.body.password });
",
        good: "export const login = (req: Request) => User.findOne({ name: String(req.body.name), hash: hashOf(req.body.password) });
",
    }],
    cwe: Some("CWE-943"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_nosql_injection);

/// Methods of Mongo and mongoose whose first argument is a filter, and whose names nothing else bears.
const FILTERED: &[&str] = &[
    "countDocuments",
    "deleteMany",
    "deleteOne",
    "findOne",
    "findOneAndDelete",
    "findOneAndRemove",
    "findOneAndReplace",
    "findOneAndUpdate",
    "replaceOne",
    "updateMany",
    "updateOne",
];

fn check_nosql_injection<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    match node.kind() {
        AstKind::CallExpression(call) => {
            let Some((_, name)) = member_parts(&call.callee) else { return };
            let is_filtered = FILTERED.contains(&name) || (name == "find" && call.arguments.len() < 3);
            let Some(filter) = plain_argument(&call.arguments, 0).filter(|_| is_filtered) else { return };
            let told = match resolve_constant_name(context, filter) {
                Expression::ObjectExpression(object) => name != "find" && has_open_value(context, object),
                whole => is_request_value(context, whole),
            };
            if told && !looks_at_types(context, node) {
                out.push(context.report(
                    &RULE,
                    call.span,
                    format!("`{name}` filters by what a request brought as it is"),
                ));
            }
        }
        AstKind::ObjectProperty(property)
            if key_name(&property.key).as_deref() == Some("$where")
                && !is_constant(context, &property.value)
                && !is_function(&property.value) =>
        {
            out.push(context.report(&RULE, property.span, "`$where` runs text that is not constant"));
        }
        _ => {}
    }
}

/// `{ name: req.body.name }`; the parameters of a path are always text.
fn has_open_value(context: &ScriptContext<'_, '_>, object: &ObjectExpression<'_>) -> bool {
    object.properties.iter().any(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => is_request_value(context, &property.value),
        ObjectPropertyKind::SpreadProperty(spread) => is_request_value(context, &spread.argument),
    })
}

/// `req.body`, `req.query.name`: members alone, since whatever is computed of them is text.
fn is_request_value(context: &ScriptContext<'_, '_>, value: &Expression<'_>) -> bool {
    let value = resolve_constant_name(context, value);
    match member_parts(value) {
        Some((_, "body" | "query")) => is_request_part(context, value),
        Some((object, _)) => is_request_value(context, object),
        None => false,
    }
}

fn is_function(value: &Expression<'_>) -> bool {
    matches!(value, Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_))
}

/// True when the function around asks what kind of value it was given.
fn looks_at_types(context: &ScriptContext<'_, '_>, node: &AstNode<'_>) -> bool {
    context.function_text_has(node.id(), &["typeof ", "isString", "alidat", "sanitize"])
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn requests_as_filters() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "const f = (req) => User.findOne({ name: req.body.name })",
                "const f = (req) => db.collection('a').find(req.query)",
                "const f = (req) => { const filter = { ...req.body }; return users.deleteMany(filter) }",
                "users.find({ $where: `this.name == '${name}'` })",
                "const f = (req) => User.updateOne({ token: req.query.token }, { done: true })",
            ],
        );
    }

    #[test]
    fn filters_of_text() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "const f = (req) => User.findOne({ name: String(req.body.name) })",
                "const f = (req) => User.findOne({ _id: req.params.id })",
                "const f = (req) => list.find((one) => one.id === req.query.id)",
                "const f = (req) => User.findOne({ name: { $eq: req.body.name } })",
                "const f = (req) => { if (typeof req.body.name !== 'string') return; return User.findOne({ name: req.body.name }) }",
                "users.find({ $where: 'this.a == 1' })",
                "const f = (req) => User.updateOne({ _id: id }, req.body)",
            ],
        );
    }
}

//! A template that a request brings.

use super::prelude::*;
use crate::script::expressions::{member_name, plain_argument};
use crate::script::origins::import_origin;
use crate::script::untrusted::is_from_request;
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "template-injection",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Templates are code: who writes the template runs what he likes on the server.",
    help: "keep templates in files and hand the value to the template as data",
    explanation: "Engines turn a template into code, and most let a template reach the objects of the program around it. A \
        template that comes out of a request is therefore code of a stranger. Keep templates in files of this \
        program and hand what the request brings to them as data.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import Handlebars from "handlebars";

export const mail = (req: Request) => Handlebars.compile(req.body.template)({});
"#,
        good: r#"import Handlebars from "handlebars";

const MAIL = Handlebars.compile("Hello {{name}}");

export const mail = (req: Request) => MAIL({ name: req.body.name });
"#,
    }],
    cwe: Some("CWE-94"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_template_injection);

const ENGINES: &[&str] = &[
    "art-template",
    "doT",
    "dot",
    "dustjs-linkedin",
    "ejs",
    "eta",
    "handlebars",
    "hogan.js",
    "jade",
    "liquidjs",
    "lodash",
    "lodash/template",
    "mustache",
    "nunjucks",
    "pug",
    "squirrelly",
    "swig",
    "twig",
    "underscore",
];

fn check_template_injection(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let makes = matches!(
        member_name(&call.callee),
        Some("compile" | "precompile" | "render" | "renderString" | "template" | "renderAsync")
    );
    if !makes || !import_origin(context, &call.callee).is_some_and(|origin| ENGINES.contains(&origin.module.as_str())) {
        return;
    }
    if plain_argument(&call.arguments, 0).is_some_and(|template| is_from_request(context, template)) {
        out.push(context.report(&RULE, call.span, "a request brings the template"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn templates_from_requests() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "import ejs from 'ejs'; const f = (req) => ejs.render(req.body.template, {})",
                "const pug = require('pug'); const f = (req) => pug.compile('p ' + req.query.text)",
                "import _ from 'lodash'; const f = (req) => { const { text } = req.body; return _.template(text) }",
            ],
        );
    }

    #[test]
    fn templates_of_this_program() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "import ejs from 'ejs'; const f = (req) => ejs.render('<p><%= name %></p>', { name: req.query.name })",
                "const f = (req, res) => res.render(req.params.page)",
                "import pug from 'pug'; const f = (source) => pug.compile(source)",
                "const f = (req) => webpack.compile(req.body.source)",
            ],
        );
    }
}

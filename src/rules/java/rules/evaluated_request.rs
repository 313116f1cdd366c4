//! Code that a request brings.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method};
use crate::java::requests::stems_from_request;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "evaluated-request",
    aliases: &["sonar:S5334", "findsecbugs:SPEL_INJECTION", "findsecbugs:SCRIPT_ENGINE_INJECTION"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Text from a request is run as code.",
    help: "Look the value up instead, or evaluate it in a context that has no classes.",
    explanation: "An expression language can name any class, and with it start a program. Text that a request \
        brings must not become an expression; look the value up in a map, or use `SimpleEvaluationContext` with \
        a fixed expression.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import javax.script.*;
import javax.servlet.http.*;

class Calculator {
    Object result(ScriptEngine engine, HttpServletRequest request) throws Exception {
        return engine.eval(request.getParameter("formula"));
    }
}
"#,
        good: r#"import javax.script.*;
import javax.servlet.http.*;

class Calculator {
    Object result(ScriptEngine engine, HttpServletRequest request) throws Exception {
        engine.put("x", Double.valueOf(request.getParameter("x")));
        return engine.eval("x * x");
    }
}
"#,
    }],
    cwe: Some("CWE-94"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation"], check_evaluated_request);

fn check_evaluated_request<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let is_asked = called_method(context, node).is_some_and(|(_, name)| {
        matches!(name, "eval" | "parseExpression" | "createValueExpression" | "evaluateExpression" | "getValue")
    });
    if !is_asked || context.is_test_file() {
        return;
    }
    let is_given = arguments_of(node).into_iter().any(|argument| stems_from_request(context, argument));
    if is_given {
        out.push(context.report(&RULE, node, "the request is run as code"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "Object f(ExpressionParser p, @RequestParam String e) { return p.parseExpression(e).getValue(); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Object f(ExpressionParser p, String e) { return p.parseExpression(e); }",
        ]);
    }
}

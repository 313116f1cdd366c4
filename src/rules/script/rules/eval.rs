//! Code made from text: `eval`, `new Function`, timers given a string.

use super::prelude::*;
use crate::script::expressions::{called_parts, plain_argument, identifier_of, is_built, is_constant, member_parts};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "eval",
    aliases: &["eslint:no-eval", "eslint:no-new-func", "eslint:no-implied-eval"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Text that is not constant is run as code; whoever influences it runs code of their own.",
    help: "parse the data (`JSON.parse`) or call a function chosen from a table instead of running text",
    explanation: "Text that is put together at run time and then run as code gives whoever influences the text the \
        rights of the program. Parse data with `JSON.parse`; choose behaviour from a table of functions; give timers a \
        function. Text that is constant is not reported.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const compute = (formula: string) => eval(formula);
",
        good: "const FORMULAS = { double: (x: number) => 2 * x, square: (x: number) => x * x };

export const compute = (name: keyof typeof FORMULAS, x: number) => FORMULAS[name](x);
",
    }],
    cwe: Some("CWE-95"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Node(check_eval);

fn check_eval<'c, 'a>(context: &ScriptContext<'c, 'a>, node: &'c AstNode<'a>, out: &mut Vec<Finding>) {
    let Some((callee, arguments)) = called_parts(node.kind()) else { return };
    let Some(name) = global_name(context, callee) else { return };
    let told = match name {
        "eval" => plain_argument(arguments, 0).is_some_and(|code| !is_constant(context, code) && !is_plain_data(code)),
        "Function" => arguments.iter().any(|code| code.as_expression().is_none_or(|code| !is_constant(context, code))),
        "setTimeout" | "setInterval" => plain_argument(arguments, 0).is_some_and(|code| is_built(context, code)),
        _ => false,
    };
    if told {
        out.push(context.report(&RULE, node.kind().span(), format!("`{name}` runs text that is not constant as code")));
    }
}

/// The name of a global function, also as a property of the global object or in `(0, eval)`.
fn global_name<'e>(context: &ScriptContext<'_, '_>, callee: &'e Expression<'_>) -> Option<&'e str> {
    let callee = match callee {
        Expression::SequenceExpression(sequence) => sequence.expressions.last()?,
        other => other,
    };
    if let Some(identifier) = identifier_of(callee) {
        return context.is_global(identifier).then(|| identifier.name.as_str());
    }
    let (object, name) = member_parts(callee)?;
    let object = identifier_of(object)?;
    let is_global = matches!(object.name.as_str(), "window" | "globalThis" | "self" | "global");
    (is_global && context.is_global(object)).then_some(name)
}

/// `eval` of an object or a function gives it back unchanged.
fn is_plain_data(code: &Expression<'_>) -> bool {
    matches!(code, Expression::ObjectExpression(_) | Expression::FunctionExpression(_))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn text_that_is_not_constant_is_run() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "eval(input)",
                "const f = new Function('a', body)",
                "Function(`return ${x}`)()",
                "window.eval(x)",
                "(0, eval)(x)",
                "setTimeout('go(' + x + ')', 10)",
                "globalThis.setInterval(`tick(${n})`, 5)",
            ],
        );
    }

    #[test]
    fn constants_and_other_functions_are_not_meant() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "eval('this')",
                "const code = 'a' + 'b'; eval(code)",
                "new Function('return this')()",
                "setTimeout(() => eval, 10)",
                "setTimeout(tick, 10)",
                "function eval2(x) {} eval2(x)",
                "const Function = f; new Function(x)",
                "redis.eval(script, keys)",
                "// eval(x)\nconst s = 'eval(x)'",
            ],
        );
    }
}

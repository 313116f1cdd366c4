//! Angular told to trust a value.

use super::prelude::*;
use crate::script::expressions::{is_constant, member_parts, plain_argument};
use crate::script::markup::{is_safe, raise_if_untrusted};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "angular-bypass-security",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Angular stops checking the value, and scripts in it become part of the page.",
    help: "let Angular bind the value, or call `sanitizer.sanitize(SecurityContext.HTML, value)`",
    explanation: "Angular cleans what it binds to markup, addresses and styles. The methods `bypassSecurityTrust…` turn that \
        off for one value; when any part of the value comes from elsewhere, so do the scripts in it. Bind the value \
        as it is and let Angular clean it.",
    examples: &[Example {
        path: "example.ts",
        bad: "export const trusted = (sanitizer: DomSanitizer, text: string) => sanitizer.bypassSecurityTrustHtml(text);
",
        good: "export const cleaned = (sanitizer: DomSanitizer, text: string) => sanitizer.sanitize(SecurityContext.HTML, text);
",
    }],
    cwe: Some("CWE-79"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_angular_bypass_security);

fn check_angular_bypass_security(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    let Some((_, name)) = member_parts(&call.callee) else { return };
    // A style runs no script in today's browsers.
    let turns_off = name.strip_prefix("bypassSecurityTrust").is_some_and(|what| what != "Style");
    let Some(value) = plain_argument(&call.arguments, 0).filter(|_| turns_off && !context.is_test_file()) else {
        return;
    };
    if is_constant(context, value) || is_safe(context, value) || is_own_object(context.text(value.span())) {
        return;
    }
    let finding = context.report(&RULE, call.span, format!("`{name}` trusts a value that is not constant"));
    out.push(raise_if_untrusted(finding, context.text(value.span())));
}

/// The address of an object that the page itself made.
fn is_own_object(text: &str) -> bool {
    text.contains("createObjectURL(")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn values_that_are_trusted() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "this.sanitizer.bypassSecurityTrustHtml(this.html)",
                "const url = sanitizer.bypassSecurityTrustResourceUrl(`https://${host}/embed`)",
                "return_ = this.dom.bypassSecurityTrustScript(code + 'x')",
            ],
        );
    }

    #[test]
    fn values_that_are_constant_or_clean() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "sanitizer.bypassSecurityTrustHtml('<b>a</b>')",
                "sanitizer.bypassSecurityTrustHtml(DOMPurify.sanitize(html))",
                "sanitizer.bypassSecurityTrustStyle(`width: ${w}px`)",
                "sanitizer.bypassSecurityTrustUrl(URL.createObjectURL(blob))",
                "sanitizer.sanitize(SecurityContext.HTML, html)",
            ],
        );
    }
}

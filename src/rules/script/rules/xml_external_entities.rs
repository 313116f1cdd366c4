//! XML that may name files to be read.

use super::prelude::*;
use crate::script::expressions::member_name;
use crate::script::options::{is_switch, option_of};
use oxc_ast::ast::CallExpression;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "xml-external-entities",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "An XML text can bring in files of the server and addresses that it reaches.",
    help: "leave `noent` and `dtdload` off",
    explanation: "An entity of an XML text may stand for a file or an address, and with `noent: true` the parser puts its \
        content into the document. Whoever sends the text so reads files of the server. Leave the option off: \
        entities such as `&amp;` work without it.",
    examples: &[Example {
        path: "example.ts",
        bad: r#"import libxml from "libxmljs2";

export const read = (text: string) => libxml.parseXml(text, { noent: true });
"#,
        good: r#"import libxml from "libxmljs2";

export const read = (text: string) => libxml.parseXml(text, { nonet: true });
"#,
    }],
    cwe: Some("CWE-611"),
    since: "0.1.0",
};

pub(super) const RUN: ScriptRunner = ScriptRunner::Call(check_xml_external_entities);

fn check_xml_external_entities(context: &ScriptContext<'_, '_>, call: &CallExpression<'_>, out: &mut Vec<Finding>) {
    if !matches!(
        member_name(&call.callee),
        Some("parseXml" | "parseXmlString" | "parseXmlAsync" | "parseHtml" | "fromXml" | "parseString" | "parse")
    ) {
        return;
    }
    let is_on = |name: &str| option_of(context, &call.arguments, &[name]).is_some_and(|option| is_switch(option, true));
    if !context.is_test_file() && (is_on("noent") || is_on("replaceEntities") || is_on("dtdload")) {
        out.push(context.report(&RULE, call.span, "external entities of the XML text are read"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_no_findings, assert_one_finding_each};
    use super::*;

    #[test]
    fn entities_that_are_read() {
        assert_one_finding_each(
            &RULE,
            "a.js",
            &[
                "libxmljs.parseXml(text, { noent: true })",
                "const options = { noent: true, noblanks: true }; libxml.parseXmlString(text, options)",
                "XmlDocument.fromXml(text, { dtdload: true })",
            ],
        );
    }

    #[test]
    fn entities_that_stay_text() {
        assert_no_findings(
            &RULE,
            "a.js",
            &[
                "libxmljs.parseXml(text)",
                "libxmljs.parseXml(text, { noent: false })",
                "libxmljs.parseXml(text, { nonet: true })",
                "format(text, { noent: true })",
            ],
        );
    }
}

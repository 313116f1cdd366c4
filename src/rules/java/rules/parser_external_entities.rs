//! XML parsers that fetch what a document tells them to.

use super::prelude::*;
use crate::java::calls::{created_type, is_static_call};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "parser-external-entities",
    aliases: &["sonar:S2755", "findsecbugs:XXE_DOCUMENT", "findsecbugs:XXE_SAXPARSER", "findsecbugs:XXE_XMLSTREAMREADER"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "This XML parser follows external entities that a document declares.",
    help: "Set the feature `http://apache.org/xml/features/disallow-doctype-decl` to true, or `XMLInputFactory.SUPPORT_DTD` to false.",
    explanation: "A document may declare an entity that is a file of this machine or an address of the network \
        inside, and a parser with its defaults reads it. Forbid document types by `setFeature`, or external \
        access by `setProperty` and `setAttribute`, before the first document is read.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import javax.xml.parsers.*;
import org.w3c.dom.Document;

class Orders {
    Document read(java.io.InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        return factory.newDocumentBuilder().parse(in);
    }
}
"#,
        good: r#"import javax.xml.parsers.*;
import org.w3c.dom.Document;

class Orders {
    Document read(java.io.InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(in);
    }
}
"#,
    }],
    cwe: Some("CWE-611"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation", "object_creation_expression"], check_parser_external_entities);

/// Words of a method that sets what the parser may do.
const BOUNDS: &[&str] = &["setFeature", "setProperty", "setAttribute", "setEntityResolver", "setXMLResolver"];

fn check_parser_external_entities<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let makes = ["DocumentBuilderFactory", "SAXParserFactory", "XMLInputFactory"]
        .iter()
        .any(|class| is_static_call(context, node, class, &["newInstance", "newFactory", "newDefaultInstance", "newNSInstance"]))
        || is_static_call(context, node, "XMLReaderFactory", &["createXMLReader"])
        || matches!(created_type(context, node), Some("SAXReader" | "SAXBuilder"));
    if !makes || context.is_test_file() {
        return;
    }
    // A factory that is kept in a field may be set up elsewhere in its class.
    let place = context.outermost_function(node).or_else(|| context.type_around(node));
    let around = place.map_or("", |place| context.text(place));
    let parses = around.contains(".parse(") || around.contains(".read(") || around.contains("Reader(") || around.contains(".build(");
    if parses && !BOUNDS.iter().any(|word| around.contains(word)) {
        out.push(context.report(&RULE, node, "this parser follows external entities"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "Object f(InputStream in) { return XMLInputFactory.newFactory().createXMLStreamReader(in); }",
            "Object f(InputStream in) { return new SAXReader().read(in); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "Object f() { return DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument(); }",
            "Object f(InputStream in) { XMLInputFactory x = XMLInputFactory.newFactory(); x.setProperty(XMLInputFactory.SUPPORT_DTD, false); return x.createXMLStreamReader(in); }",
        ]);
    }
}

//! Objects that whoever wrote the bytes may choose.

use super::prelude::*;
use crate::java::calls::{arguments_of, called_method, created_type};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "object-deserialization",
    aliases: &["sonar:S5135", "findsecbugs:OBJECT_DESERIALIZATION", "spotbugs:OBJECT_DESERIALIZATION"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "Whoever wrote these bytes chooses which classes are made from them.",
    help: "Read a plain format such as JSON into a class that you name, or set an `ObjectInputFilter`.",
    explanation: "Deserialising makes objects of any class that the bytes name and runs its methods; chains of \
        harmless classes of common libraries run commands that way. Read JSON or Protocol Buffers into classes \
        that you name. Where the format cannot change, set an `ObjectInputFilter` that allows a few classes.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.io.*;

class Session {
    Object load(InputStream in) throws Exception {
        try (ObjectInputStream objects = new ObjectInputStream(in)) {
            return objects.readObject();
        }
    }
}
"#,
        good: r#"import java.io.*;

class Session {
    Object load(InputStream in) throws Exception {
        try (ObjectInputStream objects = new ObjectInputStream(in)) {
            objects.setObjectInputFilter(ObjectInputFilter.Config.createFilter("shop.Cart;!*"));
            return objects.readObject();
        }
    }
}
"#,
    }],
    cwe: Some("CWE-502"),
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["method_invocation", "object_creation_expression"], check_object_deserialization);

fn check_object_deserialization<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if context.is_test_file() {
        return;
    }
    let around = context.text_around(node);
    let is_open = match created_type(context, node) {
        // A copy by way of bytes reads what it has just written.
        Some("ObjectInputStream") => {
            around.contains(".readObject(") && !around.contains("ObjectInputFilter") && !around.contains("ObjectOutputStream")
        }
        Some("XMLDecoder") => true,
        _ => called_method(context, node).is_some_and(|(_, name)| {
            matches!(name, "enableDefaultTyping") || name == "fromXML" && around.contains("new XStream(") && arguments_of(node).len() == 1 && !around.contains("allowTypes")
        }),
    };
    if is_open {
        out.push(context.report(&RULE, node, "the bytes choose which classes are made"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "Object f(InputStream in) { return new XMLDecoder(in).readObject(); }",
            "void f(ObjectMapper m) { m.enableDefaultTyping(); }",
            "Object f(InputStream in) { return new ObjectInputStream(in).readObject(); }",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "private void readObject(ObjectInputStream in) { in.defaultReadObject(); }",
            "Object f(Object o) { new ObjectOutputStream(b).writeObject(o); return new ObjectInputStream(c).readObject(); }",
            "void f(ObjectInputStream in) { in.readInt(); }",
        ]);
    }
}

//! Formats that threads must not share.

use super::prelude::*;
use crate::java::calls::{created_type, simple_type};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "shared-date-format",
    aliases: &["spotbugs:STCAL_STATIC_SIMPLE_DATE_FORMAT_INSTANCE", "sonar:S2885"],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 800,
    blocking: false,
    summary: "`SimpleDateFormat` and `Calendar` give wrong dates when two threads use one.",
    help: "Use `DateTimeFormatter`, which never changes.",
    explanation: "These classes keep what they are working on in fields of their own. Two threads that share one \
        get dates of each other, or exceptions. `DateTimeFormatter` can be shared; otherwise make one per call.",
    examples: &[Example {
        path: "Example.java",
        bad: r#"import java.text.SimpleDateFormat;

class Dates {
    private static final SimpleDateFormat DAY = new SimpleDateFormat("yyyy-MM-dd");
}
"#,
        good: r#"import java.time.format.DateTimeFormatter;

class Dates {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd");
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: JavaRunner = JavaRunner::Kinds(&["field_declaration"], check_shared_date_format);

fn check_shared_date_format<'c>(context: &JavaContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let of = field(node, "type").map_or("", |of| simple_type(context.text(of)));
    let made = field(node, "declarator").and_then(|declarator| field(declarator, "value")).and_then(|value| created_type(context, value));
    let is_shared = matches!(of, "SimpleDateFormat" | "Calendar" | "GregorianCalendar") || made == Some("SimpleDateFormat");
    if is_shared && context.has_modifier(node, "static") && !context.is_test_file() {
        out.push(context.report(&RULE, node, "threads share this, and it is not made for that"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(&RULE, &[
            "static DateFormat F = new SimpleDateFormat(\"yyyy\");",
            "private static Calendar c;",
        ]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(&RULE, &[
            "private final SimpleDateFormat f = new SimpleDateFormat(\"yyyy\");",
            "static ThreadLocal<SimpleDateFormat> F;",
        ]);
    }
}

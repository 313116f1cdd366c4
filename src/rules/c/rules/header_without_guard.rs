//! Headers that count twice when they are included twice.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "header-without-guard",
    aliases: &["clang-tidy:llvm-header-guard", "cpplint:build/header_guard"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A header without a guard declares everything twice when it is included twice.",
    help: "Begin with `#pragma once`, or put the whole into `#ifndef NAME_H`.",
    explanation: "Headers include each other, and sooner or later one arrives twice. Types and functions with bodies \
        are then declared twice, and the file does not compile. A guard, or `#pragma once`, costs two lines.",
    examples: &[Example {
        path: "example.h",
        bad: r#"struct price {
    int amount;
};
"#,
        good: r#"#pragma once

struct price {
    int amount;
};
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: CRunner = CRunner::Kinds(&["translation_unit"], check_header_without_guard);

fn check_header_without_guard<'c>(context: &CContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    if !context.is_header() || !is_once_only(context) {
        return;
    }
    let text = context.tree().source_text();
    let directives: Vec<String> = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with('#'))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let is_once = directives.iter().any(|line| line.replace("# ", "#").starts_with("#pragma once"));
    let opening = directives
        .iter()
        .map(|line| line.replace("# ", "#"))
        .find(|line| !line.starts_with("#include") && !line.starts_with("#pragma"));
    let is_guarded =
        opening.is_some_and(|line| line.starts_with("#ifndef") || line.starts_with("#if !") || line.starts_with("#if"));
    // The end of the last directive is what a text file for inclusion lacks.
    if let Some(first) = named_children(node).next().filter(|_| !is_once && !is_guarded) {
        out.push(context.report(&RULE, first, "nothing keeps this header from counting twice"));
    }
}

/// True for what may be declared only once: a type with its members, an enum, a function with its body. A header that is read
/// several times on purpose has none of them.
fn is_once_only(context: &CContext<'_>) -> bool {
    let mut nodes = context.tree().all_nodes();
    nodes.any(|at| match at.kind() {
        "struct_specifier" | "enum_specifier" | "class_specifier" | "union_specifier" => {
            field(at, "body").is_some() && field(at, "name").is_some()
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean_in, assert_found_in};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found_in(&RULE, "example.h", &["struct a { int b; };", "#include \"b.h\"\nenum a { B };"]);
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean_in(
            &RULE,
            "example.h",
            &[
                "#pragma once\nstruct a { int b; };",
                "#ifndef A_H\n#define A_H\nstruct a { int b; };\n#endif",
                "int f(void);",
                "#if !defined(A_H)\n#define A_H\nstruct a { int b; };\n#endif",
            ],
        );
    }
}

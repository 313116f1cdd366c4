//! From the bytes of a script to its shape.

use oxc_semantic::{Semantic, SemanticBuilder};
use oxc_span::GetSpan as _;

use super::{blocks, context::ScriptContext, rules, syntax};
use crate::shape::FileShape;
use crate::suppression;
use crate::suppression::{Comment, Dialect, Suppression};
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_syntax::script::dialect::candidate_source_types;
use tapps_syntax::script::parse::{Brackets, ScriptTree, Unparsed, parse_script};
use tapps_syntax::script::positions::Positions;

/// Measures a TypeScript, TSX, JavaScript or JSX file.
///
/// `logical_lines` counts statements: every statement and declaration except blocks and empty statements, and class
/// fields. A file that does not parse has `syntax_errors` and nothing else.
#[must_use]
pub fn analyze_script(source: &Source) -> FileShape {
    let Some(text) = source.text() else {
        return unscored_shape(vec![syntax::not_utf8(source)]);
    };
    // Node drops a byte-order mark before it looks for a hashbang.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = parse_script(text, &candidate_source_types(source.path()), Brackets::LeftOut, |tree| {
        shape_of_tree(source, text, tree)
    });
    read.unwrap_or_else(|why| match why {
        Unparsed::TooDeep(offset) => unscored_shape(vec![syntax::too_deep(source, &Positions::new(text), offset)]),
        Unparsed::NoStack => unscored_shape(vec![syntax::no_stack(source)]),
        // The first grammar is the likeliest: what it says is of use.
        Unparsed::Rejected(said) => unscored_shape(said.into_iter().next().unwrap_or_default()),
    })
}

fn unscored_shape(syntax_errors: Vec<Finding>) -> FileShape {
    FileShape { syntax_errors, ..FileShape::default() }
}

/// What one tree shows; `Err` holds the syntax errors.
fn shape_of_tree(source: &Source, text: &str, tree: ScriptTree<'_>) -> Result<FileShape, Vec<Finding>> {
    let ScriptTree { allocator, parsed, .. } = tree;
    let positions = Positions::new(text);
    if parsed.panicked || parsed.diagnostics.has_errors() {
        let flow = parsed.is_flow_language;
        return Err(syntax::errors(source, &positions, &parsed.diagnostics, flow));
    }
    let program = allocator.alloc(parsed.program);
    let built = SemanticBuilder::new().with_build_nodes(true).with_check_syntax_error(true).build(program);
    if built.diagnostics.has_errors() {
        return Err(syntax::errors(source, &positions, &built.diagnostics, false));
    }
    let measures = blocks::measure_blocks(&built.semantic, &positions);
    let blocks = measures.blocks();
    let logical_lines = measures.statements;
    let suppressions = script_suppressions(text, &built.semantic, &positions);
    let context = ScriptContext::new(source, &built.semantic, &positions, measures);
    let findings = rules::run_script_rules(&context);
    Ok(FileShape {
        blocks,
        logical_lines,
        maintainability_index: None,
        findings,
        suppressions,
        syntax_errors: Vec::new(),
    })
}

/// The comments that hide findings. Nearly no file has one, so it is asked first whether there can be any.
fn script_suppressions(text: &str, semantic: &Semantic<'_>, positions: &Positions<'_>) -> Vec<Suppression> {
    if !suppression::may_suppress(text) {
        return Vec::new();
    }
    let code = semantic.nodes().program().body.first().map_or(u32::MAX, |statement| statement.span().start);
    let comments = semantic.comments().iter().map(|comment| {
        let (start, end) = (comment.span.start, comment.span.end);
        let line_start = text.get(..start as usize).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        Comment {
            text: text.get(start as usize..end as usize).unwrap_or_default(),
            start: start as usize,
            line: positions.line_and_column(start).0,
            last_line: positions.last_line(end),
            alone: text.get(line_start..start as usize).is_some_and(|before| before.trim().is_empty()),
            first: start < code,
        }
    });
    suppression::read_comments(comments, Dialect::Script)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(path: &str, text: &str) -> FileShape {
        analyze_script(&Source::new(path, text.as_bytes()))
    }

    #[test]
    fn every_kind_of_file_is_read() {
        for (path, text) in [
            ("a.js", ""),
            ("a.js", "\u{feff}#!/usr/bin/env node\nmain();\n"),
            ("a.js", "#!/usr/bin/env node\r\nrequire('x');\r\nreturn;\r\n"),
            ("a.js", "var await = 1; with (x) { y }\n"),
            ("a.js", "export const x = await y;\n"),
            ("a.js", "const x = <a href='x'>{y}</a>;\n"),
            ("a.cjs", "if (x) return;\nmodule.exports = await;\n"),
            ("a.mjs", "import x from 'x'; await x;\n"),
            ("a.ts", "const x = <string>y; enum E { A = 1 }\n"),
            ("a.cts", "import x = require('x'); export = x;\n"),
            ("a.mts", "export default class<T> {}\n"),
            ("a.tsx", "const f = <T,>(x: T) => <p>{x}</p>;\n"),
            ("a.d.ts", "declare const x: number; export function f(): void;\n"),
            ("a.ts", "function f(x: string): void;\nfunction f(x: any) {}\n"),
        ] {
            let shape = shape(path, text);
            assert!(shape.syntax_errors.is_empty(), "{path}: {text}: {:?}", shape.syntax_errors);
        }
    }

    #[test]
    fn errors_stop_the_score_and_say_where() {
        for (path, text, line, column) in [
            ("a.js", "x = ;\n", 1, 5),
            ("a.ts", "let é = 1;\nlet é = 2;\n", 1, 5),
            ("a.js", "a();\n  }\n", 2, 3),
            ("a.ts", "const x = <p>;\n", 1, 14),
        ] {
            let shape = shape(path, text);
            let error = shape.syntax_errors.first().unwrap_or_else(|| panic!("{text} has no error"));
            assert_eq!(error.rule, "tapps:syntax-error");
            assert_eq!((error.line, error.column), (line, column), "{text}: {}", error.message);
            assert!(shape.blocks.is_empty() && shape.findings.is_empty());
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_said_to_be_so() {
        let shape = analyze_script(&Source::new("a.js", &b"x = '\xff'"[..]));
        assert_eq!(shape.syntax_errors[0].rule, "tapps:not-utf8");
    }

    #[test]
    fn nesting_never_overflows_the_stack() {
        let n = 10_000;
        let wrap = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(n), close.repeat(n));
        for text in [
            wrap("(", "a", ")"),
            wrap("[", "", "]"),
            wrap("{", "", "}"),
            wrap("<a>", "b", "</a>"),
            wrap("a ? ", "b", " : c"),
            wrap("f(", "a", ")"),
            wrap("`${", "a", "}`"),
            wrap("(a => ", "a", ")"),
            wrap("if (a) ", "b", ""),
            wrap("a ? b : ", "c", ""),
            wrap("a = ", "b", ""),
            wrap("a => ", "b", ""),
            wrap("typeof ", "b", ""),
            wrap("!", "b", ""),
            wrap("- ", "b", ""),
            wrap("a ** ", "b", ""),
            wrap("a + ", "b", ""),
            wrap("a && ", "b", ""),
            wrap("new ", "b", ""),
            wrap("", "b", ".c"),
            wrap("", "b", ".c()"),
            wrap("", "b", "?.[1]"),
            wrap("if (a) { b() } else ", "c", ""),
            wrap("a: ", "b", "").replace("a: ", "a:"),
            wrap("while (a) ", "b", ""),
            wrap("do ", "b", " while (c)"),
            wrap("function f() {", "", "}"),
            wrap("class A { x = ", "1", "}"),
            wrap("(", "", ""),
            wrap("", "", ")"),
        ] {
            let shape = shape("a.jsx", &text);
            let told = shape.syntax_errors.len() + shape.logical_lines as usize;
            assert!(told > 0, "{}", &text[..60]);
        }
    }

    #[test]
    fn types_may_nest_too() {
        let n = 10_000;
        for text in [
            format!("type A = {}a{};", "B<".repeat(n), ">".repeat(n)),
            format!("type A = {}a;", "keyof ".repeat(n)),
            format!("type A = a{};", "[]".repeat(n)),
            format!("type A = {}c;", "a extends b ? x : ".repeat(n)),
            format!("let x = a{};", "!".repeat(n)),
            format!("let x = a{};", " as b".repeat(n)),
            format!("let x = {}b;", "<a>".repeat(n)),
        ] {
            let shape = shape("a.ts", &text);
            assert!(shape.syntax_errors.len() + shape.logical_lines as usize > 0);
        }
    }

    #[test]
    fn statements_are_the_logical_lines() {
        let text = "import a from 'a';\nexport const b = 1;\nclass C { d = 1; e() { return 2; } }\n;if (b) { a(); }\n";
        assert_eq!(shape("a.ts", text).logical_lines, 7);
        assert_eq!(shape("a.ts", text).maintainability_index, None);
    }

    /// Pieces that together touch every rule.
    const SAMPLE: &str = "import React, { useState, useEffect } from 'react';\n/* é */ export class A<T> extends B { #x = a?.b ?? 1;\n\
        async m({ p = 1 }: any = {}) { for (const i of p) { for (const j of q) await f(i, j); } } }\n\
        export const C = ({ id }) => { const [s, set] = useState([]); useEffect(() => { s.push(id); el.innerHTML = `<${s}>` }, []);\n\
        return <ul>{s.map((x, i) => <li key={i} dangerouslySetInnerHTML={{ __html: x }} />)}</ul> };\n\
        switch (a) { case 1: f(); case 1: try { eval(z) } catch {} }\nx = a == b ? /[/`]/.test(c) : `${d}`;\n";

    #[test]
    fn a_cut_or_mangled_file_never_stops_the_analyzer() {
        for (offset, _) in SAMPLE.char_indices() {
            for path in ["a.tsx", "a.js"] {
                shape(path, &SAMPLE[..offset]);
                shape(path, &SAMPLE[offset..]);
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

        #[test]
        fn any_text_is_answered_the_same_way_twice(pieces in proptest::collection::vec(
            proptest::prelude::prop_oneof![
                proptest::prelude::Just("("), proptest::prelude::Just(")"), proptest::prelude::Just("{"), proptest::prelude::Just("}"),
                proptest::prelude::Just("`"), proptest::prelude::Just("${"), proptest::prelude::Just("/"), proptest::prelude::Just("'"),
                proptest::prelude::Just("<a>"), proptest::prelude::Just("</a>"), proptest::prelude::Just("=>"), proptest::prelude::Just(" if "),
                proptest::prelude::Just("a"), proptest::prelude::Just("\n"), proptest::prelude::Just(","), proptest::prelude::Just(";"),
                proptest::prelude::Just(" function "), proptest::prelude::Just("é"), proptest::prelude::Just("\u{0}"), proptest::prelude::Just("="),
            ], 0..60)) {
            let text = pieces.concat();
            proptest::prop_assert_eq!(shape("a.tsx", &text), shape("a.tsx", &text));
        }
    }
}

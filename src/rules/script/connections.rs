//! What ties a script to other files: while that stays, an edit of it brings no file in or out of a program.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, WithClause};
use oxc_semantic::SemanticBuilder;
use oxc_span::{GetSpan as _, Span};

use tapps_base::source::Source;
use tapps_syntax::script::dialect::candidate_source_types;
use tapps_syntax::script::parse::{Brackets, ScriptTree, parse_script};

/// The ties of a module that declares nothing outside of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connections {
    /// The modules it names, each with the way in which it does: both decide which file is meant.
    modules: BTreeSet<String>,
    /// Comments that bring in files, or say by what JSX is made.
    directives: BTreeSet<String>,
}

impl Connections {
    /// Reads them off a file; none of one that does not parse, is no module, or declares what other files see without
    /// importing it.
    #[must_use]
    pub fn of(source: &Source) -> Option<Self> {
        let text = source.text()?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        parse_script(text, &candidate_source_types(source.path()), Brackets::LeftOut, |tree| {
            let ScriptTree { allocator, parsed, .. } = tree;
            let record = &parsed.module_record;
            let is_module = !record.requested_modules.is_empty() || !record.local_export_entries.is_empty();
            if parsed.panicked || parsed.diagnostics.has_errors() || !is_module {
                return Err(());
            }
            let comments = parsed.program.comments.iter().map(|comment| text_of(text, comment.span));
            let directives = comments.filter(|comment| is_directive(comment)).map(str::to_owned).collect();
            let built = SemanticBuilder::new().with_build_nodes(true).build(allocator.alloc(parsed.program));
            let mut modules = BTreeSet::new();
            for node in built.semantic.nodes() {
                match named_module(node.kind(), text) {
                    NamedModule::Nothing => {}
                    NamedModule::Module(module) => drop(modules.insert(module)),
                    NamedModule::Outside => return Err(()),
                }
            }
            Ok(Self { modules, directives })
        })
        .ok()
    }
}

enum NamedModule {
    Nothing,
    Module(String),
    /// Something that other files see without importing it.
    Outside,
}

fn named_module(kind: AstKind<'_>, text: &str) -> NamedModule {
    let with = |source: &str, clause: Option<&WithClause<'_>>| {
        let clause = clause.map_or("", |clause| text_of(text, clause.span));
        NamedModule::Module(format!("import {source} {clause}"))
    };
    match kind {
        AstKind::TSGlobalDeclaration(_)
        | AstKind::TSExternalModuleDeclaration(_)
        | AstKind::TSNamespaceExportDeclaration(_) => NamedModule::Outside,
        AstKind::ImportDeclaration(one) => with(&one.source.value, one.with_clause.as_deref()),
        AstKind::ExportFromDeclaration(one) => with(&one.source.value, one.with_clause.as_deref()),
        AstKind::ExportAllDeclaration(one) => with(&one.source.value, one.with_clause.as_deref()),
        // With what it is given besides.
        AstKind::TSImportType(one) => {
            let options = one.options.as_ref().map_or("", |options| text_of(text, options.span()));
            NamedModule::Module(format!("type {} {options}", one.source.value))
        }
        AstKind::TSExternalModuleReference(one) => NamedModule::Module(format!("require {}", one.expression.value)),
        AstKind::ImportExpression(one) => match &one.source {
            Expression::StringLiteral(source) => NamedModule::Module(format!("deferred {}", source.value)),
            other => NamedModule::Module(format!("deferred {}", text_of(text, other.span()))),
        },
        AstKind::CallExpression(one) => match one.common_js_require() {
            Some(source) => NamedModule::Module(format!("require {}", source.value)),
            None => NamedModule::Nothing,
        },
        _ => NamedModule::Nothing,
    }
}

/// True for a comment that the compiler obeys.
fn is_directive(comment: &str) -> bool {
    comment.starts_with("///") || comment.contains("@jsx")
}

fn text_of(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Connections> {
        Connections::of(&Source::new("a.ts", text.as_bytes()))
    }

    #[test]
    fn an_edit_of_what_a_module_does_leaves_them_alone() {
        let before = of("import { a } from './a';\nexport const b = a;\n");
        assert!(before.is_some());
        for text in [
            "import { c, a as d } from \"./a\";\n// words\nexport function b() { return d + c }\n",
            "\u{feff}import type { a } from './a';\nexport * from './a';\n",
        ] {
            assert_eq!(of(text), before, "{text}");
        }
    }

    #[test]
    fn every_way_to_name_a_module_is_one_of_them() {
        let before = of("import './a';\n");
        for more in [
            "import './b';",
            "export * from './b';",
            "export { b } from './b';",
            "type B = import('./b').B;",
            "import b = require('./b');",
            "const b = import('./b');",
            "const b = require('./b');",
            "/// <reference path=\"b.d.ts\" />",
            "/** @jsx h */",
            "import('./' + b);",
        ] {
            let after = of(&format!("{more}\nimport './a';\n"));
            assert!(after.is_some() && after != before, "{more}");
        }
        let attributes = "import './a' with { 'resolution-mode': 'require' };\n";
        assert_ne!(of(attributes), before);
    }

    #[test]
    fn what_others_see_without_importing_it_has_none() {
        for text in [
            "const a = 1;\n",
            "import './a';\ndeclare global { interface Window { a: 1 } }\n",
            "import './a';\ndeclare module './a' { interface A { b: 1 } }\n",
            "import './a';\nconst = ;\n",
            "export as namespace A;\nexport {};\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}

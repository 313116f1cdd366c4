//! The statements of a script, as what is compared.

use oxc_ast::AstKind;
use oxc_ast_visit::Visit;
use oxc_parser::{Kind, Token};
use oxc_span::{GetSpan as _, SourceType};

use super::markup::blank_outside_scripts;
use crate::duplicates::statement::{
    FileStatements, SpannedToken, StatementKind, StatementSpan, TokenClass, cut_into_statements,
};
use crate::model::Language;
use tapps_syntax::script::dialect::candidate_source_types;
use tapps_syntax::script::parse::{Unparsed, parse_script_with_tokens};

/// The statements of a file, of markup those of its scripts; none when it cannot be read.
#[must_use]
pub fn read_script_statements(path: &str, language: Language, text: &str) -> FileStatements {
    match language {
        Language::Vue | Language::Svelte => {
            let (scripts, typed) = blank_outside_scripts(text);
            let grammars =
                if typed { [SourceType::tsx(), SourceType::ts()] } else { [SourceType::jsx(), SourceType::mjs()] };
            read_with(&scripts, &grammars)
        }
        _ => read_with(text, &candidate_source_types(path)),
    }
}

fn read_with(text: &str, grammars: &[SourceType]) -> FileStatements {
    let code = text.strip_prefix('\u{feff}').unwrap_or(text);
    let shift = text.len() - code.len();
    let read = parse_script_with_tokens(code, grammars, |tree| {
        let mut reader = SpanReader { shift, spans: Vec::new(), around: Vec::new() };
        reader.visit_program(&tree.parsed.program);
        let tokens = tree.parsed.tokens.iter().filter(|token| is_code(token.kind())).map(|token| spanned(token, shift));
        let statements = cut_into_statements(text, reader.spans, tokens);
        if tree.parsed.panicked || tree.parsed.diagnostics.has_errors() { Err(statements) } else { Ok(statements) }
    });
    read.unwrap_or_else(|why| match why {
        Unparsed::Rejected(mut broken) if !broken.is_empty() => broken.swap_remove(0),
        _ => FileStatements::default(),
    })
}

fn is_code(kind: Kind) -> bool {
    !matches!(kind, Kind::Eof | Kind::Undetermined | Kind::Skip | Kind::HashbangComment)
}

fn spanned(token: &Token, shift: usize) -> SpannedToken {
    let class = match token.kind() {
        Kind::Ident | Kind::PrivateIdentifier => TokenClass::Name,
        kind if kind.is_number() => TokenClass::Number,
        Kind::Str
        | Kind::RegExp
        | Kind::NoSubstitutionTemplate
        | Kind::TemplateHead
        | Kind::TemplateMiddle
        | Kind::TemplateTail
        | Kind::JSXText => TokenClass::Text,
        _ => TokenClass::Fixed,
    };
    SpannedToken { class, start: token.start() as usize + shift, end: token.end() as usize + shift }
}

/// Collects where statements, members and cases stand.
struct SpanReader<'a> {
    shift: usize,
    spans: Vec<StatementSpan>,
    around: Vec<AstKind<'a>>,
}

impl<'a> Visit<'a> for SpanReader<'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        if is_compared(kind, self.around.last().copied()) {
            let span = kind.span();
            let imports = matches!(
                kind,
                AstKind::ImportDeclaration(_)
                    | AstKind::ExportAllDeclaration(_)
                    | AstKind::ExportFromDeclaration(_)
                    | AstKind::TSImportEqualsDeclaration(_)
            ) || is_required(kind);
            let kind = match kind {
                _ if imports => StatementKind::Import,
                AstKind::Function(_) | AstKind::Class(_) | AstKind::MethodDefinition(_) => StatementKind::Definition,
                AstKind::ExportDeclaration(_) | AstKind::ExportDefaultDeclaration(_) => StatementKind::Definition,
                _ => StatementKind::Plain,
            };
            let (start, end) = (span.start as usize + self.shift, span.end as usize + self.shift);
            self.spans.push(StatementSpan { start, end, kind });
        }
        self.around.push(kind);
    }

    fn leave_node(&mut self, _kind: AstKind<'a>) {
        self.around.pop();
    }
}

/// A statement that is a part of another (a block, the head of a loop, what is exported) is none of its own.
fn is_compared(kind: AstKind<'_>, around: Option<AstKind<'_>>) -> bool {
    if matches!(
        kind,
        AstKind::MethodDefinition(_)
            | AstKind::PropertyDefinition(_)
            | AstKind::AccessorProperty(_)
            | AstKind::StaticBlock(_)
            | AstKind::SwitchCase(_)
            | AstKind::TSPropertySignature(_)
            | AstKind::TSMethodSignature(_)
    ) {
        return true;
    }
    if matches!(kind, AstKind::BlockStatement(_) | AstKind::EmptyStatement(_)) {
        return false;
    }
    let is_part = around.is_some_and(|around| {
        let is_head =
            matches!(around, AstKind::ForStatement(_) | AstKind::ForInStatement(_) | AstKind::ForOfStatement(_))
                && matches!(kind, AstKind::VariableDeclaration(_));
        is_head || around.is_module_declaration()
    });
    (kind.is_statement() || kind.is_declaration()) && !is_part
}

/// `const x = require("x")`, which imports as an `import` does.
fn is_required(kind: AstKind<'_>) -> bool {
    let AstKind::VariableDeclaration(declaration) = kind else { return false };
    !declaration.declarations.is_empty()
        && declaration.declarations.iter().all(|one| {
            let call = one.init.as_ref().and_then(|init| match init.get_inner_expression() {
                oxc_ast::ast::Expression::CallExpression(call) => Some(call),
                _ => None,
            });
            call.is_some_and(|call| call.callee.is_specific_id("require"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str, language: Language, text: &str) -> Vec<(String, u16, bool)> {
        let found = read_script_statements(path, language, text);
        let cut = |one: &crate::duplicates::statement::Statement| text[one.start as usize..one.end as usize].to_owned();
        found.statements.iter().map(|one| (cut(one), one.depth, one.is_import)).collect()
    }

    #[test]
    fn statements_members_and_cases_are_compared() {
        let text = "import a from 'a';\nconst b = require('b')\nexport class C {\n  x = 1;\n  m(y) {\n    for (const z of y) { use(z) }\n    if (y) return; else if (a) { go() } else { stop() }\n  }\n}\n";
        let expected = [
            ("import a from 'a'", 0, true),
            ("const b = require('b')", 0, true),
            ("export class C {", 0, false),
            ("x = 1", 1, false),
            ("m(y) {", 1, false),
            ("for (const z of y) {", 2, false),
            ("use(z)", 3, false),
            ("if (y)", 2, false),
            ("return", 3, false),
            ("else if (a) {", 3, false),
            ("go()", 4, false),
            ("else {", 4, false),
            ("stop()", 4, false),
        ];
        let found = shown("a.js", Language::JavaScript, text);
        let found: Vec<(&str, u16, bool)> = found.iter().map(|one| (one.0.as_str(), one.1, one.2)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn scripts_in_markup_keep_their_lines() {
        let text = "<template>x</template>\n<script lang=\"ts\">\nlet a: number = `${b}c`\n</script>\n";
        let found = read_script_statements("a.vue", Language::Vue, text);
        assert_eq!((found.statements.len(), found.statements[0].line, found.statements[0].tokens), (1, 3, 8));
    }
}

//! The lines of nodes as CPython counts them.

use ruff_python_ast::visitor::source_order::{
    SourceOrderVisitor, TraversalSignal, walk_comprehension, walk_parameters, walk_with_item,
};
use ruff_python_ast::{AnyNodeRef, Decorator, StmtClassDef, StmtFunctionDef};
use ruff_text_size::{Ranged as _, TextRange, TextSize};
use tapps_syntax::python::lines::SourceLines;

/// Where a function begins for Python: its decorators stand before it.
pub(super) fn start_of_function(lines: &SourceLines<'_>, function: &StmtFunctionDef) -> TextSize {
    start_behind_decorators(lines, &function.decorator_list, function.start(), function.name.start(), "def")
}

/// Where a class begins for Python.
pub(super) fn start_of_class(lines: &SourceLines<'_>, class: &StmtClassDef) -> TextSize {
    start_behind_decorators(lines, &class.decorator_list, class.start(), class.name.start(), "class")
}

fn start_behind_decorators(
    lines: &SourceLines<'_>,
    decorators: &[Decorator],
    start: TextSize,
    name: TextSize,
    keyword: &str,
) -> TextSize {
    let Some(last) = decorators.last() else { return start };
    let between = lines.slice(TextRange::new(last.end(), name));
    let Some(at) = between.rfind(keyword) else { return start };
    let before = between[..at].trim_end();
    let at = before.strip_suffix("async").map_or(at, str::len);
    last.end() + TextSize::try_from(at).unwrap_or_default()
}

/// First and last line of a node; `above` are the nodes around it, outermost first. Nodes that have no place of their own
/// for Python span the lines on which the nodes in them begin.
pub(super) fn lines_of_node(lines: &SourceLines<'_>, node: AnyNodeRef<'_>, above: &[AnyNodeRef<'_>]) -> (u32, u32) {
    let of_range = |range: TextRange| (lines.line(range.start()), lines.last_line(range));
    match node {
        AnyNodeRef::StmtFunctionDef(function) => {
            of_range(TextRange::new(start_of_function(lines, function), function.end()))
        }
        AnyNodeRef::StmtClassDef(class) => of_range(TextRange::new(start_of_class(lines, class), class.end())),
        AnyNodeRef::ElifElseClause(clause) => match above.last() {
            // For Python it is a statement in the one before it, to whose end it goes.
            Some(AnyNodeRef::StmtIf(whole)) => of_range(TextRange::new(clause.start(), whole.end())),
            _ => of_range(clause.range()),
        },
        AnyNodeRef::ExprGenerator(generator) if !generator.parenthesized => match above.last() {
            // It has the brackets of the call.
            Some(AnyNodeRef::ExprCall(call)) => of_range(call.arguments.range()),
            _ => of_range(generator.range()),
        },
        AnyNodeRef::Parameters(parameters) => Starts::seen_by(lines, |starts| walk_parameters(starts, parameters)),
        AnyNodeRef::Comprehension(part) => Starts::seen_by(lines, |starts| walk_comprehension(starts, part)),
        AnyNodeRef::WithItem(item) => Starts::seen_by(lines, |starts| walk_with_item(starts, item)),
        AnyNodeRef::MatchCase(case) => Starts::seen_by(lines, |starts| {
            starts.visit_pattern(&case.pattern);
            if let Some(guard) = &case.guard {
                starts.visit_expr(guard);
            }
        }),
        other => of_range(other.range()),
    }
}

/// The lines on which nodes begin.
struct Starts<'l, 's> {
    lines: &'l SourceLines<'s>,
    span: Option<(u32, u32)>,
}

impl<'l, 's> Starts<'l, 's> {
    fn seen_by(lines: &'l SourceLines<'s>, walk: impl FnOnce(&mut Self)) -> (u32, u32) {
        let mut starts = Self { lines, span: None };
        walk(&mut starts);
        starts.span.unwrap_or((0, 1))
    }
}

impl<'a> SourceOrderVisitor<'a> for Starts<'_, '_> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        if has_own_place(node) {
            let line = self.lines.line(node.start());
            self.span = Some(self.span.map_or((line, line), |(first, last)| (first.min(line), last.max(line))));
        }
        TraversalSignal::Traverse
    }
}

/// Whether the node is one for CPython, and has a line there.
const fn has_own_place(node: AnyNodeRef<'_>) -> bool {
    !is_no_node(node)
        && !matches!(
            node,
            AnyNodeRef::Parameters(_)
                | AnyNodeRef::Comprehension(_)
                | AnyNodeRef::WithItem(_)
                | AnyNodeRef::MatchCase(_)
        )
}

/// Whether a node is none for CPython, where what is in it belongs to the node around it.
pub(super) const fn is_no_node(node: AnyNodeRef<'_>) -> bool {
    matches!(
        node,
        AnyNodeRef::Arguments(_)
            | AnyNodeRef::ParameterWithDefault(_)
            | AnyNodeRef::Decorator(_)
            | AnyNodeRef::TypeParams(_)
            | AnyNodeRef::PatternArguments(_)
            | AnyNodeRef::PatternKeyword(_)
            | AnyNodeRef::FString(_)
            | AnyNodeRef::TString(_)
            | AnyNodeRef::StringLiteral(_)
            | AnyNodeRef::BytesLiteral(_)
            | AnyNodeRef::Identifier(_)
    )
}

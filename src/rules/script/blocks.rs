//! Functions, methods, accessors and classes with their measurements.
//!
//! Complexity is that of ESLint's `complexity` rule in its classic variant: one for the function, and one for each
//! `if`, loop, `case` with a test, `catch`, `?:`, `&&`, `||`, `??`, logical assignment, optional chaining step and
//! default value. A class has the mean of its methods, rounded up. Field initializers and static blocks are functions
//! to the language; they are blocks here when they branch.

use oxc_ast::AstKind;
use oxc_ast::ast::{ClassElement, FunctionType};
use oxc_semantic::{NodeId, Semantic};
use oxc_span::{GetSpan, Span};

use super::names::BlockNames;
use crate::shape::{BlockKind, BlockMetrics};
use tapps_syntax::script::branching::{count_branches, is_control, is_else_if, starts_function};
use tapps_syntax::script::positions::Positions;

/// One block and what is known about it beyond [`BlockMetrics`].
#[derive(Debug)]
pub(crate) struct MeasuredBlock {
    pub(crate) block: BlockMetrics,
    pub(crate) node: NodeId,
    pub(crate) span: Span,
    /// Statements of its own, without those of functions inside.
    pub(crate) statements: u32,
}

/// The measurements of a file.
#[derive(Debug)]
pub(crate) struct Measures {
    pub(crate) measured: Vec<MeasuredBlock>,
    /// Statements of the whole file.
    pub(crate) statements: u32,
}

impl Measures {
    /// The blocks in source order.
    pub(crate) fn blocks(&self) -> Vec<BlockMetrics> {
        self.measured.iter().map(|measured| measured.block.clone()).collect()
    }
}

/// Running sums of one function-like node.
#[derive(Debug, Clone, Copy, Default)]
struct FunctionSums {
    branches: u32,
    nesting: u32,
    statements: u32,
}

pub(crate) fn measure_blocks(semantic: &Semantic<'_>, positions: &Positions<'_>) -> Measures {
    let nodes = semantic.nodes();
    let mut sums = vec![FunctionSums::default(); nodes.len()];
    // Parents come before their children, so one pass suffices: the function each node counts for, and its depth there.
    let mut owners: Vec<NodeId> = Vec::with_capacity(nodes.len());
    let mut levels: Vec<u32> = Vec::with_capacity(nodes.len());
    let mut statements = 0;
    for (id, node) in nodes.iter_enumerated() {
        let parent = nodes.parent_id(id);
        let (owner, base) = if parent == id || starts_function(nodes.kind(parent), node.kind()) {
            (parent, 0)
        } else {
            (owners[parent.index()], levels[parent.index()])
        };
        let level = base + u32::from(is_control(node.kind()) && !is_else_if(nodes.kind(parent), node.kind()));
        owners.push(owner);
        levels.push(level);
        let own = &mut sums[owner.index()];
        own.nesting = own.nesting.max(level);
        own.branches += count_branches(node.kind());
        if is_statement(node.kind()) {
            own.statements += 1;
            statements += 1;
        }
    }
    let mut names = BlockNames::new(semantic);
    let mut measured = Vec::new();
    for (id, node) in nodes.iter_enumerated() {
        let own = sums[id.index()];
        let (kind, parameters) = match node.kind() {
            AstKind::Function(function) if function.body.is_some() => {
                let is_method = matches!(nodes.parent_kind(id), AstKind::MethodDefinition(_));
                let kind = if is_method { BlockKind::Method } else { BlockKind::Function };
                (kind, function.params.parameters_count())
            }
            AstKind::ArrowFunctionExpression(arrow) => (BlockKind::Function, arrow.params.parameters_count()),
            AstKind::Class(_) => (BlockKind::Class, 0),
            AstKind::StaticBlock(_) | AstKind::PropertyDefinition(_) if own.branches > 0 => (BlockKind::Method, 0),
            _ => continue,
        };
        let span = span_of_block(semantic, id);
        let (line, column) = positions.line_and_column(span.start);
        let complexity = match node.kind() {
            AstKind::Class(class) => class_complexity(&class.body.body, &sums),
            _ => own.branches + 1,
        };
        let block = BlockMetrics {
            name: names.qualified(id),
            kind,
            line,
            column,
            end_line: positions.last_line(span.end),
            complexity,
            nesting: if kind == BlockKind::Class { 0 } else { own.nesting },
            parameters: u32::try_from(parameters).unwrap_or(u32::MAX),
        };
        measured.push(MeasuredBlock { block, node: id, span, statements: own.statements });
    }
    measured.sort_by_key(|measured| (measured.span.start, std::cmp::Reverse(measured.span.end)));
    Measures { measured, statements }
}

/// A method begins with its modifiers and name, a decorated one after its decorators.
fn span_of_block(semantic: &Semantic<'_>, id: NodeId) -> Span {
    let nodes = semantic.nodes();
    let own = nodes.kind(id).span();
    match nodes.parent_kind(id) {
        AstKind::MethodDefinition(method) if method.decorators.is_empty() => method.span,
        AstKind::MethodDefinition(method) => Span::new(method.key.span().start, method.span.end),
        AstKind::ObjectProperty(property) if property.method || property.kind != oxc_ast::ast::PropertyKind::Init => {
            property.span
        }
        _ => own,
    }
}

fn class_complexity(elements: &[ClassElement<'_>], sums: &[FunctionSums]) -> u32 {
    let of_element = |element: &ClassElement<'_>| match element {
        ClassElement::MethodDefinition(method) if method.value.body.is_some() => {
            sums.get(method.value.node_id.get().index()).map(|sums| sums.branches + 1)
        }
        _ => None,
    };
    let methods: Vec<u32> = elements.iter().filter_map(of_element).collect();
    let count = u32::try_from(methods.len()).unwrap_or(u32::MAX).max(1);
    methods.iter().sum::<u32>().div_ceil(count).max(1)
}

fn is_statement(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::BlockStatement(_) | AstKind::EmptyStatement(_) | AstKind::ExportDeclaration(_) => false,
        AstKind::Function(function) => {
            !function.is_expression() && function.r#type != FunctionType::TSEmptyBodyFunctionExpression
        }
        AstKind::Class(class) => class.is_declaration(),
        AstKind::PropertyDefinition(_) | AstKind::AccessorProperty(_) => true,
        AstKind::ExportDefaultDeclaration(export) => !matches!(
            export.declaration,
            oxc_ast::ast::ExportDefaultDeclarationKind::FunctionDeclaration(_)
                | oxc_ast::ast::ExportDefaultDeclarationKind::ClassDeclaration(_)
                | oxc_ast::ast::ExportDefaultDeclarationKind::TSInterfaceDeclaration(_)
        ),
        _ => kind.is_statement() || kind.is_declaration() || kind.is_module_declaration(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::source::Source;

    fn blocks(path: &str, text: &str) -> Vec<BlockMetrics> {
        let shape = crate::script::analyze_script(&Source::new(path, text.as_bytes()));
        assert!(shape.syntax_errors.is_empty(), "{:?}", shape.syntax_errors);
        shape.blocks
    }

    fn only(text: &str) -> BlockMetrics {
        blocks("a.ts", text).remove(0)
    }

    #[test]
    fn complexity_counts_what_eslint_counts() {
        for (body, complexity) in [
            ("", 1),
            ("if (a) {} else if (b) {} else {}", 3),
            ("for (;;) {} for (x of y) {} for (x in y) {} while (a) {} do {} while (b)", 6),
            ("switch (a) { case 1: case 2: break; default: }", 3),
            ("try {} catch (e) {} finally {}", 2),
            ("return a ? b : c && d || (e ?? f)", 5),
            ("a ||= b; a &&= c; a ??= d; a += e", 4),
            ("a?.b?.[c]?.(); a?.#d", 5),
            ("const { x = 1, y: [z = 2] } = o; ({ x = 1, y: z = 2 } = o)", 5),
            ("return () => a ? b : c", 1),
        ] {
            let text = format!("class A {{ #d; f() {{ {body} }} }}");
            let block = blocks("a.ts", &text).into_iter().find(|block| block.name == "A.f").unwrap();
            assert_eq!(block.complexity, complexity, "{body}");
        }
        assert_eq!(only("function f(a = 1, { b = 2 } = {}) {}").complexity, 4);
    }

    #[test]
    fn blocks_are_named_placed_and_qualified() {
        let text = "const é = 1; export const f = async (a, ...b) => {\n  const g = function () {};\n  list.map(x => x);\n};\n\
                    class C<T> extends D {\n  static x = a ? b : c;\n  get y() { return 1 }\n  #z = () => {};\n}\n\
                    o.p.q = function named() {};\nexport default () => {};\nconst o2 = { m() {}, 'k-l': () => {} };\n";
        let told: Vec<_> = blocks("a.ts", text)
            .into_iter()
            .map(|b| (b.name, b.kind, b.line, b.column, b.end_line, b.parameters))
            .collect();
        let expected = [
            ("f", BlockKind::Function, 1, 31, 4, 2),
            ("f.g", BlockKind::Function, 2, 13, 2, 0),
            ("f.<map callback>", BlockKind::Function, 3, 12, 3, 1),
            ("C", BlockKind::Class, 5, 1, 9, 0),
            ("C.x", BlockKind::Method, 6, 3, 6, 0),
            ("C.y", BlockKind::Method, 7, 3, 7, 0),
            ("C.#z", BlockKind::Function, 8, 8, 8, 0),
            ("named", BlockKind::Function, 10, 9, 10, 0),
            ("default", BlockKind::Function, 11, 16, 11, 0),
            ("o2.m", BlockKind::Function, 12, 14, 12, 0),
            ("o2.k-l", BlockKind::Function, 12, 29, 12, 0),
        ];
        let expected: Vec<_> = expected.map(|(n, k, l, c, e, p)| (n.to_owned(), k, l, c, e, p)).into();
        assert_eq!(told, expected);
    }

    #[test]
    fn nesting_is_that_of_control_flow_and_else_if_adds_none() {
        for (body, nesting) in [
            ("a(); { b() }", 0),
            ("if (a) {} else if (b) {} else if (c) { d() }", 1),
            ("for (;;) { if (a) { try { b() } catch {} } }", 3),
            ("if (a) { list.map(() => { if (b) { while (c) {} } }) }", 1),
        ] {
            assert_eq!(only(&format!("function f() {{ {body} }}")).nesting, nesting, "{body}");
        }
    }

    #[test]
    fn a_class_has_the_mean_of_its_methods_rounded_up() {
        assert_eq!(only("abstract class A { a() {} b() { if (x) {} } abstract c(): void }").complexity, 2);
        assert_eq!(only("class A {}").complexity, 1);
    }
}

//! What every rule is handed: the file, its resolved syntax tree and its measurements.

use oxc_ast::AstKind;
use oxc_ast::ast::IdentifierReference;
use oxc_semantic::{AstNode, AstNodes, NodeId, Reference, Scoping, Semantic, SymbolId};
use oxc_span::{GetSpan, Span};

use super::blocks::{MeasuredBlock, Measures};
use super::facts::ScriptFileFacts;
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;
use tapps_base::source::Source;
use tapps_syntax::script::positions::Positions;

/// Lines longer than this are not what a finding's fingerprint is taken over: minified code is all on one line.
const LONG_LINE: u32 = 400;

pub(crate) struct ScriptContext<'c, 'a> {
    source: &'c Source,
    semantic: &'c Semantic<'a>,
    positions: &'c Positions<'a>,
    pub(crate) measures: Measures,
    pub(crate) facts: ScriptFileFacts,
    is_test_file: bool,
}

impl std::fmt::Debug for ScriptContext<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("path", &self.source.path()).finish_non_exhaustive()
    }
}

impl<'c, 'a> ScriptContext<'c, 'a> {
    pub(crate) fn new(
        source: &'c Source,
        semantic: &'c Semantic<'a>,
        positions: &'c Positions<'a>,
        measures: Measures,
    ) -> Self {
        let facts = ScriptFileFacts::from_semantic(semantic);
        // Rules ask for it at many nodes.
        let is_test_file = is_test_path(source.path());
        Self { source, semantic, positions, measures, facts, is_test_file }
    }

    pub(crate) fn path(&self) -> &str {
        self.source.path()
    }

    pub(crate) fn semantic(&self) -> &'c Semantic<'a> {
        self.semantic
    }

    pub(crate) fn nodes(&self) -> &'c AstNodes<'a> {
        self.semantic.nodes()
    }

    pub(crate) fn scoping(&self) -> &'c Scoping {
        self.semantic.scoping()
    }

    pub(crate) fn text(&self, span: Span) -> &'a str {
        self.semantic.source_text().get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    pub(crate) fn is_typescript(&self) -> bool {
        self.semantic.source_type().is_typescript()
    }

    /// True for files that only declare types.
    pub(crate) fn is_declaration_file(&self) -> bool {
        self.semantic.source_type().is_typescript_definition()
    }

    /// True for files that hold tests, by their name or folder.
    pub(crate) fn is_test_file(&self) -> bool {
        self.is_test_file
    }

    /// A finding of `rule` at `span`.
    pub(crate) fn report(&self, rule: &Rule, span: Span, message: impl Into<String>) -> Finding {
        let (line, column) = self.positions.line_and_column(span.start);
        let mut finding = rule.finding(message).at(line, column, self.positions.last_line(span.end));
        self.source.path().clone_into(&mut finding.file);
        if column > LONG_LINE {
            finding.anchor = self.text(span).chars().take(200).collect();
        }
        finding
    }

    /// A block that is above a limit: each step above it costs what the rule says, up to `most` in all.
    pub(crate) fn report_excess(
        &self,
        rule: &Rule,
        measured: &MeasuredBlock,
        excess: u32,
        most: u32,
        message: String,
    ) -> Finding {
        let cost = excess.saturating_mul(rule.cost).min(most);
        self.report(rule, measured.span, message).costing(cost).anchored(measured.block.name.as_str())
    }

    pub(crate) fn line_of(&self, offset: u32) -> u32 {
        self.positions.line_and_column(offset).0
    }

    /// The symbol that an identifier refers to; `None` for globals.
    pub(crate) fn symbol(&self, identifier: &IdentifierReference<'_>) -> Option<SymbolId> {
        self.reference(identifier)?.symbol_id()
    }

    pub(crate) fn reference(&self, identifier: &IdentifierReference<'_>) -> Option<&'c Reference> {
        Some(self.scoping().get_reference(identifier.reference_id.get()?))
    }

    /// True when no declaration of this file is meant.
    pub(crate) fn is_global(&self, identifier: &IdentifierReference<'_>) -> bool {
        self.symbol(identifier).is_none()
    }

    /// The node that declares a symbol.
    pub(crate) fn declaration(&self, symbol: SymbolId) -> &'c AstNode<'a> {
        self.semantic.symbol_declaration(symbol)
    }

    /// Ancestors, nearest first, without the node itself.
    pub(crate) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = &'c AstNode<'a>> {
        self.nodes().ancestors(node)
    }

    pub(crate) fn parent(&self, node: NodeId) -> &'c AstNode<'a> {
        self.nodes().parent_node(node)
    }

    /// The node and everything in it, in source order.
    pub(crate) fn subtree(&self, root: NodeId) -> impl Iterator<Item = &'c AstNode<'a>> {
        let span = self.span_of(root);
        // Parents are numbered before their children, so a subtree is one run of numbers.
        self.nodes().iter().skip(root.index()).take_while(move |node| Self::is_within(node.kind().span(), span))
    }

    /// The nodes of a function that are not in a function inside it.
    pub(crate) fn own_nodes(&self, function: NodeId) -> impl Iterator<Item = &'c AstNode<'a>> {
        self.subtree(function)
            .filter(move |node| self.function_around(node.id()).is_some_and(|owner| owner.id() == function))
    }

    /// The nearest function around a node, not the node itself.
    pub(crate) fn function_around(&self, node: NodeId) -> Option<&'c AstNode<'a>> {
        self.ancestors(node).find(|ancestor| is_function(ancestor.kind()))
    }

    /// True when the text of the function around a node has one of the words: a check that no tree shows, found by its name.
    pub(crate) fn function_text_has(&self, node: NodeId, words: &[&str]) -> bool {
        let text = self.function_around(node).map_or("", |function| self.text(function.kind().span()));
        words.iter().any(|word| text.contains(word))
    }

    /// True when `inner` stands within `outer`.
    pub(crate) fn is_within(inner: Span, outer: Span) -> bool {
        outer.start <= inner.start && inner.end <= outer.end
    }

    pub(crate) fn span_of(&self, node: NodeId) -> Span {
        self.nodes().kind(node).span()
    }
}

fn is_test_path(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    let folder = |part: &str| matches!(part, "test" | "tests" | "__tests__" | "spec" | "e2e" | "cypress" | "__mocks__");
    name.contains(".test.") || name.contains(".spec.") || name.contains(".cy.") || path.split('/').any(folder)
}

pub(crate) fn is_function(kind: AstKind<'_>) -> bool {
    matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_))
}

pub(crate) use tapps_syntax::script::branching::is_loop;

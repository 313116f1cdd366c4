//! What every rule is handed: the file, its tree, its measurements and what its language knows of it.

use tapps_syntax::nodes::Node;

use super::blocks::{MeasuredBlock, TreeMeasures, offset_of};
use super::grammar::TreeLanguage;
use super::nodes::SyntaxTree;
use super::roles::Role;
use crate::suppression::Suppression;
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;
use tapps_base::source::Source;
use tapps_syntax::script::positions::Positions;

#[derive(Debug)]
pub(crate) struct TreeContext<'c, L: TreeLanguage> {
    source: &'c Source,
    tree: &'c SyntaxTree<'c>,
    positions: &'c Positions<'c>,
    pub(crate) measures: TreeMeasures<'c>,
    /// What comments hide from other checkers.
    pub(crate) suppressions: Vec<Suppression>,
    pub(crate) facts: L::Facts<'c>,
}

impl<'c, L: TreeLanguage> TreeContext<'c, L> {
    pub(super) fn new(
        source: &'c Source,
        tree: &'c SyntaxTree<'c>,
        positions: &'c Positions<'c>,
        measures: TreeMeasures<'c>,
        suppressions: Vec<Suppression>,
    ) -> Self {
        Self { source, tree, positions, measures, suppressions, facts: L::read_facts(source, tree) }
    }

    /// Of the file, relative to the root of the project.
    pub(crate) fn path(&self) -> &'c str {
        self.source.path()
    }

    pub(crate) fn tree(&self) -> &'c SyntaxTree<'c> {
        self.tree
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &'c str {
        self.tree.text_of(node)
    }

    /// The nearest function around a node, of any kind.
    pub(crate) fn function_around(&self, node: Node<'_>) -> Option<Node<'c>> {
        self.tree.ancestors_of(node).find(|at| self.tree.is_function(*at))
    }

    /// The declared function around a node, or the outermost that is written as a value.
    pub(crate) fn outermost_function(&self, node: Node<'_>) -> Option<Node<'c>> {
        self.tree.outermost_function(node)
    }

    /// The text of that function; empty outside of functions.
    pub(crate) fn text_around(&self, node: Node<'_>) -> &'c str {
        self.outermost_function(node).map_or("", |function| self.text(function))
    }

    /// The nearest loop around a node within its function.
    pub(crate) fn loop_around(&self, node: Node<'_>) -> Option<Node<'c>> {
        let within = self.tree.ancestors_of(node).take_while(|at| !self.tree.is_function(*at));
        within.into_iter().find(|at| self.tree.has_role(*at, Role::Loop))
    }

    /// The words of the comments on the lines above a node, up to the first line of code; attributes stand between.
    pub(crate) fn comment_above(&self, node: Node<'_>) -> String {
        let before = self.tree.source_text().get(..node.start_byte()).unwrap_or_default();
        let above = before.rfind('\n').map_or("", |at| before.get(..at).unwrap_or_default());
        let is_open = |line: &&str| {
            let line = line.trim();
            line.starts_with("//")
                || line.starts_with("/*")
                || line.starts_with('*')
                || line.ends_with("*/")
                || line.starts_with("#[")
        };
        let mut lines: Vec<&str> =
            above.lines().rev().take_while(is_open).filter(|line| !line.trim().starts_with("#[")).collect();
        lines.reverse();
        lines.iter().map(|line| line.trim().trim_matches(['/', '*', '!', ' '])).collect::<Vec<_>>().join(" ")
    }

    /// The lines of a node, 1-based and inclusive, and the column where it begins.
    pub(crate) fn place_of(&self, node: Node<'_>) -> (u32, u32, u32) {
        let (line, column) = self.positions.line_and_column(offset_of(node.start_byte()));
        (line, column, self.positions.last_line(offset_of(node.end_byte())))
    }

    /// A finding of `rule` at a node.
    pub(crate) fn report(&self, rule: &Rule, node: Node<'_>, message: impl Into<String>) -> Finding {
        let (line, column, end_line) = self.place_of(node);
        let mut finding = rule.finding(message).at(line, column, end_line);
        self.source.path().clone_into(&mut finding.file);
        finding.doubted_if(L::is_doubtful(self, rule, node))
    }

    /// A function that is above a limit: each step above it costs what the rule says, up to `most` in all.
    pub(crate) fn report_excess(
        &self,
        rule: &Rule,
        measured: &MeasuredBlock<'_>,
        (value, limit, most): (u32, u32, u32),
        message: String,
    ) -> Finding {
        let cost = value.saturating_sub(limit).saturating_mul(rule.cost).min(most);
        let name = measured.block.name.as_str();
        self.report(rule, measured.node, message).costing(cost).anchored(name).measuring(value)
    }
}

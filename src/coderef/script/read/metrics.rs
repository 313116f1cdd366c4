//! Complexity of functions, summed up while their nodes are entered and left.

use std::collections::HashMap;

use oxc_ast::AstKind;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::LogicalOperator;

use tapps_syntax::script::branching::{count_branches, is_control, is_else_if, is_loop, starts_function};

/// Sums of one function-like node, of its own body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScriptFunctionMetrics {
    pub(super) branches: u32,
    pub(super) cognitive: u32,
    pub(super) nesting: u32,
}

/// The open nodes and the sums so far.
#[derive(Debug, Default)]
pub(super) struct Measure<'a> {
    open: Vec<Open<'a>>,
    /// By the span of the function-like node.
    done: HashMap<Span, ScriptFunctionMetrics>,
    /// Sums with the functions inside.
    totals: HashMap<Span, u32>,
}

#[derive(Debug)]
struct Open<'a> {
    kind: AstKind<'a>,
    /// Index of the node that this one counts for.
    owner: usize,
    level: u32,
    /// Depth of structures that make what is inside them harder to follow.
    weight: u32,
    sums: ScriptFunctionMetrics,
    total: u32,
}

impl<'a> Measure<'a> {
    pub(super) fn enter(&mut self, kind: AstKind<'a>) {
        let here = self.open.len();
        let (owner, level, weight, parent) = match self.open.last() {
            None => (0, 0, 0, None),
            Some(above) if starts_function(above.kind, kind) => (here - 1, 0, 0, Some(above.kind)),
            Some(above) => {
                let weight = above.weight
                    + u32::from(increases_nesting(above.kind) && !stays_at_nesting_level(above.kind, kind));
                (above.owner, above.level, weight, Some(above.kind))
            }
        };
        let chained = parent.is_some_and(|parent| is_else_if(parent, kind));
        let level = level + u32::from(is_control(kind) && !chained);
        let cognitive = cognitive(parent, kind, weight);
        self.open.push(Open { kind, owner, level, weight, sums: ScriptFunctionMetrics::default(), total: 0 });
        if let Some(owner) = self.open.get_mut(owner) {
            owner.sums.branches += count_branches(kind);
            owner.sums.cognitive += cognitive;
            owner.sums.nesting = owner.sums.nesting.max(level);
        }
    }

    pub(super) fn leave(&mut self) {
        let Some(node) = self.open.pop() else { return };
        let is_function =
            matches!(node.kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::StaticBlock(_));
        let mut total = node.total + node.sums.branches;
        if is_function {
            total += 1;
            self.done.insert(node.kind.span(), node.sums);
            self.totals.insert(node.kind.span(), total);
        }
        if let Some(above) = self.open.last_mut() {
            above.total += total;
        }
    }

    pub(super) fn sums(&self, function: Span) -> ScriptFunctionMetrics {
        self.done.get(&function).copied().unwrap_or_default()
    }

    /// Cyclomatic complexity of a function together with the functions in it.
    pub(super) fn total(&self, function: Span) -> u32 {
        self.totals.get(&function).copied().unwrap_or(1)
    }
}

/// Structures whose content counts more.
fn increases_nesting(kind: AstKind<'_>) -> bool {
    is_loop(kind)
        || matches!(
            kind,
            AstKind::IfStatement(_)
                | AstKind::SwitchStatement(_)
                | AstKind::CatchClause(_)
                | AstKind::ConditionalExpression(_)
        )
}

/// `else if` continues the `if`; what is asked by a structure stands outside of it.
fn stays_at_nesting_level(above: AstKind<'_>, kind: AstKind<'_>) -> bool {
    let span = kind.span();
    let asks = match above {
        AstKind::IfStatement(it) => it.test.span() == span,
        AstKind::WhileStatement(it) => it.test.span() == span,
        AstKind::DoWhileStatement(it) => it.test.span() == span,
        AstKind::ConditionalExpression(it) => it.test.span() == span,
        AstKind::SwitchStatement(it) => it.discriminant.span() == span,
        _ => false,
    };
    asks || is_else_if(above, kind)
}

fn cognitive(parent: Option<AstKind<'_>>, kind: AstKind<'_>, weight: u32) -> u32 {
    match kind {
        AstKind::IfStatement(it) => {
            let own = if parent.is_some_and(|parent| is_else_if(parent, kind)) { 1 } else { 1 + weight };
            let has_else = it
                .alternate
                .as_ref()
                .is_some_and(|alternate| !matches!(alternate, oxc_ast::ast::Statement::IfStatement(_)));
            own + u32::from(has_else)
        }
        _ if increases_nesting(kind) => 1 + weight,
        AstKind::LogicalExpression(it) => u32::from(!continues_sequence(parent, it.operator)),
        AstKind::BreakStatement(it) => u32::from(it.label.is_some()),
        AstKind::ContinueStatement(it) => u32::from(it.label.is_some()),
        _ => 0,
    }
}

/// A run of equal operators counts once.
fn continues_sequence(parent: Option<AstKind<'_>>, operator: LogicalOperator) -> bool {
    matches!(parent, Some(AstKind::LogicalExpression(above)) if above.operator == operator)
}

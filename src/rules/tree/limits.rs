//! Rules about measurements, which every language asks in the same words: how deep, how long, how many, how winding.

use super::context::TreeContext;
use super::grammar::TreeLanguage;
use crate::common::{cognitive_complexity, deep_nesting, oversize_block, too_many_parameters};
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;
use tapps_syntax::nodes::Node;

/// Levels of control flow that a function may have.
const MAX_NESTING: u32 = 4;
/// The most that the nesting of one function costs.
const MAX_NESTING_COST: u32 = 1_500;

pub(crate) fn check_deep_nesting<L: TreeLanguage>(context: &TreeContext<'_, L>, out: &mut Vec<Finding>) {
    for measured in context.measures.blocks.iter().filter(|measured| measured.block.nesting > MAX_NESTING) {
        let (name, nesting) = (&measured.block.name, measured.block.nesting);
        let message = format!("`{name}` nests control flow {nesting} deep; {MAX_NESTING} is the limit");
        let excess = (nesting, MAX_NESTING, MAX_NESTING_COST);
        out.push(context.report_excess(&deep_nesting::RULE, measured, excess, message));
    }
}

/// What one statement too many costs.
const STATEMENT: Rule = Rule { cost: 30, ..oversize_block::RULE };
/// Statements of its own that a function may have.
const MAX_STATEMENTS: u32 = 60;
/// The most that the length of one function costs.
const MAX_LENGTH_COST: u32 = 3_000;

pub(crate) fn check_oversize_block<L: TreeLanguage>(context: &TreeContext<'_, L>, out: &mut Vec<Finding>) {
    for measured in context.measures.blocks.iter().filter(|measured| measured.statements > MAX_STATEMENTS) {
        let (name, statements) = (&measured.block.name, measured.statements);
        let message = format!("`{name}` has {statements} statements; {MAX_STATEMENTS} is the limit");
        let excess = (statements, MAX_STATEMENTS, MAX_LENGTH_COST);
        out.push(context.report_excess(&STATEMENT, measured, excess, message));
    }
}

/// Parameters that cost nothing.
const MAX_PARAMETERS: u32 = 7;

pub(crate) fn check_too_many_parameters<L: TreeLanguage>(context: &TreeContext<'_, L>, out: &mut Vec<Finding>) {
    check_parameters_of(context, |_| true, out);
}

/// The same of the functions that are somebody's to mend.
pub(crate) fn check_parameters_of<'c, L: TreeLanguage>(
    context: &TreeContext<'c, L>,
    is_told: impl Fn(Node<'c>) -> bool,
    out: &mut Vec<Finding>,
) {
    // Every argument is one by position in these languages.
    let rule = Rule { help: L::grammar().parameters_help, ..too_many_parameters::RULE };
    let blocks = context.measures.blocks.iter().filter(|measured| measured.block.parameters > MAX_PARAMETERS);
    for measured in blocks.filter(|measured| is_told(measured.node)) {
        let message = format!("`{}` takes {} parameters", measured.block.name, measured.block.parameters);
        out.push(context.report(&rule, measured.node, message).anchored(measured.block.name.as_str()));
    }
}

/// The highest cognitive complexity that costs nothing.
const MAX_COGNITIVE: u32 = 25;
/// The most that the complexity of one function costs.
const MAX_COGNITIVE_COST: u32 = 1_500;

pub(crate) fn check_cognitive_complexity<L: TreeLanguage>(context: &TreeContext<'_, L>, out: &mut Vec<Finding>) {
    for measured in context.measures.blocks.iter().filter(|measured| measured.cognitive > MAX_COGNITIVE) {
        let (name, cognitive) = (&measured.block.name, measured.cognitive);
        let message = format!("`{name}` has cognitive complexity {cognitive}; {MAX_COGNITIVE} is the limit");
        let excess = (cognitive, MAX_COGNITIVE, MAX_COGNITIVE_COST);
        out.push(context.report_excess(&cognitive_complexity::RULE, measured, excess, message));
    }
}

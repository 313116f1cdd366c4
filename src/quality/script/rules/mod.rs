//! The native rules for scripts, one file each.

use oxc_semantic::AstNode;

use super::context::Context;
use crate::base::finding::Finding;
use crate::base::rule::Rule;

/// How a rule looks at a file.
#[derive(Clone, Copy)]
enum Run {
    /// Called for each node of the syntax tree, parents first.
    Node(for<'c, 'a> fn(&Context<'c, 'a>, &'c AstNode<'a>, &mut Vec<Finding>)),
    /// Called once.
    File(fn(&Context<'_, '_>, &mut Vec<Finding>)),
}

/// A rule and how it is run.
#[derive(Clone, Copy)]
struct Check {
    rule: Rule,
    run: Run,
}

/// Names each rule's module once: `RULES` is its catalogue, `CHECKS` what is run.
macro_rules! rules {
    ($($module:ident),* $(,)?) => {
        $(pub mod $module;)*

        /// Every rule for scripts, in the order in which they are run.
        pub const RULES: &[Rule] = &[$($module::RULE),*];

        const CHECKS: &[Check] = &[$(Check { rule: $module::RULE, run: $module::RUN }),*];
    };
}

rules! {}

/// All findings of all rules, by place.
pub fn run(context: &Context<'_, '_>) -> Vec<Finding> {
    run_some(context, |_| true)
}

fn run_some(context: &Context<'_, '_>, wanted: impl Fn(&Rule) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut per_node = Vec::new();
    for check in CHECKS.iter().filter(|check| wanted(&check.rule)) {
        match check.run {
            Run::Node(run) => per_node.push(run),
            Run::File(run) => run(context, &mut findings),
        }
    }
    for node in context.nodes().iter() {
        for run in &per_node {
            run(context, node, &mut findings);
        }
    }
    findings.sort_by(Finding::order);
    findings
}

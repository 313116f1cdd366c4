//! How rules are called.

use std::collections::HashMap;

use tapps_syntax::kinds::PerKind;
use tapps_syntax::nodes::Node;

use super::context::TreeContext;
use super::grammar::TreeLanguage;
use crate::habit::bound_small_costs;
use tapps_base::finding::Finding;
use tapps_base::rule::Check;

/// Looks at a file.
type TreeFileCheck<L> = for<'c> fn(&TreeContext<'c, L>, &mut Vec<Finding>);

/// Looks at one node.
pub(crate) type TreeNodeCheck<L> = for<'c> fn(&TreeContext<'c, L>, Node<'c>, &mut Vec<Finding>);

/// How a rule looks at a file.
#[derive(Debug)]
pub(crate) enum TreeRunner<L: TreeLanguage> {
    /// Called for each node of some kinds, parents first.
    Kinds(&'static [&'static str], TreeNodeCheck<L>),
    /// Called once.
    File(TreeFileCheck<L>),
}

/// The rules of a language, sorted by what calls them. Most kinds of nodes are nobody's concern, and a file has very many.
#[derive(Debug)]
pub(crate) struct TreeRules<L: TreeLanguage> {
    by_name: HashMap<&'static str, Vec<TreeNodeCheck<L>>>,
    by_kind: PerKind<Vec<TreeNodeCheck<L>>>,
    by_file: Vec<TreeFileCheck<L>>,
}

impl<L: TreeLanguage> TreeRules<L> {
    pub(crate) fn from_checks(checks: &[Check<TreeRunner<L>>]) -> Self {
        let (mut by_name, mut by_file) = (HashMap::<_, Vec<TreeNodeCheck<L>>>::new(), Vec::new());
        for check in checks {
            match check.run {
                TreeRunner::Kinds(kinds, run) => {
                    kinds.iter().for_each(|kind| by_name.entry(*kind).or_default().push(run));
                }
                TreeRunner::File(run) => by_file.push(run),
            }
        }
        Self { by_name, by_kind: PerKind::new(), by_file }
    }

    /// All findings of all rules, by place.
    pub(crate) fn run(&self, context: &TreeContext<'_, L>) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.by_file.iter().for_each(|run| run(context, &mut findings));
        let by_kind = context.tree().table(&self.by_kind, |kind| self.by_name.get(kind).cloned().unwrap_or_default());
        for node in context.tree().all_nodes() {
            for run in node.entry(by_kind).into_iter().flatten() {
                run(context, node, &mut findings);
            }
        }
        findings.sort_by(Finding::order);
        bound_small_costs(&mut findings);
        findings
    }
}

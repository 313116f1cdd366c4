//! A handler that catches everything, faults of the program itself too.

use crate::patterns::syntax::FactKind;
use crate::patterns::{Evidence, PatternGroup, Rule, View};

pub(super) const RULE: Rule = Rule {
    id: "broad-handler",
    group: PatternGroup::ErrorHandling,
    title: "handlers of every exception that do not raise it again",
    find,
};

fn find(view: &View<'_>) -> Vec<Evidence> {
    view.facts(FactKind::BroadHandler)
}

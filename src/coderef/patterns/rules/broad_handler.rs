//! A handler that catches everything, faults of the program itself too.

use crate::patterns::syntax::FactKind;
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "broad-handler",
    group: PatternGroup::ErrorHandling,
    title: "handlers of every exception that do not raise it again",
    find: find_broad_handlers,
};

fn find_broad_handlers(view: &View<'_>) -> Vec<Evidence> {
    view.evidence_in_facts(FactKind::BroadHandler)
}

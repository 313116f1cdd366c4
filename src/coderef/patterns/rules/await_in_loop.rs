//! Waiting inside a loop, where waiting for all at once may be meant.

use crate::patterns::syntax::FactKind;
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "await-in-loop",
    group: PatternGroup::Async,
    title: "waiting for one thing after the other in a loop",
    find: find_awaits_in_loops,
};

fn find_awaits_in_loops(view: &View<'_>) -> Vec<Evidence> {
    view.evidence_in_facts(FactKind::AwaitInLoop)
}

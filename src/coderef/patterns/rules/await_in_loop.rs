//! Waiting inside a loop, where waiting for all at once may be meant.

use crate::patterns::syntax::FactKind;
use crate::patterns::{Evidence, PatternGroup, Rule, View};

pub(super) const RULE: Rule = Rule {
    id: "await-in-loop",
    group: PatternGroup::Async,
    title: "waiting for one thing after the other in a loop",
    find,
};

fn find(view: &View<'_>) -> Vec<Evidence> {
    view.facts(FactKind::AwaitInLoop)
}

//! A handler with an empty body: the error is gone without a trace.

use crate::patterns::syntax::FactKind;
use crate::patterns::{Evidence, PatternGroup, Rule, View};

pub(super) const RULE: Rule = Rule {
    id: "swallowed-error",
    group: PatternGroup::ErrorHandling,
    title: "handlers that do nothing with the error",
    find,
};

fn find(view: &View<'_>) -> Vec<Evidence> {
    view.facts(FactKind::SwallowedError)
}

//! A handler with an empty body: the error is gone without a trace.

use crate::patterns::syntax::FactKind;
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "swallowed-error",
    group: PatternGroup::ErrorHandling,
    title: "handlers that do nothing with the error",
    find: find_swallowed_errors,
};

fn find_swallowed_errors(view: &View<'_>) -> Vec<Evidence> {
    view.evidence_in_facts(FactKind::SwallowedError)
}

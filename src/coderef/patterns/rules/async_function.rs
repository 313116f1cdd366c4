//! A function that is declared asynchronous.

use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "async-function",
    group: PatternGroup::Async,
    title: "functions that are asynchronous",
    find: find_async_functions,
};

fn find_async_functions(view: &View<'_>) -> Vec<Evidence> {
    view.evidence_in_elements(|element| element.modifiers.asynchronous.then_some(None))
}

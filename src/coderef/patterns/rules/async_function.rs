//! A function that is declared asynchronous.

use crate::patterns::{Evidence, PatternGroup, Rule, View};

pub(super) const RULE: Rule =
    Rule { id: "async-function", group: PatternGroup::Async, title: "functions that are asynchronous", find };

fn find(view: &View<'_>) -> Vec<Evidence> {
    view.elements(|element| element.modifiers.asynchronous.then_some(None))
}

//! An element with decorators or attributes, and which.

use crate::patterns::{Evidence, PatternGroup, Rule, View};

pub(super) const RULE: Rule =
    Rule { id: "decorated", group: PatternGroup::Decorators, title: "functions and classes with decorators", find };

fn find(view: &View<'_>) -> Vec<Evidence> {
    view.elements(|element| (!element.decorators.is_empty()).then(|| Some(element.decorators.join(", "))))
}

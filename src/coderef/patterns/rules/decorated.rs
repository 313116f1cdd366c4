//! An element with decorators or attributes, and which.

use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "decorated",
    group: PatternGroup::Decorators,
    title: "functions and classes with decorators",
    find: find_decorated_elements,
};

fn find_decorated_elements(view: &View<'_>) -> Vec<Evidence> {
    view.evidence_in_elements(|element| (!element.decorators.is_empty()).then(|| Some(element.decorators.join(", "))))
}

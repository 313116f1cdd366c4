//! A function or class that gives JSX back.

use crate::model::ElementKind;
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule =
    PatternRule { id: "react-component", group: PatternGroup::React, title: "components", find: find_react_components };

fn find_react_components(view: &View<'_>) -> Vec<Evidence> {
    view.evidence_in_elements(|element| (element.kind == ElementKind::Component).then_some(None))
}

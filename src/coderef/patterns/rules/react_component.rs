//! A function or class that gives JSX back.

use crate::model::Kind;
use crate::patterns::{Evidence, PatternGroup, Rule, View};

pub(super) const RULE: Rule = Rule { id: "react-component", group: PatternGroup::React, title: "components", find };

fn find(view: &View<'_>) -> Vec<Evidence> {
    view.elements(|element| (element.kind == Kind::Component).then_some(None))
}

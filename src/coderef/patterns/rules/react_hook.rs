//! A function by whose name it is a hook.

use crate::model::Kind;
use crate::patterns::{Evidence, PatternGroup, Rule, View};

pub(super) const RULE: Rule = Rule { id: "react-hook", group: PatternGroup::React, title: "hooks", find };

fn find(view: &View<'_>) -> Vec<Evidence> {
    view.elements(|element| (element.kind == Kind::Hook).then_some(None))
}

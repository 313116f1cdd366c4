//! A function by whose name it is a hook.

use crate::model::ElementKind;
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule =
    PatternRule { id: "react-hook", group: PatternGroup::React, title: "hooks", find: find_react_hooks };

fn find_react_hooks(view: &View<'_>) -> Vec<Evidence> {
    view.evidence_in_elements(|element| (element.kind == ElementKind::Hook).then_some(None))
}

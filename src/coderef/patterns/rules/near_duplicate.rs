//! A function of some size that has the shape of another.

use crate::patterns::clones::clones;
use crate::patterns::{Evidence, PatternGroup, Rule, View};

pub(super) const RULE: Rule = Rule {
    id: "near-duplicate",
    group: PatternGroup::Duplicates,
    title: "functions alike but for names, numbers and texts",
    find,
};

fn find(view: &View<'_>) -> Vec<Evidence> {
    clones(view)
}

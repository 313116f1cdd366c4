//! A function of some size that has the shape of another.

use crate::patterns::clones::find_clones;
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "near-duplicate",
    group: PatternGroup::Duplicates,
    title: "functions alike but for names, numbers and texts",
    find: find_near_duplicates,
};

fn find_near_duplicates(view: &View<'_>) -> Vec<Evidence> {
    find_clones(view)
}

//! Code that stands in several places, exactly or nearly.

use crate::duplicates::report::CloneFamily;
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "near-duplicate",
    group: PatternGroup::Duplicates,
    title: "code alike but for names, literals and a few statements",
    find: find_near_duplicates,
};

fn find_near_duplicates(view: &View<'_>) -> Vec<Evidence> {
    view.families.iter().flat_map(places_of_family).collect()
}

/// Every place of a family, with where the others are.
fn places_of_family(family: &CloneFamily) -> Vec<Evidence> {
    let named: Vec<String> = family.places.iter().map(|place| format!("{}:{}", place.file, place.line)).collect();
    let places = family.places.iter().zip(&named);
    places
        .map(|(place, own)| {
            let others: Vec<&str> = named.iter().filter(|other| *other != own).map(String::as_str).collect();
            Evidence {
                file: place.file.clone(),
                line: place.line,
                end_line: place.end_line,
                element: place.element.clone(),
                detail: Some(format!("{} like {}", family.kind.as_str(), others.join(", "))),
            }
        })
        .collect()
}

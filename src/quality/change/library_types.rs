//! Whether both sides of a change were judged with the same types of libraries.

use std::collections::BTreeMap;

use crate::result::{FileScore, LibraryTypesStamp, short_digest};

/// What a report says of the types of libraries: what was left out, and that the base had others.
pub(super) fn notes_on_types(head: Option<&LibraryTypesStamp>, base: &BTreeMap<String, FileScore>) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(head.and_then(|types| left_out("", types)));
    // Only files that mypy was asked about tell.
    let mut told = base.values().map(|score| &score.toolchain).filter(|stamp| stamp.interpreter.is_some());
    let before = match told.clone().find_map(|stamp| stamp.types.as_ref()) {
        None if told.next().is_none() => return notes,
        before => before,
    };
    if before.map(|types| &types.digest) != head.map(|types| &types.digest) {
        let name = |types: Option<&LibraryTypesStamp>| {
            types.map_or_else(|| "none".to_owned(), |types| short_digest(&types.digest))
        };
        notes.push(format!("types of libraries: {} for the base, {} for the head", name(before), name(head)));
        notes.extend(before.and_then(|types| left_out(" of the base", types)));
    }
    notes
}

fn left_out(side: &str, types: &LibraryTypesStamp) -> Option<String> {
    let told = types.left_out.join("; ");
    (!told.is_empty()).then(|| format!("left out of the types of libraries{side}: {told}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_told_and_nothing_without_a_reason() {
        let types = |left_out: &[&str]| LibraryTypesStamp {
            digest: "0123456789abcdef".to_owned(),
            left_out: left_out.iter().map(|&one| one.to_owned()).collect(),
            ..LibraryTypesStamp::default()
        };
        let none = BTreeMap::new();
        assert_eq!(notes_on_types(None, &none), Vec::<String>::new());
        assert_eq!(notes_on_types(Some(&types(&[])), &none), Vec::<String>::new());
        let told = notes_on_types(Some(&types(&["a: 1 is installed, uv.lock has 2", "b: broken"])), &none);
        assert_eq!(told, ["left out of the types of libraries: a: 1 is installed, uv.lock has 2; b: broken"]);
    }
}

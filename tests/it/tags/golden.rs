//! Notes written down with the tags that each set of rules sees in them, and what a rename makes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use tapps_tags::Profile;
use tapps_tags::edit::rename_tags_in_text;
use tapps_tags::note::NoteTagSpans;
use tapps_tags::rename::Renames;

use super::vault::replacements;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tags")
}

fn notes() -> Vec<(String, String)> {
    let mut notes: Vec<(String, String)> = fs::read_dir(folder().join("golden"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect();
    notes.sort();
    notes
}

#[test]
fn every_note_has_the_tags_that_are_written_down() {
    type Expected = BTreeMap<String, BTreeMap<Profile, BTreeSet<String>>>;
    let expected: Expected = serde_json::from_str(&fs::read_to_string(folder().join("golden.json")).unwrap()).unwrap();
    let mut checked = 0;
    for (name, text) in notes() {
        for profile in [Profile::Obsidian, Profile::TagManager] {
            let found: BTreeSet<String> =
                NoteTagSpans::from_text(&text, profile).tags(&text).map(str::to_owned).collect();
            assert_eq!(found, expected[&name][&profile], "{name} by {profile}");
            checked += 1;
        }
    }
    assert_eq!(checked, 2 * expected.len());
}

/// The three ways a file can differ without its lines being different.
fn dressed(text: &str) -> [String; 3] {
    let crlf = text.replace('\n', "\r\n");
    [text.to_owned(), format!("\u{feff}{crlf}"), text.trim_end().to_owned()]
}

#[test]
fn a_rename_makes_of_every_note_what_is_written_down() {
    let wanted = replacements(&[("alpha", "omega"), ("beta", "alpha"), ("project/x", "area/y")]);
    let renames = Renames::new(Profile::Obsidian, false, &wanted).unwrap();
    for (name, text) in notes() {
        let after = fs::read_to_string(folder().join("renamed").join(&name)).ok();
        for (before, after) in dressed(&text).iter().zip(dressed(after.as_deref().unwrap_or(&text))) {
            let edited = rename_tags_in_text(before, &renames).unwrap().map(|edited| edited.text);
            assert_eq!(edited.as_ref().unwrap_or(before), &after, "{name}");
        }
        assert_eq!(after.is_none(), rename_tags_in_text(&text, &renames).unwrap().is_none(), "{name}");
    }
}

#[test]
fn entries_that_are_no_tags_are_told() {
    let (_, flow) = notes().into_iter().find(|(name, _)| name == "flow.md").unwrap();
    assert_eq!(NoteTagSpans::from_text(&flow, Profile::Obsidian).invalid, ["two words", "2024"]);
    let (_, broken) = notes().into_iter().find(|(name, _)| name == "broken.md").unwrap();
    assert!(
        NoteTagSpans::from_text(&broken, Profile::Obsidian)
            .unreadable
            .unwrap()
            .starts_with("the front matter is not valid YAML")
    );
}

//! Replacing tags in one note: edits of byte spans, computed all at once on the note as it stands.

use std::collections::HashSet;
use std::ops::Range;

use super::Profile;
use super::list_edit;
use super::note::{NoteTagSpans, TagList};
use super::rename::Renames;

/// A change of one span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub span: Range<usize>,
    pub text: String,
}

/// What replacing does to one note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    pub text: String,
    /// What was done to the text before, in its order.
    pub edits: Vec<Edit>,
    /// How many occurrences each rule has changed.
    pub by_rule: Vec<u32>,
    /// How many entries were taken out of a list because the tag was in it already.
    pub merged: u32,
}

/// Applies the renames to a text; none when nothing in it changes.
///
/// # Errors
/// Why a note that holds an old tag cannot be changed safely; it is then left as it is.
pub fn rename_tags_in_text(text: &str, renames: &Renames) -> Result<Option<Edited>, String> {
    let note = NoteTagSpans::from_text(text, renames.profile());
    if let Some(why) = &note.unreadable {
        // Half a rename is worse than none: the front matter may hold the tag too.
        let touched = note.tags(text).any(|tag| renames.new_name_of(tag).is_some());
        return if touched { Err(why.clone()) } else { Ok(None) };
    }
    let mut outcome = TagEditOutcome { edits: Vec::new(), by_rule: vec![0; renames.rules().len()], merged: 0 };
    for list in &note.lists {
        list_edit::plan_list_edits(text, list, renames, &mut outcome)?;
    }
    for span in &note.hashtags {
        let Some(tag) = text.get(span.clone()) else { continue };
        if let Some((rule, new)) = renames.new_name_of(tag) {
            outcome.count(rule);
            outcome.edits.push(Edit { span: span.clone(), text: new.into_owned() });
        }
    }
    if outcome.edits.is_empty() {
        return Ok(None);
    }
    outcome.edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let after = splice(text, &outcome.edits)?;
    verify(text, &note, &after, renames)?;
    Ok(Some(Edited { text: after, edits: outcome.edits, by_rule: outcome.by_rule, merged: outcome.merged }))
}

/// What has been planned for a note so far.
#[derive(Debug)]
pub struct TagEditOutcome {
    pub edits: Vec<Edit>,
    pub by_rule: Vec<u32>,
    pub merged: u32,
}

impl TagEditOutcome {
    /// Counts one occurrence for a rule.
    pub fn count(&mut self, rule: usize) {
        if let Some(count) = self.by_rule.get_mut(rule) {
            *count += 1;
        }
    }
}

/// The text with sorted edits applied.
fn splice(text: &str, edits: &[Edit]) -> Result<String, String> {
    let mut after = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let kept = text.get(at..edit.span.start).ok_or("two tags overlap")?;
        after.push_str(kept);
        after.push_str(&edit.text);
        at = edit.span.end;
    }
    after.push_str(text.get(at..).ok_or("two tags overlap")?);
    Ok(after)
}

/// Reads the changed text again: it has to hold the tags that were meant and no others.
///
/// A new name can mean something else where it stands, such as emphasis; such a note is left alone.
fn verify(before: &str, note: &NoteTagSpans, after: &str, renames: &Renames) -> Result<(), String> {
    let profile = renames.profile();
    let again = NoteTagSpans::from_text(after, profile);
    let renamed = |tag: &str| renames.new_name_of(tag).map_or_else(|| tag.to_owned(), |(_, new)| new.into_owned());
    let hashtags = |note: &NoteTagSpans, text: &str| -> Vec<String> {
        note.hashtags.iter().filter_map(|span| text.get(span.clone())).map(str::to_owned).collect()
    };
    let expected: Vec<String> = hashtags(note, before).iter().map(|tag| renamed(tag)).collect();
    let lists_fit = again.lists.len() == note.lists.len()
        && note
            .lists
            .iter()
            .zip(&again.lists)
            .all(|(old, new)| tag_keys(old, profile, renamed) == tag_keys(new, profile, str::to_owned));
    let readable = again.unreadable.is_none() && again.invalid == note.invalid;
    if readable && lists_fit && hashtags(&again, after) == expected {
        Ok(())
    } else {
        Err("a new tag would not be read as a tag where it would stand".to_owned())
    }
}

fn tag_keys(list: &TagList, profile: Profile, name: impl Fn(&str) -> String) -> HashSet<String> {
    let words = list.scalars.iter().flat_map(|scalar| &scalar.words);
    words.map(|word| profile.key(&name(&word.tag))).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::rename::Replacement;
    use super::*;

    fn apply_all(text: &str, profile: Profile, nested: bool, pairs: &[(&str, &str)]) -> Result<String, String> {
        let given: Vec<Replacement> = pairs
            .iter()
            .map(|(old, new)| Replacement { old_tag: (*old).to_owned(), new_tag: (*new).to_owned() })
            .collect();
        let renames = Renames::new(profile, nested, &given).unwrap();
        Ok(rename_tags_in_text(text, &renames)?.map_or_else(|| text.to_owned(), |edited| edited.text))
    }

    #[rstest]
    #[case::over_match("#golang #golang-dev #golang/web x#golang", "#rust #golang-dev #golang/web x#golang")]
    #[case::code("`#golang` #golang\n```\n#golang\n```\n", "`#golang` #rust\n```\n#golang\n```\n")]
    #[case::links("[[N#golang]] https://x/#golang [a](#golang)", "[[N#golang]] https://x/#golang [a](#golang)")]
    #[case::list("- golang\n- #golang\n", "- golang\n- #rust\n")]
    #[case::both("---\ntags: [golang]\n---\n#golang\r\n", "---\ntags: [rust]\n---\n#rust\r\n")]
    #[case::mark("\u{feff}---\ntags: [golang]\n---\n#Golang", "\u{feff}---\ntags: [rust]\n---\n#rust")]
    #[case::prose_is_not_merged("#rust and #golang", "#rust and #rust")]
    fn only_what_is_meant(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(apply_all(text, Profile::Obsidian, false, &[("golang", "rust")]).unwrap(), expected);
    }

    #[test]
    fn tags_below_on_request() {
        let text = "#project #project/alpha #projects";
        let pairs = [("project", "area/old")];
        let renamed = apply_all(text, Profile::Obsidian, true, &pairs).unwrap();
        assert_eq!(renamed, "#area/old #area/old/alpha #projects");
    }

    #[test]
    fn by_the_rules_of_tag_manager() {
        let text = "tags: [golang, golang-dev]\n`#golang` #golang-dev #Golang #golang/web";
        let renamed = apply_all(text, Profile::TagManager, false, &[("golang", "rust")]).unwrap();
        assert_eq!(renamed, "tags: [rust, golang-dev]\n`#rust` #golang-dev #Golang #rust/web");
    }

    #[test]
    fn a_name_that_would_be_markup_is_refused() {
        let refused = apply_all("x #a y", Profile::Obsidian, false, &[("a", "_b_")]).unwrap_err();
        assert_eq!(refused, "a new tag would not be read as a tag where it would stand");
        let kept = apply_all("---\ntags: [x\n---\n#a", Profile::Obsidian, false, &[("a", "b")]).unwrap_err();
        assert!(kept.starts_with("the front matter is not valid YAML"), "{kept}");
        let text = "---\ntags: [x\n---\n#c";
        assert_eq!(apply_all(text, Profile::Obsidian, false, &[("a", "b")]).unwrap(), text);
    }
}

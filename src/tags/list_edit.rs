//! Replacing tags in the front matter: names within their quotes, and entries taken out where two would become the same.

use std::collections::HashMap;
use std::ops::Range;

use super::edit::{Edit, TagEditOutcome};
use super::note::{FrontMatterTag, Quotes, Scalar, TagList, TagListForm};
use super::rename::Renames;

/// What becomes of one tag of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    Stays,
    Becomes(String),
    /// The list holds the new tag already.
    Goes,
}

/// Adds the edits for one list to `outcome`.
///
/// # Errors
/// Why an entry that would change cannot be changed.
pub fn plan_list_edits(
    text: &str,
    list: &TagList,
    renames: &Renames,
    outcome: &mut TagEditOutcome,
) -> Result<(), String> {
    let words: Vec<&FrontMatterTag> = list.scalars.iter().flat_map(|scalar| &scalar.words).collect();
    let mut fates = decide_tag_fates(&words, renames, outcome).into_iter();
    let per_scalar: Vec<Vec<Fate>> =
        list.scalars.iter().map(|scalar| fates.by_ref().take(scalar.words.len()).collect()).collect();
    for (scalar, fates) in list.scalars.iter().zip(&per_scalar) {
        if let (Some(why), true) = (scalar.fixed, fates.iter().any(|fate| *fate != Fate::Stays)) {
            let name = scalar.words.first().map(|word| word.tag.as_str()).unwrap_or_default();
            return Err(format!("`{name}` in the front matter cannot be changed: {why}"));
        }
    }
    if list.form == TagListForm::Text {
        for (scalar, fates) in list.scalars.iter().zip(&per_scalar) {
            outcome.edits.extend(text_edits(text, scalar, fates)?);
        }
        return Ok(());
    }
    let goes: Vec<bool> = per_scalar.iter().map(|fates| fates.as_slice() == [Fate::Goes]).collect();
    for (scalar, fates) in list.scalars.iter().zip(&per_scalar) {
        if let ([word], [Fate::Becomes(new)]) = (scalar.words.as_slice(), fates.as_slice()) {
            outcome.edits.push(rename_edit(text, scalar, word, new));
        }
    }
    match list.form {
        TagListForm::Flow => outcome.edits.extend(flow_removals(text, &list.scalars, &goes)),
        TagListForm::Block => {
            for (scalar, _) in list.scalars.iter().zip(&goes).filter(|(_, goes)| **goes) {
                outcome.edits.push(block_removal(text, scalar)?);
            }
        }
        TagListForm::Text => {}
    }
    Ok(())
}

/// Decides for every tag of a list. Of those that become the same, one that was there before stays, else the first; tags
/// that were there twice before are not touched.
fn decide_tag_fates(words: &[&FrontMatterTag], renames: &Renames, outcome: &mut TagEditOutcome) -> Vec<Fate> {
    let profile = renames.profile();
    let mut taken: HashMap<String, ()> = words
        .iter()
        .filter(|word| renames.new_name_of(&word.tag).is_none())
        .map(|word| (profile.key(&word.tag), ()))
        .collect();
    words
        .iter()
        .map(|word| match renames.new_name_of(&word.tag) {
            None => Fate::Stays,
            Some((rule, new)) => {
                outcome.count(rule);
                if taken.insert(profile.key(&new), ()).is_some() {
                    outcome.merged += 1;
                    Fate::Goes
                } else {
                    Fate::Becomes(new.into_owned())
                }
            }
        })
        .collect()
}

/// The edit that renames the only tag of a text.
fn rename_edit(text: &str, scalar: &Scalar, word: &FrontMatterTag, new: &str) -> Edit {
    let hash = if word.hash { "#" } else { "" };
    match &word.span {
        Some(span) if scalar.quotes != Quotes::None || !needs_quotes(new) => {
            Edit { span: span.clone(), text: new.to_owned() }
        }
        // Only the name itself is between the quotes; what the text holds besides would be a second tag.
        Some(span) if text.get(scalar.span.clone()) == text.get(span.clone()) => {
            Edit { span: span.clone(), text: format!("\"{new}\"") }
        }
        Some(span) => Edit { span: span.clone(), text: new.to_owned() },
        None => Edit { span: scalar.span.clone(), text: format!("\"{hash}{new}\"") },
    }
}

/// The edits of a text with tags between commas or blanks.
fn text_edits(text: &str, scalar: &Scalar, fates: &[Fate]) -> Result<Vec<Edit>, String> {
    if let ([word], [Fate::Becomes(new)]) = (scalar.words.as_slice(), fates) {
        return Ok(vec![rename_edit(text, scalar, word, new)]);
    }
    let mut edits = Vec::new();
    let mut last_kept: Option<usize> = None;
    for (index, (word, fate)) in scalar.words.iter().zip(fates).enumerate() {
        let span = word_span(word, *fate != Fate::Stays)?;
        match fate {
            Fate::Stays => last_kept = Some(index),
            Fate::Becomes(new) => {
                last_kept = Some(index);
                edits.push(Edit { span: span.unwrap_or_default(), text: new.clone() });
            }
            Fate::Goes => {}
        }
    }
    // Words that go are taken out with the separator that follows, at the end with the one before.
    let full = |word: &FrontMatterTag| word.span.clone().map(|span| span.start - usize::from(word.hash)..span.end);
    let mut index = 0;
    while index < scalar.words.len() {
        if fates.get(index) != Some(&Fate::Goes) {
            index += 1;
            continue;
        }
        let until = (index..scalar.words.len()).find(|&i| fates.get(i) != Some(&Fate::Goes));
        let span_of = |i: usize| scalar.words.get(i).and_then(full).ok_or("its text is written with escapes");
        let span = match until {
            Some(next) => span_of(index)?.start..span_of(next)?.start,
            None => {
                span_of(last_kept.ok_or("nothing would be left of the list")?)?.end
                    ..span_of(scalar.words.len() - 1)?.end
            }
        };
        if holds_more(text, scalar, &span, index..until.unwrap_or(scalar.words.len())) {
            return Err("a text in the front matter holds more than tags where one would go".to_owned());
        }
        edits.push(Edit { span, text: String::new() });
        index = until.unwrap_or(scalar.words.len());
    }
    quoted_when_alone(text, scalar, edits)
}

fn word_span(word: &FrontMatterTag, changes: bool) -> Result<Option<Range<usize>>, String> {
    match &word.span {
        None if changes => Err(format!("`{}` in the front matter is written with escapes", word.tag)),
        span => Ok(span.clone()),
    }
}

/// True when a span that goes holds something besides the words that go and what separates them.
fn holds_more(text: &str, scalar: &Scalar, span: &Range<usize>, words: Range<usize>) -> bool {
    let mut at = span.start;
    let blank = |from: usize, to: usize| {
        text.get(from..to).is_none_or(|gap| gap.chars().all(|c| c == ',' || c == '#' || c.is_whitespace()))
    };
    for word in scalar.words.get(words).unwrap_or_default() {
        let Some(own) = &word.span else { return true };
        if !blank(at, own.start) {
            return true;
        }
        at = own.end;
    }
    !blank(at, span.end)
}

/// Puts a text without quotes between quotes when nothing but one tag is left of it and YAML would read that as something
/// else than a text.
fn quoted_when_alone(text: &str, scalar: &Scalar, mut edits: Vec<Edit>) -> Result<Vec<Edit>, String> {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    if scalar.quotes != Quotes::None || edits.is_empty() {
        return Ok(edits);
    }
    let mut after = String::new();
    let mut at = scalar.span.start;
    for edit in &edits {
        after.push_str(text.get(at..edit.span.start).ok_or("two tags overlap")?);
        after.push_str(&edit.text);
        at = edit.span.end;
    }
    after.push_str(text.get(at..scalar.span.end).ok_or("two tags overlap")?);
    let several = after.contains(|c: char| c == ',' || c.is_whitespace());
    if several || !needs_quotes(&after) {
        return Ok(edits);
    }
    Ok(vec![Edit { span: scalar.span.clone(), text: format!("\"{after}\"") }])
}

/// True for a name that YAML, in its older or newer version, would not read as a text, or perhaps not.
fn needs_quotes(name: &str) -> bool {
    const WORDS: [&str; 8] = ["null", "true", "false", "yes", "no", "on", "off", "~"];
    let lower = name.to_lowercase();
    WORDS.contains(&lower.as_str())
        || matches!(lower.as_str(), "y" | "n" | "")
        || name.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

/// Takes entries out of `[a, b, c]`.
fn flow_removals(text: &str, scalars: &[Scalar], goes: &[bool]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let end = tail_that_goes(text, scalars, goes).map_or(scalars.len(), |(first, edit)| {
        edits.push(edit);
        first
    });
    for (scalar, _) in scalars.iter().zip(goes).take(end).filter(|(_, goes)| **goes) {
        let rest = text.get(scalar.span.end..).unwrap_or_default();
        // Without a comma after it, it is the last one; the comma before it may stay.
        let after = scalar.span.end + find_trailing_comma(rest).map_or(0, |at| at + 1);
        edits.push(Edit { span: with_blanks(text, scalar.span.start..after), text: String::new() });
    }
    edits
}

/// The entries at the end of the list that go, with the comma before them, when only blanks and commas stand between.
fn tail_that_goes(text: &str, scalars: &[Scalar], goes: &[bool]) -> Option<(usize, Edit)> {
    let kept = goes.iter().rposition(|goes| !goes)?;
    let tail = scalars.get(kept..).filter(|tail| tail.len() > 1)?;
    let pure = tail.windows(2).all(|pair| {
        let gap = pair.first().zip(pair.last()).and_then(|(a, b)| text.get(a.span.end..b.span.start));
        gap.is_some_and(|gap| gap.chars().all(|c| c == ',' || c.is_whitespace()))
    });
    let span = tail.first()?.span.end..tail.last()?.span.end;
    let rest = text.get(span.end..).unwrap_or_default();
    let is_last = find_trailing_comma(rest)
        .is_none_or(|at| rest.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with(']')));
    (pure && is_last).then(|| (kept + 1, Edit { span, text: String::new() }))
}

/// A span with the blanks after it, or with the whole line when nothing else stands on it.
fn with_blanks(text: &str, span: Range<usize>) -> Range<usize> {
    let line = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(span.end..).unwrap_or_default();
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
    let before = text.get(line..span.start).unwrap_or_default();
    if before.trim().is_empty() && rest.get(blanks..).is_some_and(|rest| rest.starts_with('\n')) {
        return line..span.end + blanks + 1;
    }
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    span.start..span.end + blanks
}

/// Where the comma after an entry stands, past blanks and comments; none when the list ends first.
fn find_trailing_comma(rest: &str) -> Option<usize> {
    let mut comment = false;
    for (at, c) in rest.char_indices() {
        match c {
            '\n' => comment = false,
            '#' => comment = true,
            ',' if !comment => return Some(at),
            _ if comment || c.is_whitespace() => {}
            _ => return None,
        }
    }
    None
}

/// Takes out a line `- a`; a comment at its end stays as a line of its own.
fn block_removal(text: &str, scalar: &Scalar) -> Result<Edit, String> {
    let start = text[..scalar.span.start].rfind('\n').map_or(0, |at| at + 1);
    let before = text.get(start..scalar.span.start).unwrap_or_default();
    let indent = before.len() - before.trim_start_matches([' ', '\t']).len();
    if before.trim() != "-" {
        return Err("an entry of the front matter does not stand on a line of its own".to_owned());
    }
    let rest = text.get(scalar.span.end..).unwrap_or_default();
    let length = rest.find('\n').map_or(rest.len(), |at| at + 1);
    let tail = rest.get(..length).unwrap_or_default();
    let blanks = tail.len() - tail.trim_start().len();
    if tail.trim().is_empty() {
        Ok(Edit { span: start..scalar.span.end + length, text: String::new() })
    } else if tail.trim_start().starts_with('#') {
        Ok(Edit { span: start + indent..scalar.span.end + blanks, text: String::new() })
    } else {
        Err("an entry of the front matter does not stand on a line of its own".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::Profile;
    use super::super::edit::rename_tags_in_text;
    use super::super::rename::{Renames, Replacement};

    fn renamed(yaml: &str, pairs: &[(&str, &str)]) -> Result<String, String> {
        let given: Vec<Replacement> = pairs
            .iter()
            .map(|(old, new)| Replacement { old_tag: (*old).to_owned(), new_tag: (*new).to_owned() })
            .collect();
        let renames = Renames::new(Profile::Obsidian, false, &given).unwrap();
        let text = format!("---\n{yaml}\n---\n");
        let after = rename_tags_in_text(&text, &renames)?.map_or(text, |edited| edited.text);
        Ok(after.trim_start_matches("---\n").trim_end_matches("\n---\n").to_owned())
    }

    #[rstest]
    #[case::flow("tags: [golang, golang-dev] # golang", "tags: [rust, golang-dev] # golang")]
    #[case::quotes("tags: ['golang', \"golang\", \"#x\"]", "tags: ['rust', \"#x\"]")]
    #[case::block("tags:\n- golang\n- x", "tags:\n- rust\n- x")]
    #[case::line_ends("tags:\r\n  - golang\r\n  - x\r", "tags:\r\n  - rust\r\n  - x\r")]
    #[case::text("tags: x,golang y", "tags: x,rust y")]
    #[case::one("tags: golang", "tags: rust")]
    #[case::hash("tags: \"#golang, #x\"", "tags: \"#rust, #x\"")]
    #[case::other_keys(
        "title: golang\nids: [golang]\ntags: [golang]\nid: 007",
        "title: golang\nids: [golang]\ntags: [rust]\nid: 007"
    )]
    #[case::escaped("tags: [\"gol\\u0061ng\"]", "tags: [\"rust\"]")]
    #[case::merged_first("tags: [golang, rust]", "tags: [rust]")]
    #[case::merged_last("tags: [rust, golang]", "tags: [rust]")]
    #[case::merged_last_of_three("tags: [x, rust, golang ]", "tags: [x, rust ]")]
    #[case::merged_between("tags: [rust, golang, x]", "tags: [rust, x]")]
    #[case::merged_lines("tags: [\n  rust,\n  golang,\n  x,\n]", "tags: [\n  rust,\n  x,\n]")]
    #[case::merged_last_line("tags: [\n  rust,\n  golang,\n]", "tags: [\n  rust,\n]")]
    #[case::merged_beside_comment("tags: [\n  rust, # why\n  golang # not\n]", "tags: [\n  rust, # why\n  # not\n]")]
    #[case::merged_block("tags:\n  - rust\n  - golang\n  - x", "tags:\n  - rust\n  - x")]
    #[case::merged_block_comment("tags:\n  - rust\n  - golang # why\nx: 1", "tags:\n  - rust\n  # why\nx: 1")]
    #[case::merged_text("tags: golang, rust, x", "tags: rust, x")]
    #[case::merged_text_last("tags: x rust golang", "tags: x rust")]
    #[case::merged_other_case("tags: [Rust, golang]", "tags: [Rust]")]
    #[case::twice_before("tags: [x, x, golang]", "tags: [x, x, rust]")]
    fn golang_becomes_rust(#[case] yaml: &str, #[case] expected: &str) {
        assert_eq!(renamed(yaml, &[("golang", "rust")]).unwrap(), expected);
    }

    #[rstest]
    #[case("tags: [a, b]", &[("a", "b"), ("b", "a")], "tags: [b, a]")]
    #[case("tags: [a, b, c]", &[("a", "b"), ("b", "c"), ("c", "a")], "tags: [b, c, a]")]
    #[case("tags: [a, b]", &[("a", "c"), ("b", "c")], "tags: [c]")]
    #[case("tags: [x, a, b]", &[("a", "x"), ("b", "x")], "tags: [x]")]
    #[case("tags: [a, b, x]", &[("a", "x"), ("b", "x")], "tags: [x]")]
    #[case("tags: a, b", &[("a", "c"), ("b", "c")], "tags: c")]
    #[case("tags: [a]", &[("a", "true")], "tags: [\"true\"]")]
    #[case("tags: a", &[("a", "2024-01-01")], "tags: \"2024-01-01\"")]
    #[case("tags: a, true", &[("a", "true")], "tags: \"true\"")]
    #[case("tags: [a]", &[("a", "日本")], "tags: [日本]")]
    #[case("tags: ['a']", &[("a", "no")], "tags: ['no']")]
    fn at_once_and_as_texts(#[case] yaml: &str, #[case] pairs: &[(&str, &str)], #[case] expected: &str) {
        assert_eq!(renamed(yaml, pairs).unwrap(), expected);
    }

    #[rstest]
    #[case("n: &n a\ntags: [*n]", "`a` in the front matter cannot be changed: an alias stands for it")]
    #[case("tags: [!!str a]", "`a` in the front matter cannot be changed: it has an anchor or a type")]
    #[case("tags: \"\\u0061 b\"", "`a` in the front matter cannot be changed: its text is written with escapes")]
    fn what_cannot_be_changed_is_said(#[case] yaml: &str, #[case] why: &str) {
        assert_eq!(renamed(yaml, &[("a", "b")]).unwrap_err(), why);
    }
}

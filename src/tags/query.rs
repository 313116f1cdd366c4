//! Questions that an index answers.

use regex::Regex;

use super::index::{IndexedNote, TagIndex};
use super::report::{FoundNote, TagCount, TagInfo, Unreadable};
use super::validate::strip_hash_and_blanks;

/// Marks each note once per tag, however many spellings of it the note has.
struct NotesSeenPerTag(Vec<u32>);

impl NotesSeenPerTag {
    fn new(groups: usize) -> Self {
        Self(vec![0; groups])
    }

    /// True the first time a note is met for a tag.
    fn mark_first(&mut self, group: u32, note: usize) -> bool {
        let mark = u32::try_from(note + 1).unwrap_or(u32::MAX);
        match self.0.get_mut(group as usize) {
            Some(last) if *last != mark => {
                *last = mark;
                true
            }
            _ => false,
        }
    }
}

/// For every tag the spelling that most notes have (the first in order among equals), and how many notes have the tag.
fn tally_tags(index: &TagIndex) -> Vec<(String, usize)> {
    let names = &index.names;
    let mut seen = NotesSeenPerTag::new(names.group_count());
    let mut notes = vec![0_usize; names.group_count()];
    let mut spelled: Vec<usize> = Vec::new();
    for (number, entry) in index.entries.iter().enumerate() {
        for &id in &entry.tags {
            let at = id as usize;
            if at >= spelled.len() {
                spelled.resize(at + 1, 0);
            }
            if let Some(count) = spelled.get_mut(at) {
                *count += 1;
            }
            let group = names.group(id);
            if seen.mark_first(group, number)
                && let Some(count) = notes.get_mut(group as usize)
            {
                *count += 1;
            }
        }
    }
    let mut best: Vec<Option<(usize, &str)>> = vec![None; names.group_count()];
    for (id, spelling) in names.iter() {
        let count = spelled.get(id as usize).copied().unwrap_or_default();
        if let Some(slot) = best.get_mut(names.group(id) as usize)
            && slot.is_none_or(|(most, name)| (count, std::cmp::Reverse(spelling)) > (most, std::cmp::Reverse(name)))
        {
            *slot = Some((count, spelling));
        }
    }
    best.into_iter().zip(notes).map(|(best, notes)| (best.map_or("", |(_, name)| name).to_owned(), notes)).collect()
}

/// All tags of at least `min_count` notes whose names fit `pattern`: most notes first, then by name.
#[must_use]
pub fn list_tag_counts(index: &TagIndex, min_count: usize, pattern: Option<&Regex>) -> Vec<TagCount> {
    let mut tags: Vec<TagCount> = index
        .tally_or_init(|| tally_tags(index))
        .iter()
        .filter(|(name, count)| *count >= min_count.max(1) && pattern.is_none_or(|pattern| pattern.is_match(name)))
        .map(|(name, count)| TagCount { name: name.clone(), count: *count })
        .collect();
    tags.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    tags
}

/// The tags that one name asks for: itself, and with `nested` those below it.
fn matching_groups(index: &TagIndex, tag: &str, nested: bool) -> Vec<u32> {
    let tag = strip_hash_and_blanks(tag);
    let mut groups: Vec<u32> = index.names.find(tag).into_iter().collect();
    if nested {
        groups.extend(index.names.groups_below(tag));
    }
    groups
}

/// The notes that have any of `tags`, with the tags of theirs that were asked for, and the number of notes for each name.
#[must_use]
pub fn find_notes_with_tags(index: &TagIndex, tags: &[String], nested: bool) -> (Vec<TagCount>, Vec<FoundNote>) {
    let mut by_group: Vec<Vec<usize>> = vec![Vec::new(); index.names.group_count()];
    for (position, tag) in tags.iter().enumerate() {
        for group in matching_groups(index, tag, nested) {
            if let Some(positions) = by_group.get_mut(group as usize) {
                positions.push(position);
            }
        }
    }
    let mut counts: Vec<TagCount> =
        tags.iter().map(|tag| TagCount { name: strip_hash_and_blanks(tag).to_owned(), count: 0 }).collect();
    let mut files = Vec::new();
    for entry in &index.entries {
        let mut asked: Vec<usize> = Vec::new();
        let mut found: Vec<&str> = Vec::new();
        for &id in &entry.tags {
            let positions = by_group.get(index.names.group(id) as usize).map_or(&[][..], Vec::as_slice);
            if !positions.is_empty() {
                found.push(index.names.spelling(id));
                asked.extend(positions);
            }
        }
        asked.sort_unstable();
        asked.dedup();
        for position in asked {
            if let Some(count) = counts.get_mut(position) {
                count.count += 1;
            }
        }
        if !found.is_empty() {
            found.sort_unstable();
            let tags = found.into_iter().map(str::to_owned).collect();
            files.push(FoundNote { path: entry.path.to_string(), tags });
        }
    }
    (counts, files)
}

/// Each of `tags` with its notes, at most `max_files` of them: most notes first, then by name.
#[must_use]
pub fn tag_infos(index: &TagIndex, tags: &[String], nested: bool, max_files: Option<usize>) -> Vec<TagInfo> {
    let mut found: Vec<TagInfo> = tags
        .iter()
        .map(|tag| {
            let groups = matching_groups(index, tag, nested);
            let has = |entry: &IndexedNote| entry.tags.iter().any(|id| groups.contains(&index.names.group(*id)));
            let notes = index.entries.iter().filter(|entry| !groups.is_empty() && has(entry));
            let mut files: Vec<String> = notes.map(|entry| entry.path.to_string()).collect();
            let count = files.len();
            files.truncate(max_files.unwrap_or(usize::MAX));
            TagInfo { name: strip_hash_and_blanks(tag).to_owned(), count, files_truncated: files.len() < count, files }
        })
        .collect();
    found.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    found
}

/// The notes that have no tag; one that could not be read may have some and is not among them.
#[must_use]
pub fn untagged(index: &TagIndex) -> Vec<String> {
    let bare = index.entries.iter().filter(|entry| entry.tags.is_empty() && entry.trouble.is_none());
    bare.map(|entry| entry.path.to_string()).collect()
}

/// What could not be read, sorted by path.
#[must_use]
pub fn unreadable(index: &TagIndex) -> Vec<Unreadable> {
    let unlisted =
        index.unlisted.iter().map(|file| Unreadable { path: file.path.clone(), reason: file.reason.clone() });
    let unread = index.entries.iter().filter_map(|entry| {
        let reason = entry.trouble.clone()?;
        Some(Unreadable { path: entry.path.to_string(), reason })
    });
    let mut all: Vec<Unreadable> = unlisted.chain(unread).collect();
    all.sort();
    all
}

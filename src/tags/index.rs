//! What was read of a vault, kept for as long as the stamps of its files stay the same.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::Profile;
use tapps_sandbox::ProjectPath;
use tapps_sandbox::survey::{FileStamp, Unlisted};

/// Number of a tag as it is spelled.
pub type TagId = u32;

/// One note.
#[derive(Debug, Clone)]
pub struct IndexedNote {
    pub path: ProjectPath,
    pub stamp: FileStamp,
    /// SHA-256 of the content while the stamp cannot be trusted: the file changed so shortly before it was read that it
    /// could have changed again within the same tick of the clock.
    pub doubt: Option<[u8; 32]>,
    /// Each spelling once, in the order of the note.
    pub tags: Box<[TagId]>,
    /// Entries of the front matter that are no tags.
    pub invalid: Box<[String]>,
    /// Why the note, or its front matter, could not be read.
    pub trouble: Option<String>,
}

/// A vault as it was last read.
#[derive(Debug)]
pub struct TagIndex {
    pub profile: Profile,
    /// Sorted by path.
    pub entries: Vec<Arc<IndexedNote>>,
    pub names: Arc<TagSpellings>,
    /// Files that could not even be listed, sorted by path.
    pub unlisted: Vec<Unlisted>,
    tally: OnceLock<Vec<(String, usize)>>,
}

impl TagIndex {
    /// An index of entries that are sorted by path.
    #[must_use]
    pub fn new(profile: Profile, entries: Vec<Arc<IndexedNote>>, names: TagSpellings, unlisted: Vec<Unlisted>) -> Self {
        Self { profile, entries, names: Arc::new(names), unlisted, tally: OnceLock::new() }
    }

    /// What `count` finds, kept for the next time: an index never changes.
    pub fn tally_or_init(&self, count: impl FnOnce() -> Vec<(String, usize)>) -> &[(String, usize)] {
        self.tally.get_or_init(count)
    }
}

/// The spellings of tags, and which of them are one tag.
#[derive(Debug, Clone)]
pub struct TagSpellings {
    profile: Profile,
    spelled: Vec<Arc<str>>,
    /// For each spelling the number of its tag.
    group: Vec<u32>,
    by_spelling: HashMap<Arc<str>, TagId>,
    by_key: HashMap<String, u32>,
}

impl TagSpellings {
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self { profile, spelled: Vec::new(), group: Vec::new(), by_spelling: HashMap::new(), by_key: HashMap::new() }
    }

    /// The number of a spelling, new or known.
    pub fn intern(&mut self, tag: &str) -> TagId {
        if let Some(&id) = self.by_spelling.get(tag) {
            return id;
        }
        let id = TagId::try_from(self.spelled.len()).unwrap_or(TagId::MAX);
        let next = u32::try_from(self.by_key.len()).unwrap_or(u32::MAX);
        let group = *self.by_key.entry(self.profile.key(tag)).or_insert(next);
        let tag: Arc<str> = tag.into();
        self.spelled.push(Arc::clone(&tag));
        self.group.push(group);
        self.by_spelling.insert(tag, id);
        id
    }

    /// All spellings with their numbers, in the order in which they were met.
    pub fn iter(&self) -> impl Iterator<Item = (TagId, &str)> {
        (0..).zip(self.spelled.iter().map(AsRef::as_ref))
    }

    #[must_use]
    pub fn spelling(&self, id: TagId) -> &str {
        self.spelled.get(id as usize).map_or("", AsRef::as_ref)
    }

    /// The number of the tag that a spelling belongs to.
    #[must_use]
    pub fn group(&self, id: TagId) -> u32 {
        self.group.get(id as usize).copied().unwrap_or(u32::MAX)
    }

    /// The number of the tag that has this name in whatever spelling.
    #[must_use]
    pub fn find(&self, tag: &str) -> Option<u32> {
        self.by_key.get(&self.profile.key(tag)).copied()
    }

    /// How many tags there are.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.by_key.len()
    }

    /// The numbers of the tags whose names begin with that of `tag` and a slash.
    #[must_use]
    pub fn groups_below(&self, tag: &str) -> Vec<u32> {
        let prefix = self.profile.key(tag) + "/";
        let mut below: Vec<u32> =
            self.by_key.iter().filter(|(key, _)| key.starts_with(&prefix)).map(|(_, group)| *group).collect();
        below.sort_unstable();
        below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_tag_share_a_number() {
        let mut names = TagSpellings::new(Profile::Obsidian);
        let ids: Vec<TagId> = ["Alpha", "beta", "alpha", "alpha/x", "Alpha"].map(|tag| names.intern(tag)).to_vec();
        assert_eq!(ids, [0, 1, 2, 3, 0]);
        assert_eq!(names.group(0), names.group(2));
        assert_eq!(names.find("ALPHA"), Some(names.group(0)));
        assert_eq!(names.groups_below("ALPHA"), [names.group(3)]);
        assert_eq!((names.group_count(), names.find("gamma")), (3, None));
        let mut classic = TagSpellings::new(Profile::TagManager);
        assert_ne!(classic.intern("Alpha"), classic.intern("alpha"));
        assert_eq!(classic.group_count(), 2);
    }
}

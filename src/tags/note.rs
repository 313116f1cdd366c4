//! One note, read into the byte spans of its tags.

use std::ops::Range;

use super::{Profile, classic, front_matter, markdown};

/// Where the tags of a note stand. All spans are byte offsets into the note's text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteTagSpans {
    /// Hashtags in the order of the text, without their `#`.
    pub hashtags: Vec<Range<usize>>,
    /// What the front matter lists, one for each key that holds tags.
    pub lists: Vec<TagList>,
    /// Entries of the front matter that are no tags, as written.
    pub invalid: Vec<String>,
    /// Why the front matter cannot be read, if it cannot.
    pub unreadable: Option<String>,
}

/// The value of one key of the front matter that holds tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagList {
    pub form: TagListForm,
    pub scalars: Vec<Scalar>,
}

/// How a list of tags is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagListForm {
    /// `[a, b]`
    Flow,
    /// One `- a` to a line.
    Block,
    /// One text with commas or blanks between the tags.
    Text,
}

/// How a text is quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quotes {
    None,
    Single,
    Double,
    /// A block of lines that begins with `|` or `>`.
    Block,
}

/// One text in the front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// With its quotes.
    pub span: Range<usize>,
    pub quotes: Quotes,
    pub words: Vec<FrontMatterTag>,
    /// Why it cannot be changed in place, if it cannot.
    pub fixed: Option<&'static str>,
}

/// One tag in a text of the front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatterTag {
    /// Without a leading `#`.
    pub tag: String,
    /// Where exactly `tag` stands; none when the text is escaped and says it in other characters.
    pub span: Option<Range<usize>>,
    /// True when a `#` stands before it.
    pub hash: bool,
}

impl NoteTagSpans {
    /// Reads a text by the rules of a profile.
    #[must_use]
    pub fn from_text(text: &str, profile: Profile) -> Self {
        match profile {
            Profile::TagManager => classic::read_tag_manager_note(text),
            Profile::Obsidian => {
                let mut note = Self::default();
                let body = match front_matter::find(text) {
                    Some(block) => {
                        front_matter::read_front_matter_tags(text, block.content.clone(), &mut note);
                        block.end
                    }
                    None => 0,
                };
                markdown::find_markdown_hashtags(text, body, &mut note.hashtags);
                note
            }
        }
    }

    /// Every tag as it is written, front matter first; repeated as often as it occurs.
    pub fn tags<'n>(&'n self, text: &'n str) -> impl Iterator<Item = &'n str> {
        let words = self.lists.iter().flat_map(|list| &list.scalars).flat_map(|scalar| &scalar.words);
        let listed = words.map(|word| word.tag.as_str());
        listed.chain(self.hashtags.iter().filter_map(|span| text.get(span.clone())))
    }
}

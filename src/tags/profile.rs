//! Whose rules say what a tag is and which files are notes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_sandbox::survey::SurveyFilter;

tapps_base::wire_enum! {
    /// The rules that tags are read by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
    pub enum Profile {
        /// Those of the Obsidian editor: Unicode, nested tags, nothing from code, links or comments.
        #[default]
        Obsidian = "obsidian",
        /// Those of the tag-manager program: ASCII hashtags anywhere in the text, with its filters.
        TagManager = "tag-manager",
    }
}

impl Profile {
    /// What two spellings of one tag have in common.
    #[must_use]
    pub fn key(self, tag: &str) -> String {
        match self {
            Self::Obsidian => tag.to_lowercase(),
            Self::TagManager => tag.to_owned(),
        }
    }

    /// Whether a file, by its path in the vault, is a note.
    #[must_use]
    pub fn is_note(self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        match self {
            Self::Obsidian => !name.starts_with('.') && ends_with_ignoring_case(name, ".md"),
            Self::TagManager => {
                name.ends_with(".md") && !name.ends_with(".excalidraw.md") && !left_out_by_tag_manager(path)
            }
        }
    }

    /// Whether a folder, by its path in the vault, can hold notes.
    #[must_use]
    pub fn can_hold_notes(self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        match self {
            Self::Obsidian => !name.starts_with('.'),
            Self::TagManager => !left_out_by_tag_manager(path),
        }
    }
}

impl SurveyFilter for Profile {
    fn wants_folder(&self, path: &str) -> bool {
        self.can_hold_notes(path)
    }

    fn wants_file(&self, path: &str) -> bool {
        self.is_note(path)
    }
}

impl std::str::FromStr for Profile {
    type Err = tapps_base::Error;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::parse_word(word, "unknown profile")
    }
}

/// Parts of a path that leave a file out wherever they stand in it, also inside longer names.
const LEFT_OUT: [&str; 3] = ["100 Archive", "Attachments", ".git"];

fn left_out_by_tag_manager(path: &str) -> bool {
    LEFT_OUT.iter().any(|part| path.contains(part))
}

fn ends_with_ignoring_case(name: &str, ending: &str) -> bool {
    name.len()
        .checked_sub(ending.len())
        .and_then(|at| name.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_files_are_notes() {
        for (path, obsidian, classic) in [
            ("a.md", true, true),
            ("über/ナ.md", true, true),
            ("a.MD", true, false),
            ("a.markdown", false, false),
            ("md", false, false),
            (".hidden.md", false, true),
            ("draw.excalidraw.md", true, false),
            ("x.github.md", true, false),
            ("My Attachments notes/a.md", true, false),
            ("100 Archive/a.md", true, false),
        ] {
            assert_eq!(Profile::Obsidian.is_note(path), obsidian, "{path}");
            assert_eq!(Profile::TagManager.is_note(path), classic, "{path}");
        }
        assert!(!Profile::Obsidian.can_hold_notes("a/.trash"));
        assert!(Profile::TagManager.can_hold_notes("a/.trash"));
        assert!(!Profile::TagManager.can_hold_notes("Attachments"));
    }

    #[test]
    fn words_and_keys() {
        assert_eq!("tag-manager".parse::<Profile>().unwrap(), Profile::TagManager);
        let error = "obsidan".parse::<Profile>().unwrap_err();
        assert_eq!(error.body().hint.as_deref(), Some("did you mean obsidian?"));
        assert_eq!(Profile::Obsidian.key("Über"), "über");
        assert_eq!(Profile::TagManager.key("Über"), "Über");
    }
}

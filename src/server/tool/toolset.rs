//! Groups of tools that are switched on and off together.

use tapps_base::{Error, Result, nearest};

tapps_base::word_enum! {
    /// A group of tools.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Toolset {
        Quality = "quality",
        Knowledge = "knowledge",
        Project = "project",
        Coderef = "coderef",
        Tdd = "tdd",
        Workflow = "workflow",
        Tags = "tags",
        Curation = "curation",
    }
}

impl Toolset {
    /// The toolsets that are on unless said otherwise.
    pub const DEFAULT: [Self; 3] = [Self::Quality, Self::Knowledge, Self::Project];

    /// The toolsets named by `words`; `all` stands for every one.
    ///
    /// # Errors
    /// `config_error` naming the unknown word and the nearest known ones.
    pub fn parse_all(words: &[String]) -> Result<Vec<Self>> {
        let mut chosen = Vec::new();
        for word in words.iter().map(|word| word.trim()).filter(|word| !word.is_empty()) {
            if word == "all" {
                return Ok(Self::ALL.to_vec());
            }
            let known = Self::ALL.map(Self::as_str);
            let Some(toolset) = Self::from_word(word) else {
                return Err(Error::new(tapps_base::ErrorCode::ConfigError, format!("unknown toolset `{word}`"))
                    .hint(nearest::hint(word, known)));
            };
            chosen.push(toolset);
        }
        chosen.sort_unstable();
        chosen.dedup();
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_toolsets_in_the_order_of_presentation() {
        let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            Toolset::parse_all(&words(&["tags", " quality", "tags"])).unwrap(),
            [Toolset::Quality, Toolset::Tags]
        );
        assert_eq!(Toolset::parse_all(&words(&["quality", "all"])).unwrap(), Toolset::ALL);
        let error = Toolset::parse_all(&words(&["qualty"])).unwrap_err();
        assert_eq!(error.message(), "unknown toolset `qualty`");
        assert_eq!(error.body().hint.as_deref(), Some("did you mean quality?"));
    }
}

//! A pattern that is tried before it is made a rule.

use std::collections::BTreeMap;

use serde_json::json;
use tapps_base::source::Source;
use tapps_base::{Error, Result, nearest};

use crate::language::{language_of_path, language_of_word, pattern_languages, word_of_language};
use crate::matching::{PatternMatch, find_matches};
use crate::read::read_document;
use crate::rule::PatternRule;

/// What the rule of a tried pattern is called.
const TRIED: &str = "tried";

/// A pattern for one language, or for each in which it can be read.
#[derive(Debug)]
pub struct TriedPattern {
    by_language: BTreeMap<&'static str, PatternRule>,
}

impl TriedPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// `invalid_argument` for an unknown language, and for a pattern that the language, or every language, cannot read.
    pub fn read(pattern: &str, language: Option<&str>) -> Result<Self> {
        let words: Vec<&str> = match language {
            None => pattern_languages().collect(),
            Some(word) => {
                let known = language_of_word(word).ok_or_else(|| {
                    Error::invalid(format!("there are no rules for the language `{word}`"))
                        .hint(nearest::hint(word, pattern_languages()))
                })?;
                vec![word_of_language(known)]
            }
        };
        let mut by_language = BTreeMap::new();
        let mut last = None;
        for word in words {
            match read_document(json!({ "id": TRIED, "language": word, "rule": { "pattern": pattern } })) {
                Ok(rule) => drop(by_language.insert(word, rule)),
                Err(why) => last = Some(why),
            }
        }
        match last {
            Some(why) if by_language.is_empty() => Err(Error::invalid(format!("the pattern cannot be read: {why}"))
                .hint("a pattern is code that parses, in which `$NAME` stands for one part and `$$$NAME` for several")),
            _ => Ok(Self { by_language }),
        }
    }

    /// Where the pattern matches in a file; none for a file of no language that it is for.
    ///
    /// # Errors
    /// `config_error` when that takes too many steps.
    pub fn matches(&self, source: &Source) -> Result<Option<Vec<PatternMatch>>> {
        let Some(language) = language_of_path(source.path()) else { return Ok(None) };
        let Some(rule) = self.by_language.get(word_of_language(language)) else { return Ok(None) };
        let Some(text) = source.text() else { return Ok(None) };
        find_matches(&[&rule.config], language, (source.path(), text)).map(Some)
    }
}

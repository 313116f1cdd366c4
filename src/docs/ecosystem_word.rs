//! The ecosystems whose libraries are documented, in the words of bundles and replies.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize as _, Deserializer, Error as _};
use serde::ser::{Error as _, Serializer};
use tapps_project::packages::Ecosystem;

/// Each documented ecosystem with its word.
pub const ECOSYSTEM_WORDS: [(&str, Ecosystem); 3] =
    [("python", Ecosystem::PyPi), ("npm", Ecosystem::Npm), ("rust", Ecosystem::Crates)];

/// The word for an ecosystem; what is not documented has that of its registry.
#[must_use]
pub fn word_of_ecosystem(ecosystem: Ecosystem) -> &'static str {
    ECOSYSTEM_WORDS.iter().find(|(_, one)| *one == ecosystem).map_or(ecosystem.as_str(), |(word, _)| word)
}

/// The documented ecosystem of a word.
#[must_use]
pub fn ecosystem_of_word(word: &str) -> Option<Ecosystem> {
    ECOSYSTEM_WORDS.iter().find(|(one, _)| *one == word).map(|(_, ecosystem)| *ecosystem)
}

/// # Errors
/// For an ecosystem that is not documented.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields by reference")]
pub(crate) fn serialize<S: Serializer>(ecosystem: &Ecosystem, to: S) -> Result<S::Ok, S::Error> {
    if ecosystem_of_word(word_of_ecosystem(*ecosystem)).is_none() {
        return Err(S::Error::custom(format!("libraries of {} are not documented", ecosystem.as_str())));
    }
    to.serialize_str(word_of_ecosystem(*ecosystem))
}

/// # Errors
/// For a word that is none of an ecosystem that is documented.
pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Ecosystem, D::Error> {
    let word = Cow::<'d, str>::deserialize(from)?;
    let words = &ECOSYSTEM_WORDS.map(|(word, _)| word);
    ecosystem_of_word(&word).ok_or_else(|| D::Error::custom(format!("`{word}` is none of {}", words.join(", "))))
}

/// The same for an ecosystem that may be missing.
pub(crate) mod option {
    use super::{Deserializer, Ecosystem, Serializer};

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde hands fields by reference")]
    pub(crate) fn serialize<S: Serializer>(ecosystem: &Option<Ecosystem>, to: S) -> Result<S::Ok, S::Error> {
        match ecosystem {
            Some(ecosystem) => super::serialize(ecosystem, to),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Ecosystem>, D::Error> {
        super::deserialize(from).map(Some)
    }
}

/// Stands in schemas for an ecosystem that is written as its word.
pub(crate) struct EcosystemWord;

impl JsonSchema for EcosystemWord {
    fn schema_name() -> Cow<'static, str> {
        "Ecosystem".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The registry a library comes from.",
            "type": "string",
            "enum": ECOSYSTEM_WORDS.map(|(word, _)| word),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Both {
        #[serde(with = "super")]
        one: Ecosystem,
        #[serde(with = "super::option", default, skip_serializing_if = "Option::is_none")]
        other: Option<Ecosystem>,
    }

    #[test]
    fn documented_ecosystems_are_written_as_their_words_and_others_are_not() {
        let both = Both { one: Ecosystem::PyPi, other: Some(Ecosystem::Crates) };
        let text = serde_json::to_string(&both).unwrap();
        assert_eq!(text, r#"{"one":"python","other":"rust"}"#);
        assert_eq!(serde_json::from_str::<Both>(&text).unwrap(), both);
        let none: Both = serde_json::from_str(r#"{"one":"npm"}"#).unwrap();
        assert_eq!(none, Both { one: Ecosystem::Npm, other: None });
        let error = serde_json::from_str::<Both>(r#"{"one":"PyPI"}"#).unwrap_err();
        assert!(error.to_string().contains("none of python, npm, rust"), "{error}");
        assert!(serde_json::to_string(&Both { one: Ecosystem::Go, other: None }).is_err());
    }
}

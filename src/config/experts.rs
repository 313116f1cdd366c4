//! What can be set about the experts.

use std::path::PathBuf;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::{Error, Result};

tapps_base::wire_enum! {
    /// What the experts compare of a question and their files.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
    pub enum SearchMode {
        /// Both where there is a model, else their words.
        #[default]
        Auto = "auto",
        /// Their words.
        Lexical = "lexical",
        /// Their vectors by a model on this machine.
        Vector = "vector",
        /// Both.
        Hybrid = "hybrid",
    }
}

impl SearchMode {
    /// All of them, by the words of the configuration.
    pub const NAMES: &'static [&'static str] =
        &[Self::Auto.as_str(), Self::Lexical.as_str(), Self::Vector.as_str(), Self::Hybrid.as_str()];

    /// What is compared where there is a model.
    #[must_use]
    pub const fn with_model(self) -> Self {
        match self {
            Self::Auto => Self::Hybrid,
            told => told,
        }
    }
}

impl FromStr for SearchMode {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::parse_word(name, "there is no search")
    }
}

/// The experts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ExpertsConfig {
    /// How questions find their files: by words, by the vectors of a model, or by both, which is what `auto` means where
    /// there is a model. Without one words alone count; where vectors were asked for, answers say so.
    pub search: SearchMode,
    /// The folder of a model of static embeddings: `model.safetensors` and `tokenizer.json`. Needs a build with `vector`.
    /// Not settable by a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_read_by_their_names() {
        for name in SearchMode::NAMES {
            let mode: SearchMode = name.parse().unwrap();
            assert_eq!(mode.to_string(), *name);
            assert_eq!(serde_json::to_value(mode).unwrap(), *name);
        }
        let error = "vectors".parse::<SearchMode>().unwrap_err();
        assert_eq!(error.body().hint.as_deref(), Some("did you mean vector?"));
    }
}

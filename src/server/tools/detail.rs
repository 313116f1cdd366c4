//! How much of a result a call wants.

use schemars::JsonSchema;
use serde::Deserialize;

// No comment of the documentation: the schema of every tool would repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ReplyDetail {
    #[default]
    Brief,
    Full,
}

impl ReplyDetail {
    /// What to pass for what a short reply leaves out; stands in its field `more`.
    pub(super) const ADVICE: &str = "detail: \"full\"";

    pub(super) fn is_full(detail: Option<Self>) -> bool {
        detail == Some(Self::Full)
    }
}

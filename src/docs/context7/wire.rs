//! Answers of the service as they come over the wire. What is of another type than it should be makes the answer
//! nonsense.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use tapps_base::{Error, ErrorCode, Result};

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum WireSearchReply {
    Wrapped { results: Vec<WireLibrary> },
    Bare(Vec<WireLibrary>),
}

impl WireSearchReply {
    pub(super) fn into_results(self) -> Vec<WireLibrary> {
        match self {
            Self::Wrapped { results } | Self::Bare(results) => results,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireLibrary {
    pub(super) id: String,
    /// The guide writes `name`, the service `title`.
    #[serde(alias = "name", default)]
    pub(super) title: String,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) state: Option<String>,
    #[serde(default)]
    pub(super) total_snippets: Option<i64>,
    #[serde(default)]
    pub(super) trust_score: Option<f64>,
    #[serde(default)]
    pub(super) versions: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireContextReply {
    pub(super) code_snippets: Vec<WireCodeSnippet>,
    pub(super) info_snippets: Vec<Info>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireCodeSnippet {
    #[serde(default)]
    pub(super) code_title: String,
    #[serde(default)]
    pub(super) code_description: Option<String>,
    #[serde(default)]
    pub(super) code_language: Option<String>,
    #[serde(default)]
    pub(super) code_list: Vec<Listing>,
    #[serde(default)]
    pub(super) code_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Listing {
    #[serde(default)]
    pub(super) language: Option<String>,
    pub(super) code: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Info {
    #[serde(default)]
    pub(super) breadcrumb: Option<String>,
    pub(super) content: String,
    #[serde(default)]
    pub(super) page_id: Option<String>,
}

/// Reads an answer.
///
/// # Errors
/// `api_unavailable` for what is no such answer; nothing of it is repeated.
pub(super) fn parse_answer<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        let place = if error.is_data() { "of another shape" } else { "that is no JSON" };
        tracing::debug!(line = error.line(), column = error.column(), "an answer {place}");
        Error::new(ErrorCode::ApiUnavailable, format!("Context7 answered with something {place}"))
            .hint("check `docs.context7_url`; what is on this machine can still be looked up")
    })
}

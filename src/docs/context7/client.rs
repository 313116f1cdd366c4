//! Finding a library and asking about it.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::id;
use super::settings::Context7Settings;
use super::transport::{Context7Request, Transport};
use super::wire;
use tapps_base::clock;
use tapps_base::clock::Clock;
use tapps_base::{Error, Result};

/// Longest name or topic that is sent, in characters.
const LONGEST_QUERY: usize = 500;
/// Libraries of one search that are looked at.
const MOST_LIBRARIES: usize = 50;
/// Characters of one token, on average.
const TOKEN: usize = 4;

tapps_base::wire_enum! {
    /// What is asked for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
    pub enum Context7Mode {
        /// Examples of use.
        #[default]
        Code = "code",
        /// Explanations.
        Info = "info",
    }
}

/// A library that the service knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Context7Library {
    /// For example `/vercel/next.js`.
    pub id: String,
    pub title: String,
    pub description: String,
    /// The names of its versions, as the service writes them.
    pub versions: Vec<String>,
    pub snippets: u64,
    /// How much the service trusts the source, 0–10; more is better.
    pub trust: Option<f64>,
    /// Whether it has been read to the end and can be asked about.
    pub ready: bool,
}

impl Context7Library {
    /// The service's name for exactly that version, if it has it: `v2.1.0` for `2.1.0`.
    #[must_use]
    pub fn version_tag(&self, version: &str) -> Option<&str> {
        id::tag_of(&self.versions, version)
    }
}

/// One example or explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    pub title: String,
    /// Prose: what the example shows, or the explanation itself.
    pub text: String,
    /// The example, when it is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub language: Option<String>,
    /// Where the service has it from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
}

impl Snippet {
    /// An estimate of its tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let code = self.code.as_ref().map_or(0, |code| code.chars().count());
        (self.title.chars().count() + self.text.chars().count() + code).div_ceil(TOKEN)
    }
}

/// What the service says about a library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context7Docs {
    pub library_id: String,
    /// The version that was asked for; the service does not say itself which one it answers from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    /// Best first.
    pub snippets: Vec<Snippet>,
    /// An estimate over all snippets.
    pub tokens: usize,
    /// More came than `max_tokens` allowed.
    pub truncated: bool,
}

/// Asks Context7. Cheap to share; one for the whole program, so that its breaker sees every failure.
#[derive(Debug)]
pub struct Context7Client {
    transport: Transport,
}

impl Context7Client {
    /// A client; nothing is connected before something is asked.
    ///
    /// # Errors
    /// `config_error` for an address or a key that cannot be used.
    pub fn new(settings: Context7Settings) -> Result<Self> {
        Self::with_clock(settings, clock::system())
    }

    /// As [`Context7Client::new`], with another clock.
    ///
    /// # Errors
    /// As [`Context7Client::new`].
    pub fn with_clock(settings: Context7Settings, clock: Arc<dyn Clock>) -> Result<Self> {
        Ok(Self { transport: Transport::new(settings, clock)? })
    }

    /// The libraries that may be meant by a name, best first; none when the service knows none.
    ///
    /// # Errors
    /// `invalid_argument` for an empty name; `api_unavailable` when the network is not allowed, the service is down or
    /// left alone, or answers nonsense; `timeout`; `rate_limited` with the time to wait; `config_error` for a refused
    /// key.
    pub async fn resolve(&self, library: &str) -> Result<Vec<Context7Library>> {
        let name = clean_query_text(library)?;
        let about = format!("the library `{name}`");
        let query = vec![("query", name.clone()), ("libraryName", name)];
        let question = Context7Request { path: "v2/libs/search", query, about };
        let found = self.transport.ask(question, wire::parse_answer::<wire::WireSearchReply>).await?;
        Ok(found.into_results().into_iter().take(MOST_LIBRARIES).filter_map(library_of).collect())
    }

    /// What the service says about a library on a topic, in at most about `max_tokens`.
    ///
    /// `version` is the service's own name of it, as [`Context7Library::version_tag`] gives it.
    ///
    /// # Errors
    /// `invalid_argument` for what is no id; `version_unavailable` when it has no such library or version; and as
    /// [`Context7Client::resolve`].
    pub async fn fetch(
        &self,
        library_id: &str,
        topic: Option<&str>,
        version: Option<&str>,
        mode: Context7Mode,
        max_tokens: usize,
    ) -> Result<Context7Docs> {
        let id = id::versioned_library_id(library_id, version)?;
        let topic = match topic.map(str::trim).filter(|topic| !topic.is_empty()) {
            Some(topic) => clean_query_text(topic)?,
            None => "overview and examples of use".to_owned(),
        };
        let query = vec![("query", topic), ("libraryId", id.clone()), ("type", "json".to_owned())];
        let question = Context7Request { path: "v2/context", query, about: id };
        let context = self.transport.ask(question, wire::parse_answer::<wire::WireContextReply>).await?;
        let mut docs = Context7Docs {
            library_id: library_id.to_owned(),
            version: version.map(str::to_owned),
            snippets: Vec::new(),
            tokens: 0,
            truncated: false,
        };
        for snippet in snippets(context, mode) {
            let tokens = snippet.tokens();
            // The best one is given even when it alone is too long: half an example is worth nothing.
            if docs.tokens + tokens > max_tokens && !docs.snippets.is_empty() {
                docs.truncated = true;
                continue;
            }
            docs.tokens += tokens;
            docs.snippets.push(snippet);
        }
        Ok(docs)
    }
}

/// A name or a topic in one line without control characters.
fn clean_query_text(text: &str) -> Result<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    if words.is_empty() {
        return Err(Error::invalid("the name of the library is empty").hint("name a library, for example `fastapi`"));
    }
    Ok(words.join(" ").chars().take(LONGEST_QUERY).collect())
}

/// A found library; none for one whose id could not be asked for, or that is gone.
fn library_of(found: wire::WireLibrary) -> Option<Context7Library> {
    let state = found.state.as_deref();
    if !id::is_id(&found.id) || matches!(state, Some("delete" | "error")) {
        return None;
    }
    Some(Context7Library {
        title: found.title,
        description: found.description.unwrap_or_default(),
        versions: found.versions.unwrap_or_default(),
        snippets: found.total_snippets.and_then(|count| u64::try_from(count).ok()).unwrap_or_default(),
        trust: found.trust_score.filter(|score| score.is_finite() && *score >= 0.0),
        ready: state.is_none_or(|state| state == "finalized"),
        id: found.id,
    })
}

fn snippets(context: wire::WireContextReply, mode: Context7Mode) -> Vec<Snippet> {
    let code = context.code_snippets.into_iter().map(|snippet| {
        let listed: Vec<&str> = snippet.code_list.iter().map(|listing| listing.code.as_str()).collect();
        let language = snippet.code_list.iter().find_map(|listing| listing.language.clone());
        Snippet {
            code: Some(listed.join("\n\n")),
            title: snippet.code_title,
            text: snippet.code_description.unwrap_or_default(),
            language: language.or(snippet.code_language),
            source: snippet.code_id,
        }
    });
    let info = context.info_snippets.into_iter().map(|snippet| Snippet {
        title: snippet.breadcrumb.unwrap_or_default(),
        text: snippet.content,
        code: None,
        language: None,
        source: snippet.page_id,
    });
    match mode {
        Context7Mode::Code => code.chain(info).collect(),
        Context7Mode::Info => info.chain(code).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_one_short_line() {
        assert_eq!(clean_query_text("  how do\nI \u{0}stream\t").unwrap(), "how do I stream");
        assert_eq!(clean_query_text(&"x".repeat(900)).unwrap().len(), LONGEST_QUERY);
        assert!(clean_query_text(" \n ").is_err());
    }

    #[test]
    fn a_token_is_about_four_characters() {
        let snippet =
            Snippet {
                title: "abcd".into(), text: "äöüß".into(), code: Some("x".into()), language: None, source: None
            };
        assert_eq!(snippet.tokens(), 3);
    }
}

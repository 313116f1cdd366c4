//! Toolset `knowledge`: documentation of the exact locked version.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::Result;
use tapps_docs::lookup::{DocsService, LookupAnswer, LookupMode, LookupRequest};

#[derive(Debug, Deserialize, JsonSchema)]
struct LookupArguments {
    /// As it is installed or imported; npm: or python: in front decides between two of one name; or a Context7 id
    #[schemars(length(min = 1, max = 200))]
    library: String,
    /// A name (StreamingResponse), a path (Query.filter) or a question; none gives the overview
    #[schemars(length(max = 400))]
    topic: Option<String>,
    /// Default: the version the project locks
    #[schemars(length(max = 100))]
    version: Option<String>,
    /// code: signatures and examples; info: explanations. Default: code
    mode: Option<LookupMode>,
    /// Default: 1200
    #[schemars(range(min = 100, max = 20000))]
    max_tokens: Option<usize>,
    /// Takes the nearest version when the wanted one is not there
    allow_nearest: Option<bool>,
}

/// The tools of this toolset.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Knowledge, Arc::clone(&services.docs));
    vec![
        group.tool("tapps_lookup_docs", "Look up a library", handle_lookup_docs)
        .describe(
            "Look up the API of a library in exactly the version this project locks, from what is installed and, where \
             that is allowed, from Context7. Call it before you write code against a library. Returns symbols (path, \
             signature, one-line doc, deprecation), snippets, the version, its source and digest. Another version is \
             never given silently: exact says so, and note says what is not there and what is nearest.",
        )
        .open_world(services.docs.may_connect())
        .returns::<LookupAnswer>(),
    ]
}

async fn handle_lookup_docs(docs: Arc<DocsService>, given: LookupArguments, context: ToolContext) -> Result<Reply> {
    let request = LookupRequest {
        library: given.library,
        topic: given.topic,
        version: given.version,
        mode: given.mode.unwrap_or_default(),
        max_tokens: given.max_tokens,
        allow_nearest: given.allow_nearest.unwrap_or_default(),
    };
    let answer = docs.answer_question(request, context.call.clone()).await?;
    let brief = answer.note.clone().unwrap_or_else(|| {
        format!(
            "{} {}: {} symbols, {} snippets",
            answer.library,
            answer.version,
            answer.symbols.len(),
            answer.snippets.len()
        )
    });
    // The answer keeps to its own budget.
    Ok(Reply::from_serializable(&answer)?
        .without_budget()
        .with_subjects(vec![answer.library.clone()])
        .with_brief(brief))
}

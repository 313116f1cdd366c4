//! Completion of prompt arguments and template variables.

use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};

use crate::prompts::Prompt;
use crate::resources::Catalogue;

/// Known values that begin with what has been typed; none for what the server does not know.
pub(super) fn complete(prompts: &[Prompt], catalogue: &Catalogue, request: &CompleteRequestParams) -> CompleteResult {
    let typed = request.argument.value.as_str();
    let values = match &request.r#ref {
        Reference::Prompt(reference) => prompts
            .iter()
            .find(|prompt| prompt.name == reference.name)
            .and_then(|prompt| prompt.arguments.iter().find(|argument| argument.name == request.argument.name))
            .map(|argument| beginning_with(typed, argument.values))
            .unwrap_or_default(),
        Reference::Resource(reference) => catalogue
            .templates()
            .iter()
            .find(|template| template.uri_template == reference.uri)
            .map(|template| template.complete(&request.argument.name, typed))
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    let total = u32::try_from(values.len()).unwrap_or(u32::MAX);
    let more = values.len() > CompletionInfo::MAX_VALUES;
    let shown = values.into_iter().take(CompletionInfo::MAX_VALUES).collect();
    CompleteResult::new(CompletionInfo::with_pagination(shown, Some(total), more).unwrap_or_default())
}

fn beginning_with(typed: &str, values: &[&str]) -> Vec<String> {
    values.iter().filter(|value| value.starts_with(typed)).map(|value| (*value).to_owned()).collect()
}

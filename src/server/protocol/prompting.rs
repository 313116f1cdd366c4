//! Rendering prompts.

use rmcp::ErrorData;
use rmcp::model::{ClientCapabilities, GetPromptRequestParams, GetPromptResponse};
use serde_json::{Value, json};

use crate::dispatch;
use crate::prompts::{Prompt, PromptCall};
use tapps_base::nearest;

/// Checks the request against the prompt's arguments and renders it behind the panic guard.
pub(super) async fn get_prompt(
    prompts: &[Prompt],
    request: GetPromptRequestParams,
    capabilities: Option<ClientCapabilities>,
    correlation: String,
) -> Result<GetPromptResponse, ErrorData> {
    let Some(prompt) = prompts.iter().find(|prompt| prompt.name == request.name) else {
        let hint = nearest::hint(&request.name, prompts.iter().map(|prompt| prompt.name).collect::<Vec<_>>());
        return Err(invalid_prompt_params(format!("there is no prompt `{}`", request.name), &hint));
    };
    let arguments = request
        .arguments
        .unwrap_or_default()
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| match value {
            Value::String(text) => (name, text),
            other => (name, other.to_string()),
        })
        .collect::<std::collections::BTreeMap<_, _>>();
    if let Some(missing) =
        prompt.arguments.iter().find(|argument| argument.required && !arguments.contains_key(argument.name))
    {
        let message = format!("the prompt {} needs the argument `{}`", prompt.name, missing.name);
        return Err(invalid_prompt_params(message, missing.description));
    }
    let call = PromptCall { arguments, input: request.input_responses, capabilities };
    match dispatch::catch_panic(async { prompt.render(call).await }).await {
        Ok(rendered) => rendered,
        Err(panic) => {
            let error = panic.into_error(prompt.name, &correlation);
            Err(ErrorData::internal_error(error.message().to_owned(), None))
        }
    }
}

fn invalid_prompt_params(message: String, hint: &str) -> ErrorData {
    ErrorData::invalid_params(message, Some(json!({ "hint": hint })))
}

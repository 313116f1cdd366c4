//! One prompt.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{ClientCapabilities, GetPromptResponse, GetPromptResult, InputResponses, PromptMessage, Role};

use crate::tool::BoxFuture;

/// An argument of a prompt.
#[derive(Debug, Clone)]
pub struct Argument {
    pub name: &'static str,
    pub description: &'static str,
    pub required: bool,
    /// Known values, for completion.
    pub values: &'static [&'static str],
}

/// A request for a prompt.
#[derive(Debug, Clone, Default)]
pub struct PromptCall {
    pub arguments: BTreeMap<String, String>,
    /// What the client answered to an earlier request for input.
    pub input: Option<InputResponses>,
    pub capabilities: Option<ClientCapabilities>,
}

type Render = dyn Fn(PromptCall) -> BoxFuture<Result<GetPromptResponse, ErrorData>> + Send + Sync;

/// A prompt: what is listed and how it is made.
#[derive(Clone)]
pub struct Prompt {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: Vec<Argument>,
    render: Arc<Render>,
}

tapps_base::debug_fields!(Prompt { name });

impl Prompt {
    /// A prompt made by `render` from checked arguments.
    pub fn new(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        arguments: Vec<Argument>,
        render: impl Fn(PromptCall) -> BoxFuture<Result<GetPromptResponse, ErrorData>> + Send + Sync + 'static,
    ) -> Self {
        Self { name, title, description, arguments, render: Arc::new(render) }
    }

    /// A prompt whose messages are known at once.
    pub fn from_messages(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        arguments: Vec<Argument>,
        render: impl Fn(PromptCall) -> Result<Vec<PromptMessage>, ErrorData> + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, title, description, arguments, move |call| {
            let made = render(call)
                .map(|messages| GetPromptResponse::from(GetPromptResult::new(messages).with_description(description)));
            Box::pin(std::future::ready(made))
        })
    }

    /// Makes the messages.
    #[must_use]
    pub fn render(&self, call: PromptCall) -> BoxFuture<Result<GetPromptResponse, ErrorData>> {
        (self.render)(call)
    }
}

/// A message from the user with text.
#[must_use]
pub fn text_message(text: impl Into<String>) -> PromptMessage {
    PromptMessage::new_text(Role::User, text)
}

//! Prompts of the suite.

use rmcp::model::{
    ContentBlock, GetPromptResponse, GetPromptResult, InputRequiredResult, PromptMessage, ResourceContents, Role,
};
use tapps_server::prompts::{Argument, Prompt, PromptCall, text_message};

use crate::PNG;
use crate::input_required::{question, requests};

fn argument(name: &'static str, values: &'static [&'static str]) -> Argument {
    Argument { name, description: "A test argument", required: true, values }
}

pub(crate) fn prompts() -> Vec<Prompt> {
    let about = "A fixture.";
    vec![
        Prompt::from_messages("test_simple_prompt", "Simple", about, Vec::new(), |_| {
            Ok(vec![text_message("This is a simple prompt for testing.")])
        }),
        Prompt::from_messages(
            "test_prompt_with_arguments",
            "Arguments",
            about,
            vec![argument("arg1", &["paris", "park", "party", "rome"]), argument("arg2", &[])],
            |call| {
                let value = |name: &str| call.arguments.get(name).cloned().unwrap_or_default();
                Ok(vec![text_message(format!(
                    "Prompt with arguments: arg1='{}', arg2='{}'",
                    value("arg1"),
                    value("arg2")
                ))])
            },
        ),
        Prompt::from_messages(
            "test_prompt_with_embedded_resource",
            "Embedded",
            about,
            vec![argument("resourceUri", &[])],
            |call| {
                let uri = call.arguments.get("resourceUri").cloned().unwrap_or_default();
                let contents =
                    ResourceContents::text("Embedded resource content for testing.", uri).with_mime_type("text/plain");
                Ok(vec![
                    PromptMessage::new(Role::User, ContentBlock::resource(contents)),
                    text_message("Please process the embedded resource above."),
                ])
            },
        ),
        Prompt::from_messages("test_prompt_with_image", "Image", about, Vec::new(), |_| {
            Ok(vec![
                PromptMessage::new(Role::User, ContentBlock::image(PNG, "image/png")),
                text_message("Please analyze the image above."),
            ])
        }),
        Prompt::new("test_input_required_result_prompt", "Asking", about, Vec::new(), |call| {
            Box::pin(std::future::ready(asking(&call)))
        }),
        Prompt::from_messages("test_panicking_prompt", "Panicking", about, Vec::new(), |call| {
            assert!(!call.arguments.is_empty(), "a prompt that panics");
            Ok(Vec::new())
        }),
    ]
}

fn asking(call: &PromptCall) -> Result<GetPromptResponse, rmcp::ErrorData> {
    let context = call.input.as_ref().and_then(|all| all.get("user_context"));
    match context {
        Some(context) => {
            let text = format!("Use this context: {}", context["content"]["context"]);
            Ok(GetPromptResult::new(vec![text_message(text)]).into())
        }
        None => {
            let asked = question("What context should the prompt use?", "context", "string");
            Ok(InputRequiredResult::from_input_requests(requests(&[("user_context", asked)])?).into())
        }
    }
}

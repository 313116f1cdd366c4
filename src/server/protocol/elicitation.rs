//! Asking the person at the client: during a call in the older era, between two calls in the newer one.

use std::collections::BTreeMap;

use rmcp::model::{CallToolRequestParams, CallToolResponse, ElicitRequestParams, InputRequest, InputRequiredResult};
use rmcp::service::{Peer, RequestContext, RoleServer};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::dispatch::{ConfirmationQuestion, ConfirmationReply, Human};
use tapps_base::{Error, Result};

/// The name of the question between two calls.
const KEY: &str = "approval";

/// Questions of a call, on their way to the person.
pub(super) type Questions = mpsc::Receiver<(ConfirmationQuestion, oneshot::Sender<ConfirmationReply>)>;

/// The way to the person at the client of this call, and the questions that come along it.
pub(super) fn connect_to_human(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> (Human, Option<Questions>) {
    let can = context.client_capabilities().is_some_and(|capabilities| capabilities.elicitation.is_some());
    if !can {
        return (Human::Unreachable, None);
    }
    // Requests of the newer era carry what the client can do; requests to the client are forbidden there.
    if context.meta.client_capabilities().is_some() {
        let said = request.input_responses.as_ref().and_then(|responses| responses.get(KEY));
        return (Human::Between(said.map(parse_confirmation)), None);
    }
    let (sender, questions) = mpsc::channel(1);
    (Human::During(sender), Some(questions))
}

/// Puts the questions of a call to the client for as long as it is polled.
pub(super) async fn answer_questions(peer: Peer<RoleServer>, questions: Option<Questions>) {
    if let Some(mut questions) = questions {
        while let Some((question, answer)) = questions.recv().await {
            let said = match serde_json::from_value::<ElicitRequestParams>(confirmation_form(&question)) {
                Ok(form) => peer.create_elicitation(form).await.map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            let said = said.map_or_else(
                |error| {
                    tracing::debug!(%error, "the person at the client could not be asked");
                    ConfirmationReply::Nothing
                },
                |said| parse_confirmation(&serde_json::to_value(said).unwrap_or_default()),
            );
            // The call may be over by now.
            let _ = answer.send(said);
        }
    }
    std::future::pending::<()>().await;
}

/// The answer that makes the client ask and call again.
///
/// # Errors
/// `internal` when the question has no form in the protocol.
pub(super) fn input_required_response(question: &ConfirmationQuestion) -> Result<CallToolResponse> {
    let request = json!({"method": "elicitation/create", "params": confirmation_form(question)});
    let request: InputRequest =
        serde_json::from_value(request).map_err(|e| Error::internal(format!("a question has no form: {e}")))?;
    Ok(InputRequiredResult::new(Some(BTreeMap::from([(KEY.to_owned(), request)])), None).into())
}

fn confirmation_form(ConfirmationQuestion(message): &ConfirmationQuestion) -> Value {
    json!({
        "mode": "form",
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": {
                "approve": {"type": "boolean", "title": "Approve", "description": "No sends it back to be done again"},
                "reason": {"type": "string", "title": "Reason", "description": "What to do differently"}
            },
            "required": ["approve"]
        }
    })
}

/// What the person said. Only a plain yes is a yes, and only a plain no sends anything back.
fn parse_confirmation(said: &Value) -> ConfirmationReply {
    let content = &said["content"];
    let reason = content["reason"].as_str().map(str::trim).filter(|reason| !reason.is_empty()).map(str::to_owned);
    match (said["action"].as_str(), content["approve"].as_bool()) {
        (Some("accept"), Some(true)) => ConfirmationReply::Yes,
        (Some("accept"), Some(false)) => ConfirmationReply::No { reason },
        _ => ConfirmationReply::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(json!({"action": "accept", "content": {"approve": true}}), ConfirmationReply::Yes)]
    #[case(json!({"action": "accept", "content": {"approve": false, "reason": " later "}}), ConfirmationReply::No { reason: Some("later".into()) })]
    #[case(json!({"action": "accept", "content": {"approve": false, "reason": " "}}), ConfirmationReply::No { reason: None })]
    #[case(json!({"action": "accept", "content": {"approve": "true"}}), ConfirmationReply::Nothing)]
    #[case(json!({"action": "accept"}), ConfirmationReply::Nothing)]
    #[case(json!({"action": "decline", "content": {"approve": true}}), ConfirmationReply::Nothing)]
    #[case(json!({"action": "cancel"}), ConfirmationReply::Nothing)]
    #[case(json!(null), ConfirmationReply::Nothing)]
    fn only_a_plain_word_counts(#[case] said: Value, #[case] expected: ConfirmationReply) {
        assert_eq!(parse_confirmation(&said), expected);
    }
}

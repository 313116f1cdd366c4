//! The person at the client: how a tool asks for their word, in terms of neither protocol era.

use tokio::sync::{mpsc, oneshot};

/// What a person is asked: yes or no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmationQuestion(pub String);

/// What a person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmationReply {
    Yes,
    No {
        reason: Option<String>,
    },
    /// They did not want to say, or went away.
    Nothing,
}

/// How asking ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmationOutcome {
    Said(ConfirmationReply),
    /// The client asks once this call is answered with the question, and calls again with what was said.
    Later,
    /// Nobody can be asked through this client.
    Unreachable,
}

/// The way to the person at the client.
#[derive(Debug, Clone, Default)]
pub enum Human {
    #[default]
    Unreachable,
    /// They can be asked while the call runs.
    During(mpsc::Sender<(ConfirmationQuestion, oneshot::Sender<ConfirmationReply>)>),
    /// They can be asked between this call and the next; what they said between the last and this one.
    Between(Option<ConfirmationReply>),
}

impl Human {
    /// Asks and waits for what they say.
    pub async fn ask(&self, question: &ConfirmationQuestion) -> ConfirmationOutcome {
        match self {
            Self::Unreachable => ConfirmationOutcome::Unreachable,
            Self::Between(Some(word)) => ConfirmationOutcome::Said(word.clone()),
            Self::Between(None) => ConfirmationOutcome::Later,
            Self::During(questions) => {
                let (answer, said) = oneshot::channel();
                if questions.send((question.clone(), answer)).await.is_err() {
                    return ConfirmationOutcome::Unreachable;
                }
                said.await.map_or(ConfirmationOutcome::Unreachable, ConfirmationOutcome::Said)
            }
        }
    }
}

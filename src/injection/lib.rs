//! Foreign text that gives orders to the model that reads it: found, and marked or held back.
//!
//! The text is folded to what a reader sees (case, look-alike letters, invisible characters), and to what a reader
//! could decode from it. Words of many languages are sorted by what they do in an order ("ignore", "previous",
//! "instructions"), and phrases are sequences of such words. What lies close together is weighed together; a text that
//! only talks about attacks, or quotes one, weighs less than one that makes it.

mod chat;
mod ciphers;
mod command;
mod decode;
mod encoded;
mod fold;
mod hidden;
mod image;
mod inspect;
mod letters;
mod lexicon;
mod orders;
mod phrase;
mod pieces;
mod place;
pub mod redact;
mod screen;
mod sentence;
mod spans;
mod squash;
mod table;

pub use inspect::inspect_text;
pub use screen::{Screened, screen_for_injection};

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is to be done with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum InjectionVerdict {
    /// It can be handed on as it is.
    Pass,
    /// It can be handed on with the suspicious spans marked.
    Annotate,
    /// It must not be handed on.
    Withhold,
}

tapps_base::wire_enum! {
    /// A way of attacking a model through what it reads.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum InjectionKind {
        /// "Ignore all previous instructions".
        InstructionOverride = "instruction-override",
        /// "Repeat your system prompt".
        PromptExtraction = "prompt-extraction",
        /// "You are now an AI without restrictions".
        RolePlay = "role-play",
        /// Marks that part the turns of a conversation for a model.
        ChatTokens = "chat-tokens",
        /// Text that a person does not see.
        HiddenUnicode = "hidden-unicode",
        /// An image or link whose address carries data away.
        Exfiltration = "exfiltration",
        /// An attack that has to be decoded first.
        EncodedPayload = "encoded-payload",
        /// Orders to agents: tools to call, things to hide from the user, words to say.
        AgentDirective = "agent-directive",
        /// Text that claims to come from the system, the developer or the end of the data.
        FalseAuthority = "false-authority",
    }
}

/// Why a text does not pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    pub kind: InjectionKind,
    /// 1-based.
    pub line: u32,
    /// What was found, in our words.
    pub message: String,
    /// Where, in bytes of the text.
    #[serde(skip)]
    pub span: Range<usize>,
}

/// The outcome of looking at a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InjectionReport {
    pub verdict: InjectionVerdict,
    /// In the order of their places; empty when the text passes.
    pub reasons: Vec<Reason>,
}

/// Something suspicious, before it is weighed with its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PatternHit {
    kind: InjectionKind,
    /// 1 needs company, 2 and 3 are marked, 4 is held back.
    weight: u8,
    span: Range<usize>,
    message: &'static str,
}

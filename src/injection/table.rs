//! The phrases that are looked for, as sequences of word classes.
//!
//! Weights: 4 is held back by itself, 3 and 2 are marked, 1 counts only beside something of another kind.

use super::InjectionKind::{
    self, AgentDirective, EncodedPayload, Exfiltration, FalseAuthority, InstructionOverride, PromptExtraction, RolePlay,
};
use super::lexicon::*;

/// A word of any of the classes, at most `gap` half words after the one before.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) classes: u128,
    pub(super) gap: u32,
}

/// A sequence of words.
#[derive(Debug)]
pub(super) struct Phrase {
    pub(super) kind: InjectionKind,
    pub(super) weight: u8,
    pub(super) message: &'static str,
    pub(super) parts: &'static [Part],
    /// Classes that may not stand right before.
    pub(super) not_after: u128,
    /// Classes that may not stand right after.
    pub(super) not_before: u128,
    /// The words may belong to different sentences.
    pub(super) crosses: bool,
}

macro_rules! phrase {
    ($kind:ident $weight:literal $message:literal [$first:expr $(, $gap:literal $class:expr)*] $($more:ident: $value:expr),*) => {
        Phrase {
            $($more: $value,)*
            ..Phrase {
                kind: $kind,
                weight: $weight,
                message: $message,
                parts: &[Part { classes: $first, gap: 0 } $(, Part { classes: $class, gap: $gap })*],
                not_after: 0,
                not_before: 0,
                crosses: false,
            }
        }
    };
}

const INSTRUCTIONS: u128 = INSTRUCTION | OWN_PROMPT | SYSTEM_PROMPT;
const ANY_INSTRUCTIONS: u128 = INSTRUCTIONS | INSTRUCTION_WEAK;
const ANY_OVERRIDE: u128 = OVERRIDE | OVERRIDE_WEAK;
const MODELS: u128 = ADDRESS | ADDRESS_ROLE;

pub(super) const PHRASES: &[Phrase] = &[
    // Taking the instructions away.
    phrase!(InstructionOverride 4 "tells the reader to ignore earlier instructions"
        [OVERRIDE, 6 PRIOR, 6 INSTRUCTIONS] not_after: MODAL),
    phrase!(InstructionOverride 2 "speaks of ignoring earlier instructions" [OVERRIDE, 6 PRIOR, 6 INSTRUCTIONS]),
    phrase!(InstructionOverride 3 "tells the reader to ignore what came before"
        [OVERRIDE, 4 ALL, 4 PRIOR, 6 ANY_INSTRUCTIONS] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to drop earlier instructions"
        [OVERRIDE_WEAK, 4 ALL | YOUR, 4 PRIOR, 6 INSTRUCTIONS] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to drop earlier rules"
        [OVERRIDE_WEAK, 2 ALL, 4 PRIOR, 4 LIMITS] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader to drop earlier instructions"
        [OVERRIDE_WEAK, 4 PRIOR, 4 INSTRUCTIONS] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to drop its rules"
        [ANY_OVERRIDE, 6 ANY_INSTRUCTIONS | LIMITS, 6 GIVEN] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to ignore instructions given before"
        [OVERRIDE, 4 INSTRUCTIONS, 6 PRIOR] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader to ignore what came before"
        [OVERRIDE, 4 INSTRUCTION_WEAK, 4 PRIOR] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader to ignore what came before"
        [OVERRIDE, 4 PRIOR, 2 INSTRUCTION_WEAK] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to ignore its instructions"
        [ANY_OVERRIDE | BREAK, 2 OWN_PROMPT] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to ignore its instructions"
        [ANY_OVERRIDE, 4 YOUR, 6 INSTRUCTIONS] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader to ignore its rules"
        [OVERRIDE, 4 YOUR, 4 INSTRUCTION_WEAK] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader to break its rules" [BREAK, 4 YOUR, 4 LIMITS] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to ignore all instructions"
        [OVERRIDE, 4 ALL, 4 INSTRUCTIONS] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader to ignore all rules" [OVERRIDE, 2 ALL, 4 LIMITS] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to ignore the system prompt"
        [ANY_OVERRIDE | BREAK, 4 SYSTEM_PROMPT] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to forget what it was told"
        [OVERRIDE, 2 ALL, 8 TOLD | PRIOR | ABOVE] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to forget what it was told"
        [OVERRIDE, 6 YOUR | USER, 6 TOLD] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader to leave the user's task"
        [OVERRIDE, 3 USER, 3 TASK] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader to leave its task"
        [ANY_OVERRIDE, 3 YOUR, 2 PRIOR, 2 TASK] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to ignore the text before"
        [OVERRIDE, 4 WORDS, 4 ABOVE] not_after: MODAL),
    phrase!(InstructionOverride 3 "tells the reader to ignore the text before"
        [OVERRIDE, 3 ABOVE, 3 INSTEAD] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader to drop its instructions"
        [YOUR | GIVEN, 8 INSTRUCTIONS, 10 THEM] crosses: true),
    phrase!(InstructionOverride 2 "says that the instructions are void" [PRIOR | YOUR | ALL, 4 INSTRUCTIONS, 6 VOID]),
    phrase!(InstructionOverride 3 "says that the instructions are void"
        [INSTRUCTIONS | LIMITS, 4 GIVEN | PRIOR, 6 VOID] crosses: true),
    phrase!(InstructionOverride 2 "says that the instructions are void" [OWN_PROMPT | SYSTEM_PROMPT, 6 VOID]),
    phrase!(InstructionOverride 3 "gives the reader a new task" [YOUR, 2 NEW, 4 MISSION]),
    phrase!(InstructionOverride 2 "gives new instructions"
        [NEW, 2 INSTRUCTIONS, 4 FOLLOW | INSTEAD | YOU_SHALL | FROM_NOW]),
    phrase!(InstructionOverride 2 "tells the reader to follow other instructions" [FOLLOW, 6 INSTRUCTIONS, 6 INSTEAD]),
    phrase!(InstructionOverride 2 "says that the instructions are void"
        [PRIOR | GIVEN, 2 TASK | INSTRUCTIONS | LIMITS, 4 VOID]),
    phrase!(InstructionOverride 2 "says that the instructions are void" [ALL, 3 TOLD, 8 VOID] crosses: true),
    phrase!(InstructionOverride 2 "tells the reader to forget itself" [RESET] not_after: MODAL),
    phrase!(InstructionOverride 2 "tells the reader what to say instead"
        [OVERRIDE, 24 TELL_SAY] not_after: MODAL, crosses: true),
    phrase!(InstructionOverride 2 "tells the reader what to say instead" [TELL_SAY, 24 TELL_SAY] crosses: true),
    phrase!(InstructionOverride 2 "tells the reader what to say instead" [TOLD, 6 TELL_SAY] crosses: true),
    phrase!(InstructionOverride 1 "tells the reader what to say" [TELL_SAY]),
    // Getting the instructions out.
    phrase!(PromptExtraction 3 "asks for the reader's own instructions" [REVEAL, 10 OWN_PROMPT]),
    phrase!(PromptExtraction 2 "asks for the reader's own instructions" [SEND, 8 OWN_SECRET]),
    phrase!(PromptExtraction 2 "asks for the reader's own instructions" [OWN_PROMPT | SYSTEM_PROMPT, 4 SAYS]),
    phrase!(PromptExtraction 3 "asks for the reader's hidden prompt" [REVEAL, 4 VERBATIM | YOUR, 6 SYSTEM_PROMPT]),
    phrase!(PromptExtraction 2 "asks for the system prompt" [REVEAL, 4 SYSTEM_PROMPT] not_after: MODAL),
    phrase!(PromptExtraction 3 "asks for everything written before" [REVEAL, 6 WORDS | ALL, 4 ABOVE, 8 VERBATIM]),
    phrase!(PromptExtraction 3 "asks for everything written before" [SAY, 10 VERBATIM, 10 WORDS, 4 ABOVE]),
    phrase!(PromptExtraction 2 "asks for everything written before" [SAY, 3 EVERYTHING, 4 ABOVE] not_after: MODAL),
    phrase!(PromptExtraction 3 "asks for everything written before"
        [SAY | REVEAL, 8 WORDS | EVERYTHING, 4 ABOVE, 3 ANCHOR]),
    phrase!(PromptExtraction 2 "asks for the text before" [SAY, 3 WORDS, 2 ABOVE, 12 REVEAL | INSTEAD | VERBATIM]),
    phrase!(PromptExtraction 2 "asks for what the reader was told" [REVEAL, 6 YOUR, 4 TOLD, 8 PRIOR]),
    phrase!(PromptExtraction 2 "asks for the reader's instructions" [REVEAL, 4 INSTRUCTIONS, 2 YOUR, 6 TOLD | PRIOR]),
    // Becoming somebody without limits.
    phrase!(RolePlay 3 "wants the reader to play somebody without limits" [PERSONA, 24 UNBOUND] crosses: true),
    phrase!(RolePlay 3 "tells the reader that it has no limits" [NOT_YOURSELF]),
    phrase!(RolePlay 3 "asks the reader to play a part"
        [ROLE_REQUEST, 40 UNBOUND | NOT_YOURSELF | OVERRIDE | HARM | GRANDMOTHER | PERSONA] crosses: true),
    phrase!(RolePlay 2 "asks the reader to play a part" [ROLE_REQUEST]),
    phrase!(RolePlay 2 "asks the reader to play a part" [GRANDMOTHER, 30 PERSONA | SYSTEM_PROMPT | HARM] crosses: true),
    phrase!(RolePlay 2 "tells the reader who it is from now on"
        [FROM_NOW, 6 YOU_SHALL, 20 UNBOUND | PERSONA | OVERRIDE | NOT_YOURSELF | ADDRESS] crosses: true),
    phrase!(RolePlay 1 "tells the reader how to behave from now on" [FROM_NOW, 4 YOU_SHALL] not_before: BENIGN_NOW),
    phrase!(RolePlay 2 "tells the reader how to behave from now on"
        [FROM_NOW, 3 YOU_SHALL, 20 YOU_SHALL | ALL | ACT | RECOMMEND] not_before: BENIGN_NOW),
    phrase!(RolePlay 2 "asks for a forbidden thing under a pretext" [PERSONA | ROLE_REQUEST, 60 HARM] crosses: true),
    // Orders to agents.
    phrase!(AgentDirective 2 "speaks to an AI that reads it" [IF_YOU_ARE, 2 ADDRESS, 8 READING]),
    phrase!(AgentDirective 3 "gives orders to an AI that reads it"
        [ATTENTION | IF_YOU_ARE, 3 ADDRESS,
            40 ANY_OVERRIDE | RECOMMEND | SILENCE | SILENT_OBJECT | HUSH | HARM] crosses: true),
    phrase!(AgentDirective 2 "gives orders to an AI that reads it"
        [ATTENTION, 3 ADDRESS, 20 MUST | YOU_SHALL | ACT] crosses: true),
    phrase!(AgentDirective 2 "gives orders to an AI that reads it"
        [IF_YOU_ARE, 2 ADDRESS, 12 MUST, 6 ACT | SEND | REVEAL | RECOMMEND]),
    phrase!(AgentDirective 2 "gives orders to an AI that reads it"
        [ADDRESS, 4 READING, 12 MUST | ACT | YOU_SHALL | SEND | REVEAL]),
    phrase!(AgentDirective 2 "gives orders to an AI that reads it" [ADDRESS, 2 ACT, 16 HARM | HUSH | RECOMMEND]),
    phrase!(AgentDirective 1 "tells an AI what to do" [MODELS, 3 MUST, 6 ACT | REVEAL | SEND | RECOMMEND]),
    phrase!(AgentDirective 2 "tells an AI what to say"
        [MODELS, 3 MUST, 3 ALWAYS, 4 ACT | REVEAL | RECOMMEND | YOU_SHALL]),
    phrase!(AgentDirective 2 "tells an AI what to do at once"
        [MODELS, 3 MUST, 6 ACT | SEND, 24 URGENTLY | SILENCE | HUSH | URL]),
    phrase!(AgentDirective 3 "wants something kept from the user" [SILENCE, 6 USER, 6 SILENT_OBJECT]),
    phrase!(AgentDirective 3 "wants something kept from the user" [SILENCE, 4 SILENT_OBJECT]),
    phrase!(AgentDirective 2 "wants something kept from the user" [HUSH]),
    phrase!(AgentDirective 1 "wants something kept from the user" [SILENCE, 4 USER]),
    phrase!(AgentDirective 2 "orders an act without the user's knowledge" [ACT | SEND, 24 SILENCE, 4 USER]),
    phrase!(AgentDirective 2 "orders an act before the task itself"
        [BEFORE_TASK, 24 READ, 8 SECRET_FILE] crosses: true),
    phrase!(AgentDirective 2 "orders an act before the task itself"
        [BEFORE_TASK, 12 YOU_SHALL | MUST, 8 ACT | SEND | READ,
            24 PRIVATE | SECRET_FILE | PASS_ON | URGENTLY | SILENCE | OVERRIDE] crosses: true),
    phrase!(AgentDirective 2 "orders an act before the task itself" [BEFORE_TASK, 3 URGENTLY, 4 ACT | SEND]),
    phrase!(AgentDirective 2 "orders an act besides the task itself" [WHILE_READING, 12 ACT | SEND | MUST | FOLLOW]),
    phrase!(AgentDirective 2 "orders an act besides the task itself" [WHILE_READING, 12 YOUR, 3 NEW, 3 MISSION]),
    phrase!(AgentDirective 1 "orders an act before the task itself" [BEFORE_TASK, 10 ACT | SEND]),
    phrase!(AgentDirective 1 "orders an act at once" [ACT, 12 URGENTLY]),
    phrase!(AgentDirective 1 "tells the reader what to recommend" [RECOMMEND]),
    phrase!(AgentDirective 2 "tells the reader what to recommend" [RECOMMEND, 24 RECOMMEND] crosses: true),
    phrase!(AgentDirective 2 "tells an AI what to recommend" [MODELS, 20 RECOMMEND] crosses: true),
    phrase!(AgentDirective 2 "tells an AI what to recommend" [BEFORE_TASK | FROM_NOW, 20 RECOMMEND] crosses: true),
    phrase!(AgentDirective 1 "asks for a forbidden thing" [HARM]),
    phrase!(AgentDirective 2 "tells an AI what to do"
        [ADDRESS, 3 MUST | ALWAYS, 6 ACT | REVEAL | SEND | RECOMMEND | READ | BREAK | HARM]),
    phrase!(AgentDirective 2 "tells an AI to do harm" [MODELS | WHILE_READING | BEFORE_TASK, 24 DEED] crosses: true),
    phrase!(AgentDirective 2 "tells the reader to do harm unseen" [DEED, 16 URGENTLY | SILENCE | HUSH] crosses: true),
    phrase!(AgentDirective 1 "names a harmful deed" [DEED]),
    phrase!(AgentDirective 2 "tells an AI what to say"
        [MODELS | WHILE_READING | BEFORE_TASK | USER, 20 TELL_SAY] crosses: true),
    // Carrying data away.
    phrase!(Exfiltration 3 "wants private data sent away" [SEND, 14 LOOT, 20 PASS_ON | URL]),
    phrase!(Exfiltration 3 "wants private data sent away" [CARRIER, 30 LOOT, 20 PASS_ON] crosses: true),
    phrase!(Exfiltration 2 "wants private data put into an address" [SEND | ACT, 20 URL, 14 LOOT]),
    phrase!(Exfiltration 2 "wants private data put into an address" [SEND, 14 PRIVATE | LOOT, 10 CARRIER]),
    phrase!(Exfiltration 2 "wants private data sent away" [SEND, 14 PRIVATE, 12 PASS_ON] not_after: MODAL),
    phrase!(Exfiltration 2 "wants private files sent" [STEAL, 8 KEY_FILE]),
    phrase!(Exfiltration 2 "wants private files read and sent" [READ, 4 KEY_FILE, 8 SEND] crosses: true),
    phrase!(Exfiltration 2 "wants private data found and sent" [READ, 8 LOOT, 16 STEAL]),
    phrase!(Exfiltration 3 "wants private files read and sent"
        [READ, 6 SECRET_FILE, 16 SEND, 16 PASS_ON] crosses: true),
    phrase!(Exfiltration 2 "wants private files read and sent"
        [READ, 6 KEY_FILE, 10 SEND, 6 PRIVATE | SILENT_OBJECT | YOUR | ALL] crosses: true),
    phrase!(Exfiltration 1 "names private data to be sent" [SEND, 8 LOOT]),
    // Claims of authority.
    phrase!(FalseAuthority 2 "claims an authority it does not have" [AUTHORITY]),
    phrase!(FalseAuthority 3 "claims an authority and gives orders"
        [AUTHORITY,
            24 ANY_OVERRIDE | YOU_SHALL | ACT | FOLLOW | SEND | REVEAL | INSTEAD | NEW | UNBOUND] crosses: true),
    // Orders in code.
    phrase!(EncodedPayload 2 "wants a text decoded and obeyed" [DECODE, 24 OBEY]),
];

/// The same in other languages; the words may stand in any order around the first.
pub(super) const FOREIGN: &[Phrase] = &[
    phrase!(InstructionOverride 4 "tells the reader to ignore earlier instructions"
        [OVERRIDE, 12 PRIOR, 14 INSTRUCTION]),
    phrase!(InstructionOverride 3 "tells the reader to ignore its instructions" [OVERRIDE, 8 YOUR, 10 INSTRUCTION]),
    phrase!(InstructionOverride 3 "tells the reader to ignore all instructions" [OVERRIDE, 8 ALL, 10 INSTRUCTION]),
    phrase!(InstructionOverride 2 "tells the reader to forget what came before" [OVERRIDE, 8 ALL, 14 PRIOR]),
    phrase!(PromptExtraction 3 "asks for the reader's own instructions" [OWN_PROMPT, 14 REVEAL]),
    phrase!(RolePlay 3 "wants the reader to play somebody without limits"
        [NOT_YOURSELF, 50 NOT_YOURSELF] crosses: true),
    phrase!(RolePlay 1 "tells the reader who it is" [NOT_YOURSELF]),
];

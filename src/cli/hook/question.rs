//! What an agent asks a hook, and a hook asks a server.

use serde::{Deserialize, Serialize};

use tapps_tdd::hook_turn::TurnHook;

/// What a hook is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "snake_case")]
pub(in super::super) enum HookWork {
    /// A file was edited.
    Edit,
    /// A session begins, or a turn ends.
    Turn { when: TurnHook, advise: bool },
}

/// What an agent asks a hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct HookQuestion {
    pub(in super::super) work: HookWork,
    pub(in super::super) client: String,
    /// What stood on its standard input.
    pub(in super::super) input: String,
}

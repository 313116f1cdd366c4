//! Settings of hooks at the end of a turn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Hooks of agents at the end of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HooksConfig {
    /// How often in a row an agent is sent on before it is let go all the same.
    pub rounds: u32,
    /// How long such a hook may take, in seconds; then it lets the agent go.
    pub deadline_seconds: u64,
}

impl Default for HooksConfig {
    fn default() -> Self {
        Self { rounds: 3, deadline_seconds: 45 }
    }
}

//! Hooks of agents around a turn: at the beginning of a session and at the end of a turn, where it can be sent on.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::hook::HookClient;

/// A hook with which a task of Claude Code's list is declared done.
const TASK_COMPLETED: &str = "TaskCompleted";

/// Most seconds that a hook is given where its agent has a short limit of its own.
const SECONDS: u32 = 60;

tapps_base::wire_enum! {
    /// When the hook is called.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum TurnHook {
        /// A session begins or goes on.
        Begin = "begin",
        /// The agent, or one that it started, wants to end.
        End = "end",
    }
}

/// What a hook writes and how it ends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookAnswer {
    pub stdout: String,
    pub stderr: String,
    pub code: u8,
}

impl HookAnswer {
    /// Nothing to say.
    #[must_use]
    pub fn silent() -> Self {
        Self::default()
    }

    fn from_json(value: &Value) -> Self {
        Self { stdout: format!("{value}\n"), ..Self::default() }
    }
}

impl HookClient {
    /// The entries of its settings file that call this program around a turn; none for an agent that cannot be sent on.
    #[must_use]
    pub fn turn_entries(self, program: &str, advise: bool) -> Vec<Value> {
        let begin = self.command(program, "hook begin");
        let end = self.command(program, "hook end") + if advise { " --advise" } else { "" };
        let group = |event: &str, command: &str| {
            let entry = json!([{ "hooks": [{ "type": "command", "command": command }] }]);
            match self {
                Self::Droid => json!({ event: entry }),
                _ => json!({ "hooks": { event: entry } }),
            }
        };
        let plain = |event: &str, command: &str| match self {
            Self::Copilot => json!({
                "version": 1,
                "hooks": { event: [{ "type": "command", "bash": command, "timeoutSec": SECONDS }] }
            }),
            Self::Opencode => json!({ event: [{ "command": command }] }),
            _ => json!({ "version": 1, "hooks": { event: [{ "command": command }] } }),
        };
        match self {
            Self::ClaudeCode | Self::Qwen => {
                let mut entries = vec![
                    group("SessionStart", &begin),
                    group("Stop", &end),
                    group("SubagentStart", &begin),
                    group("SubagentStop", &end),
                ];
                entries.extend((self == Self::ClaudeCode).then(|| group(TASK_COMPLETED, &end)));
                entries
            }
            Self::Codex | Self::Droid => {
                vec![group("SessionStart", &begin), group("Stop", &end), group("SubagentStop", &end)]
            }
            Self::Gemini => vec![group("SessionStart", &begin), group("AfterAgent", &end)],
            Self::Copilot => {
                vec![plain("sessionStart", &begin), plain("agentStop", &end), plain("subagentStop", &end)]
            }
            Self::Opencode => vec![plain("chat.message", &begin), plain("session.idle", &end)],
            Self::Cursor => vec![plain("sessionStart", &begin), plain("stop", &end), plain("subagentStop", &end)],
            Self::Windsurf => Vec::new(),
        }
    }

    /// Texts by which the hooks of this program are known in its settings file.
    #[must_use]
    pub fn hook_marks(self) -> Vec<String> {
        let name = self.as_str();
        ["tdd guard", "check", "hook begin", "hook end"].iter().map(|does| format!(" {does} --client {name}")).collect()
    }

    /// The session that a request belongs to, with the agent of it that asks; what an agent does not tell is empty.
    #[must_use]
    pub fn session_of(self, request: &Value) -> (String, String) {
        let text = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let session = match self {
            Self::Cursor => text("conversation_id"),
            Self::Copilot => text("sessionId"),
            _ => text("session_id"),
        };
        (session, text("agent_id"))
    }

    /// False when the agent says that it ends a turn which no hook has sent on, so that rounds are counted anew.
    #[must_use]
    pub fn was_sent_on(self, request: &Value) -> bool {
        match self {
            Self::Cursor => request.get("loop_count").and_then(Value::as_u64) != Some(0),
            _ => request.get("stop_hook_active").and_then(Value::as_bool) != Some(false),
        }
    }

    /// True for a turn that the user broke off, or that an error ended: there is nobody to hear of it.
    #[must_use]
    pub fn was_broken_off(self, request: &Value) -> bool {
        let status = request.get("status").and_then(Value::as_str);
        matches!(self, Self::Cursor | Self::Opencode) && status.is_some_and(|status| status != "completed")
    }

    /// What a model is told when its session begins.
    #[must_use]
    pub fn session_brief(self, text: &str) -> HookAnswer {
        match self {
            Self::Cursor => HookAnswer::from_json(&json!({ "additional_context": text })),
            Self::Copilot => HookAnswer::from_json(&json!({ "additionalContext": text })),
            Self::Windsurf => HookAnswer::silent(),
            Self::ClaudeCode | Self::Codex | Self::Droid | Self::Gemini | Self::Opencode | Self::Qwen => {
                HookAnswer::from_json(
                    &json!({ "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": text } }),
                )
            }
        }
    }

    /// Sends the agent on, with the reason.
    #[must_use]
    pub fn refuse_end(self, request: &Value, reason: &str) -> HookAnswer {
        let event = request.get("hook_event_name").and_then(Value::as_str);
        match self {
            // A task knows no decisions but the code.
            Self::ClaudeCode if event == Some(TASK_COMPLETED) => {
                HookAnswer { stderr: format!("{reason}\n"), code: 2, ..HookAnswer::default() }
            }
            Self::Gemini => HookAnswer::from_json(&json!({ "decision": "deny", "reason": reason })),
            Self::Cursor => HookAnswer::from_json(&json!({ "followup_message": reason })),
            _ => HookAnswer::from_json(&json!({ "decision": "block", "reason": reason })),
        }
    }

    /// Lets the agent end and tells its user something.
    #[must_use]
    pub fn tell_user(self, text: &str) -> HookAnswer {
        match self {
            Self::ClaudeCode | Self::Codex | Self::Droid | Self::Gemini | Self::Opencode | Self::Qwen => {
                HookAnswer::from_json(&json!({ "systemMessage": text }))
            }
            _ => HookAnswer { stderr: format!("{text}\n"), ..HookAnswer::default() },
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn every_agent_that_can_be_sent_on_has_both_hooks() {
        for client in HookClient::ALL {
            let entries = client.turn_entries("x", false);
            assert_eq!(entries.is_empty(), client == HookClient::Windsurf, "{}", client.as_str());
            let text = entries.iter().map(Value::to_string).collect::<String>();
            for mark in client.hook_marks().iter().filter(|mark| mark.contains("hook")) {
                assert_eq!(text.contains(mark.as_str()), client != HookClient::Windsurf, "{text}");
            }
            assert!(!text.contains("--advise"), "{text}");
            let advising = client.turn_entries("x", true).iter().map(Value::to_string).collect::<String>();
            assert_eq!(advising.matches(" --advise").count(), text.matches("hook end").count(), "{advising}");
        }
    }

    #[rstest]
    #[case(HookClient::ClaudeCode, json!({"hook_event_name": "Stop"}), r#"{"decision":"block","reason":"r"}"#, 0)]
    #[case(HookClient::ClaudeCode, json!({"hook_event_name": "TaskCompleted"}), "", 2)]
    #[case(HookClient::Codex, json!({"hook_event_name": "Stop"}), r#"{"decision":"block","reason":"r"}"#, 0)]
    #[case(HookClient::Qwen, json!({"hook_event_name": "Stop"}), r#"{"decision":"block","reason":"r"}"#, 0)]
    #[case(HookClient::Gemini, json!({"hook_event_name": "AfterAgent"}), r#"{"decision":"deny","reason":"r"}"#, 0)]
    #[case(HookClient::Opencode, json!({"hook_event_name": "Stop"}), r#"{"decision":"block","reason":"r"}"#, 0)]
    #[case(HookClient::Cursor, json!({"hook_event_name": "stop"}), r#"{"followup_message":"r"}"#, 0)]
    #[case(HookClient::Copilot, json!({}), r#"{"decision":"block","reason":"r"}"#, 0)]
    fn a_refusal_has_the_form_of_its_agent(
        #[case] client: HookClient,
        #[case] request: Value,
        #[case] stdout: &str,
        #[case] code: u8,
    ) {
        let answer = client.refuse_end(&request, "r");
        assert_eq!((answer.stdout.trim(), answer.code), (stdout, code));
    }

    #[rstest]
    #[case(HookClient::ClaudeCode, json!({"session_id": "s", "agent_id": "a"}), ("s", "a"), true)]
    #[case(HookClient::Codex, json!({"session_id": "s", "stop_hook_active": false}), ("s", ""), false)]
    #[case(HookClient::Cursor, json!({"conversation_id": "s", "loop_count": 0}), ("s", ""), false)]
    #[case(HookClient::Copilot, json!({"sessionId": "s", "stop_hook_active": true}), ("s", ""), true)]
    fn sessions_and_rounds_are_read(
        #[case] client: HookClient,
        #[case] request: Value,
        #[case] session: (&str, &str),
        #[case] sent_on: bool,
    ) {
        let (id, agent) = client.session_of(&request);
        assert_eq!((id.as_str(), agent.as_str(), client.was_sent_on(&request)), (session.0, session.1, sent_on));
    }
}

//! Agents with hooks that run around an edit: how each one asks, hears the answer, and is set up.

use serde_json::{Value, json};

tapps_base::word_enum! {
    /// An agent whose hooks can stop an edit.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum HookClient {
        ClaudeCode = "claude-code",
        Codex = "codex",
        Copilot = "copilot",
        Cursor = "cursor",
        Droid = "droid",
        Gemini = "gemini",
        Opencode = "opencode",
        Qwen = "qwen",
        Windsurf = "windsurf",
    }
}

/// The tools of Droid that edit files.
const DROID_EDITS: &str = "Edit|MultiEdit|Create|Write|ApplyPatch";

/// The tools of Qwen Code that edit files.
const QWEN_EDITS: &str = "write_file|edit|notebook_edit";

/// How a refusal is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalChannel {
    /// Exit code 2, the reason on standard error.
    ExitCode,
    /// Exit code 0, the decision as JSON on standard output.
    Json,
}

/// What the hooks of an agent stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookForm {
    /// Entries of a settings file, beside those of the user.
    Entries,
    /// A module that the agent loads, which is this program's alone and holds the entries.
    Module,
}

impl HookClient {
    #[must_use]
    pub const fn hook_form(self) -> HookForm {
        match self {
            Self::Opencode => HookForm::Module,
            _ => HookForm::Entries,
        }
    }

    /// The file of a project that its hooks stand in.
    #[must_use]
    pub const fn settings_file(self) -> &'static str {
        match self {
            Self::ClaudeCode => ".claude/settings.json",
            Self::Codex => ".codex/hooks.json",
            Self::Copilot => ".github/hooks/tdd-guard.json",
            Self::Cursor => ".cursor/hooks.json",
            Self::Droid => ".factory/hooks.json",
            Self::Gemini => ".gemini/settings.json",
            Self::Opencode => ".opencode/plugin/tapps-mcp.js",
            Self::Qwen => ".qwen/settings.json",
            Self::Windsurf => ".windsurf/hooks.json",
        }
    }

    /// Another file with hooks, of which its agent passes over those for events that [`Self::settings_file`] has as well.
    #[must_use]
    pub const fn overruled_file(self) -> Option<&'static str> {
        match self {
            Self::Droid => Some(".factory/settings.json"),
            _ => None,
        }
    }

    #[must_use]
    pub const fn refusal_channel(self) -> RefusalChannel {
        match self {
            Self::Copilot => RefusalChannel::Json,
            _ => RefusalChannel::ExitCode,
        }
    }

    /// The refusal for an agent that reads JSON.
    #[must_use]
    pub fn refusal_json(reason: &str) -> Value {
        json!({ "permissionDecision": "deny", "permissionDecisionReason": reason })
    }

    /// What tells its model of findings after an edit, for an agent that reads them on standard output besides the result
    /// of the edit; exit code 2 would replace that result there. The others hear the error stream of exit code 2.
    #[must_use]
    pub fn context_after(self, text: &str) -> Option<Value> {
        let event = match self {
            Self::Gemini => "AfterTool",
            Self::Qwen => "PostToolUse",
            _ => return None,
        };
        Some(json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } }))
    }

    /// The variable that tells its hooks where the project is; the others run theirs in the project's folder. Gemini does
    /// both, and puts a quoted path in place of its variable, which a second pair of quotation marks would make part of
    /// the path.
    const fn root_variable(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some("CLAUDE_PROJECT_DIR"),
            Self::Droid => Some("FACTORY_PROJECT_DIR"),
            Self::Codex
            | Self::Copilot
            | Self::Cursor
            | Self::Gemini
            | Self::Opencode
            | Self::Qwen
            | Self::Windsurf => None,
        }
    }

    /// The hook's command line; `program` is how it calls this program.
    pub(super) fn command(self, program: &str, does: &str) -> String {
        let root = self.root_variable().map(|name| format!(" --project-root \"${name}\"")).unwrap_or_default();
        format!("{program}{root} {does} --client {}", self.as_str())
    }

    /// The entry of its settings file that checks files after an edit; none for an agent whose model does not hear what
    /// such a hook says.
    #[must_use]
    pub fn entry_after(self, program: &str) -> Option<Value> {
        let command = self.command(program, "check");
        let group = |event: &str, matcher: &str| {
            let hooks = json!([{ "type": "command", "command": command }]);
            json!({ "hooks": { event: [{ "matcher": matcher, "hooks": hooks }] } })
        };
        match self {
            Self::ClaudeCode => Some(group("PostToolUse", "Edit|MultiEdit|Write|NotebookEdit")),
            Self::Codex => Some(group("PostToolUse", "apply_patch")),
            // Here the groups stand at the top of the file.
            Self::Droid => group("PostToolUse", DROID_EDITS).get("hooks").cloned(),
            Self::Gemini => Some(group("AfterTool", "write_file|replace")),
            Self::Opencode => Some(json!({ "tool.execute.after": [{ "command": command }] })),
            Self::Qwen => Some(group("PostToolUse", QWEN_EDITS)),
            Self::Windsurf => Some(json!({
                "hooks": { "post_write_code": [{ "command": command, "show_output": true }] }
            })),
            Self::Copilot | Self::Cursor => None,
        }
    }

    /// The entry for its settings file; `program` is how the hook calls this program.
    #[must_use]
    pub fn entry(self, program: &str) -> Value {
        let command = self.command(program, "tdd guard");
        let group = |event: &str, matcher: &str| json!({ event: [{ "matcher": matcher, "hooks": [{ "type": "command", "command": command }] }] });
        match self {
            Self::ClaudeCode => json!({ "hooks": group("PreToolUse", "Edit|MultiEdit|Write|NotebookEdit") }),
            Self::Codex => json!({ "hooks": group("PreToolUse", "apply_patch") }),
            Self::Copilot => json!({
                "version": 1,
                "hooks": { "preToolUse": [{ "type": "command", "bash": command, "timeoutSec": 10 }] }
            }),
            Self::Cursor => json!({
                "version": 1,
                "hooks": { "preToolUse": [{ "matcher": "Write|Edit|MultiEdit|Delete", "command": command }] }
            }),
            Self::Droid => group("PreToolUse", DROID_EDITS),
            Self::Gemini => json!({ "hooks": group("BeforeTool", "write_file|replace") }),
            Self::Opencode => json!({ "tool.execute.before": [{ "command": command }] }),
            Self::Qwen => json!({ "hooks": group("PreToolUse", QWEN_EDITS) }),
            Self::Windsurf => json!({
                "hooks": { "pre_write_code": [{ "command": command, "show_output": true }] }
            }),
        }
    }

    /// The files that a tool call asks to edit, as the agent spells them; none when it edits none.
    #[must_use]
    pub fn edited_files(self, request: &Value) -> Vec<String> {
        let mut files = Vec::new();
        match self {
            Self::Windsurf => collect_edited_files(request.get("tool_info").unwrap_or(&Value::Null), &mut files),
            Self::Copilot => {
                let editing = request.get("toolName").and_then(Value::as_str).is_none_or(is_editing);
                let arguments = request.get("toolArgs").unwrap_or(&Value::Null);
                match arguments.as_str().map(serde_json::from_str::<Value>) {
                    _ if !editing => {}
                    Some(Ok(inner)) => collect_edited_files(&inner, &mut files),
                    _ => collect_edited_files(arguments, &mut files),
                }
            }
            _ => collect_edited_files(request.get("tool_input").unwrap_or(&Value::Null), &mut files),
        }
        files
    }
}

/// What an edit would make of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposedText {
    Known(String),
    /// The request does not tell it in a form that is known.
    Unknown,
}

impl HookClient {
    /// The text that a file would have after the edit that a request asks for; `before` is what it has.
    #[must_use]
    pub fn proposed_text(self, request: &Value, before: &str) -> ProposedText {
        let arguments = match self {
            Self::Windsurf => request.get("tool_info"),
            Self::Copilot => request.get("toolArgs"),
            _ => request.get("tool_input"),
        };
        let inner = arguments.and_then(Value::as_str).and_then(|text| serde_json::from_str::<Value>(text).ok());
        let Some(arguments) = inner.as_ref().or(arguments) else { return ProposedText::Unknown };
        let text = |of: &Value, names: &[&str]| {
            names.iter().find_map(|name| of.get(name)).and_then(Value::as_str).map(str::to_owned)
        };
        if let Some(whole) = text(arguments, &["content", "contents", "file_text", "file_content"]) {
            return ProposedText::Known(whole);
        }
        let single = std::slice::from_ref(arguments);
        let edits = arguments.get("edits").and_then(Value::as_array).map_or(single, Vec::as_slice);
        let mut after = before.to_owned();
        for edit in edits {
            let (Some(old), Some(new)) = (
                text(edit, &["old_string", "old_str", "oldText", "oldString"]),
                text(edit, &["new_string", "new_str", "newText", "newString"]),
            ) else {
                return ProposedText::Unknown;
            };
            let every = ["replace_all", "replaceAll", "change_all"].iter().find_map(|name| edit.get(name));
            after = match every.and_then(Value::as_bool) {
                Some(true) => after.replace(&old, &new),
                _ => after.replacen(&old, &new, 1),
            };
        }
        ProposedText::Known(after)
    }
}

/// Tools that only look at files take the same arguments as those that edit them.
fn is_editing(tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    ["edit", "create", "write", "replace", "patch", "insert", "delete", "move"].iter().any(|word| tool.contains(word))
}

/// Arguments that name a file, and the files of a patch.
fn collect_edited_files(arguments: &Value, files: &mut Vec<String>) {
    const NAMES: [&str; 7] = ["file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "file"];
    const PATCHES: [&str; 4] = ["command", "input", "patch", "patchText"];
    if let Some(text) = arguments.as_str() {
        files.extend(files_of_patch(text));
    }
    for name in NAMES {
        files.extend(arguments.get(name).and_then(Value::as_str).map(str::to_owned));
    }
    for name in PATCHES {
        match arguments.get(name) {
            Some(Value::String(text)) => files.extend(files_of_patch(text)),
            // A patch may come as the words of a command.
            Some(Value::Array(words)) => {
                files.extend(words.iter().filter_map(Value::as_str).flat_map(files_of_patch));
            }
            _ => {}
        }
    }
}

/// The files that a patch in the `*** Update File:` form touches.
fn files_of_patch(text: &str) -> Vec<String> {
    const HEADS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let file = |line: &str| HEADS.iter().find_map(|head| line.strip_prefix(head)).map(|file| file.trim().to_owned());
    text.lines().filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(HookClient::ClaudeCode, json!({"tool_name": "Edit", "tool_input": {"file_path": "/p/a.py", "old_string": "path"}}), &["/p/a.py"])]
    #[case(HookClient::ClaudeCode, json!({"tool_name": "NotebookEdit", "tool_input": {"notebook_path": "/p/a.ipynb"}}), &["/p/a.ipynb"])]
    #[case(HookClient::Codex, json!({"tool_name": "apply_patch", "tool_input": {"command": "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n*** Add File: b/c.py\n+y\n*** End Patch"}}), &["a.py", "b/c.py"])]
    #[case(HookClient::Copilot, json!({"toolName": "edit", "toolArgs": "{\"path\": \"/p/a.ts\"}"}), &["/p/a.ts"])]
    #[case(HookClient::Copilot, json!({"toolName": "create", "toolArgs": {"path": "/p/a.ts"}}), &["/p/a.ts"])]
    #[case(HookClient::Copilot, json!({"toolName": "view", "toolArgs": "{\"path\": \"/p/a.ts\"}"}), &[])]
    #[case(HookClient::Copilot, json!({"toolName": "bash", "toolArgs": "{\"command\": \"ls\"}"}), &[])]
    #[case(HookClient::Cursor, json!({"tool_name": "Write", "tool_input": {"file_path": "/p/a.ts"}}), &["/p/a.ts"])]
    #[case(HookClient::Gemini, json!({"tool_name": "write_file", "tool_input": {"file_path": "/p/a.ts", "content": ""}}), &["/p/a.ts"])]
    #[case(HookClient::Opencode, json!({"tool_name": "write", "tool_input": {"filePath": "/p/a.ts", "content": "path"}}), &["/p/a.ts"])]
    #[case(HookClient::Opencode, json!({"tool_name": "apply_patch", "tool_input": {"patchText": "*** Begin Patch\n*** Add File: /p/b.py\n+y\n*** End Patch"}}), &["/p/b.py"])]
    #[case(HookClient::Qwen, json!({"tool_name": "edit", "tool_input": {"file_path": "/p/a.ts", "old_string": "a", "new_string": "b"}}), &["/p/a.ts"])]
    #[case(HookClient::Droid, json!({"tool_name": "Create", "tool_input": {"file_path": "/p/a.ts"}}), &["/p/a.ts"])]
    #[case(HookClient::Windsurf, json!({"agent_action_name": "pre_write_code", "tool_info": {"file_path": "/p/a.ts", "edits": []}}), &["/p/a.ts"])]
    fn requests_name_their_files(#[case] client: HookClient, #[case] request: Value, #[case] expected: &[&str]) {
        assert_eq!(client.edited_files(&request), expected);
    }

    #[test]
    fn checks_after_an_edit_are_for_agents_that_hear_them() {
        for client in HookClient::ALL {
            let entry = client.entry_after("tapps-mcp").map(|entry| entry.to_string());
            let hears = !matches!(client, HookClient::Copilot | HookClient::Cursor);
            assert_eq!(entry.is_some(), hears, "{}", client.as_str());
            let called = entry.is_none_or(|entry| entry.contains(&format!(" check --client {}\"", client.as_str())));
            assert!(called, "{}", client.as_str());
        }
        let entry = HookClient::Gemini.entry_after("x").unwrap();
        let command = &entry["hooks"]["AfterTool"][0]["hooks"][0]["command"];
        assert_eq!(command, "x check --client gemini");
        let entry = HookClient::ClaudeCode.entry_after("x").unwrap();
        let command = &entry["hooks"]["PostToolUse"][0]["hooks"][0]["command"];
        assert_eq!(command, "x --project-root \"$CLAUDE_PROJECT_DIR\" check --client claude-code");
    }

    #[test]
    fn what_an_edit_would_make_of_a_file_is_read_in_every_spelling() {
        for (client, input) in [
            (HookClient::ClaudeCode, json!({"old_string": "a", "new_string": "b", "replace_all": true})),
            (HookClient::Opencode, json!({"oldString": "a", "newString": "b", "replaceAll": true})),
            (HookClient::Droid, json!({"old_str": "a", "new_str": "b", "change_all": true})),
        ] {
            let known = client.proposed_text(&json!({ "tool_input": input }), "a a");
            assert_eq!(known, ProposedText::Known("b b".into()), "{}", client.as_str());
        }
    }

    #[test]
    fn no_entry_makes_a_fault_of_this_program_a_refusal() {
        for client in HookClient::ALL {
            assert!(!client.entry("tapps-mcp").to_string().contains("failClosed"), "{}", client.as_str());
        }
    }

    #[test]
    fn every_entry_calls_the_guard_for_its_client() {
        for client in HookClient::ALL {
            let entry = client.entry("tapps-mcp").to_string();
            assert!(entry.contains("\"tapps-mcp "), "{entry}");
            assert!(entry.contains(&format!(" tdd guard --client {}\"", client.as_str())), "{entry}");
        }
        let entry = HookClient::ClaudeCode.entry("tapps-mcp");
        assert_eq!(entry["hooks"]["PreToolUse"][0]["matcher"], "Edit|MultiEdit|Write|NotebookEdit");
        assert_eq!(HookClient::Gemini.entry("x")["hooks"]["BeforeTool"][0]["hooks"][0]["type"], "command");
        assert_eq!(HookClient::Copilot.entry("x")["version"], 1);
    }
}

//! Hooks of agents: the guard of test-driven sessions before an edit, the check after one, the verdict at the end of a turn.

use serde_json::Value;

use super::document::json::read_json_value;
use super::document::json_merge::merge;
use super::document::json_remove::remove_commands;
use super::hook_module::{read_hook_module, remove_hook_module, write_hook_module};
use super::launch::Launch;
use tapps_base::{Error, ErrorCode, Result};
use tapps_tdd::hook::{HookClient, HookForm};

tapps_base::word_enum! {
    /// What the hooks at the end of a turn do with a change that is blocked.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum HookMode {
        /// They send the agent on.
        Enforce = "enforce",
        /// They tell the user.
        Advise = "advise",
        /// There are none, and none around edits either.
        Off = "off",
    }
}

/// The settings file of a project with this program's hooks in it, or without them; nothing for a file that is to be removed.
///
/// # Errors
/// What [`merge`], [`remove_commands`] and [`write_hook_module`] say.
pub fn set_hooks(text: &str, file: &str, client: HookClient, launch: &Launch, mode: HookMode) -> Result<String> {
    let marks = client.hook_marks();
    let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
    let form = client.hook_form();
    if mode == HookMode::Off {
        return match form {
            HookForm::Entries => remove_commands(text, file, &marks),
            HookForm::Module => Ok(remove_hook_module(text)),
        };
    }
    let program = launch.for_shell();
    let mut entries = vec![client.entry(&program)];
    entries.extend(client.entry_after(&program));
    entries.extend(client.turn_entries(&program, mode == HookMode::Advise));
    match form {
        HookForm::Entries => entries.iter().try_fold(text.to_owned(), |text, entry| merge(&text, file, entry, &marks)),
        HookForm::Module => write_hook_module(text, file, &entries),
    }
}

/// None of the hooks that stand in another file of an agent are passed over once this program's stand in its own.
///
/// # Errors
/// `conflict` when some are; `config_error` with line and column for a broken document.
pub fn ensure_none_overruled(text: &str, file: &str, client: HookClient) -> Result<()> {
    if text.trim().is_empty() {
        return Ok(());
    }
    let read = read_json_value(text, file)?;
    let mut own = vec![client.entry("")];
    own.extend(client.entry_after(""));
    own.extend(client.turn_entries("", false));
    let events = own.iter().filter_map(Value::as_object).flat_map(|entry| entry.keys());
    let is_used = |event: &&String| match read["hooks"].get(event.as_str()) {
        Some(Value::Array(entries)) => !entries.is_empty(),
        entry => entry.is_some(),
    };
    let Some(event) = events.into_iter().find(is_used) else { return Ok(()) };
    let message = format!("the hooks for {event} in {file} would be passed over; nothing was written");
    Err(Error::new(ErrorCode::Conflict, message)
        .hint(format!("move the hooks of {file} to {} and try again", client.settings_file())))
}

/// How the hooks in a settings file were written; none when it has none of this program's.
#[must_use]
pub fn hook_mode_of(text: &str, client: HookClient) -> Option<HookMode> {
    let marks = client.hook_marks();
    let is_own = match client.hook_form() {
        HookForm::Entries => marks.iter().any(|mark| text.contains(mark.as_str())),
        HookForm::Module => read_hook_module(text).is_some(),
    };
    if !is_own {
        return None;
    }
    Some(if text.contains(" --advise") { HookMode::Advise } else { HookMode::Enforce })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn set(text: &str, client: HookClient, mode: HookMode) -> String {
        let launch = Launch::from_program(Path::new("/opt/tapps-mcp")).unwrap();
        set_hooks(text, "s.json", client, &launch, mode).unwrap()
    }

    #[test]
    fn all_hooks_stand_in_one_file_once_and_can_be_taken_out() {
        for client in HookClient::ALL.into_iter().filter(|client| client.hook_form() == HookForm::Entries) {
            let before = "{\n  \"mine\": true\n}\n";
            let once = set(before, client, HookMode::Enforce);
            let read: Value = serde_json::from_str(&once).unwrap();
            assert_eq!(read["mine"], true);
            let around_edits = 1 + usize::from(client.entry_after("x").is_some());
            let around_turns = client.turn_entries("x", false).len();
            assert_eq!(once.matches("/opt/tapps-mcp").count(), around_edits + around_turns, "{once}");
            assert_eq!(set(&once, client, HookMode::Enforce), once);
            let advising = set(&once, client, HookMode::Advise);
            assert_eq!(advising.replace(" --advise", ""), once);
            assert_eq!(set(&advising, client, HookMode::Enforce), once);
            let off: Value = serde_json::from_str(&set(&advising, client, HookMode::Off)).unwrap();
            assert!(!off.to_string().contains("tapps-mcp"), "{off}");
            assert_eq!(off["mine"], true);
        }
    }

    #[test]
    fn hooks_that_would_be_passed_over_are_told() {
        let check = |text: &str| ensure_none_overruled(text, "s.json", HookClient::Droid);
        let others = "{ \"model\": \"m\", \"hooks\": { \"Notification\": [{}], \"PostToolUse\": [] } } // end";
        for text in ["", "{}", others] {
            check(text).unwrap();
        }
        let error = check("{ \"hooks\": { \"PostToolUse\": [{}] } }").unwrap_err();
        assert_eq!(error.message(), "the hooks for PostToolUse in s.json would be passed over; nothing was written");
    }

    #[test]
    fn a_module_is_written_as_a_whole_and_can_be_taken_away() {
        let once = set("", HookClient::Opencode, HookMode::Enforce);
        assert_eq!(once.matches("\"command\": \"/opt/tapps-mcp ").count(), 4, "{once}");
        assert_eq!(hook_mode_of(&once, HookClient::Opencode), Some(HookMode::Enforce));
        let advising = set(&once, HookClient::Opencode, HookMode::Advise);
        assert_eq!(hook_mode_of(&advising, HookClient::Opencode), Some(HookMode::Advise));
        assert_eq!(advising.replace(" --advise", ""), once);
        assert_eq!(set(&advising, HookClient::Opencode, HookMode::Off), "");
    }
}

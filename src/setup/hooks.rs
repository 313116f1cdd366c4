//! Hooks of agents: the guard of test-driven sessions before an edit, the check after one, the verdict at the end of a turn.

use super::document::json_merge::merge;
use super::document::json_remove::remove_commands;
use super::launch::Launch;
use tapps_base::Result;
use tapps_tdd::hook::HookClient;

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

/// The settings file of a project with this program's hooks in it, or without them.
///
/// # Errors
/// What [`merge`] and [`remove_commands`] say.
pub fn set_hooks(text: &str, file: &str, client: HookClient, launch: &Launch, mode: HookMode) -> Result<String> {
    let marks = client.hook_marks();
    let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
    if mode == HookMode::Off {
        return remove_commands(text, file, &marks);
    }
    let program = launch.for_shell();
    let mut entries = vec![client.entry(&program)];
    entries.extend(client.entry_after(&program));
    entries.extend(client.turn_entries(&program, mode == HookMode::Advise));
    entries.iter().try_fold(text.to_owned(), |text, entry| merge(&text, file, entry, &marks))
}

/// How the hooks in a settings file were written; none when it has none of this program's.
#[must_use]
pub fn hook_mode_of(text: &str, client: HookClient) -> Option<HookMode> {
    let marks = client.hook_marks();
    if !marks.iter().any(|mark| text.contains(mark.as_str())) {
        return None;
    }
    Some(if text.contains(" --advise") { HookMode::Advise } else { HookMode::Enforce })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::*;

    fn set(text: &str, client: HookClient, mode: HookMode) -> String {
        let launch = Launch::from_program(Path::new("/opt/tapps-mcp")).unwrap();
        set_hooks(text, "s.json", client, &launch, mode).unwrap()
    }

    #[test]
    fn all_hooks_stand_in_one_file_once_and_can_be_taken_out() {
        for client in HookClient::ALL {
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
}

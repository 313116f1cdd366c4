//! Hooks of agents: the check after an edit, and the guard of test-driven sessions before one.

use super::document::json_merge::merge;
use super::launch::Launch;
use tapps_base::Result;
use tapps_tdd::hook::HookClient;

/// The settings file of a project with this program's hooks in it.
///
/// # Errors
/// What [`merge`] says.
pub fn add_hooks(text: &str, file: &str, client: HookClient, launch: &Launch) -> Result<String> {
    let program = launch.for_shell();
    let name = client.as_str();
    let marks = [format!(" tdd guard --client {name}"), format!(" check --client {name}")];
    let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
    let mut text = merge(text, file, &client.entry(&program), &marks)?;
    if let Some(entry) = client.entry_after(&program) {
        text = merge(&text, file, &entry, &marks)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::*;

    #[test]
    fn both_hooks_stand_in_one_file_once() {
        let launch = Launch::from_program(Path::new("/opt/tapps-mcp")).unwrap();
        for client in
            [HookClient::ClaudeCode, HookClient::Codex, HookClient::Cursor, HookClient::Gemini, HookClient::Windsurf]
        {
            let once = add_hooks("{\n  \"mine\": true\n}\n", "s.json", client, &launch).unwrap();
            let read: Value = serde_json::from_str(&once).unwrap();
            assert_eq!(read["mine"], true);
            let commands = once.matches("/opt/tapps-mcp").count();
            assert_eq!(commands, if client == HookClient::Cursor { 1 } else { 2 }, "{once}");
            assert_eq!(add_hooks(&once, "s.json", client, &launch).unwrap(), once);
        }
    }
}

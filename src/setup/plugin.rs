//! A plugin for a client that installs some: the server, the hooks and the skills in one folder, from the same sources as
//! what `init` writes into a project.

use serde_json::{Value, json};

use super::client::McpClient;
use super::hooks::{HookMode, set_hooks};
use super::launch::Launch;
use super::skills::{AgentSkill, SKILLS};
use tapps_base::{Error, Result};

/// What the plugin is called, and the marketplace that a folder with it is.
pub const PLUGIN: &str = "tapps-mcp";

const ABOUT: &str =
    "One deterministic verdict on code: its server, its hooks at edits and at the end of a turn, its skills.";

/// A file of a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginFile {
    /// Beneath the folder of the plugin.
    pub path: String,
    pub text: String,
    /// Says that the folder is this plugin.
    pub is_manifest: bool,
}

impl PluginFile {
    fn new(path: String, text: String) -> Self {
        Self { path, text, is_manifest: false }
    }
}

/// True for a manifest that an earlier version of this program wrote.
#[must_use]
pub fn is_own_manifest(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Value>(bytes).is_ok_and(|read| read["name"] == PLUGIN)
}

/// Where a client looks for what a plugin has.
struct PluginLayout {
    manifest: &'static str,
    /// The list of plugins that the folder is, for clients that install from such lists alone.
    marketplace: Option<&'static str>,
    hooks: &'static str,
    /// Entries of the manifest that name the other files; some clients find them by themselves.
    pointers: &'static [(&'static str, &'static str)],
    /// The servers stand in a file of their own, or else in the manifest.
    servers: Option<&'static str>,
    /// Commands are other files than skills.
    commands: bool,
}

fn layout(client: McpClient) -> Option<PluginLayout> {
    match client {
        McpClient::ClaudeCode => Some(PluginLayout {
            manifest: ".claude-plugin/plugin.json",
            marketplace: Some(".claude-plugin/marketplace.json"),
            hooks: "hooks/hooks.json",
            pointers: &[],
            servers: Some(".mcp.json"),
            commands: false,
        }),
        McpClient::Codex => Some(PluginLayout {
            manifest: ".codex-plugin/plugin.json",
            marketplace: Some(".agents/plugins/marketplace.json"),
            hooks: "hooks/hooks.json",
            pointers: &[("hooks", "./hooks/hooks.json"), ("mcpServers", "./.mcp.json"), ("skills", "./skills/")],
            servers: Some(".mcp.json"),
            commands: false,
        }),
        McpClient::Copilot => Some(PluginLayout {
            manifest: "plugin.json",
            marketplace: Some(".github/plugin/marketplace.json"),
            hooks: "hooks.json",
            pointers: &[("hooks", "hooks.json"), ("mcpServers", ".mcp.json"), ("skills", "skills/")],
            servers: Some(".mcp.json"),
            commands: false,
        }),
        McpClient::Gemini => Some(PluginLayout {
            manifest: "gemini-extension.json",
            marketplace: None,
            hooks: "hooks/hooks.json",
            pointers: &[],
            servers: None,
            commands: true,
        }),
        McpClient::Qwen => Some(PluginLayout {
            manifest: "qwen-extension.json",
            marketplace: None,
            hooks: "hooks/hooks.json",
            pointers: &[],
            servers: None,
            commands: false,
        }),
        _ => None,
    }
}

/// The clients that install plugins.
#[must_use]
pub fn clients_with_plugins() -> Vec<McpClient> {
    McpClient::ALL.into_iter().filter(|client| layout(*client).is_some()).collect()
}

/// The files of the plugin for a client; `launch` is how whoever installs it starts this program.
///
/// # Errors
/// `invalid_argument` for a client that installs no plugins.
pub fn plugin_files(client: McpClient, launch: &Launch, mode: HookMode) -> Result<Vec<PluginFile>> {
    let (Some(layout), Some(hooks)) = (layout(client), client.client_info().hooks) else {
        let known: Vec<&str> = clients_with_plugins().into_iter().map(McpClient::as_str).collect();
        return Err(Error::invalid(format!("{} installs no plugins", client.client_info().title))
            .hint(format!("name one that does: {}", known.join(", "))));
    };
    let json_file = |path: &str, value: &Value| PluginFile::new(path.to_owned(), format!("{value:#}\n"));
    let servers = json!({ "tapps": { "command": launch.command, "args": launch.serve_arguments() } });
    let version = env!("CARGO_PKG_VERSION");
    let mut manifest = json!({ "name": PLUGIN, "version": version, "description": ABOUT });
    for (key, place) in layout.pointers {
        manifest[*key] = (*place).into();
    }
    let mut files = Vec::new();
    match layout.servers {
        Some(path) => files.push(json_file(path, &json!({ "mcpServers": servers }))),
        None => manifest["mcpServers"] = servers,
    }
    files.push(PluginFile { is_manifest: true, ..json_file(layout.manifest, &manifest) });
    if let Some(path) = layout.marketplace {
        let listed = json!({ "name": PLUGIN, "source": "./", "description": ABOUT, "version": version });
        let list = json!({ "name": PLUGIN, "owner": { "name": PLUGIN }, "plugins": [listed] });
        files.push(json_file(path, &list));
    }
    if mode != HookMode::Off {
        let text = set_hooks("", layout.hooks, hooks, launch, mode)?;
        files.push(PluginFile::new(layout.hooks.to_owned(), text));
    }
    let skill = |skill: &AgentSkill| PluginFile::new(skill.file_in("skills"), skill.to_text());
    files.extend(SKILLS.iter().map(skill));
    if layout.commands {
        let command =
            |skill: &AgentSkill| PluginFile::new(format!("commands/{}.toml", skill.name), skill.to_toml_command());
        files.extend(SKILLS.iter().map(command));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_plugin_has_the_server_the_hooks_and_the_skills_of_this_version() {
        let launch = Launch::from_program(Path::new("tapps-mcp")).unwrap();
        for client in clients_with_plugins() {
            let files = plugin_files(client, &launch, HookMode::Enforce).unwrap();
            let all: String = files.iter().map(|file| file.text.as_str()).collect();
            let end = format!("hook end --client {client}\"");
            for part in [env!("CARGO_PKG_VERSION"), "\"serve\"", "\"tapps-mcp ", &end, "tapps_quick_check"] {
                assert!(all.contains(part), "{client}: {part}");
            }
            let json = files.iter().filter(|file| file.path.ends_with(".json"));
            json.for_each(|file| drop(serde_json::from_str::<Value>(&file.text).unwrap()));
            assert!(
                !plugin_files(client, &launch, HookMode::Off).unwrap().iter().any(|file| file.path.contains("hooks"))
            );
        }
        let refused = plugin_files(McpClient::Zed, &launch, HookMode::Enforce).unwrap_err();
        assert_eq!(
            refused.body().hint.as_deref(),
            Some("name one that does: claude-code, codex, copilot, gemini, qwen")
        );
    }
}

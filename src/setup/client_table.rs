//! What is known of each client: a table, not code.

use super::client::{McpClient, McpClientInfo, ServerEntryShape, Syntax};
use super::surroundings::Base;
use tapps_tdd::hook::HookClient;

/// Of most clients: JSON, the servers under `mcpServers`, a command and its arguments.
const USUAL: McpClientInfo = McpClientInfo {
    client: McpClient::ClaudeCode,
    title: "",
    syntax: Syntax::Json,
    project_file: None,
    user_file: (Base::Home, ""),
    servers: "mcpServers",
    shape: ServerEntryShape::CommandAndArguments,
    besides: &[],
    project_signs: &[],
    user_signs: &[],
    hooks: None,
    approval: None,
};

/// In the order of [`McpClient::ALL`].
pub(super) static TABLE: [McpClientInfo; McpClient::ALL.len()] = [
    McpClientInfo {
        client: McpClient::ClaudeCode,
        title: "Claude Code",
        project_file: Some(".mcp.json"),
        user_file: (Base::Home, ".claude.json"),
        besides: &[("type", "stdio")],
        project_signs: &[".mcp.json", ".claude", "CLAUDE.md"],
        user_signs: &[(Base::Home, ".claude.json"), (Base::Home, ".claude")],
        hooks: Some(HookClient::ClaudeCode),
        approval: Some("start `claude` here once and approve the server, or nothing starts it"),
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::ClaudeDesktop,
        title: "Claude Desktop",
        user_file: (Base::Settings, "Claude/claude_desktop_config.json"),
        user_signs: &[(Base::Settings, "Claude")],
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Cline,
        title: "Cline",
        user_file: (Base::Settings, "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"),
        project_signs: &[".clinerules"],
        user_signs: &[(Base::Settings, "Code/User/globalStorage/saoudrizwan.claude-dev")],
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Codex,
        title: "Codex CLI",
        syntax: Syntax::Toml,
        project_file: Some(".codex/config.toml"),
        user_file: (Base::Codex, "config.toml"),
        servers: "mcp_servers",
        project_signs: &[".codex"],
        user_signs: &[(Base::Codex, "")],
        hooks: Some(HookClient::Codex),
        approval: Some(
            "trust the project when `codex` asks; it runs the hooks once you have looked them through with `/hooks`",
        ),
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Continue,
        title: "Continue",
        project_file: Some(".continue/mcpServers/tapps-mcp.json"),
        user_file: (Base::Home, ".continue/mcpServers/tapps-mcp.json"),
        project_signs: &[".continue"],
        user_signs: &[(Base::Home, ".continue")],
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Copilot,
        title: "Copilot CLI",
        project_file: Some(".mcp.json"),
        user_file: (Base::Home, ".copilot/mcp-config.json"),
        besides: &[("type", "stdio")],
        project_signs: &[".github/copilot-instructions.md", ".github/hooks"],
        user_signs: &[(Base::Home, ".copilot")],
        hooks: Some(HookClient::Copilot),
        approval: Some("trust the folder when `copilot` asks; until then it starts neither server nor hooks"),
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Crush,
        title: "Crush",
        project_file: Some(".crush.json"),
        user_file: (Base::Config, "crush/crush.json"),
        servers: "mcp",
        besides: &[("type", "stdio")],
        project_signs: &[".crush.json", "crush.json", ".crush"],
        user_signs: &[(Base::Config, "crush")],
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Cursor,
        title: "Cursor",
        project_file: Some(".cursor/mcp.json"),
        user_file: (Base::Home, ".cursor/mcp.json"),
        project_signs: &[".cursor", ".cursorrules"],
        user_signs: &[(Base::Home, ".cursor")],
        hooks: Some(HookClient::Cursor),
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Droid,
        title: "Droid",
        project_file: Some(".factory/mcp.json"),
        user_file: (Base::Home, ".factory/mcp.json"),
        besides: &[("type", "stdio")],
        project_signs: &[".factory"],
        user_signs: &[(Base::Home, ".factory")],
        hooks: Some(HookClient::Droid),
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Gemini,
        title: "Gemini CLI",
        project_file: Some(".gemini/settings.json"),
        user_file: (Base::Home, ".gemini/settings.json"),
        project_signs: &[".gemini", "GEMINI.md"],
        user_signs: &[(Base::Home, ".gemini")],
        hooks: Some(HookClient::Gemini),
        approval: Some(
            "trust the folder when `gemini` asks, or with `/permissions`; until then it starts neither server nor hooks",
        ),
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Goose,
        title: "Goose",
        syntax: Syntax::Yaml,
        user_file: (Base::Config, "goose/config.yaml"),
        servers: "extensions",
        shape: ServerEntryShape::NamedExtension,
        besides: &[("type", "stdio")],
        project_signs: &[".goosehints"],
        user_signs: &[(Base::Config, "goose")],
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Junie,
        title: "Junie (JetBrains)",
        project_file: Some(".junie/mcp/mcp.json"),
        user_file: (Base::Home, ".junie/mcp/mcp.json"),
        project_signs: &[".junie"],
        user_signs: &[(Base::Home, ".junie")],
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Kiro,
        title: "Kiro",
        project_file: Some(".kiro/settings/mcp.json"),
        user_file: (Base::Home, ".kiro/settings/mcp.json"),
        project_signs: &[".kiro"],
        user_signs: &[(Base::Home, ".kiro")],
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Opencode,
        title: "OpenCode",
        project_file: Some("opencode.json"),
        user_file: (Base::Config, "opencode/opencode.json"),
        servers: "mcp",
        shape: ServerEntryShape::OneList,
        besides: &[("type", "local")],
        project_signs: &["opencode.json", "opencode.jsonc", ".opencode"],
        user_signs: &[(Base::Config, "opencode")],
        hooks: Some(HookClient::Opencode),
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Qwen,
        title: "Qwen Code",
        project_file: Some(".qwen/settings.json"),
        user_file: (Base::Home, ".qwen/settings.json"),
        project_signs: &[".qwen", "QWEN.md"],
        user_signs: &[(Base::Home, ".qwen")],
        hooks: Some(HookClient::Qwen),
        approval: Some("trust the folder when `qwen` asks, and approve the server with `qwen mcp approve`"),
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Vscode,
        title: "VS Code",
        project_file: Some(".vscode/mcp.json"),
        user_file: (Base::Settings, "Code/User/mcp.json"),
        servers: "servers",
        besides: &[("type", "stdio")],
        project_signs: &[".vscode"],
        user_signs: &[(Base::Settings, "Code/User")],
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Windsurf,
        title: "Windsurf",
        user_file: (Base::Home, ".codeium/windsurf/mcp_config.json"),
        project_signs: &[".windsurf", ".windsurfrules"],
        user_signs: &[(Base::Home, ".codeium/windsurf")],
        hooks: Some(HookClient::Windsurf),
        ..USUAL
    },
    McpClientInfo {
        client: McpClient::Zed,
        title: "Zed",
        project_file: Some(".zed/settings.json"),
        user_file: (Base::Config, "zed/settings.json"),
        servers: "context_servers",
        // Versions of before autumn 2025 need it; later ones pass over it.
        besides: &[("source", "custom")],
        project_signs: &[".zed"],
        user_signs: &[(Base::Config, "zed")],
        ..USUAL
    },
];

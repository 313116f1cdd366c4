//! The clients that are known: where their configuration is and what an entry looks like. A table, not code.

use serde::{Deserialize, Serialize};

use super::surroundings::{Base, Surroundings};
use tapps_base::Result;
use tapps_sandbox::Boundary;
use tapps_tdd::hook;

tapps_base::wire_enum! {
    /// A program that starts MCP servers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum McpClient {
        ClaudeCode = "claude-code",
        Codex = "codex",
        Cursor = "cursor",
        Gemini = "gemini",
        Vscode = "vscode",
        Windsurf = "windsurf",
        Zed = "zed",
    }
}

tapps_base::wire_enum! {
    /// For whom an entry is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum SetupScope {
        /// Everyone who works on the project.
        Project = "project",
        /// This user, in every project.
        User = "user",
    }
}

/// How a configuration file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON, with comments and trailing commas where they stand already.
    Json,
    Toml,
}

/// What is known about a client.
#[derive(Debug)]
pub struct McpClientInfo {
    pub client: McpClient,
    pub title: &'static str,
    pub syntax: Syntax,
    /// Its file in a project; none for a client that has none.
    pub project_file: Option<&'static str>,
    /// Its file among the user's.
    pub user_file: (Base, &'static str),
    /// The key that the servers stand under.
    pub servers: &'static str,
    /// What a new entry says besides the command and its arguments.
    pub besides: &'static [(&'static str, &'static str)],
    /// Files and folders of a project that show that it is in use.
    project_signs: &'static [&'static str],
    /// Files and folders of the user that show the same.
    user_signs: &'static [(Base, &'static str)],
    /// Its hooks, where it has some.
    pub hooks: Option<hook::HookClient>,
}

static TABLE: [McpClientInfo; 7] = [
    McpClientInfo {
        client: McpClient::ClaudeCode,
        title: "Claude Code",
        syntax: Syntax::Json,
        project_file: Some(".mcp.json"),
        user_file: (Base::Home, ".claude.json"),
        servers: "mcpServers",
        besides: &[("type", "stdio")],
        project_signs: &[".mcp.json", ".claude", "CLAUDE.md"],
        user_signs: &[(Base::Home, ".claude.json"), (Base::Home, ".claude")],
        hooks: Some(hook::HookClient::ClaudeCode),
    },
    McpClientInfo {
        client: McpClient::Codex,
        title: "Codex CLI",
        syntax: Syntax::Toml,
        project_file: Some(".codex/config.toml"),
        user_file: (Base::Codex, "config.toml"),
        servers: "mcp_servers",
        besides: &[],
        project_signs: &[".codex"],
        user_signs: &[(Base::Codex, "")],
        hooks: Some(hook::HookClient::Codex),
    },
    McpClientInfo {
        client: McpClient::Cursor,
        title: "Cursor",
        syntax: Syntax::Json,
        project_file: Some(".cursor/mcp.json"),
        user_file: (Base::Home, ".cursor/mcp.json"),
        servers: "mcpServers",
        besides: &[],
        project_signs: &[".cursor", ".cursorrules"],
        user_signs: &[(Base::Home, ".cursor")],
        hooks: Some(hook::HookClient::Cursor),
    },
    McpClientInfo {
        client: McpClient::Gemini,
        title: "Gemini CLI",
        syntax: Syntax::Json,
        project_file: Some(".gemini/settings.json"),
        user_file: (Base::Home, ".gemini/settings.json"),
        servers: "mcpServers",
        besides: &[],
        project_signs: &[".gemini", "GEMINI.md"],
        user_signs: &[(Base::Home, ".gemini")],
        hooks: Some(hook::HookClient::Gemini),
    },
    McpClientInfo {
        client: McpClient::Vscode,
        title: "VS Code",
        syntax: Syntax::Json,
        project_file: Some(".vscode/mcp.json"),
        user_file: (Base::Settings, "Code/User/mcp.json"),
        servers: "servers",
        besides: &[("type", "stdio")],
        project_signs: &[".vscode"],
        user_signs: &[(Base::Settings, "Code/User")],
        hooks: None,
    },
    McpClientInfo {
        client: McpClient::Windsurf,
        title: "Windsurf",
        syntax: Syntax::Json,
        project_file: None,
        user_file: (Base::Home, ".codeium/windsurf/mcp_config.json"),
        servers: "mcpServers",
        besides: &[],
        project_signs: &[".windsurf", ".windsurfrules"],
        user_signs: &[(Base::Home, ".codeium/windsurf")],
        hooks: Some(hook::HookClient::Windsurf),
    },
    McpClientInfo {
        client: McpClient::Zed,
        title: "Zed",
        syntax: Syntax::Json,
        project_file: Some(".zed/settings.json"),
        user_file: (Base::Config, "zed/settings.json"),
        servers: "context_servers",
        // Versions of before autumn 2025 need it; later ones pass over it.
        besides: &[("source", "custom")],
        project_signs: &[".zed"],
        user_signs: &[(Base::Config, "zed")],
        hooks: None,
    },
];

impl McpClient {
    /// What is known about it.
    #[must_use]
    pub fn client_info(self) -> &'static McpClientInfo {
        let [claude, codex, cursor, gemini, vscode, windsurf, zed] = &TABLE;
        match self {
            Self::ClaudeCode => claude,
            Self::Codex => codex,
            Self::Cursor => cursor,
            Self::Gemini => gemini,
            Self::Vscode => vscode,
            Self::Windsurf => windsurf,
            Self::Zed => zed,
        }
    }

    /// The client of that name.
    ///
    /// # Errors
    /// `invalid_argument` with the nearest names.
    pub fn from_name(name: &str) -> Result<Self> {
        Self::parse_word(name, "there is no client")
    }

    /// Those that are in use: the project has something of theirs, or the user has.
    #[must_use]
    pub fn in_use(boundary: &Boundary, surroundings: &Surroundings) -> Vec<Self> {
        let in_project = |sign: &&str| boundary.resolve(sign).is_ok_and(|path| boundary.kind(&path).is_ok());
        let of_user = |(base, sign): &(Base, &str)| {
            surroundings
                .folder(*base)
                .is_some_and(|folder| if sign.is_empty() { folder.is_dir() } else { folder.join(sign).exists() })
        };
        Self::ALL
            .into_iter()
            .filter(|client| {
                let about = client.client_info();
                about.project_signs.iter().any(&in_project) || about.user_signs.iter().any(of_user)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::surroundings::System;
    use super::*;

    #[test]
    fn the_table_and_the_names_agree() {
        for client in McpClient::ALL {
            assert_eq!(client.client_info().client, client);
            assert_eq!(McpClient::from_name(client.as_str()).unwrap(), client);
            assert_eq!(serde_json::to_value(client).unwrap(), client.as_str());
        }
        let error = McpClient::from_name("claude").unwrap_err();
        assert_eq!(error.body().hint.as_deref(), Some("did you mean claude-code?"));
    }

    #[test]
    fn what_is_in_use_shows_in_the_project_and_in_the_home_folder() {
        let (project, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let boundary = Boundary::open(project.path()).unwrap();
        let user = home.path().as_os_str().to_owned();
        let surroundings = Surroundings::from_lookup(System::Linux, |name| (name == "HOME").then(|| user.clone()));
        assert_eq!(McpClient::in_use(&boundary, &surroundings), []);
        std::fs::create_dir(project.path().join(".vscode")).unwrap();
        std::fs::write(project.path().join("CLAUDE.md"), "").unwrap();
        std::fs::create_dir_all(home.path().join(".config/zed")).unwrap();
        std::fs::create_dir_all(home.path().join(".codex")).unwrap();
        let expected = [McpClient::ClaudeCode, McpClient::Codex, McpClient::Vscode, McpClient::Zed];
        assert_eq!(McpClient::in_use(&boundary, &surroundings), expected);
    }
}

//! The clients that are known: where their configuration is and what an entry looks like.

use serde::{Deserialize, Serialize};

use super::client_table::TABLE;
use super::surroundings::{Base, Surroundings};
use tapps_base::Result;
use tapps_sandbox::Boundary;
use tapps_tdd::hook;

tapps_base::wire_enum! {
    /// A program that starts MCP servers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum McpClient {
        ClaudeCode = "claude-code",
        ClaudeDesktop = "claude-desktop",
        Cline = "cline",
        Codex = "codex",
        Continue = "continue",
        Copilot = "copilot",
        Crush = "crush",
        Cursor = "cursor",
        Droid = "droid",
        Gemini = "gemini",
        Goose = "goose",
        Junie = "junie",
        Kiro = "kiro",
        Opencode = "opencode",
        Qwen = "qwen",
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
    Yaml,
}

/// How an entry says what is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerEntryShape {
    /// The program under `command`, its arguments under `args`.
    CommandAndArguments,
    /// Both in one list under `command`.
    OneList,
    /// The program under `cmd`, its arguments under `args`; a new one says its name, and that it is enabled.
    NamedExtension,
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
    pub shape: ServerEntryShape,
    /// What a new entry says besides the command and its arguments.
    pub besides: &'static [(&'static str, &'static str)],
    /// Files and folders of a project that show that it is in use.
    pub(super) project_signs: &'static [&'static str],
    /// Files and folders of the user that show the same.
    pub(super) user_signs: &'static [(Base, &'static str)],
    /// Its hooks, where it has some.
    pub hooks: Option<hook::HookClient>,
    /// What a person still has to do before it starts what a project's file names.
    pub approval: Option<&'static str>,
}

impl McpClient {
    /// What is known about it.
    #[must_use]
    pub fn client_info(self) -> &'static McpClientInfo {
        let [first, ..] = &TABLE;
        TABLE.iter().find(|about| about.client == self).unwrap_or(first)
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
        assert_eq!(error.body().hint.as_deref(), Some("did you mean claude-code or claude-desktop or cline?"));
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

//! Skills for agents: the same texts for every client that reads skills, with the version of the program in them.

use super::client::McpClient;

/// What a skill is called, when it is to be used, and what it says.
#[derive(Debug)]
pub struct AgentSkill {
    pub name: &'static str,
    description: &'static str,
    body: &'static str,
}

/// Where Claude Code reads skills; Copilot CLI and OpenCode look there as well.
const CLAUDE: &str = ".claude/skills";

/// Where agents read skills by their common convention.
const COMMON: &str = ".agents/skills";

/// By this line a file is known as one of this program's.
const MARK: &str = "  generator: tapps-mcp";

/// The same for a file in TOML.
const TOML_MARK: &str = "# generator: tapps-mcp";

/// The same for plain Markdown, which is handed to a model as it is.
const MARKDOWN_MARK: &str = "<!-- generator: tapps-mcp";

pub static SKILLS: [AgentSkill; 3] = [
    AgentSkill {
        name: "tapps-change",
        description: "Use when you change code of this project: how to check edits, read the verdict on the change and finish.",
        body: include_str!("skills/tapps-change.md"),
    },
    AgentSkill {
        name: "tapps-library",
        description: "Use before you call a third-party library: what its locked version really offers.",
        body: include_str!("skills/tapps-library.md"),
    },
    AgentSkill {
        name: "tapps-tdd",
        description: "Use when work is to be done test-first, or when an edit was refused because of a test-driven session.",
        body: include_str!("skills/tapps-tdd.md"),
    },
];

impl AgentSkill {
    /// The text of its `SKILL.md`.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.with_front_matter("")
    }

    /// Its text with more lines in the front matter than skills have.
    fn with_front_matter(&self, more: &str) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let Self { name, description, body } = self;
        format!(
            "---\nname: {name}\ndescription: \"{description}\"\n{more}metadata:\n{MARK}\n  version: \"{version}\"\n---\n\n{body}"
        )
    }

    /// It as a command of a client that reads commands in plain Markdown.
    fn to_markdown_command(&self) -> String {
        format!("{MARKDOWN_MARK}, version {} -->\n\n{}", env!("CARGO_PKG_VERSION"), self.body)
    }

    /// It as a command of a client that reads commands in TOML.
    #[must_use]
    pub fn to_toml_command(&self) -> String {
        let quoted = toml::Value::String(self.description.to_owned());
        let version = env!("CARGO_PKG_VERSION");
        format!("{TOML_MARK}, version {version}\ndescription = {quoted}\nprompt = \"\"\"\n{}\"\"\"\n", self.body)
    }

    /// Its files in a project for a client, each with its text: the skill, and the command where skills are none.
    #[must_use]
    pub fn project_files(&self, client: McpClient) -> Vec<(String, String)> {
        let skill = skills_folder(client).map(|folder| (self.file_in(folder), self.to_text()));
        let named = |folder: &str, ending: &str, text: String| Some((format!("{folder}/{}.{ending}", self.name), text));
        let command = match client {
            McpClient::Cline => named(".clinerules/workflows", "md", self.to_markdown_command()),
            McpClient::Continue => named(".continue/prompts", "md", self.with_front_matter("invokable: true\n")),
            McpClient::Cursor => named(".cursor/commands", "md", self.to_markdown_command()),
            McpClient::Gemini => named(".gemini/commands", "toml", self.to_toml_command()),
            McpClient::Opencode => named(".opencode/commands", "md", self.to_text()),
            McpClient::Windsurf => named(".windsurf/workflows", "md", self.to_text()),
            _ => None,
        };
        skill.into_iter().chain(command).collect()
    }

    /// Its file in a folder of skills.
    #[must_use]
    pub fn file_in(&self, folder: &str) -> String {
        format!("{folder}/{}/SKILL.md", self.name)
    }
}

/// True for a skill that this program wrote.
#[must_use]
pub fn is_own_skill(text: &str) -> bool {
    let front = text.strip_prefix("---\n").and_then(|rest| rest.split("\n---\n").next());
    let is_marked = [TOML_MARK, MARKDOWN_MARK].iter().any(|mark| text.starts_with(mark));
    is_marked || front.is_some_and(|front| front.lines().any(|line| line == MARK))
}

/// The folder of a project in which a client reads skills; none for one that reads none.
fn skills_folder(client: McpClient) -> Option<&'static str> {
    match client {
        McpClient::ClaudeCode => Some(CLAUDE),
        McpClient::Droid => Some(".factory/skills"),
        McpClient::Junie => Some(".junie/skills"),
        McpClient::Kiro => Some(".kiro/skills"),
        McpClient::Qwen => Some(".qwen/skills"),
        McpClient::Windsurf => Some(".windsurf/skills"),
        McpClient::Codex
        | McpClient::Copilot
        | McpClient::Crush
        | McpClient::Cursor
        | McpClient::Gemini
        | McpClient::Opencode
        | McpClient::Vscode
        | McpClient::Zed => Some(COMMON),
        McpClient::ClaudeDesktop | McpClient::Cline | McpClient::Continue | McpClient::Goose => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_are_known_again_and_keep_to_their_format() {
        for skill in &SKILLS {
            let text = skill.to_text();
            assert!(is_own_skill(&text) && is_own_skill(&skill.to_toml_command()), "{text}");
            // Limits of the format: 64 characters of a name, 1024 of a description.
            assert!(skill.name.len() <= 64 && skill.description.len() <= 1024);
            assert!(skill.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", skill.name);
            let command: toml::Table = skill.to_toml_command().parse().unwrap();
            assert_eq!(
                (command["prompt"].as_str(), command["description"].as_str()),
                (Some(skill.body), Some(skill.description))
            );
            assert!(!skill.description.contains(['"', '\\']) && text.starts_with("---\nname: "), "{text}");
        }
        for client in McpClient::ALL {
            for (file, text) in SKILLS.iter().flat_map(|skill| skill.project_files(client)) {
                assert!(is_own_skill(&text) && text.contains("tapps"), "{client}: {file}");
                // The bound of Windsurf's workflows, the lowest of all.
                assert!(text.len() < 12_000, "{client}: {file}");
            }
        }
        assert!(!is_own_skill("---\nname: mine\n---\n  generator: tapps-mcp\n"));
    }
}

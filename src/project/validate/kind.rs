//! The kinds of configuration, and how a file is known to be of one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::language::ScoredLanguage;
use tapps_base::{Error, nearest};

/// What a file configures, or talks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ConfigKind {
    Dockerfile,
    DockerCompose,
    GithubActions,
    Mcp,
    Websocket,
    Mqtt,
    Influxdb,
}

impl ConfigKind {
    /// All kinds in the order of presentation.
    pub const ALL: [Self; 7] = [
        Self::Dockerfile,
        Self::DockerCompose,
        Self::GithubActions,
        Self::Mcp,
        Self::Websocket,
        Self::Mqtt,
        Self::Influxdb,
    ];

    /// The word used on the wire and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dockerfile => "dockerfile",
            Self::DockerCompose => "docker-compose",
            Self::GithubActions => "github-actions",
            Self::Mcp => "mcp",
            Self::Websocket => "websocket",
            Self::Mqtt => "mqtt",
            Self::Influxdb => "influxdb",
        }
    }

    /// The kind of a configuration file, by its path.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        let yaml = name.ends_with(".yml") || name.ends_with(".yaml");
        let stem = name.split('.').next().unwrap_or(&name);
        let docker = matches!(stem, "dockerfile" | "containerfile") || name.ends_with(".dockerfile");
        // `Dockerfile.dockerignore` lists files.
        if docker && ScoredLanguage::of_path(&name).is_none() && !name.ends_with("ignore") && !name.ends_with(".md") {
            return Some(Self::Dockerfile);
        }
        let compose = stem == "compose"
            || stem == "docker-compose"
            || stem.starts_with("docker-compose-")
            || stem.starts_with("compose-");
        if yaml && compose {
            return Some(Self::DockerCompose);
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if yaml && (folder == ".github/workflows" || folder.ends_with("/.github/workflows")) {
            return Some(Self::GithubActions);
        }
        let editor =
            folder.rsplit('/').next().is_some_and(|last| matches!(last, ".cursor" | ".vscode" | ".gemini" | ".roo"));
        (name == ".mcp.json" || name == "mcp.json" && (editor || folder.is_empty())).then_some(Self::Mcp)
    }

    /// The kinds that a file of source code is looked through for, by the libraries it names.
    #[must_use]
    pub fn of_code(path: &str, text: &str) -> Vec<Self> {
        if ScoredLanguage::of_path(path).is_none() {
            return Vec::new();
        }
        let names = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let mut kinds = Vec::new();
        if names(&["websocket", "WebSocket", "socket.io"]) {
            kinds.push(Self::Websocket);
        }
        if names(&["mqtt"]) {
            kinds.push(Self::Mqtt);
        }
        if names(&["influxdb", "InfluxDB"]) {
            kinds.push(Self::Influxdb);
        }
        kinds
    }
}

impl std::fmt::Display for ConfigKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for ConfigKind {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or_else(|| {
            Error::invalid(format!("unknown kind of configuration `{word}`"))
                .hint(nearest::hint(word, Self::ALL.map(Self::as_str)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Dockerfile", Some(ConfigKind::Dockerfile))]
    #[case("deploy/web.Dockerfile", Some(ConfigKind::Dockerfile))]
    #[case("Dockerfile.prod", Some(ConfigKind::Dockerfile))]
    #[case("Containerfile", Some(ConfigKind::Dockerfile))]
    #[case("Dockerfile.dockerignore", None)]
    #[case("dockerfile.py", None)]
    #[case("docker-compose.override.yml", Some(ConfigKind::DockerCompose))]
    #[case("compose.yaml", Some(ConfigKind::DockerCompose))]
    #[case("compose.json", None)]
    #[case("a/.github/workflows/ci.yml", Some(ConfigKind::GithubActions))]
    #[case(".github/dependabot.yml", None)]
    #[case(".mcp.json", Some(ConfigKind::Mcp))]
    #[case(".cursor/mcp.json", Some(ConfigKind::Mcp))]
    #[case("src/mcp.json", None)]
    fn paths(#[case] path: &str, #[case] expected: Option<ConfigKind>) {
        assert_eq!(ConfigKind::of_path(path), expected);
    }

    #[test]
    fn code_is_known_by_its_libraries() {
        assert_eq!(ConfigKind::of_code("a.py", "import paho.mqtt.client\nimport websockets\n").len(), 2);
        assert!(ConfigKind::of_code("a.md", "mqtt").is_empty());
        assert_eq!(
            "dockerfil".parse::<ConfigKind>().unwrap_err().body().hint.as_deref(),
            Some("did you mean dockerfile?")
        );
    }
}

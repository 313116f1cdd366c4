//! The kinds of configuration, and how a file is known to be of one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::Error;
use tapps_base::language::ScoredLanguage;

tapps_base::wire_enum! {
    /// What a file configures, or talks to.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum ConfigKind {
        Dockerfile = "dockerfile",
        DockerCompose = "docker-compose",
        GithubActions = "github-actions",
        Mcp = "mcp",
        Websocket = "websocket",
        Mqtt = "mqtt",
        Influxdb = "influxdb",
    }
}

impl ConfigKind {
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

impl std::str::FromStr for ConfigKind {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        Self::parse_word(word, "unknown kind of configuration")
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

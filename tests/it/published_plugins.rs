//! Plugins that `init --plugin` writes, installed by clients as they are published.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::published_clients::{CLAUDE, CODEX, COPILOT, GEMINI, Place, QWEN};
use crate::systems::{self, System};
use crate::toolchain_support::{PROGRAM, folder, stderr, stdout};

/// A user who has this program on the search path, and the plugin in a folder.
struct Installing {
    place: Place,
    plugin: tempfile::TempDir,
    client: &'static str,
}

impl Installing {
    fn new(name: &str, client: &'static str) -> Self {
        let (place, plugin) = (Place::new(), folder());
        place.init(&["--client", name, "--plugin", plugin.path().to_str().unwrap()]);
        Self { place, plugin, client }
    }

    fn source(&self) -> String {
        self.plugin.path().canonicalize().unwrap().to_str().unwrap().to_owned()
    }

    fn say(&self, arguments: &[&str]) -> String {
        let mut command: Command = self.place.client(self.client);
        let own = Path::new(PROGRAM).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", own.display())).args(arguments);
        let output = command.output().unwrap();
        let said = stdout(&output) + &stderr(&output);
        assert!(output.status.success(), "{} {arguments:?}: {said}", self.client);
        said
    }

    /// Installs from the list of plugins that the folder is.
    fn install_from_list(&self, install: &str) {
        self.say(&["plugin", "marketplace", "add", &self.source()]);
        self.say(&["plugin", install, "tapps-mcp@tapps-mcp"]);
    }

    fn trust(&self, home: &str) {
        let trusted = json!({ self.place.trusted(): "TRUST_FOLDER", self.source(): "TRUST_FOLDER" });
        self.place.write_home(&format!("{home}/trustedFolders.json"), &trusted.to_string());
    }
}

#[test]
fn published_clients_install_the_plugin_and_list_its_server() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let claude = Installing::new("claude-code", CLAUDE);
    claude.say(&["plugin", "validate", &claude.source()]);
    claude.install_from_list("install");
    let said = claude.say(&["mcp", "list"]);
    assert!(said.contains("plugin:tapps-mcp:tapps") && said.contains("Connected"), "{said}");

    let codex = Installing::new("codex", CODEX);
    codex.place.write_home(".codex/config.toml", "");
    codex.install_from_list("add");
    let said = codex.say(&["mcp", "list"]);
    assert!(said.contains("tapps") && said.contains("enabled"), "{said}");

    let copilot = Installing::new("copilot", COPILOT);
    copilot.install_from_list("install");
    let said = copilot.say(&["mcp", "list"]);
    assert!(said.contains("Plugin servers") && said.contains("tapps"), "{said}");

    for (name, client, home) in [("gemini", GEMINI, ".gemini"), ("qwen", QWEN, ".qwen")] {
        let place = Installing::new(name, client);
        place.trust(home);
        place.say(&["extensions", "install", &place.source(), "--consent"]);
        let said = place.say(&["mcp", "list"]);
        assert!(said.contains("tapps") && said.contains("Connected"), "{name}: {said}");
        let listed = place.say(&["extensions", "list"]);
        assert!(listed.contains("tapps-mcp") && listed.contains(env!("CARGO_PKG_VERSION")), "{name}: {listed}");
    }
}

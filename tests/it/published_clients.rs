//! Clients as they are published, set up by `init`: they list this server by themselves.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use serde_json::json;
use tempfile::TempDir;

use crate::systems::{self, System};
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{folder, inherit, program, settings, stderr, stdout, toolchain};

/// The folder of the installed packages.
static INSTALLED: LazyLock<PathBuf> = LazyLock::new(|| install_packages("clients"));

/// Installs what a folder of the tests lists in its `package.json`, once, and says where.
pub(crate) fn install_packages(name: &str) -> PathBuf {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let listed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name).join("package.json");
    let wanted = std::fs::read_to_string(listed).unwrap();
    let stamp = place.join("installed");
    if std::fs::read_to_string(&stamp).ok().as_ref() != Some(&wanted) {
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("package.json"), &wanted).unwrap();
        systems::npm(&place, &["install", "--no-package-lock"]);
        std::fs::write(stamp, wanted).unwrap();
    }
    place.join("node_modules")
}

/// A project in a repository, and a user of its own.
pub(crate) struct Place {
    project: TempDir,
    home: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        toolchain();
        let place = Self { project: folder(), home: folder() };
        git(place.root(), &["init", "--quiet"]);
        std::fs::write(place.root().join("calc.py"), "X = 1\n").unwrap();
        commit_all(place.root(), "first");
        place
    }

    pub(crate) fn root(&self) -> &Path {
        self.project.path()
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    fn prepared(&self, mut command: Command) -> Command {
        inherit(&mut command, &program(&settings()));
        for name in ["XDG_CONFIG_HOME", "CODEX_HOME", "APPDATA", "TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_CONFIG"] {
            command.env_remove(name);
        }
        command.env("HOME", self.home.path()).env("NO_COLOR", "1").env("DISABLE_AUTOUPDATER", "1");
        // Some ask the shell where they are.
        command.current_dir(self.root()).env("PWD", self.root()).stdin(Stdio::null());
        command
    }

    pub(crate) fn init(&self, arguments: &[&str]) {
        let mut command = self.prepared(Command::new(crate::toolchain_support::PROGRAM));
        let output = command.arg("init").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }

    /// A client of the user, at work in the project.
    pub(crate) fn client(&self, program: &str) -> Command {
        let program = INSTALLED.join(program);
        if program.extension().is_none_or(|ending| ending != "js") {
            return self.prepared(Command::new(program));
        }
        let mut node = Command::new(systems::require(System::Node).unwrap());
        node.arg(program);
        self.prepared(node)
    }

    /// Writes a file of the user.
    pub(crate) fn write_home(&self, file: &str, text: &str) {
        let path = self.home.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Where the project is, as clients write it down when a person trusts it.
    pub(crate) fn trusted(&self) -> String {
        self.root().canonicalize().unwrap().to_str().unwrap().to_owned()
    }

    /// What a client says to `mcp list`.
    fn list(&self, program: &str) -> String {
        let output: Output = self.client(program).args(["mcp", "list"]).output().unwrap();
        stdout(&output) + &stderr(&output)
    }
}

pub(crate) const CLAUDE: &str = "@anthropic-ai/claude-code-linux-x64/claude";
pub(crate) const CODEX: &str = "@openai/codex/bin/codex.js";
pub(crate) const COPILOT: &str = "@github/copilot-linux-x64/copilot";
pub(crate) const DROID: &str = "@factory/cli-linux-x64/bin/droid";
pub(crate) const GEMINI: &str = "@google/gemini-cli/bundle/gemini.js";
pub(crate) const OPENCODE: &str = "opencode-linux-x64/bin/opencode";
pub(crate) const QWEN: &str = "@qwen-code/qwen-code/cli-entry.js";

#[test]
fn published_clients_list_this_server_as_init_has_written_it() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let place = Place::new();
    place.init(&["--scope", "user", "--client", "claude-code", "codex", "copilot"]);
    place.init(&["--client", "droid", "gemini", "opencode", "qwen"]);
    for home in [".gemini", ".qwen"] {
        let trusted = json!({ place.trusted(): "TRUST_FOLDER" });
        place.write_home(&format!("{home}/trustedFolders.json"), &trusted.to_string());
    }
    // A person has to approve what a project's file starts; that is its first use.
    let approved = place.client(QWEN).args(["mcp", "approve", "tapps"]).output().unwrap();
    assert!(approved.status.success(), "{}", stdout(&approved) + &stderr(&approved));
    for (client, program, says) in [
        ("Claude Code", CLAUDE, "✔ Connected|✓ Connected"),
        ("Droid", DROID, "connected"),
        ("Gemini CLI", GEMINI, "(stdio) - Connected"),
        ("OpenCode", OPENCODE, "✓ tapps"),
        ("Qwen Code", QWEN, "(stdio) - Connected"),
        // These two list what they would start.
        ("Codex CLI", CODEX, "enabled"),
        ("Copilot CLI", COPILOT, "tapps"),
    ] {
        let said = place.list(program);
        assert!(said.contains("tapps"), "{client}: {said}");
        assert!(says.split('|').any(|part| said.contains(part)), "{client}: {said}");
    }
}

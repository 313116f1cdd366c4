//! The recipes of `docs/ci`, run as a user would run them, as far as one machine can.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::attest::attested_statement;
use crate::toolchain_interpreter::{CopiedPython, other_pythons};
use crate::toolchain_support::{PROGRAM, folder, inherit, program, settings, stderr, stdout, toolchain};

const GOOD: &str = "def total(prices: list[int]) -> int:\n    return sum(prices)\n";
const BAD: &str = "def total(prices: list[int]) -> int:\n    return sum(price)\n";

pub(crate) fn recipes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci")
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let author = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
    let output = Command::new("git").args(author).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// A command in a folder, with this program on its PATH and the surroundings of this package's tests.
pub(crate) fn command_in(folder: &Path, name: &str) -> Command {
    let mut command = Command::new(name);
    inherit(&mut command, &program(&settings()));
    let programs = Path::new(PROGRAM).parent().unwrap().to_owned();
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&rest))).unwrap();
    command.current_dir(folder).env("PATH", path);
    command
}

/// A clone whose branch is one commit ahead of `origin/main`, with this program on its PATH.
pub(crate) struct Checkout {
    _folder: tempfile::TempDir,
    pub(crate) root: PathBuf,
}

impl Checkout {
    /// The commit changes `prices.py` to `text`; a file that is none of its business is broken all along.
    fn with(text: &str) -> Self {
        let folder = folder();
        let (origin, root) = (folder.path().join("origin"), folder.path().join("clone"));
        fs::create_dir(&origin).unwrap();
        fs::write(origin.join("prices.py"), "X = 1\n").unwrap();
        fs::write(origin.join("old.py"), BAD).unwrap();
        git(&origin, &["init", "-q", "-b", "main"]);
        git(&origin, &["add", "-A"]);
        git(&origin, &["commit", "-qm", "one"]);
        git(folder.path(), &["clone", "-q", "origin", "clone"]);
        git(&root, &["checkout", "-q", "-b", "change"]);
        fs::write(root.join("prices.py"), text).unwrap();
        git(&root, &["commit", "-qam", "two"]);
        Self { _folder: folder, root }
    }

    pub(crate) fn command(&self, name: &str) -> Command {
        command_in(&self.root, name)
    }

    /// The verdict that the recipe left, by file.
    fn verdict(&self, attestation: &str) -> Vec<(String, bool)> {
        let statement = attested_statement(&self.root.join(attestation));
        let files = statement["predicate"]["verdict"]["files"].as_array().unwrap();
        files.iter().map(|file| (file["file"].as_str().unwrap().to_owned(), file["passed"] == true)).collect()
    }
}

/// Runs a recipe on a change that passes and on one that does not.
pub(crate) fn judges(run: impl Fn(&Checkout) -> Output) {
    judges_into("verdict.json", run);
}

/// As [`judges`], where the recipe leaves its verdict in another file.
pub(crate) fn judges_into(attestation: &str, run: impl Fn(&Checkout) -> Output) {
    for (text, passes) in [(GOOD, true), (BAD, false)] {
        let checkout = Checkout::with(text);
        let output = run(&checkout);
        assert_eq!(output.status.code(), Some(i32::from(!passes)), "{}{}", stdout(&output), stderr(&output));
        assert_eq!(checkout.verdict(attestation), [("prices.py".to_owned(), passes)]);
    }
}

/// The wheel of this very program, as an index would offer it to a recipe.
pub(crate) struct Released {
    packages: &'static Path,
    pub(crate) sha256: String,
}

impl Released {
    pub(crate) fn new() -> Self {
        let packages = crate::release::OWN_PACKAGES.as_path();
        let wheel = fs::read(crate::release::file_ending(packages, ".whl")).unwrap();
        Self { packages, sha256: tapps_base::digest::sha256(&wheel) }
    }

    /// Says to a recipe which release it is to take, and to pip where wheels are.
    pub(crate) fn offer(&self, command: &mut Command) {
        command.env("TAPPS_MCP_VERSION", crate::release::VERSION).env("TAPPS_MCP_SHA256", &self.sha256);
        command.env("PIP_FIND_LINKS", self.packages);
    }
}

/// A YAML file as JSON, read by the PyYAML of the toolchain.
pub(crate) fn yaml(path: &Path) -> Value {
    let tools = toolchain();
    let script = "import json, sys; sys.path.insert(0, sys.argv[1]); import yaml\n\
                  print(json.dumps(yaml.load(open(sys.argv[2]), yaml.BaseLoader)))";
    let python = &tools.interpreter().unwrap().executable;
    let output =
        Command::new(python).args(["-I", "-B", "-c", script]).arg(tools.root().join("lib")).arg(path).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_shell_recipe_judges_a_change() {
    judges(|checkout| checkout.command("sh").arg(recipes().join("gate.sh")).output().unwrap());
}

/// The verdict of one CPython is verified by the recipe with every other one, and with one that differs in a byte.
#[test]
fn the_recipe_that_verifies_stays_green_over_another_python() {
    let changed = CopiedPython::new();
    changed.change_module("ast.py");
    let others = other_pythons().into_iter().map(|(python, _)| python).chain([changed.program.clone()]);
    let pythons: Vec<PathBuf> = others.collect();
    for (text, passes) in [(GOOD, true), (BAD, false)] {
        let checkout = Checkout::with(text);
        let made = checkout.command("sh").arg(recipes().join("gate.sh")).output().unwrap();
        assert_eq!(made.status.code(), Some(i32::from(!passes)), "{}", stderr(&made));
        for python in &pythons {
            let verify = |command: &mut Command| command.env("TAPPS_MCP_PYTHON", python).output().unwrap();
            let verified = verify(checkout.command("sh").arg(recipes().join("verify.sh")));
            let said = format!("{}: {}{}", python.display(), stdout(&verified), stderr(&verified));
            assert_eq!(verified.status.code(), Some(i32::from(!passes)), "{said}");
            assert!(said.contains("equal but for the interpreter"), "{said}");
            // Without the recipe's option it would not be.
            let program = checkout.command("tapps-mcp");
            let strict = verify({ program }.args(["attest", "verify", "verdict.json"]));
            assert_eq!(strict.status.code(), Some(1), "{}{}", stdout(&strict), stderr(&strict));
        }
    }
}

#[test]
fn the_gitlab_recipe_is_whole_and_its_script_judges_a_change() {
    let recipe = yaml(&recipes().join("gitlab-ci.yml"));
    let shared = &recipe[".tapps-mcp"];
    assert_eq!(shared["variables"]["GIT_DEPTH"], "0", "the base must be there to compare with");
    assert_eq!(shared["artifacts"]["paths"][0], "verdict.json");
    let lines = |job: &Value, key: &str| -> Vec<String> {
        job[key].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    };
    // Each job is for what the other one is not.
    let rule = |job: &str| recipe[job]["rules"][0]["if"].as_str().unwrap().to_owned();
    let merge = "$CI_PIPELINE_SOURCE == \"merge_request_event\" && ";
    assert_eq!(rule("tapps-mcp"), format!("{merge}$TAPPS_MCP_SHA256"));
    assert_eq!(rule("tapps-mcp-compiled"), format!("{merge}($TAPPS_MCP_SHA256 == null || $TAPPS_MCP_SHA256 == \"\")"));
    let compile = lines(&recipe["tapps-mcp-compiled"], "before_script");
    assert!(
        compile.last().unwrap().starts_with("command -v tapps-mcp || cargo install --locked --git "),
        "{compile:?}"
    );
    for job in ["tapps-mcp", "tapps-mcp-compiled"] {
        assert_eq!(recipe[job]["extends"], ".tapps-mcp");
        assert!(recipe[job].get("script").is_none());
    }

    let script = [lines(&recipe["tapps-mcp"], "before_script"), lines(shared, "script")].concat().join("\n");
    let released = Released::new();
    judges(|checkout| {
        let base = git(&checkout.root, &["merge-base", "origin/main", "HEAD"]);
        let mut command = checkout.command("bash");
        released.offer(&mut command);
        command.args(["-c", &format!("set -e\n{script}\n")]).env("CI_PROJECT_DIR", &checkout.root);
        let output = command.env("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.trim()).output().unwrap();
        assert!(checkout.root.join(".tapps-mcp-program/bin/coderef").is_file(), "{}", stderr(&output));
        output
    });
    // A wheel of another digest is not installed.
    let checkout = Checkout::with(GOOD);
    let mut command = checkout.command("bash");
    released.offer(&mut command);
    command.env("TAPPS_MCP_SHA256", "0".repeat(64)).env("CI_PROJECT_DIR", &checkout.root);
    let refused = command.args(["-c", &format!("set -e\n{script}\n")]).output().unwrap();
    assert!(!refused.status.success() && stderr(&refused).contains(&released.sha256), "{}", stderr(&refused));
    assert!(!checkout.root.join("verdict.json").exists());
}

/// pre-commit, installed once below the build folder.
fn pre_commit() -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pre-commit-4.7.0");
    let python = home.join("bin/python");
    let ready = |home: &Path| Command::new(home.join("bin/pre-commit")).arg("--version").output().is_ok();
    if !ready(&home) {
        let tools = toolchain();
        let interpreter = &tools.interpreter().unwrap().executable;
        let made = Command::new(interpreter).args(["-m", "venv", "--clear"]).arg(&home).output().unwrap();
        assert!(made.status.success(), "{}{}", stdout(&made), stderr(&made));
        let got = Command::new(python).args(["-m", "pip", "install", "-q", "pre-commit==4.7.0"]).output().unwrap();
        assert!(got.status.success(), "{}", stderr(&got));
    }
    home.join("bin/pre-commit")
}

#[test]
fn pre_commit_runs_the_hooks_of_this_repository() {
    let pre_commit = pre_commit();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    let config = yaml(&recipes().join("pre-commit-config.yaml"));
    for (text, passes) in [(GOOD, true), (BAD, false)] {
        let checkout = Checkout::with(text);
        fs::remove_file(checkout.root.join("old.py")).unwrap();
        // A repository with the hooks stands in for a clone of this one.
        let hooks = checkout.root.with_file_name("hooks");
        fs::create_dir(&hooks).unwrap();
        fs::copy(&manifest, hooks.join(".pre-commit-hooks.yaml")).unwrap();
        git(&hooks, &["init", "-q"]);
        git(&hooks, &["add", "-A"]);
        git(&hooks, &["commit", "-qm", "hooks"]);
        let mut config = config.clone();
        config["repos"][0]["repo"] = hooks.to_str().unwrap().into();
        config["repos"][0]["rev"] = git(&hooks, &["rev-parse", "HEAD"]).trim().into();
        // JSON is YAML.
        fs::write(checkout.root.join(".pre-commit-config.yaml"), config.to_string()).unwrap();
        git(&checkout.root, &["add", "-A"]);

        let mut command = checkout.command(pre_commit.to_str().unwrap());
        command.env("PRE_COMMIT_HOME", checkout.root.with_file_name("cache"));
        let output = command.args(["run", "--all-files", "--verbose"]).output().unwrap();
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(i32::from(!passes)), "{said}{}", stderr(&output));
        assert!(said.contains(if passes { "gate passed" } else { "Undefined name `price`" }), "{said}");
        assert!(!said.contains("[WARNING]"), "{said}");

        config["repos"][0]["hooks"] = serde_json::json!([{ "id": "tapps-mcp-commit" }]);
        // What was deleted could have been moved.
        git(&checkout.root, &["checkout", "-q", "HEAD", "--", "old.py"]);
        fs::write(checkout.root.join("fresh.py"), text).unwrap();
        fs::write(checkout.root.join(".pre-commit-config.yaml"), config.to_string()).unwrap();
        git(&checkout.root, &["add", "-A"]);
        let mut command = checkout.command(pre_commit.to_str().unwrap());
        command.env("PRE_COMMIT_HOME", checkout.root.with_file_name("cache"));
        let output = command.args(["run", "--verbose"]).output().unwrap();
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(i32::from(!passes)), "{said}{}", stderr(&output));
        assert_eq!(said.contains("Undefined name `price`"), !passes, "{said}");
    }
}

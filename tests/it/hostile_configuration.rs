//! A project's own configuration of ruff and mypy: what is safe changes the result, what names code or a file does not,
//! and is named.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mcp_process::Process;
use crate::mcp_tools::structured;
use crate::toolchain_support::{folder, program, settings, stderr, stdout, toolchain};

/// Stands in a file outside the project and must never be in a reply.
const CANARY: &str = "canary_7f3a91";

const CODE: &str = "import os\n\n\ndef add(left, right):\n    return left + right\n";

/// A project that follows its own rules, beside a folder that is none of its business.
struct Project(TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        toolchain();
        let project = Self(folder());
        for place in [project.root(), project.outside()] {
            fs::create_dir(place).unwrap();
        }
        let outside = [("rules.toml", format!("{CANARY} text\n")), ("secret.pyi", format!("{CANARY}: int\n"))];
        for (name, text) in outside {
            fs::write(project.outside().join(name), text).unwrap();
        }
        project.write("a.py", CODE);
        project.write("tapps-mcp.toml", "rules = \"project\"\n");
        let marker = project.outside().join("ran");
        let program =
            format!("open({:?}, 'w')\nfrom mypy.plugin import Plugin\ndef plugin(v): return Plugin\n", marker);
        project.write("evil.py", &program);
        for (name, text) in files {
            project.write(name, &text.replace("OUTSIDE", project.outside().to_str().unwrap()));
        }
        project
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("project")
    }

    fn outside(&self) -> PathBuf {
        self.0.path().join("outside")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.root().join(name), text).unwrap();
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = program(&settings());
        command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(self.root()).args(arguments);
        command
    }

    /// A command that is over, having neither run anything of the project nor shown or touched what is outside.
    fn run(&self, arguments: &[&str]) -> Output {
        let output = self.program(arguments).output().unwrap();
        self.is_untouched(&format!("{}{}", stdout(&output), stderr(&output)));
        output
    }

    fn is_untouched(&self, said: &str) {
        assert!(!said.contains(CANARY), "{said}");
        let entries = fs::read_dir(self.outside()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["rules.toml", "secret.pyi"], "{said}");
    }

    /// The one file of a full score, and what is said of the configuration.
    fn score(&self) -> (Value, Value) {
        let output = self.run(&["score", "a.py", "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        (report["files"][0].clone(), report["configuration"].clone())
    }

    /// The same by the server, which must not write.
    fn ask(&self) -> Value {
        let mut server = Process::start(self.program(&["serve", "--read-only"]));
        server.handshake();
        let result = server.call("tapps_score_file", json!({"file_path": "a.py"}));
        let said = result.to_string();
        server.end();
        self.is_untouched(&said);
        structured(&result).clone()
    }
}

fn codes(issues: &Value) -> Vec<&str> {
    issues.as_array().unwrap().iter().map(|issue| issue["code"].as_str().unwrap()).collect()
}

/// Both linters said something, so that what they did not say counts.
fn is_measured(file: &Value) {
    assert_eq!(file["categories"]["maintainability"]["measured"], true, "{file}");
}

#[test]
fn no_way_to_name_a_plugin_runs_it() {
    for (name, text) in [
        ("mypy.ini", "[mypy]\nplugins = ./evil.py\n"),
        (".mypy.ini", "[mypy]\nplugins = ./evil.py\n"),
        ("setup.cfg", "[mypy]\nplugins = ./evil.py\n"),
        ("pyproject.toml", "[tool.mypy]\nplugins = ['./evil.py']\n"),
        ("mypy.ini", "[mypy]\nPlugins = ./evil.py\n"),
        ("mypy.ini", "[mypy]\nplugins: ./evil.py:plugin\n"),
        ("mypy.ini", "[DEFAULT]\nplugins = ./evil.py\n[mypy]\n"),
        ("mypy.ini", "[mypy]\nplugins =\n  ./evil.py,\n  evil\n"),
    ] {
        let (file, configuration) = Project::new(&[(name, text)]).score();
        is_measured(&file);
        assert_eq!(
            configuration,
            json!({"followed": [format!("mypy: {name}")], "left_out": ["mypy: plugins"]}),
            "{text}"
        );
    }
}

#[test]
fn no_comment_in_a_file_runs_a_plugin_or_reads_outside() {
    let comments = "# mypy: plugins=./evil.py, python-executable=./evil.py\n\
                    # mypy: junit-xml=OUTSIDE/junit.xml, cache-dir=OUTSIDE/cache\n\
                    # mypy: custom-typeshed-dir=OUTSIDE, mypy-path=OUTSIDE, quickstart-file=OUTSIDE/rules.toml\n";
    let project = Project::new(&[("a.py", &format!("{comments}import secret\n{CODE}"))]);
    project.score();
    project.write("tapps-mcp.toml", "");
    project.score();
}

#[test]
fn a_read_only_server_runs_and_reads_nothing_of_the_kind() {
    let project = Project::new(&[
        ("mypy.ini", "[DEFAULT]\nPLUGINS:\n  ./evil.py\n[mypy]\n"),
        ("ruff.toml", "extend = 'OUTSIDE/rules.toml'\n[lint]\nselect = ['F401']\n"),
    ]);
    let reply = project.ask();
    let configuration =
        json!({"followed": ["ruff: ruff.toml", "mypy: mypy.ini"], "left_out": ["ruff: extend", "mypy: plugins"]});
    assert_eq!(reply["configuration"], configuration, "{reply}");
    let rules: Vec<&Value> = reply["findings"].as_array().unwrap().iter().map(|finding| &finding["rule"]).collect();
    assert!(rules.contains(&&json!("ruff:F401")), "{rules:?}");
    assert_eq!(reply["not_measured"], json!([]), "{reply}");
}

#[test]
fn no_key_of_ruff_reads_or_writes_outside() {
    for (name, text, key) in [
        ("ruff.toml", "extend = 'OUTSIDE/rules.toml'\n", "extend"),
        (".ruff.toml", "extend = '../outside/rules.toml'\n", "extend"),
        ("pyproject.toml", "[tool.ruff]\nextend = 'OUTSIDE/rules.toml'\n", "extend"),
        ("ruff.toml", "extend = '${HOME}/rules.toml'\n", "extend"),
        ("ruff.toml", "cache-dir = 'OUTSIDE/cache'\n", "cache-dir"),
        ("ruff.toml", "src = ['OUTSIDE']\n", "src"),
        ("ruff.toml", "required-version = '>=99'\n", "required-version"),
        ("ruff.toml", "force-exclude = true\n", "force-exclude"),
        ("ruff.toml", "fix = true\n", "fix"),
    ] {
        let (file, configuration) = Project::new(&[(name, text)]).score();
        is_measured(&file);
        assert!(codes(&file["ruff_issues"]).contains(&"F401"), "{text}: {file}");
        assert_eq!(configuration["left_out"], json!([format!("ruff: {key}")]), "{text}");
    }
}

#[test]
fn no_option_of_mypy_reads_or_writes_outside() {
    let keys = [
        ("any_exprs_report", "OUTSIDE/any"),
        ("cache_dir", "OUTSIDE/cache"),
        ("custom_typeshed_dir", "OUTSIDE"),
        ("files", "OUTSIDE/secret.pyi"),
        ("junit_xml", "OUTSIDE/junit.xml"),
        ("linecount_report", "OUTSIDE/lines"),
        ("mypy_path", "OUTSIDE:$HOME:%(here)s"),
        ("python_executable", "./evil.py"),
        ("quickstart_file", "OUTSIDE/rules.toml"),
    ];
    let lines: String = keys.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    let project = Project::new(&[("mypy.ini", &format!("[mypy]\nwarn_unused_ignores = True\n{lines}"))]);
    project.write("a.py", "import secret\n\nvalue: str = secret.value\n");
    let (file, configuration) = project.score();
    let left_out: Vec<String> = keys.iter().map(|(key, _)| format!("mypy: {key}")).collect();
    assert_eq!(configuration["left_out"], json!(left_out));
    assert_eq!(codes(&file["mypy_errors"]), ["import-not-found"], "{file}");
}

#[test]
fn no_option_makes_mypy_say_what_is_no_finding() {
    let (file, configuration) = Project::new(&[(
        "mypy.ini",
        "[mypy]\nwarn_unused_configs = True\nstrict_concatenate = True\nenable_incomplete_feature = Unpack\n\
         enable_error_code = pydantic-field\ndisallow_untyped_defs = True\n[mypy-unused.*]\nignore_errors = True\n",
    )])
    .score();
    is_measured(&file);
    assert_eq!(codes(&file["mypy_errors"]), ["no-untyped-def"]);
    let keys = ["enable_error_code", "enable_incomplete_feature", "strict_concatenate", "warn_unused_configs"];
    assert_eq!(configuration["left_out"], json!(keys.map(|key| format!("mypy: {key}"))));
}

#[test]
fn what_is_safe_changes_the_result() {
    let (plain, none) = Project::new(&[("tapps-mcp.toml", "")]).score();
    assert!(none.is_null() && codes(&plain["mypy_errors"]).is_empty() && codes(&plain["ruff_issues"]) == ["F401"]);

    let (file, configuration) = Project::new(&[
        ("mypy.ini", "[mypy]\ndisallow_untyped_defs = True\n"),
        ("ruff.toml", "[lint]\nselect = ['D100', 'F']\n[lint.per-file-ignores]\n'a.py' = ['F401']\n"),
    ])
    .score();
    assert_eq!((codes(&file["mypy_errors"]), codes(&file["ruff_issues"])), (vec!["no-untyped-def"], vec!["D100"]));
    assert_eq!(configuration, json!({"followed": ["ruff: ruff.toml", "mypy: mypy.ini"], "left_out": []}));
    assert_ne!(file["config_digest"], plain["config_digest"]);

    let settings = "[tool.ruff]\nline-length = 10\nselect = ['E501']\n[tool.mypy]\nstrict = true\n\
                    [[tool.mypy.overrides]]\nmodule = 'a'\ndisallow_untyped_defs = false\ncheck_untyped_defs = true\n";
    let (file, _) = Project::new(&[("pyproject.toml", settings)]).score();
    assert_eq!(codes(&file["mypy_errors"]), Vec::<&str>::new(), "{file}");
    assert!(codes(&file["ruff_issues"]).iter().all(|code| *code == "E501"), "{file}");
    assert!(!codes(&file["ruff_issues"]).is_empty());
}

#[test]
fn without_its_rules_no_configuration_of_the_project_reaches_a_tool() {
    let code =
        "import subprocess\n\n\ndef run(command: str) -> str:\n    return subprocess.call(command, shell=True)\n";
    let own = [("a.py", code), ("tapps-mcp.toml", "toolchain.metrics = \"radon\"\nsecurity.engine = \"bandit\"\n")];
    let theirs = [
        (".bandit", "[bandit]\nskips: B602,B404\n"),
        ("bandit.yaml", "skips: [B602, B404]\n"),
        ("radon.cfg", "[radon]\nexclude = *\n"),
        ("setup.cfg", "[radon]\nexclude = *\n[mypy]\nignore_errors = True\n"),
        ("ruff.toml", "extend = 'OUTSIDE/rules.toml'\nlint.select = ['D']\n"),
        ("pyproject.toml", "[tool.bandit]\nskips = ['B602']\n[tool.mypy]\nignore_errors = true\n"),
    ];
    let (plain, _) = Project::new(&own).score();
    let (file, configuration) = Project::new(&[&own[..], &theirs].concat()).score();
    assert!(configuration.is_null());
    assert_eq!(codes(&plain["mypy_errors"]), ["return-value"]);
    assert!(!plain["bandit_findings"].as_array().unwrap().is_empty(), "{plain}");
    for part in ["ruff_issues", "mypy_errors", "bandit_findings"] {
        assert_eq!(file[part], plain[part], "{part}");
    }
    assert_eq!(file["categories"]["complexity"], plain["categories"]["complexity"]);
}

#[test]
fn people_are_told_what_is_not_followed() {
    let project = Project::new(&[("mypy.ini", "[mypy]\nplugins = ./evil.py\nstrict = True\n")]);
    for command in ["score", "gate"] {
        let said = stdout(&project.run(&[command, "a.py"]));
        assert!(said.contains("rules of the project: mypy: mypy.ini\n"), "{said}");
        assert!(said.contains("not followed: mypy: plugins\n"), "{said}");
    }
}

#[test]
fn a_configuration_that_cannot_be_used_ends_the_request_and_shows_nothing_from_outside() {
    for name in ["ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", "setup.cfg"] {
        let project = Project::new(&[]);
        std::os::unix::fs::symlink(project.outside().join("rules.toml"), project.root().join(name)).unwrap();
        assert_eq!(error_of(&project), "path_denied", "{name}");
    }
    let deep = format!("[lint]\nselect = {}1{}\n", "[".repeat(50_000), "]".repeat(50_000));
    let huge = format!("[mypy]\nalways_true = {}\n", "x".repeat(2 << 20));
    for (name, text) in [("ruff.toml", deep.as_str()), ("mypy.ini", &huge), ("mypy.ini", "plugins = ./evil.py\n")] {
        assert_eq!(error_of(&Project::new(&[(name, text)])), "config_error", "{name}");
    }
}

fn error_of(project: &Project) -> String {
    let output = project.run(&["score", "a.py", "--format", "json"]);
    assert_ne!(output.status.code(), Some(0));
    let error: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    error["error_code"].as_str().unwrap().to_owned()
}

#[test]
fn every_key_of_the_locked_tools_was_looked_at() {
    let ruff = toolchain().root().join("bin/ruff");
    let output = Command::new(ruff).args(["config", "--output-format", "json"]).output().unwrap();
    let keys: serde_json::Map<String, Value> = serde_json::from_slice(&output.stdout).unwrap();
    let mut known: Vec<&str> = tapps_quality::project_rules::ruff_keys().collect();
    known.sort_unstable();
    // A map of keys is in order.
    assert_eq!(known, keys.keys().map(String::as_str).collect::<Vec<_>>());

    let options = fs::read_to_string(toolchain().root().join("lib/mypy/options.py")).unwrap();
    let (_, list) = options.split_once("PER_MODULE_OPTIONS: Final = {").unwrap();
    let (list, _) = list.split_once('}').unwrap();
    let mut theirs: Vec<&str> =
        list.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\",")).collect();
    let mut ours: Vec<&str> = tapps_quality::project_rules::mypy_module_options().collect();
    // An old name of another one, which mypy's list does not have.
    ours.retain(|name| *name != "allow_redefinition_new");
    theirs.sort_unstable();
    ours.sort_unstable();
    assert_eq!(ours, theirs);
}

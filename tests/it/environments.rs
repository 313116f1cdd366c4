//! The same libraries in other places: in the project, outside it, or nowhere.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use tapps_docs::bundle::{from_wheel, pack_bundle};

use crate::docs_project::archive;
use crate::mcp_process::Process;
use crate::mcp_tools::structured;
use crate::names::support::{SITE, install};
use crate::scoring::support::Project;
use crate::toolchain_support::{folder, program, settings, stderr, stdout, toolchain};

/// One error needs the types of httpx, and one its names.
const CLIENT: &str = "\"\"\"Asks.\"\"\"\n\nimport httpx\n\n\ndef fetch(url: str) -> str:\n    \"\"\"What stands at an address.\"\"\"\n    \
    answer = httpx.get(url, timeout=3.0)\n    return answer.status_code\n\n\ndef client() -> object:\n    \"\"\"A client.\"\"\"\n    \
    return httpx.Cliet()\n";

fn project() -> Project {
    Project::of(&[("client.py", CLIENT.as_bytes()), ("requirements.txt", b"httpx==0.28.1\n")])
}

/// httpx in an environment outside of every project, whose packages lie in `site`.
fn environment(site: &str) -> tempfile::TempDir {
    let made = folder();
    install(made.path(), &["httpx"]);
    let to = made.path().join(site);
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::rename(made.path().join(SITE), to).unwrap();
    made
}

fn command(project: &Project, environment: Option<&Path>, arguments: &[&str]) -> std::process::Command {
    toolchain();
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(project.root()).args(arguments);
    if let Some(folder) = environment {
        command.env("TAPPS_MCP_PYTHON_ENVIRONMENT", folder);
    }
    command
}

fn ask(project: &Project, environment: Option<&Path>, arguments: &[&str]) -> Value {
    let output = command(project, environment, arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)))
}

fn rules(file: &Value) -> Vec<&str> {
    file["findings"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect()
}

#[test]
fn the_same_libraries_give_the_same_result_wherever_they_are() {
    let inside = project();
    install(inside.root(), &["httpx"]);
    let arguments = ["score", "client.py", "--format", "json"];
    let expected = ask(&inside, None, &arguments);
    let expected = &expected["files"][0];
    assert!(rules(expected).contains(&"tapps:unknown-api"), "{expected}");
    assert!(expected["mypy_errors"][0]["message"].as_str().unwrap().contains("expected \"str\""), "{expected}");
    assert_eq!(expected["toolchain"]["types"]["as_installed"], 1);
    for site in ["lib/python3.12/site-packages", "lib/python3/dist-packages", "Lib/site-packages"] {
        let outside = environment(site);
        let score = ask(&project(), Some(outside.path()), &arguments);
        let score = &score["files"][0];
        for part in ["findings", "mypy_errors", "names", "overall"] {
            assert_eq!(score[part], expected[part], "{site}: {part}");
        }
        assert_eq!(score["toolchain"]["types"], expected["toolchain"]["types"], "{site}");
    }
    // Where they are not at hand nothing is said of them.
    let nowhere = ask(&project(), None, &arguments);
    let nowhere = &nowhere["files"][0];
    assert!(!rules(nowhere).contains(&"tapps:unknown-api") && nowhere["mypy_errors"] == json!([]), "{nowhere}");
}

#[test]
fn a_bundle_alone_answers_of_a_library_and_judges_no_name() {
    let home = folder();
    let wheel = std::fs::read(archive("httpx")).unwrap();
    std::fs::create_dir_all(home.path().join("bundles")).unwrap();
    let bundle = pack_bundle(&from_wheel(&wheel).unwrap()).unwrap();
    std::fs::write(home.path().join("bundles/python+httpx+0.28.1.docs.zip"), bundle).unwrap();
    let ask = |project: &Project, arguments: &[&str]| {
        let mut command = command(project, None, arguments);
        command.env("TAPPS_MCP_TOOLCHAIN_DIR", toolchain().root()).env("TAPPS_MCP_DATA_DIR", home.path());
        let output = command.output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)))
    };
    let bundled = project();
    let told = ask(&bundled, &["docs", "lookup", "httpx", "Client", "--format", "json"]);
    assert_eq!((&told["source"], &told["version"]), (&json!("bundle"), &json!("0.28.1")), "{told}");
    let arguments = ["score", "client.py", "--quick", "--format", "json"];
    let score = ask(&bundled, &arguments);
    let score = &score["files"][0];
    assert!(!score.to_string().contains("has no `Cliet`"), "{score}");
    // As where nothing is at hand: names are not called looked at.
    assert_eq!(score["names"], Value::Null, "{score}");
}

#[test]
fn the_named_environment_counts_and_not_one_of_the_project() {
    let both = project();
    let site = both.root().join(SITE).join("httpx");
    std::fs::create_dir_all(&site).unwrap();
    std::fs::write(site.join("__init__.py"), "class Cliet: ...\n").unwrap();
    let info = both.root().join(SITE).join("httpx-0.28.1.dist-info");
    std::fs::create_dir_all(&info).unwrap();
    std::fs::write(info.join("RECORD"), "httpx/__init__.py,,\n").unwrap();
    let arguments = ["score", "client.py", "--quick", "--format", "json"];
    let own = ask(&both, None, &arguments);
    assert!(!own["files"][0].to_string().contains("has no `Cliet`"), "{own}");
    let outside = environment("lib/python3.12/site-packages");
    let named = ask(&both, Some(outside.path()), &arguments);
    assert!(named["files"][0].to_string().contains("has no `Cliet`"), "{named}");
}

#[test]
fn the_server_and_the_documentation_look_there_too() {
    let outside = environment("lib/python3.12/site-packages");
    let place = outside.path().to_str().unwrap();
    let project = project();
    let mut server = Process::start(command(&project, None, &["serve", "--environment", place]));
    server.handshake();
    let answer = server.call("tapps_quick_check", json!({"file_paths": ["client.py"]}));
    assert!(structured(&answer).to_string().contains("has no `Cliet`"), "{answer}");
    let answer = server.call("tapps_lookup_docs", json!({"library": "httpx", "topic": "Client.build_request"}));
    let answer = structured(&answer);
    assert_eq!((&answer["source"], &answer["version"]), (&json!("environment"), &json!("0.28.1")), "{answer}");
    assert_eq!(answer["symbols"][0]["path"], "httpx.Client.build_request", "{answer}");
}

#[test]
fn a_folder_that_is_no_environment_ends_the_call() {
    let project = project();
    for (place, why) in [("gone", "cannot be opened"), (".", "has no folder of installed packages")] {
        let place: PathBuf = project.root().join(place);
        let output = command(&project, Some(&place), &["score", "client.py"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(why) && stderr(&output).contains("sys.prefix"), "{}", stderr(&output));
    }
}

#[test]
fn a_project_does_not_say_what_is_read_outside_of_it() {
    let outside = environment("lib/python3.12/site-packages");
    let project = project();
    let settings = format!("[python]\nenvironment = \"{}\"\n", outside.path().display());
    project.write("tapps-mcp.toml", settings.as_bytes());
    let output = command(&project, None, &["score", "client.py", "--quick"]).output().unwrap();
    let told = format!("{}{}", stdout(&output), stderr(&output));
    assert!(!told.contains("has no `Cliet`"), "{told}");
    assert!(told.contains("python.environment"), "{told}");
}

#[test]
fn the_doctor_says_where_libraries_are_looked_for() {
    let told = |project: &Project, variables: &[(&str, &Path)]| {
        let mut doctor = command(project, None, &["doctor", "--json"]);
        doctor.env_remove("CONDA_PREFIX").env_remove("VIRTUAL_ENV").envs(variables.iter().copied());
        let output = doctor.output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        let checks = report["checks"].as_array().unwrap();
        checks.iter().find(|check| check["id"] == "project.environment").unwrap().clone()
    };
    let outside = environment("lib/python3.12/site-packages");
    let named = told(&project(), &[("TAPPS_MCP_PYTHON_ENVIRONMENT", outside.path())]);
    assert_eq!(named["status"], "ok", "{named}");
    assert!(named["summary"].as_str().unwrap().starts_with("1 library"), "{named}");
    let active = told(&project(), &[("VIRTUAL_ENV", outside.path())]);
    assert_eq!(active["status"], "warning", "{active}");
    let remedy = format!("TAPPS_MCP_PYTHON_ENVIRONMENT={}", outside.path().display());
    assert!(active["remediation"].as_str().unwrap().ends_with(&remedy), "{active}");
    assert_eq!(told(&project(), &[])["status"], "ok");
    assert_eq!(
        told(&project(), &[("VIRTUAL_ENV", Path::new("/gone")), ("TAPPS_MCP_PYTHON_ENVIRONMENT", Path::new("/gone"))])
            ["status"],
        "fail"
    );
}

//! The archive of tools and documentation that the flake makes, for machines that have the program from elsewhere.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tapps_toolchain::ToolchainSettings;

use crate::airgap::isolated;
use crate::nix::{Exercise, SYSTEM, package, succeed};
use crate::toolchain_support::{PROGRAM, inherit, program, settings, stderr, stdout, unlock};

/// The archive that Nix made, taken to a machine that has the program from elsewhere, and neither the store nor a network.
pub(crate) fn the_archive_is_installed_by_the_released_program(exercise: &Exercise) {
    succeed(&mut exercise.nix(&["build", "--no-link"], &[".#airgap"]));
    let built = succeed(&mut exercise.nix(&["eval", "--raw"], &[".#airgap.outPath"]));
    let built = PathBuf::from(stdout(&built));
    let store = exercise.nix.with_file_name("nix-store");
    let references = succeed(Command::new(store).args(["--query", "--references"]).arg(&built));
    assert_eq!(stdout(&references), "", "it wants nothing of the store");
    let archive = built.join(format!("tapps-mcp-airgap-{}-{SYSTEM}.tar", env!("CARGO_PKG_VERSION")));

    let machine = exercise.flake.with_file_name("machine");
    fs::create_dir(&machine).unwrap();
    for name in ["clean.py", "defects.py"] {
        fs::copy(package().join("nix/checks").join(name), machine.join(name)).unwrap();
    }
    let elsewhere = ToolchainSettings { data_dir: machine.join("data"), ..settings() };
    let run = |arguments: &str| {
        let mut command = isolated(&format!("exec \"$PROGRAM\" --offline --quiet {arguments}"));
        inherit(&mut command, &program(&elsewhere));
        command.env_remove("TAPPS_MCP_BUNDLES").env_remove("TAPPS_MCP_PROJECT_ROOT");
        command.env("PROGRAM", PROGRAM).env("ARCHIVE", &archive).current_dir(&machine).output().unwrap()
    };
    let installed = run("airgap install --prefix prefix \"$ARCHIVE\"");
    let said = format!("{}{}", stdout(&installed), stderr(&installed));
    assert!(installed.status.success(), "{said}");
    let bundles: Value =
        serde_json::from_slice(&fs::read(package().join("bundles/bundles.lock.json")).unwrap()).unwrap();
    let bundles = bundles["bundles"].as_array().unwrap().len();
    assert!(said.contains(&format!("installed: {bundles} documentation bundles\n")), "{said}");
    assert!(!machine.join("prefix").exists(), "it brings no program");
    let library = run("docs lookup structlog");
    assert!(stdout(&library).contains("(bundle, "), "{}{}", stdout(&library), stderr(&library));
    let scored = run("score clean.py defects.py --format json");
    let scores: Value = serde_json::from_slice(&scored.stdout).unwrap_or_else(|_| panic!("{}", stderr(&scored)));
    for file in scores["files"].as_array().unwrap() {
        assert_eq!((&file["toolchain"]["verified"], &file["degraded"]), (&json!(true), &json!(false)), "{file}");
    }
    let kept = fs::read_dir(machine.join("data/toolchains")).unwrap().map(|entry| entry.unwrap().path());
    for tree in kept.filter(|path| path.is_dir()) {
        unlock(&tree);
    }
}

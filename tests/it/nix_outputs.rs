//! What Nix has of the locked tools is known beforehand: `nix/toolchain.outputs.json`, which `packaging/toolchain-outputs` writes.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tapps_base::digest;

use crate::nix::{Exercise, commit, package, succeed};
use crate::toolchain_support::stdout;

/// Where they are of another lock, Nix builds the toolchain anew for each build of the program.
#[test]
fn what_nix_has_of_the_tools_is_known_for_the_lock_as_it_is() {
    let lock = fs::read(package().join("nix/toolchain.lock.json")).unwrap();
    let outputs: Value =
        serde_json::from_slice(&fs::read(package().join("nix/toolchain.outputs.json")).unwrap()).unwrap();
    assert_eq!(outputs["lock_sha256"], digest::sha256(&lock), "run packaging/toolchain-outputs");
    let lock: Value = serde_json::from_slice(&lock).unwrap();
    let mut known = BTreeSet::new();
    for tree in lock["trees"].as_array().unwrap() {
        let (system, kind) = (tree["system"].as_str().unwrap(), tree["kind"].as_str().unwrap());
        if kind.starts_with("cp") {
            for variant in ["with_node", "without_node"] {
                known.insert(outputs["trees"][system][kind][variant].as_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(known.len(), 3 * 4 * 2);
}

/// Of another lock nothing is known beforehand.
pub(crate) fn the_tools_are_the_same_for_every_program(exercise: &Exercise) {
    let place = |name: &str| stdout(&succeed(&mut exercise.nix(&["eval", "--raw"], &[&format!(".#{name}.outPath")])));
    let places = || ["toolchain", "tapps-mcp-unwrapped"].map(place);
    let [tools, program] = places();
    let (path, lock) = (exercise.flake.join("src/lib.rs"), exercise.flake.join("nix/toolchain.lock.json"));
    fs::write(&path, fs::read_to_string(&path).unwrap() + "// Changed.\n").unwrap();
    commit(&exercise.flake);
    let [tools_of_other, other_program] = places();
    assert_eq!(tools, tools_of_other, "the tools are the same whatever program lays them out");
    assert_ne!(program, other_program);
    fs::write(&lock, fs::read_to_string(&lock).unwrap() + "\n").unwrap();
    commit(&exercise.flake);
    assert_ne!(place("toolchain"), tools);
}

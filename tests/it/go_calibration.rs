//! Calibration of Go: published code scores well, and every injected defect is noticed and named.
//!
//! `TAPPS_TEST_SYSTEMS=1 cargo test --test it go_calibration -- --nocapture` prints the tables of `docs/calibration.md`.

use crate::calibration::{assert_defects_are_noticed_in, assert_respected_code_scores_well, read_defects};
use crate::corpus;
use crate::go_oracle::PACKAGES;
use crate::systems::{self, System};

/// Files that defects are put into.
const HOSTS: [(&str, &str); 3] = [("cobra", "flag_groups.go"), ("go-toml", "lex.go"), ("pflag", "golangflag.go")];

#[test]
fn every_injected_defect_is_noticed_and_named_in_go() {
    if systems::require(System::DebianMirror).is_none() {
        return;
    }
    let defects = read_defects("tests/calibration/go-defects");
    assert!(defects.len() >= 20, "{}", defects.len());
    let hosts = HOSTS.map(|(package, file)| {
        let text = std::fs::read_to_string(corpus::dir(package).join(file)).unwrap();
        // With the mark the copies of a host are not taken for repetitions of each other.
        (file.to_owned(), format!("// Generated from a host.\n\n{text}"))
    });
    let folder = crate::toolchain_support::folder();
    // Loop variables are of all turns before 1.22.
    std::fs::write(folder.path().join("go.mod"), "module example.com/hosts\n\ngo 1.19\n").unwrap();
    assert_defects_are_noticed_in(folder.path(), &defects, &hosts);
}

#[test]
fn published_go_scores_well() {
    if systems::require(System::DebianMirror).is_none() {
        return;
    }
    let packages = PACKAGES.map(|package| (package, "."));
    assert_respected_code_scores_well(&packages, corpus::dir, &["go"], 200);
}

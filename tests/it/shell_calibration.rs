//! Calibration of shell scripts: published scripts score well, and every injected defect is noticed and named.
//!
//! `TAPPS_TEST_SYSTEMS=1 cargo test --test it shell_calibration -- --nocapture` prints the tables of `docs/calibration.md`.

use crate::calibration::{Defect, assert_defects_are_noticed, assert_respected_code_scores_well, read_defects};
use crate::corpus;
use crate::shellcheck_oracle::package_root;
use crate::systems::{self, System};

/// Scripts that defects are put into.
const HOSTS: [(&str, &str); 3] = [
    ("bats", "lib/bats-core/tracing.bash"),
    ("bats", "lib/bats-core/formatter.bash"),
    ("bats-assert", "src/assert_output.bash"),
];

#[test]
fn every_injected_defect_is_noticed_and_named() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let defects: Vec<Defect> = read_defects("tests/calibration/shell-defects");
    assert!(defects.len() >= 20, "{}", defects.len());
    let host = |(package, file): &(&str, &str)| {
        let text = std::fs::read_to_string(package_root(package).join(file)).unwrap();
        let name = file.rsplit('/').next().unwrap().replace(".bash", ".sh");
        (name, text)
    };
    assert_defects_are_noticed(&defects, &HOSTS.iter().map(host).collect::<Vec<_>>());
}

#[test]
fn published_scripts_score_well() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let packages = [("bats", "lib"), ("bats-assert", "src"), ("bats-support", "src"), ("nave", ".")];
    assert_respected_code_scores_well(&packages, corpus::dir, &["bash", "sh"], 20);
}

//! Calibration of Java: published code scores well, and every injected defect is noticed and named.
//!
//! `TAPPS_TEST_SYSTEMS=1 cargo test --test it java_calibration -- --nocapture` prints the tables of `docs/calibration.md`.

use crate::calibration::{assert_defects_are_noticed, assert_respected_code_scores_well, read_defects};
use crate::corpus;
use crate::java_oracle::PACKAGES;
use crate::systems::{self, System};

/// Files of cordova-android that defects are put into.
const HOSTS: [&str; 3] = ["CallbackContext.java", "PluginManager.java", "CordovaResourceApi.java"];
const FOLDER: &str = "framework/src/org/apache/cordova";

#[test]
fn every_injected_defect_is_noticed_and_named_in_java() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let defects = read_defects("tests/calibration/java-defects");
    assert!(defects.len() >= 20, "{}", defects.len());
    let hosts = HOSTS.map(|host| {
        let clean = std::fs::read_to_string(corpus::dir("cordova-android").join(FOLDER).join(host)).unwrap();
        (host.to_owned(), clean)
    });
    assert_defects_are_noticed(&defects, &hosts);
}

#[test]
fn published_java_scores_well() {
    if systems::require(System::Node).is_none() {
        return;
    }
    assert_respected_code_scores_well(&PACKAGES.map(|package| (package, ".")), corpus::dir, &["java"], 100);
}

//! Calibration of Java: published code scores well, and every injected defect is noticed and named.
//!
//! `TAPPS_TEST_SYSTEMS=1 cargo test --test it java_calibration -- --nocapture` prints the tables of `docs/calibration.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tapps_quality::result::{AnalysisMode, FileScore};

use crate::calibration::{assert_respected_code_scores_well, read_defects};
use crate::corpus;
use crate::java_oracle::PACKAGES;
use crate::scoring::support::Project;
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
    let folder = crate::toolchain_support::folder();
    let variant = |host: &str, name: &str| host.replace(".java", &format!("_{name}.java"));
    let mut paths = Vec::new();
    for host in HOSTS {
        let clean = std::fs::read_to_string(corpus::dir("cordova-android").join(FOLDER).join(host)).unwrap();
        let mut write = |name: &str, text: &str| {
            paths.push(variant(host, name));
            std::fs::write(folder.path().join(variant(host, name)), text).unwrap();
        };
        write("clean", &clean);
        for defect in &defects {
            write(&defect.name, &format!("{clean}\n{}", defect.text));
        }
    }
    let project = Project::at(folder.path());
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let report = project.scores(&paths, AnalysisMode::Full).unwrap();
    let scores: BTreeMap<&str, &FileScore> = report.files.iter().map(|file| (file.file.as_str(), file)).collect();

    let mut table = String::from("| defect | rule | points |\n| --- | --- | --- |\n");
    let (mut unnoticed, mut unnamed) = (Vec::new(), Vec::new());
    for defect in &defects {
        let mut points = Vec::new();
        for host in HOSTS {
            let clean = scores[variant(host, "clean").as_str()].overall.unwrap();
            let score = scores[variant(host, &defect.name).as_str()];
            if score.overall.is_none_or(|overall| overall >= clean) {
                unnoticed.push((&defect.name, host, clean, score.overall));
            }
            if !defect.is_named_by(score) {
                unnamed.push((&defect.name, host, &score.suggestions));
            }
            points.push(score.overall.map_or("not scored".to_owned(), |overall| format!("−{:.2}", clean - overall)));
        }
        let _ = writeln!(table, "| {} | {} | {} |", defect.name.replace('_', " "), defect.expected, points.join(", "));
    }
    let all = defects.len() * HOSTS.len();
    println!("{table}\n{} of {all} are among the suggestions", all - unnamed.len());
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
    assert!(unnamed.len() * 10 <= all, "{unnamed:?}");
}

#[test]
fn published_java_scores_well() {
    if systems::require(System::Node).is_none() {
        return;
    }
    assert_respected_code_scores_well(&PACKAGES.map(|package| (package, ".")), corpus::dir, &["java"], 100);
}

//! Calibration of Rust: respected code scores well, and every injected defect is noticed and named.
//!
//! `cargo test --test it rust_calibration -- --nocapture` prints the tables of `docs/calibration.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tapps_quality::result::{AnalysisMode, FileScore};

use crate::calibration::{assert_respected_code_scores_well, read_defects};
use crate::locked_crate;
use crate::scoring::support::Project;

/// Crates that this program is built from: name and source folder.
const RESPECTED: [(&str, &str); 6] = [
    ("hyper", "src"),
    ("indexmap", "src"),
    ("regex-automata", "src"),
    ("serde_json", "src"),
    ("tokio", "src"),
    ("url", "src"),
];
/// Files of hyper that defects are put into.
const HOSTS: [&str; 3] = ["src/upgrade.rs", "src/error.rs", "src/body/length.rs"];
/// Defects that may be missing among the suggestions of one host.
const MOST_UNNAMED: usize = 2;

/// Every defect in every host lowers the score, and nearly all are among the five suggestions.
#[test]
fn every_injected_defect_is_noticed_and_named_in_rust() {
    let defects = read_defects("tests/calibration/rust-defects");
    assert!(defects.len() >= 20, "{}", defects.len());
    let folder = crate::toolchain_support::folder();
    let root = folder.path().join("hyper");
    crate::toolchain_support::copy_tree(&locked_crate::unpack_locked_crate("hyper"), &root);
    let variant = |host: &str, name: &str| host.replace(".rs", &format!("_{name}.rs"));
    let mut paths = Vec::new();
    for host in HOSTS {
        let clean = std::fs::read_to_string(root.join(host)).unwrap();
        let mut write = |name: &str, text: &str| {
            paths.push(variant(host, name));
            std::fs::write(root.join(variant(host, name)), text).unwrap();
        };
        write("clean", &clean);
        defects.iter().for_each(|defect| write(&defect.name, &format!("{clean}\n{}", defect.text)));
    }
    let project = Project::at(&root);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let report = project.scores(&paths, AnalysisMode::Full).unwrap();
    let scores: BTreeMap<&str, &FileScore> = report.files.iter().map(|file| (file.file.as_str(), file)).collect();

    let mut table = format!("| defect | rule | {} |\n| --- | --- | --- | --- | --- |\n", HOSTS.join(" | "));
    let (mut unnoticed, mut unnamed) = (Vec::new(), Vec::new());
    for defect in &defects {
        let mut points = Vec::new();
        for host in HOSTS {
            let clean = scores[variant(host, "clean").as_str()].overall.unwrap();
            let score = scores[variant(host, &defect.name).as_str()];
            if score.overall.is_some_and(|overall| overall >= clean) {
                unnoticed.push((&defect.name, host, clean, score.overall));
            }
            if !defect.is_named_by(score) {
                unnamed.push((&defect.name, host));
            }
            points.push(score.overall.map_or("not scored".to_owned(), |overall| format!("−{:.2}", clean - overall)));
        }
        let _ = writeln!(table, "| {} | {} | {} |", defect.name.replace('_', " "), defect.expected, points.join(" | "));
    }
    println!("{table}");
    let all = defects.len() * HOSTS.len();
    println!("{} of {all} are among the suggestions; these are not: {unnamed:?}", all - unnamed.len());
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
    for host in HOSTS {
        assert!(unnamed.iter().filter(|(_, at)| *at == host).count() <= MOST_UNNAMED, "{unnamed:?}");
    }
}

#[test]
fn respected_rust_scores_well() {
    assert_respected_code_scores_well(&RESPECTED, locked_crate::unpack_locked_crate, &["rs"], 120);
}

//! Calibration of TypeScript and JavaScript: respected code scores well, and every injected defect is noticed and named.
//!
//! `cargo test --test it script_calibration -- --nocapture` prints the tables of `docs/calibration.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tapps_quality::result::{AnalysisMode, FileScore};

use crate::calibration::{assert_respected_code_scores_well, read_defects};
use crate::corpus;
use crate::scoring::support::Project;
use crate::systems::{self, System};

/// Packages that are published with their sources: name and source folder.
const RESPECTED: [(&str, &str); 10] = [
    ("zod", "src"),
    ("rxjs", "src"),
    ("webpack", "lib"),
    ("query-core", "src"),
    ("express", "lib"),
    ("react-query", "src"),
    ("ra-ui-materialui", "src"),
    ("docusaurus-theme-classic", "src"),
    ("npm-anthropic-ai-sdk", "src"),
    ("npm-openai", "src"),
];
/// Files that defects are put into: package and file, by the ending of the defect.
const HOSTS: [(&str, &str); 5] = [
    ("query-core", "src/query.ts"),
    ("query-core", "src/queryObserver.ts"),
    ("query-core", "src/hydration.ts"),
    ("react-query", "src/QueryClientProvider.tsx"),
    ("react-query", "src/HydrationBoundary.tsx"),
];

fn hosts_of(ending: &str) -> Vec<(&'static str, &'static str)> {
    HOSTS.into_iter().filter(|(_, host)| host.rsplit('.').next() == Some(ending)).collect()
}

/// Every defect in every host of its ending lowers the score, and nine of ten are among the five suggestions.
#[test]
fn every_injected_defect_is_noticed_and_named_in_scripts() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let defects = read_defects("tests/calibration/script-defects");
    assert!(defects.len() >= 25, "{}", defects.len());
    let folder = crate::toolchain_support::folder();
    for package in ["query-core", "react-query"] {
        crate::toolchain_support::copy_tree(&corpus::dir(package), &folder.path().join(package));
    }
    let variant = |(package, host): (&str, &str), name: &str| {
        let (stem, ending) = host.rsplit_once('.').unwrap();
        format!("{package}/{stem}_{name}.{ending}")
    };
    let mut paths = Vec::new();
    for host in HOSTS {
        // With the mark the copies of a host, and the host, are not taken for repetitions of each other.
        let clean = format!(
            "// Generated from a host.\n{}",
            std::fs::read_to_string(corpus::dir(host.0).join(host.1)).unwrap()
        );
        std::fs::write(folder.path().join(host.0).join(host.1), &clean).unwrap();
        let mut write = |name: &str, text: &str| {
            paths.push(variant(host, name));
            std::fs::write(folder.path().join(variant(host, name)), text).unwrap();
        };
        write("clean", &clean);
        for defect in defects.iter().filter(|defect| hosts_of(&defect.ending).contains(&host)) {
            write(&defect.name, &format!("{clean}\n{}", defect.text));
        }
    }
    let project = Project::at(folder.path());
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let report = project.scores(&paths, AnalysisMode::Full).unwrap();
    let scores: BTreeMap<&str, &FileScore> = report.files.iter().map(|file| (file.file.as_str(), file)).collect();

    let mut table = String::from("| defect | rule | points |\n| --- | --- | --- |\n");
    let (mut unnoticed, mut unnamed, mut all) = (Vec::new(), Vec::new(), 0);
    for defect in &defects {
        let mut points = Vec::new();
        for host in hosts_of(&defect.ending) {
            let clean = scores[variant(host, "clean").as_str()].overall.unwrap();
            let score = scores[variant(host, &defect.name).as_str()];
            all += 1;
            if score.overall.is_some_and(|overall| overall >= clean) {
                unnoticed.push((&defect.name, host, clean, score.overall));
            }
            if !defect.is_named_by(score) {
                unnamed.push((&defect.name, host, &score.suggestions));
            }
            points.push(score.overall.map_or("not scored".to_owned(), |overall| format!("−{:.2}", clean - overall)));
        }
        let _ = writeln!(table, "| {} | {} | {} |", defect.name.replace('_', " "), defect.expected, points.join(", "));
    }
    println!("{table}");
    println!("{} of {all} are among the suggestions", all - unnamed.len());
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
    assert!(unnamed.len() * 10 <= all, "{unnamed:?}");
}

#[test]
fn respected_scripts_score_well() {
    if systems::require(System::Node).is_none() {
        return;
    }
    assert_respected_code_scores_well(&RESPECTED, corpus::dir, &["ts", "tsx", "js"], 150);
}

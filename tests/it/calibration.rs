//! Calibration: respected code scores well, and every injected defect is noticed and named.
//!
//! `cargo test --test it calibration -- --nocapture` prints the tables of `docs/calibration.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tapps_base::finding::Severity;
use tapps_quality::requests::GateRequest;
use tapps_quality::result::{AnalysisMode, FileGate, FileScore};

use crate::corpus;
use crate::scoring::support::Project;

/// Packages that keep their tests beside their code, so that all seven categories can be judged: name and source folder.
const RESPECTED: &[(&str, &str)] =
    &[("requests", "src/requests"), ("django-source", "django"), ("bandit", "bandit"), ("coverage", "coverage")];
/// Files taken of each, evenly spread over the sorted list.
const PER_PACKAGE: usize = 30;

/// Files that defects are put into.
const HOSTS: &[&str] = &["src/requests/adapters.py", "src/requests/sessions.py", "src/requests/structures.py"];

pub(crate) struct Defect {
    pub(crate) name: String,
    /// That of its file, and of the files it is put into.
    pub(crate) ending: String,
    pub(crate) expected: String,
    pub(crate) text: String,
}

pub(crate) fn defects() -> Vec<Defect> {
    read_defects("tests/calibration/defects")
}

/// The defects of a folder, by name; the first line of each is a comment that names the rule.
pub(crate) fn read_defects(folder: &str) -> Vec<Defect> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut defects: Vec<Defect> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let (first, rest) = text.split_once('\n').unwrap();
            Defect {
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                ending: path.extension().unwrap().to_string_lossy().into_owned(),
                expected: first.split_once(" expects ").unwrap().1.to_owned(),
                // Put together here, so that no file of this project looks like it holds a secret.
                text: rest
                    .replace("{{access_key}}", &format!("AKIA{}", "Q3ZR7NXW2JKD5MTB"))
                    .replace("{{password}}", &format!("w8#{}", "Kd93!xPq0z")),
            }
        })
        .collect();
    defects.sort_by(|a, b| a.name.cmp(&b.name));
    defects
}

impl Defect {
    pub(crate) fn is_expected(&self, rule: &str) -> bool {
        match self.expected.strip_suffix('*') {
            Some(family) => rule.starts_with(family),
            None => rule == self.expected,
        }
    }

    pub(crate) fn is_named_by(&self, score: &FileScore) -> bool {
        score.suggestions.iter().any(|suggestion| self.is_expected(&suggestion.rule))
    }
}

/// Every defect in every host lowers the score and is among the five suggestions.
#[test]
fn every_injected_defect_is_noticed_and_named() {
    let defects = defects();
    assert!(defects.len() >= 25, "{}", defects.len());
    let folder = crate::toolchain_support::folder();
    let root = folder.path().join("requests");
    crate::toolchain_support::copy_tree(&corpus::dir("requests"), &root);
    let variant = |host: &str, name: &str| host.replace(".py", &format!("_{name}.py"));
    for host in HOSTS {
        // With the mark the copies of a host, and the host, are not taken for repetitions of each other.
        let clean = format!("# Generated from a host.\n{}", std::fs::read_to_string(root.join(host)).unwrap());
        for name in [String::from(*host), variant(host, "clean")] {
            std::fs::write(root.join(name), &clean).unwrap();
        }
        for defect in &defects {
            std::fs::write(root.join(variant(host, &defect.name)), format!("{clean}\n\n{}", defect.text)).unwrap();
        }
    }
    let project = Project::at(&root);
    let report = project.scores(&["src"], AnalysisMode::Full).unwrap();
    let scores: BTreeMap<&str, &FileScore> = report.files.iter().map(|file| (file.file.as_str(), file)).collect();

    let mut table = format!("| defect | rule | {} |\n", HOSTS.join(" | "));
    let mut missed = Vec::new();
    for defect in &defects {
        let _ = write!(table, "| {} | {} |", defect.name.replace('_', " "), defect.expected);
        for host in HOSTS {
            let clean = scores[variant(host, "clean").as_str()].overall.unwrap();
            let score = scores[variant(host, &defect.name).as_str()];
            let lowered = score.overall.is_none_or(|overall| overall < clean);
            if !lowered || !defect.is_named_by(score) {
                let named: Vec<_> = score.suggestions.iter().map(|s| (&s.rule, s.points)).collect();
                missed.push(format!("{} in {host}: {clean} -> {:?}, suggested {named:?}", defect.name, score.overall));
            }
            let _ = match score.overall {
                Some(overall) => write!(table, " −{:.2} |", clean - overall),
                None => write!(table, " not scored |"),
            };
        }
        table.push('\n');
    }
    println!("{table}");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn respected_code_scores_well() {
    assert_respected_code_scores_well(RESPECTED, corpus::dir, &["py"], 60);
}

/// A host with a defect at its end. What a defect in Go imports stands with the imports of the host.
fn with_defect(clean: &str, defect: &Defect) -> String {
    let Some(imports) = defect.text.strip_prefix("import ").filter(|_| defect.ending == "go") else {
        return format!("{clean}\n{}", defect.text);
    };
    let (imports, rest) = imports.split_once("\n\n").expect("an import is followed by an empty line");
    let package = clean.lines().position(|line| line.starts_with("package ")).expect("a file belongs to a package");
    let (mut head, tail): (Vec<&str>, Vec<&str>) =
        (clean.lines().take(package + 1).collect(), clean.lines().skip(package + 1).collect());
    let imports = format!("\nimport {imports}\n");
    head.push(&imports);
    format!("{}\n{}\n\n{rest}", head.join("\n"), tail.join("\n"))
}

/// Puts each defect at the end of each host, given by its name and text: each lowers the score, and nine of ten are among the
/// suggestions.
pub(crate) fn assert_defects_are_noticed(defects: &[Defect], hosts: &[(String, String)]) {
    assert_defects_are_noticed_in(crate::toolchain_support::folder().path(), defects, hosts);
}

/// The same in a project that is there already.
pub(crate) fn assert_defects_are_noticed_in(folder: &Path, defects: &[Defect], hosts: &[(String, String)]) {
    let variant = |host: &str, name: &str| {
        let (stem, ending) = host.rsplit_once('.').unwrap();
        format!("{stem}_{name}.{ending}")
    };
    let mut paths = Vec::new();
    for (host, clean) in hosts {
        let mut write = |name: &str, text: &str| {
            paths.push(variant(host, name));
            std::fs::write(folder.join(variant(host, name)), text).unwrap();
        };
        write("clean", clean);
        for defect in defects {
            write(&defect.name, &with_defect(clean, defect));
        }
    }
    let project = Project::at(folder);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let report = project.scores(&paths, AnalysisMode::Full).unwrap();
    let scores: BTreeMap<&str, &FileScore> = report.files.iter().map(|file| (file.file.as_str(), file)).collect();

    let mut table = String::from("| defect | rule | points |\n| --- | --- | --- |\n");
    let (mut unnoticed, mut unnamed) = (Vec::new(), Vec::new());
    for defect in defects {
        let mut points = Vec::new();
        for (host, _) in hosts {
            let clean = scores[variant(host, "clean").as_str()].overall.unwrap();
            let score = scores[variant(host, &defect.name).as_str()];
            // What does not parse has no score, and is blocked.
            if score.overall.map_or(score.blocking.is_empty(), |overall| overall >= clean) {
                unnoticed.push((&defect.name, host, clean, score.overall));
            }
            if !defect.is_named_by(score) {
                unnamed.push((&defect.name, host, &score.suggestions));
            }
            points.push(score.overall.map_or("not scored".to_owned(), |overall| format!("−{:.2}", clean - overall)));
        }
        let _ = writeln!(table, "| {} | {} | {} |", defect.name.replace('_', " "), defect.expected, points.join(", "));
    }
    let all = defects.len() * hosts.len();
    println!("{table}\n{} of {all} are among the suggestions", all - unnamed.len());
    assert!(unnoticed.is_empty(), "{unnoticed:?}");
    assert!(unnamed.len() * 10 <= all, "{unnamed:?}");
}

/// Scores every n-th file of packages (name and source folder) and prints the table of the documents; so many files at least
/// must be among them.
pub(crate) fn assert_respected_code_scores_well(
    packages: &[(&str, &str)],
    root_of: fn(&str) -> PathBuf,
    endings: &[&str],
    least: usize,
) {
    let mut all: Vec<f64> = Vec::new();
    let mut with_types: Vec<String> = Vec::new();
    let mut table = String::from("| package | files | lowest | median | reach 70 |\n| --- | --- | --- | --- | --- |\n");
    let mut add_row = |name: &str, scores: &[f64]| {
        let (lowest, median, reach) = (scores[0], median(scores), reach(scores));
        let _ = writeln!(table, "| {name} | {} | {lowest:.1} | {median:.1} | {reach:.0} % |", scores.len());
    };
    for (name, source) in packages {
        let root = root_of(name);
        let mut files: Vec<String> =
            endings.iter().flat_map(|ending| corpus::files(&root.join(source), ending)).collect();
        files.retain(|file| !file.ends_with(".d.ts"));
        files.sort();
        let step = (files.len() / PER_PACKAGE).max(1);
        let chosen: Vec<String> = files.iter().step_by(step).map(|file| format!("{source}/{file}")).collect();
        let paths: Vec<&str> = chosen.iter().map(String::as_str).collect();
        let report = Project::at(&root).scores(&paths, AnalysisMode::Full).unwrap();
        let mut scores: Vec<f64> = report.files.iter().map(|file| file.overall.unwrap_or(0.0)).collect();
        scores.sort_by(f64::total_cmp);
        add_row(name, &scores);
        all.extend(scores);
        let stamps = report.files.iter().filter_map(|file| file.types.as_ref());
        let known = stamps.filter(|stamp| stamp.complete).count();
        with_types.extend((known > 0).then(|| format!("{name} {known}")));
    }
    all.sort_by(f64::total_cmp);
    add_row("all", &all);
    println!("{table}");
    println!("files whose types are known: {}", with_types.join(", "));
    assert!(all.len() >= least, "{}", all.len());
    assert!(median(&all) >= 75.0, "{table}");
    assert!(reach(&all) >= 80.0, "{table}");
}

/// bandit's own vulnerable examples: those of its example files in which it finds something of medium or high severity.
/// The others show what is fine, or hold what is informational.
#[test]
fn vulnerable_examples_fail_the_gate() {
    let root = corpus::dir("bandit");
    let project = Project::at(&root);
    let paths: Vec<String> =
        corpus::files(&root.join("examples"), "py").iter().map(|f| format!("examples/{f}")).collect();
    let report = project.gate_by(GateRequest { paths, ..GateRequest::default() }).unwrap();
    let vulnerable =
        |file: &&FileGate| file.result.bandit_findings.iter().any(|found| found.severity >= Severity::Medium);
    let (failed, passed): (Vec<&FileGate>, Vec<&FileGate>) =
        report.files.iter().filter(vulnerable).partition(|f| !f.passed);
    let passed: Vec<(&str, Option<f64>)> = passed.iter().map(|file| (file.file.as_str(), file.score)).collect();
    let total = failed.len() + passed.len();
    println!(
        "{} of {total} vulnerable examples ({} example files) fail the gate; these pass: {passed:?}",
        failed.len(),
        report.total
    );
    assert!(total >= 60, "{total}");
    assert!(failed.len() * 100 >= total * 95, "{passed:?}");
}

fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}

fn reach(sorted: &[f64]) -> f64 {
    let reached = sorted.iter().filter(|score| **score >= 70.0).count();
    reached as f64 * 100.0 / sorted.len() as f64
}

//! Every clone that jscpd finds in real packages is found here too, or it is told why not.
//!
//! jscpd compares runs of tokens, wherever they begin and end; here whole statements are compared. A clone of jscpd counts as
//! found when a family has places on most of its whole statements in both files. It is explained when what it has of
//! whole statements is too little, is a list of imports, has rows of one shape, or lies in a file that is left out; and when
//! both places are told, each in a family with others that it has more in common with.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use tapps_coderef::duplicates::families::{StretchFamily, find_families};
use tapps_coderef::duplicates::left_out::left_out;
use tapps_coderef::duplicates::statement::{FileStatements, Statement};
use tapps_coderef::family::read_file_statements;
use tapps_coderef::model::Language;

use crate::corpus;
use crate::systems::{self, System};

/// The newest jscpd whose program for this platform is published with it.
const JSCPD: &[&str] = &["jscpd@5.3.3", "jscpd-linux-x64-gnu@5.3.3"];
/// Packages, and the folder of each that is compared.
const PACKAGES: &[(&str, &str)] = &[("click", ""), ("requests", ""), ("rich", ""), ("rxjs", "src"), ("zod", "src")];
/// What a family needs: see `duplicates::pairs`.
const FEWEST_TOKENS: usize = 40;
const FEWEST_STATEMENTS: usize = 3;

#[derive(Deserialize)]
struct Report {
    duplicates: Vec<Told>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    first_file: TokenRun,
    second_file: TokenRun,
}

#[derive(Deserialize)]
struct TokenRun {
    name: String,
    #[serde(rename = "startLoc")]
    start: Place,
    #[serde(rename = "endLoc")]
    end: Place,
}

#[derive(Deserialize)]
struct Place {
    line: u32,
}

fn jscpd() -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("jscpd");
    let program = home.join("node_modules/jscpd/run-jscpd.js");
    if !program.is_file() {
        fs::create_dir_all(&home).unwrap();
        fs::write(home.join("package.json"), "{\"private\": true}\n").unwrap();
        systems::npm(&home, &[&["install", "--no-package-lock"], JSCPD].concat());
    }
    program
}

fn told_by_jscpd(node: &Path, root: &Path) -> Vec<Told> {
    let output = tempfile::tempdir().unwrap();
    let status = Command::new(node)
        .arg(jscpd())
        .args(["--reporters", "json", "--mode", "weak", "-f", "python,javascript,typescript", "--output"])
        .arg(output.path())
        .arg(".")
        .current_dir(root)
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let report = fs::read(output.path().join("jscpd-report.json")).unwrap();
    serde_json::from_slice::<Report>(&report).unwrap().duplicates
}

/// The positions of the statements that a run of tokens holds whole.
fn whole(file: &FileStatements, run: &TokenRun) -> BTreeSet<usize> {
    let inside = |one: &Statement| run.start.line < one.line && one.end_line < run.end.line && !one.is_import;
    file.statements.iter().enumerate().filter(|(_, one)| inside(one)).map(|(at, _)| at).collect()
}

/// Whether places of a family in a file hold most of some statements.
fn covers(family: &StretchFamily, (file, statements): (usize, &BTreeSet<usize>)) -> bool {
    let places = family.places.iter().filter(|place| place.file == file);
    let within = |at: &usize| places.clone().any(|place| (place.statements.first..=place.statements.last).contains(at));
    2 * statements.iter().filter(|at| within(at)).count() >= statements.len()
}

fn is_found(families: &[StretchFamily], first: (usize, &BTreeSet<usize>), second: (usize, &BTreeSet<usize>)) -> bool {
    families.iter().any(|family| covers(family, first) && covers(family, second))
}

/// Whether some statements are too few to be found.
fn is_too_little(statements: &[Statement]) -> bool {
    let tokens: usize = statements.iter().map(|one| usize::from(one.tokens)).sum();
    statements.len() < FEWEST_STATEMENTS || tokens < FEWEST_TOKENS
}

/// Why nothing needs to be found; none when it has to be.
fn explanation(file: &FileStatements, statements: &BTreeSet<usize>, is_one_file: bool) -> Option<&'static str> {
    let all: Vec<Statement> = statements.iter().map(|at| file.statements[*at]).collect();
    let shapes: BTreeSet<u32> = all.iter().map(|one| one.shape).collect();
    // In one file no place goes beyond the head of a function: its functions are alike one by one.
    let mut members = all.chunk_by(|_, next| !next.is_definition);
    if is_too_little(&all) {
        Some("parts of statements, or too little of whole ones")
    } else if shapes.len() < 2 {
        Some("rows of one shape")
    } else if is_one_file && members.all(is_too_little) {
        Some("small functions of one file in a row")
    } else {
        None
    }
}

#[test]
fn what_jscpd_finds_is_found_or_explained() {
    let Some(node) = systems::require(System::Node) else { return };
    let mut unexplained = Vec::new();
    let mut told_in_all = 0;
    for (package, below) in PACKAGES {
        let root = corpus::dir(package).join(below);
        let told = told_by_jscpd(&node, &root);
        let mut paths: Vec<String> = ["py", "js", "ts", "mjs", "cjs", "tsx", "jsx"]
            .iter()
            .flat_map(|ending| corpus::files(&root, ending))
            .collect();
        paths.sort();
        let texts: Vec<String> = paths.iter().map(|path| fs::read_to_string(root.join(path)).unwrap()).collect();
        let files: Vec<FileStatements> = paths
            .iter()
            .zip(&texts)
            .map(|(path, text)| read_file_statements(path, Language::of_path(path).unwrap(), text))
            .collect();
        let compared: Vec<(u64, &FileStatements)> = paths
            .iter()
            .zip(&files)
            .map(|(path, file)| (u64::from(Language::of_path(path) == Some(Language::Python)), file))
            .collect();
        let families = find_families(&compared);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for clone in &told {
            let number = |run: &TokenRun| {
                let name = run.name.trim_start_matches("./");
                paths.iter().position(|path| path == name).unwrap_or_else(|| panic!("{package}: {name}"))
            };
            let (first, second) = (number(&clone.first_file), number(&clone.second_file));
            let (a, b) = (whole(&files[first], &clone.first_file), whole(&files[second], &clone.second_file));
            let aside = [first, second].iter().any(|file| left_out(&paths[*file], &texts[*file]).is_some());
            let why = |file: usize, whole: &BTreeSet<usize>| explanation(&files[file], whole, first == second);
            let why = match why(first, &a).or_else(|| why(second, &b)) {
                _ if is_found(&families, (first, &a), (second, &b)) && !a.is_empty() => "found",
                _ if aside => "in a file that is left out",
                Some(why) => why,
                // Of places that overlap the larger one stands for all, in a family of its own.
                None if [(first, &a), (second, &b)]
                    .into_iter()
                    .all(|side| families.iter().any(|family| covers(family, side))) =>
                {
                    "in other places of two families"
                }
                None => {
                    unexplained.push(format!(
                        "{package} {}:{}-{} {}:{}-{}",
                        clone.first_file.name,
                        clone.first_file.start.line,
                        clone.first_file.end.line,
                        clone.second_file.name,
                        clone.second_file.start.line,
                        clone.second_file.end.line
                    ));
                    "neither"
                }
            };
            *counts.entry(why).or_default() += 1;
        }
        println!("| {package} | {} | {counts:?} |", told.len());
        told_in_all += told.len();
    }
    println!("{}", unexplained.join("\n"));
    assert!(told_in_all > 900 && unexplained.is_empty(), "{} of {told_in_all}", unexplained.len());
}

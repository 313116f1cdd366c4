//! The type checker of Go's library, asked about packages of that library as they lie beside the Go that is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tapps_base::call::Call;
use tapps_coderef::engine::{ScanOptions, scan};
use tapps_sandbox::Boundary;

use super::checker::resolved;
use super::compare::{Score, Truth, compare};

/// Packages, each with what lies below it; those of one row are one module.
const TREES: &[(&str, &[&str])] = &[
    ("net/http", &["net/http", "bufio", "strings", "container/list", "compress/flate"]),
    ("go", &["go"]),
    ("encoding", &["encoding/json", "encoding/xml", "encoding/gob", "bufio"]),
    ("text, html", &["text", "html", "strings", "bufio"]),
];

/// The module that the copies are in.
const MODULE: &str = "example.org/std";

/// What was found of one row.
#[derive(Debug)]
pub(crate) struct GoRow {
    name: String,
    lines: u32,
    score: Score,
}

impl GoRow {
    /// Resolved calls of which the checker says where they lead.
    pub(crate) fn judged(&self) -> usize {
        self.score.claimed
    }

    /// True when it does not reach what it has to.
    pub(crate) fn is_short(&self) -> bool {
        self.judged() < 2_000 || self.score.precision() < 0.98 || self.score.recall() < 0.95
    }

    /// What is wrong, and what is missed.
    pub(crate) fn details(&self) -> impl Iterator<Item = &String> {
        self.score.wrong.iter().chain(&self.score.missed)
    }
}

impl std::fmt::Display for GoRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, lines, score) = (&self.name, self.lines, &self.score);
        let oracle = if self.is_short() { "go/types, SHORT" } else { "go/types" };
        let (calls, judged, concrete) = (score.calls, self.judged(), score.concrete);
        let (precision, recall) = (score.precision(), score.recall());
        write!(f, "| {name} | {lines} | {calls} | {judged} | {precision:.4} | {concrete} | {recall:.4} | {oracle} |")
    }
}

/// Compares all calls of every row; `go` is the program.
pub(crate) fn measure_go(go: &Path) -> Vec<GoRow> {
    let folder = tempfile::tempdir().unwrap();
    let oracle = folder.path().join("oracle");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accuracy/go");
    run(Command::new(go).args(["build", "-o"]).arg(&oracle).arg(".").current_dir(sources), folder.path());
    let root = run(Command::new(go).args(["env", "GOROOT"]), folder.path());
    let version = run(Command::new(go).args(["env", "GOVERSION"]), folder.path());
    let library = PathBuf::from(String::from_utf8_lossy(&root).trim()).join("src");
    let version = String::from_utf8_lossy(&version).trim().trim_start_matches("go").to_owned();
    let rows = TREES.iter().enumerate();
    rows.map(|(number, (name, packages))| {
        let tree = folder.path().join(number.to_string());
        copy_packages(&library, packages, &tree);
        let said = run(Command::new(&oracle).arg(&tree).env("GO111MODULE", "off"), folder.path());
        measure_row(&format!("Go {version} {name}"), &tree, &serde_json::from_slice(&said).unwrap())
    })
    .collect()
}

fn measure_row(name: &str, tree: &Path, truth: &Truth) -> GoRow {
    let options = ScanOptions { include_ignored: true, fresh: true, ..ScanOptions::default() };
    let index = scan(&Boundary::open(tree).unwrap(), &options, &Call::quiet(Duration::from_secs(600))).unwrap();
    let lines: u32 = index.files.iter().map(|file| file.lines).sum();
    GoRow { name: name.to_owned(), lines, score: compare(truth, &resolved(&index)) }
}

fn run(command: &mut Command, home: &Path) -> Vec<u8> {
    let command = command.env("GOFLAGS", "").env("CGO_ENABLED", "0").env("GOPROXY", "off");
    let output = command.env("GOCACHE", home.join("cache")).env("GOPATH", home.join("path")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Copies packages into a module of their own, in which they import each other by its path.
fn copy_packages(library: &Path, packages: &[&str], tree: &Path) {
    let mut folders = Vec::new();
    for package in packages {
        add_folders(library, &library.join(package), &mut folders);
    }
    folders.sort();
    folders.dedup();
    for folder in &folders {
        let target = tree.join(folder);
        fs::create_dir_all(&target).unwrap();
        for entry in fs::read_dir(library.join(folder)).unwrap().map(Result::unwrap) {
            if entry.path().extension().is_some_and(|ending| ending == "go") {
                let mut text = fs::read_to_string(entry.path()).unwrap();
                for other in &folders {
                    text = text.replace(&format!("\"{other}\""), &format!("\"{MODULE}/{other}\""));
                }
                fs::write(target.join(entry.file_name()), text).unwrap();
            }
        }
    }
    fs::write(tree.join("go.mod"), format!("module {MODULE}\n\ngo 1.19\n")).unwrap();
}

/// A folder and all below it, relative to the library.
fn add_folders(library: &Path, folder: &Path, folders: &mut Vec<String>) {
    if folder.file_name().is_some_and(|name| name == "testdata") {
        return;
    }
    folders.push(folder.strip_prefix(library).unwrap().to_string_lossy().into_owned());
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            add_folders(library, &entry.path(), folders);
        }
    }
}

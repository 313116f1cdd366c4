//! How right the call edges of real packages are and what a scan of them costs; then what a scan costs beside the
//! TypeScript checker resolving the calls of the same files in the same run.
//!
//! Prints processor time, so that a busy machine does not matter much. With `--details` it also tells every call about
//! which the oracle says something else, with `--accuracy` nothing but the first table.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark ends when it cannot go on")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tapps_mcp::base::call::Call;
use tapps_mcp::coderef::engine::{ScanOptions, scan};
use tapps_mcp::coderef::model::Index;
use tapps_mcp::guard::Boundary;

#[path = "../tests/it/corpus.rs"]
mod corpus;
#[path = "../tests/accuracy/harness.rs"]
mod harness;

/// Set for the process that scans one tree, to the number of the tree.
const ONE: &str = "CODEREF_BENCH_TREE";
/// Scans of that process; what a clock of hundredths cannot tell of one it tells of several.
const SCANS: u32 = 5;

/// How often `src` of the largest package is laid side by side for a project of some 170,000 lines.
const COPIES: usize = 3;

fn main() {
    if let Some(one) = std::env::var_os(ONE) {
        return cost_of(one.to_str().unwrap().parse().unwrap());
    }
    accuracy();
    if std::env::args().any(|argument| argument == "--accuracy") {
        return;
    }
    println!("{:<14} {:>7} {:>8} {:>9} {:>9}  what", "tree", "files", "lines", "CPU s", "wall s");
    for package in ["query-core", "rxjs", "zod"] {
        let tree = copy(&corpus::dir(package).join("src"), 1);
        let runs = if package == "zod" { 5 } else { 10 };
        let ours = measure(package, tree.path(), runs);
        let (checker, wall) = checker(&corpus::dir(package));
        print(package, (0, 0), (checker, wall), &format!("TypeScript checker: {:.0} times a scan", checker / ours));
    }
    let tree = copy(&corpus::dir("zod").join("src"), COPIES);
    measure("large", tree.path(), 3);
    println!("peak memory of this process: {} MiB", status("VmHWM:") / 1024);
}

/// The first table: precision, recall, processor seconds and peak memory of a scan with nothing kept.
fn accuracy() {
    let details = std::env::args().any(|argument| argument == "--details");
    println!("{}  {:>7} {:>8}", harness::head(), "CPU s", "peak MiB");
    for (number, tree) in harness::TREES.iter().enumerate() {
        let row = tree.compare(&tree.scan());
        let output = Command::new(std::env::current_exe().unwrap()).env(ONE, number.to_string()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        println!("{row}  {}", String::from_utf8_lossy(&output.stdout).trim_end());
        if details {
            row.details.iter().for_each(|one| println!("  {one}"));
        }
    }
}

/// Prints what one scan of a tree costs, in a process that does nothing else.
fn cost_of(number: usize) {
    let tree = &harness::TREES[number];
    let (cpu, _) = timed(SCANS as usize, || drop(tree.scan()));
    println!("{cpu:>7.3} {:>8}", status("VmHWM:") / 1024);
}

/// Measures cold and warm scans of a tree; gives the processor seconds of a cold one.
fn measure(name: &str, root: &Path, runs: usize) -> f64 {
    let boundary = Boundary::open(root).unwrap();
    let fresh = ScanOptions { fresh: true, ..ScanOptions::default() };
    let index = take(&boundary, &fresh);
    let size = (index.files.len(), index.files.iter().map(|file| file.lines).sum());
    let cold = timed(runs, || drop(take(&boundary, &fresh)));
    print(name, size, cold, "scan, nothing kept");
    let kept = ScanOptions::default();
    assert_eq!(take(&boundary, &kept), index);
    print(name, size, timed(runs, || drop(take(&boundary, &kept))), "scan, nothing changed");
    let changed = boundary.root().join("copy0/changed.ts");
    let mut count = 0;
    let one = timed(runs, || {
        count += 1;
        std::fs::write(&changed, format!("export const changed = {count};\n")).unwrap();
        drop(take(&boundary, &kept));
    });
    print(name, size, one, "scan, one file changed");
    cold.0
}

fn print(name: &str, (files, lines): (usize, u32), (cpu, wall): (f64, f64), what: &str) {
    println!("{name:<14} {files:>7} {lines:>8} {cpu:>9.4} {wall:>9.4}  {what}");
}

fn take(boundary: &Boundary, options: &ScanOptions) -> Index {
    scan(boundary, options, &Call::quiet(Duration::from_secs(600))).unwrap()
}

/// Processor and wall seconds of one of `runs` turns.
fn timed(runs: usize, mut work: impl FnMut()) -> (f64, f64) {
    let (cpu, wall) = (ticks(13), Instant::now());
    (0..runs).for_each(|_| work());
    let each = 1.0 / f64::from(u32::try_from(runs).unwrap());
    ((ticks(13) - cpu) * each, wall.elapsed().as_secs_f64() * each)
}

/// Processor and wall seconds of the checker on the sources of a package.
fn checker(package: &Path) -> (f64, f64) {
    let (cpu, wall) = (ticks(15), Instant::now());
    let output = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accuracy/calls.cjs"))
        .arg(corpus::dir("typescript").join("lib/typescript.js"))
        .args([package, Path::new("src")])
        .output()
        .expect("node is needed to ask the checker");
    assert!(output.status.success());
    (ticks(15) - cpu, wall.elapsed().as_secs_f64())
}

/// Seconds in user and system mode: 13 for this process, 15 for its children that have ended.
fn ticks(field: usize) -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    let at = |index: usize| fields[index - 2].parse::<f64>().unwrap();
    (at(field) + at(field + 1)) / 100.0
}

/// A field of the process's status, in KiB.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// The scripts of a folder, several times side by side.
fn copy(from: &Path, copies: usize) -> tempfile::TempDir {
    let into = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> =
        ["ts", "tsx"].iter().flat_map(|ending| corpus::files(from, ending)).map(PathBuf::from).collect();
    for number in 0..copies {
        for file in &files {
            let target = into.path().join(format!("copy{number}")).join(file);
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            std::fs::copy(from.join(file), target).unwrap();
        }
    }
    into
}

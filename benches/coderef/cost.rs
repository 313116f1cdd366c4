//! What work costs: in this process, and in one that does nothing else.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tapps_base::call::Call;
use tapps_coderef::engine::{ScanOptions, scan};
use tapps_coderef::model::CodebaseIndex;
use tapps_sandbox::Boundary;

use crate::harness;

/// Set for the process that scans one tree, to the number of the tree or the path of a project.
const ONE: &str = "CODEREF_BENCH_TREE";
/// Further scans of that process; what a clock of hundredths cannot tell of one it tells of several.
const SCANS: usize = 5;

/// What one scan with nothing kept costs in a process of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) cpu: f64,
    pub(crate) mib: u64,
}

/// Scans and tells the cost when this is the process that is to do so.
pub(crate) fn is_child() -> bool {
    let Some(one) = std::env::var_os(ONE) else { return false };
    let one = one.to_str().unwrap();
    let mut work: Box<dyn FnMut()> = match one.parse::<usize>() {
        Ok(number) => Box::new(move || drop(harness::TREES[number].scan())),
        Err(_) => {
            let boundary = Boundary::open(Path::new(one)).unwrap();
            Box::new(move || drop(take(&boundary, true)))
        }
    };
    // The first scan shows what one needs; those after it would add what the allocator has not given back.
    work();
    let mib = status("VmHWM:") / 1024;
    let (cpu, _) = timed(SCANS, work);
    println!("{cpu} {mib}");
    true
}

/// The cost of scanning one of the measured trees.
pub(crate) fn of_tree(number: usize) -> Cost {
    alone(&number.to_string())
}

/// The cost of scanning a project.
pub(crate) fn of_project(root: &Path) -> Cost {
    alone(root.to_str().unwrap())
}

fn alone(what: &str) -> Cost {
    let output = Command::new(std::env::current_exe().unwrap()).env(ONE, what).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8(output.stdout).unwrap();
    let (cpu, mib) = told.trim().split_once(' ').unwrap();
    Cost { cpu: cpu.parse().unwrap(), mib: mib.parse().unwrap() }
}

/// A scan, of which nothing is known and kept when it is fresh.
pub(crate) fn take(boundary: &Boundary, fresh: bool) -> CodebaseIndex {
    scan(boundary, &ScanOptions { fresh, ..ScanOptions::default() }, &call()).unwrap()
}

pub(crate) fn call() -> Call {
    Call::quiet(Duration::from_secs(600))
}

/// Processor and wall seconds of one of `runs` turns.
pub(crate) fn timed(runs: usize, mut work: impl FnMut()) -> (f64, f64) {
    let (cpu, wall) = (ticks(13), Instant::now());
    (0..runs).for_each(|_| work());
    let each = 1.0 / f64::from(u32::try_from(runs).unwrap());
    ((ticks(13) - cpu) * each, wall.elapsed().as_secs_f64() * each)
}

/// The middle one of several takes, in wall seconds.
pub(crate) fn median(takes: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..takes)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Processor seconds of a child that runs to its end.
pub(crate) fn of_child(command: &mut Command) -> f64 {
    let before = ticks(15);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    ticks(15) - before
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

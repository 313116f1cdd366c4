//! Findings of Go, drawn by chance to be read one by one: `docs/calibration.md` says what came of reading them.
//!
//! `TAPPS_TEST_READ=FOLDER TAPPS_TEST_SEED=7 cargo test --test it go_reading -- --nocapture` prints a hundred of all findings as
//! frequent as they are, a hundred of `error-not-wrapped`, a hundred of all other rules, and a hundred of those of low confidence,
//! which are in no other, of the trees that stand in a folder.
//! Without a folder the published packages are read, and nothing is drawn.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tapps_base::digest;
use tapps_base::finding::Confidence;
use tapps_base::source::Source;
use tapps_rules::go;

use crate::corpus;
use crate::go_oracle::PACKAGES;
use crate::systems::{self, System};

/// Read by itself, since it has more findings than all others together.
const MOST_FREQUENT: &str = "error-not-wrapped";
/// As many as are read of each kind.
const DRAWN: usize = 100;
/// Findings beside the most frequent ones that a thousand lines of the published packages have at most.
const MOST_PER_THOUSAND_LINES: f64 = 0.6;

/// A rule and where it speaks.
type Told = (String, String);

/// What the rules say of trees, by how sure they are.
#[derive(Default)]
struct Reading {
    sure: Vec<Told>,
    doubted: Vec<Told>,
}

/// Adds what the rules say of a tree, measurements aside; returns how many lines it has.
fn read_tree(root: &Path, name: &str, reading: &mut Reading) -> usize {
    let version = go_version(root);
    let mut lines = 0;
    for file in corpus::files(root, "go") {
        let text = fs::read(root.join(&file)).unwrap();
        lines += text.split(|byte| *byte == b'\n').count();
        let shape = go::analyze_go(&Source::new(file.as_str(), text));
        for finding in shape.findings.into_iter().filter(|finding| finding.measure.is_none()) {
            let rule = finding.rule.rsplit(':').next().unwrap_or_default().to_owned();
            let is_over = go::mended_by(&finding.rule).is_some_and(|mended| version >= mended);
            if !is_over && rule != "syntax-error" {
                let told = if finding.confidence == Confidence::Low { &mut reading.doubted } else { &mut reading.sure };
                told.push((rule, format!("{name}/{file}:{}", finding.line)));
            }
        }
    }
    lines
}

/// The version that `go.mod` asks for, as in `go 1.21`; the newest where there is none.
fn go_version(root: &Path) -> go::GoVersion {
    let module = fs::read_to_string(root.join("go.mod")).unwrap_or_default();
    let line = module.lines().find_map(|line| line.strip_prefix("go 1."));
    (1, line.and_then(|rest| rest.split('.').next()?.trim().parse().ok()).unwrap_or(u32::MAX))
}

fn count_by_rule(told: &[Told]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for (rule, _) in told {
        *counts.entry(rule.as_str()).or_default() += 1;
    }
    counts
}

/// Some of all, in an order that the seed decides and nothing else.
fn draw(mut told: Vec<Told>, seed: &str) -> Vec<Told> {
    told.sort_by_key(|(rule, place)| digest::sha256(format!("{seed} {place} {rule}").as_bytes()));
    told.truncate(DRAWN);
    told.sort();
    told
}

fn print_drawn(root: &Path, reading: Reading, seed: &str) {
    let (frequent, others): (Vec<Told>, Vec<Told>) =
        reading.sure.iter().cloned().partition(|(rule, _)| rule == MOST_FREQUENT);
    for (title, kind) in
        [("all", reading.sure), ("others", others), (MOST_FREQUENT, frequent), ("low confidence", reading.doubted)]
    {
        println!("{title}: {} findings: {:?}", kind.len(), count_by_rule(&kind));
        for (rule, place) in draw(kind, seed) {
            println!("{rule} {}/{place}", root.display());
        }
    }
}

#[test]
fn published_go_is_told_little() {
    if let Some(root) = std::env::var_os("TAPPS_TEST_READ").map(PathBuf::from) {
        let seed = std::env::var("TAPPS_TEST_SEED").unwrap_or_default();
        let mut trees: Vec<PathBuf> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
        trees.sort();
        let mut reading = Reading::default();
        for tree in trees {
            read_tree(&tree, &tree.file_name().unwrap_or_default().to_string_lossy(), &mut reading);
        }
        print_drawn(&root, reading, &seed);
        return;
    }
    if systems::require(System::DebianMirror).is_none() {
        return;
    }
    let mut reading = Reading::default();
    let lines: usize = PACKAGES.iter().map(|package| read_tree(&corpus::dir(package), package, &mut reading)).sum();
    let told: Vec<Told> = reading.sure.into_iter().chain(reading.doubted).collect();
    println!("{lines} lines: {:?}", count_by_rule(&told));
    let others = told.iter().filter(|(rule, _)| rule != MOST_FREQUENT).count();
    #[expect(clippy::cast_precision_loss, reason = "both are far below 2^52")]
    let share = others as f64 * 1_000.0 / lines as f64;
    assert!(lines > 100_000 && share < MOST_PER_THOUSAND_LINES, "{others} findings in {lines} lines: {told:?}");
}

//! How long it takes to tell what a change of a file of django reaches: with nothing kept, with what an earlier program
//! has left on disk, and again in the same program.
//!
//! The yardstick is a walk over the same tree that reads every source file and nothing else.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on has failed, and prints"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tapps_base::call::Call;
use tapps_project::ProjectIndex;
use tapps_project::impact::{ChangeType, ImpactRequest};
use tapps_sandbox::Boundary;

#[path = "../tests/it/corpus.rs"]
mod corpus;

/// As in the programs.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    (work(), started.elapsed())
}

fn read_all(root: &Path) -> usize {
    corpus::files(root, "py").iter().map(|file| std::fs::read(root.join(file)).unwrap().len()).sum()
}

fn open(root: &Path) -> ProjectIndex {
    ProjectIndex::new(Arc::new(Boundary::open(root).unwrap()))
}

fn main() {
    let root = corpus::dir("django-source");
    let (_, cold) = timed(|| read_all(&root));
    let (bytes, reading) = timed(|| read_all(&root));
    println!("reading {} MB of django: {cold:?}, again {reading:?}", bytes >> 20);
    let left = root.join(".coderef");
    if left.is_dir() {
        std::fs::remove_dir_all(&left).unwrap();
    }
    let mut index = open(&root);
    for (file, symbol, anew) in [
        ("django/utils/html.py", None, false),
        ("django/core/paginator.py", None, true),
        ("django/db/models/query.py", None, false),
        ("django/utils/html.py", Some("escape"), false),
    ] {
        if anew {
            index = open(&root);
        }
        let request =
            ImpactRequest { file: file.into(), symbol: symbol.map(str::to_owned), change: ChangeType::Modified };
        let (impact, took) = timed(|| index.analyze_impact(&request, &Call::quiet(Duration::from_secs(60))).unwrap());
        let ratio = took.as_secs_f64() / reading.as_secs_f64();
        let how = if anew { ", in a new program" } else { "" };
        println!("{file}{how}: {took:?}, {ratio:.1} times the reading; {} affected", impact.total_affected);
    }
}

//! How long it takes to tell what a change of a file of django reaches: at first, and again.
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

use tapps_mcp::guard::Boundary;
use tapps_mcp::project::Index;
use tapps_mcp::project::impact::{ChangeType, ImpactRequest};

#[path = "../tests/it/corpus.rs"]
mod corpus;

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    (work(), started.elapsed())
}

fn read_all(root: &Path) -> usize {
    corpus::files(root, "py").iter().map(|file| std::fs::read(root.join(file)).unwrap().len()).sum()
}

fn main() {
    let root = corpus::dir("django-source");
    let (_, cold) = timed(|| read_all(&root));
    let (bytes, reading) = timed(|| read_all(&root));
    println!("reading {} MB of django: {cold:?}, again {reading:?}", bytes >> 20);
    let index = Index::new(Arc::new(Boundary::open(&root).unwrap()));
    for file in ["django/utils/html.py", "django/core/paginator.py", "django/db/models/query.py"] {
        let request = ImpactRequest { file: file.into(), symbol: None, change: ChangeType::Modified };
        let (impact, took) = timed(|| index.snapshot(&[]).unwrap().impact(&request).unwrap());
        let ratio = took.as_secs_f64() / reading.as_secs_f64();
        println!("{file}: {took:?}, {ratio:.1} times the reading; {} affected", impact.total_affected);
    }
}

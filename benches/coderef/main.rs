//! How right the call edges of real packages are and what a scan of them costs; then what scans and questions cost beside
//! other tools that read the same files in the same run, and what files cost that a generator has written.
//!
//! Costs are processor time, so that a busy machine does not matter much; questions are what somebody waits for, so they
//! are wall time. With `--details` the first table also tells every call about which the oracle says something else; with
//! `--accuracy` there is nothing but that table, with `--speed` nothing but the second, with `--generated` the third,
//! with `--duplicates` the fourth.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark ends when it cannot go on")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

mod anchors;
mod cost;
mod duplicates;
mod generated;
mod speed;

#[path = "../../tests/it/corpus.rs"]
mod corpus;
#[path = "../../tests/accuracy/harness.rs"]
mod harness;

/// As in the programs.
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    if cost::is_child() {
        return;
    }
    let asked = |word: &str| std::env::args().any(|argument| argument == word);
    let tables = ["--accuracy", "--speed", "--generated", "--duplicates"];
    let wanted = |table: &str| asked(table) || !tables.into_iter().any(asked);
    if wanted("--accuracy") {
        accuracy(asked("--details"));
    }
    if wanted("--speed") {
        speed::table();
    }
    if wanted("--generated") {
        generated::table();
    }
    if wanted("--duplicates") {
        duplicates::table();
    }
}

/// The first table: precision, recall, processor seconds and peak memory of a scan with nothing kept.
fn accuracy(details: bool) {
    println!("{} CPU s | peak MiB |", harness::head());
    println!("{} --- | --- |", harness::rule());
    for (number, tree) in harness::TREES.iter().enumerate() {
        let row = tree.compare(&tree.scan());
        let cost = cost::of_tree(number);
        println!("{row} {:.3} | {} |", cost.cpu, cost.mib);
        if details {
            row.details.iter().for_each(|one| println!("  {one}"));
        }
    }
    // Rows of Go are there where Go is.
    for row in which::which("go").map(|go| harness::measure_go(&go)).unwrap_or_default() {
        println!("{row} | |");
        if details {
            row.details().for_each(|one| println!("  {one}"));
        }
    }
}

//! How fast the program is, as ratios to the raw tools measured in the same run. Prints the table of
//! `docs/performance.md`; judges nothing.
//!
//! `cargo bench --bench speed` measures everything, `cargo bench --bench speed -- soak` makes thousands of mixed calls and
//! watches memory and processes. `TAPPS_BENCH_ROUNDS` says how often each single figure is taken (default 15).
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that cannot be taken has no result")]

mod batch;
#[path = "../../tests/it/corpus.rs"]
mod corpus;
mod project;
mod raw;
mod server;
mod single;
mod soak;
mod table;

fn main() {
    let tools = raw::Tools::installed();
    if std::env::args().any(|argument| argument == "soak") {
        soak::run();
        return;
    }
    let mut table = table::Table::default();
    single::measure(&tools, &mut table);
    for package in ["rich", "django"] {
        batch::measure(package, &tools, &mut table);
    }
    table.print();
}

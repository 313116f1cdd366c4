//! How fast the program is, as ratios to the raw tools measured in the same run. Prints the table of
//! `docs/performance.md`; judges nothing.
//!
//! `cargo bench --bench speed` measures everything, `cargo bench --bench speed -- soak` makes thousands of mixed calls and
//! watches memory and processes, `-- change` compares the verdict on a change with that on whole files, `-- security` compares bandit's tests with the locked bandit, `-- script` compares the full score of an edited script with the servers of an editor, `-- million` scores a
//! repository of a million lines without tools, `-- rich` measures that package alone. `TAPPS_BENCH_ROUNDS` says how often each single figure is taken (default 15).
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a measurement that cannot be taken has no result")]

mod batch;
mod change;
#[path = "../../tests/it/corpus.rs"]
mod corpus;
#[path = "../../tests/it/locked_crate.rs"]
mod locked_crate;
mod million;
mod project;
mod raw;
mod script;
mod security;
mod server;
mod single;
mod soak;
mod table;

fn main() {
    let asked = |word: &str| std::env::args().any(|argument| argument == word);
    if asked("million") {
        return million::run();
    }
    let tools = raw::Tools::installed();
    if asked("soak") {
        return soak::run();
    }
    if asked("change") {
        return change::run();
    }
    if asked("security") {
        return security::run(&tools);
    }
    if asked("script") {
        return script::run(&tools);
    }
    let mut table = table::Table::default();
    let packages: Vec<&str> = ["rich", "django"].into_iter().filter(|package| asked(package)).collect();
    if packages.is_empty() {
        single::measure(&tools, &mut table);
    }
    for package in if packages.is_empty() { vec!["rich", "django"] } else { packages } {
        batch::measure(package, &tools, &mut table);
    }
    table.print();
}

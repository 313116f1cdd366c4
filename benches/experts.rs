//! What a consultation costs: the first one, which makes the index, and those after it.
//!
//! `cargo bench --bench experts` asks every question of `tests/experts/questions.json`; prints wall time in milliseconds,
//! and how many times the 20 ms that a consultation may take go into it.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and ends when it cannot go on")]

use std::sync::Arc;
use std::time::Instant;

use tapps_mcp::experts::{Asked, Library, Question};
use tapps_mcp::guard::Boundary;

/// What a consultation may take, in milliseconds.
const BAR: f64 = 20.0;
const ROUNDS: usize = 5;

fn main() {
    let asked: Vec<Asked> = serde_json::from_str(include_str!("../tests/experts/questions.json")).unwrap();
    let project = tempfile::tempdir().unwrap();
    let library = Library::new(Arc::new(Boundary::open(project.path()).unwrap()));
    let timed = |text: &str| {
        let begun = Instant::now();
        library.experts().ask(&Question { text: text.to_owned(), ..Question::default() }).unwrap();
        begun.elapsed().as_secs_f64() * 1_000.0
    };
    let first = timed(&asked[0].question);
    let mut times: Vec<f64> = (0..ROUNDS).flat_map(|_| &asked).map(|one| timed(&one.question)).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!("{:>10} {:>10} {:>10} {:>10} {:>10}", "questions", "first", "p50", "p95", "20 ms/p95");
    println!("{:>10} {first:>10.1} {:>10.2} {:>10.2} {:>9.1}x", asked.len(), at(50), at(95), BAR / at(95));
}

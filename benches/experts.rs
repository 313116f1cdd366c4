//! What a consultation costs: the first one, which makes the index, and those after it.
//!
//! `cargo bench --bench experts` asks every question of `tests/experts/questions.json`; prints wall time in milliseconds,
//! and how many times the 20 ms that a consultation may take go into it. With `--features vector`, and the folder of a model
//! in `TAPPS_MCP_EXPERTS_MODEL`, it asks in the two other ways too.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and ends when it cannot go on")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use tapps_config::SearchMode;
use tapps_experts::{EvaluationQuestion, ExpertLibrary, ExpertQuestion, SearchBackend};
use tapps_sandbox::Boundary;

/// What a consultation may take, in milliseconds.
const BAR: f64 = 20.0;
const ROUNDS: usize = 5;

fn main() {
    let asked: Vec<EvaluationQuestion> = serde_json::from_str(include_str!("../tests/experts/questions.json")).unwrap();
    let model = std::env::var_os("TAPPS_MCP_EXPERTS_MODEL").map(PathBuf::from);
    println!("{:>10} {:>10} {:>10} {:>10} {:>10} {:>10}", "search", "questions", "first", "p50", "p95", "20 ms/p95");
    for mode in [SearchMode::Lexical, SearchMode::Vector, SearchMode::Hybrid] {
        if mode == SearchMode::Lexical || model.is_some() {
            measure(mode, model.clone(), &asked);
        }
    }
}

fn measure(mode: SearchMode, model: Option<PathBuf>, asked: &[EvaluationQuestion]) {
    let project = tempfile::tempdir().unwrap();
    let search = SearchBackend::new(mode, model, None);
    let library = ExpertLibrary::new(Arc::new(Boundary::open(project.path()).unwrap())).with_search(search);
    let timed = |text: &str| {
        let begun = Instant::now();
        let answer = library
            .current_experts()
            .ask(&ExpertQuestion { text: text.to_owned(), ..ExpertQuestion::default() })
            .unwrap();
        assert!(answer.search.is_none_or(|searched| searched.mode == mode), "the model cannot be used");
        begun.elapsed().as_secs_f64() * 1_000.0
    };
    let first = timed(&asked[0].question);
    let mut times: Vec<f64> = (0..ROUNDS).flat_map(|_| asked).map(|one| timed(&one.question)).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    let (count, p50, p95) = (asked.len(), at(50), at(95));
    println!("{:>10} {count:>10} {first:>10.1} {p50:>10.2} {p95:>10.2} {:>9.1}x", mode.as_str(), BAR / p95);
}

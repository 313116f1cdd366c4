//! What looking a library up costs in a server that has read it once, and in a process that begins.
//!
//! `cargo bench --bench docs -- PROJECT [LIBRARY…]` asks in a project with an environment; prints wall time in
//! milliseconds, and how many times the 20 ms that a hit may take go into it.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and ends when it cannot go on")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tapps_mcp::base::call::Call;
use tapps_mcp::base::store::Store;
use tapps_mcp::docs::bundle::Shelf;
use tapps_mcp::docs::lookup::{Docs, LookupRequest};
use tapps_mcp::guard::Boundary;

/// What a hit may take, in milliseconds.
const BAR: f64 = 20.0;
const QUESTIONS: [&str; 5] =
    ["how do I stream a response", "retry on failure", "Session", "validate a field", "Respons"];

fn main() {
    let mut asked = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(project) = asked.next() else {
        println!("name a project: cargo bench --bench docs -- PROJECT [LIBRARY…]");
        return;
    };
    let libraries: Vec<String> = asked.collect();
    let store = tempfile::tempdir().unwrap();
    println!("{:20} {:>12} {:>10} {:>10} {:>10} {:>8}", "library", "extraction", "new", "p50", "p95", "20 ms/p95");
    for library in &libraries {
        let first = timed(&docs(&project, store.path()), library, QUESTIONS[0]);
        let begun = timed(&docs(&project, store.path()), library, QUESTIONS[0]);
        let ready = docs(&project, store.path());
        timed(&ready, library, QUESTIONS[0]);
        let mut times: Vec<f64> =
            (0..200).flat_map(|_| QUESTIONS).map(|question| timed(&ready, library, question)).collect();
        times.sort_by(f64::total_cmp);
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!("{library:20} {first:>12.1} {begun:>10.1} {:>10.2} {:>10.2} {:>7.1}x", at(50), at(95), BAR / at(95));
    }
}

fn docs(project: &str, store: &Path) -> Docs {
    let boundary = Arc::new(Boundary::open(Path::new(project)).unwrap());
    Docs::new(boundary, Some(Store::new(store, 1 << 30)), Shelf::default())
}

fn timed(docs: &Docs, library: &str, topic: &str) -> f64 {
    let request =
        LookupRequest { library: library.to_owned(), topic: Some(topic.to_owned()), ..LookupRequest::default() };
    let begun = Instant::now();
    docs.lookup(&request, &Call::quiet(Duration::from_secs(120))).unwrap();
    begun.elapsed().as_secs_f64() * 1_000.0
}

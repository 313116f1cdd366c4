//! What looking libraries up costs, beside its bars: extraction of a large wheel; then every library that a real uv.lock
//! and package-lock.json pin, as it is installed, out of a bundle and out of the cache of Context7's answers.
//!
//! `cargo bench --bench docs` fetches what it needs by the digests of `tests/corpus.lock.json` and by the lock files in
//! `tests/fixtures/docs`, into the build folder. `-- --project DIR` measures the libraries of another project as they are
//! installed there. Wall time in milliseconds.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a benchmark prints and may end")]

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use tapps_docs::bundle::{Shelf, from_wheel};
use tapps_docs::lookup::{DocsOrigin, DocsService};
use tapps_project::versions::Pins;
use tapps_sandbox::Boundary;
use tapps_store::EntryStore;

mod answers;
#[path = "../../tests/it/corpus.rs"]
#[expect(dead_code, reason = "of the corpus only its archives are needed")]
mod corpus;
#[path = "../../tests/it/docs_project.rs"]
mod docs_project;
#[path = "../../tests/it/systems.rs"]
#[expect(dead_code, reason = "a benchmark asks for Node alone, and has no tests")]
mod systems;
mod times;

use answers::{QUESTIONS, ask, kept_answers};
use times::{Times, figure, head, milliseconds, row};

/// What extraction of django's wheel may take, and the 95th percentile of a hit, in milliseconds.
const EXTRACTION: f64 = 1_500.0;
const HIT: f64 = 20.0;
/// How often each question is asked about each library.
const ROUNDS: usize = 10;

fn main() -> ExitCode {
    // Whatever else `cargo bench` hands to all benchmarks is meant for others.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let project = arguments.iter().position(|argument| argument == "--project").map(|at| arguments.get(at + 1));
    match project {
        None => measured(),
        Some(Some(project)) if Path::new(project).is_dir() => {
            let boundary = Arc::new(Boundary::open(Path::new(project)).unwrap());
            let pins = Pins::of_project(&boundary).unwrap();
            let libraries: Vec<String> =
                pins.iter().map(|pin| format!("{}:{}", pin.ecosystem.as_str(), pin.library)).collect();
            head(&["installed"]);
            installed(&boundary, &libraries).iter().zip(&libraries).for_each(|(times, name)| row(name, &[times]));
        }
        Some(other) => {
            println!("--project needs a folder, not {:?}", other.map(String::as_str).unwrap_or_default());
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// The project of the fixtures, and the wheel.
fn measured() {
    let wheel = fs::read(docs_project::archive("django")).unwrap();
    let extraction = Times::of((0..5).map(|_| milliseconds(|| drop(from_wheel(&wheel).unwrap()))));

    // Hard links need the file system of what they lead to.
    let work = tempfile::tempdir_in(corpus::root()).unwrap();
    let (full, bare, shelf) = (work.path().join("full"), work.path().join("bare"), work.path().join("bundles"));
    for folder in [&full, &bare] {
        fs::create_dir(folder).unwrap();
    }
    let pins = docs_project::project(&full);
    docs_project::locks(&bare);
    let shelf = Shelf::new(vec![shelf]);
    docs_project::bundles(&full, &pins, &shelf);
    let names: Vec<String> = pins.iter().map(|(ecosystem, library, _)| format!("{ecosystem}:{library}")).collect();

    let boundary = Arc::new(Boundary::open(&full).unwrap());
    let bare = Arc::new(Boundary::open(&bare).unwrap());
    let installed = installed(&boundary, &names);
    let bundled = each(&names, || DocsService::new(Arc::clone(&bare), None, shelf.clone()), DocsOrigin::Bundle);
    let cached = kept_answers(&bare, &work.path().join("answers"), &pins);

    head(&["installed", "bundle", "cache"]);
    for (at, (_, library, version)) in pins.iter().enumerate() {
        row(&format!("{library} {version}"), &[&installed[at], &bundled[at], &cached[at]]);
    }
    let django = names.iter().position(|name| name == "python:django").unwrap();
    println!("\n{:<68} {:>10} {:>10}", "what", "ms", "bar");
    figure("extraction of django's wheel, median of 5", extraction.share(50), Some(EXTRACTION));
    figure("django, installed: first answer, nothing kept", installed[django].first, Some(EXTRACTION));
    figure("django, installed: first answer of a new process", installed[django].begun, None);
    let count = names.len() * ROUNDS * QUESTIONS.len();
    for (what, times) in [("an installed package", &installed), ("a bundle", &bundled), ("the cache", &cached)] {
        let all = Times::of(times.iter().flat_map(|times| times.hits.iter().copied()));
        figure(&format!("a hit, {what}: p50 of {count}"), all.share(50), None);
        figure(&format!("a hit, {what}: p95 of {count}"), all.share(95), Some(HIT));
        let slowest = times.iter().map(|times| times.share(95)).fold(0.0, f64::max);
        figure(&format!("a hit, {what}: p95 of the slowest library"), slowest, Some(HIT));
    }
    let full = DocsService::new(boundary, None, Shelf::default());
    figure("a hit, all installed packages in turn: p95", in_turn(&full, &names).share(95), Some(HIT));
    let bundles = DocsService::new(bare, None, shelf);
    figure("a hit, all bundles in turn: p95", in_turn(&bundles, &names).share(95), Some(HIT));
}

/// Libraries as they are installed: extracted, found extracted by a new process, asked again and again.
fn installed(boundary: &Arc<Boundary>, names: &[String]) -> Vec<Times> {
    let store = tempfile::tempdir().unwrap();
    let docs =
        || DocsService::new(Arc::clone(boundary), Some(EntryStore::new(store.path(), 1 << 30)), Shelf::default());
    each(names, docs, DocsOrigin::Environment)
}

/// The times of each library, of `docs` that are made anew for it.
fn each(names: &[String], docs: impl Fn() -> DocsService, from: DocsOrigin) -> Vec<Times> {
    let times = names.iter().map(|name| {
        let first = ask(&docs(), name, QUESTIONS[0], from);
        let ready = docs();
        let begun = ask(&ready, name, QUESTIONS[0], from);
        let hits = (0..ROUNDS).flat_map(|_| QUESTIONS).map(|question| ask(&ready, name, question, from));
        Times { first, begun, ..Times::of(hits) }
    });
    times.collect()
}

/// One library after the other, so that none can stay ready by being asked about alone.
fn in_turn(docs: &DocsService, names: &[String]) -> Times {
    for name in names {
        answers::once(docs, name, QUESTIONS[0]);
    }
    Times::of(QUESTIONS.into_iter().flat_map(|question| {
        names.iter().map(move |name| {
            let begun = Instant::now();
            answers::once(docs, name, question);
            begun.elapsed().as_secs_f64() * 1_000.0
        })
    }))
}

//! What looking a library up costs in a server that has read it once, and in a process that begins; what an answer out
//! of a bundle and out of the cache costs.
//!
//! `cargo bench --bench docs -- PROJECT [LIBRARY…]` asks in a project with an environment, of all its locked libraries
//! when none is named; prints wall time in milliseconds, and how many times the 20 ms that a hit may take go into it.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints, and ends when it cannot go on")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tapps_mcp::base::call::Call;
use tapps_mcp::base::clock;
use tapps_mcp::base::store::Store;
use tapps_mcp::docs::bundle::{Shelf, pack};
use tapps_mcp::docs::cache::{Cache, Key, class_of};
use tapps_mcp::docs::context7::{Settings, Snippet};
use tapps_mcp::docs::lookup::{Docs, LookupRequest, Remote, Source};
use tapps_mcp::docs::symbol::{Ecosystem, FORMAT, Guide, Index};
use tapps_mcp::docs::versions::Pins;
use tapps_mcp::guard::Boundary;

/// What a hit may take, in milliseconds.
const BAR: f64 = 20.0;
const QUESTIONS: [&str; 5] =
    ["how do I stream a response", "retry on failure", "Session", "validate a field", "Respons"];
/// Sections of the made-up bundle, and snippets of the made-up answer.
const SECTIONS: usize = 2_000;
const SNIPPETS: usize = 40;

fn main() {
    let mut asked = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let project = asked.next();
    let libraries: Vec<String> = asked.collect();
    println!("{:24} {:>10} {:>10} {:>10} {:>10} {:>9}", "library", "extraction", "new", "p50", "p95", "20 ms/p95");
    match &project {
        Some(project) => environment(project, libraries),
        None => println!("name a project for more: cargo bench --bench docs -- PROJECT [LIBRARY…]"),
    }
    bundle();
    cache();
}

/// What is installed in a project.
fn environment(project: &str, mut libraries: Vec<String>) {
    let boundary = Arc::new(Boundary::open(Path::new(project)).unwrap());
    if libraries.is_empty() {
        let pins = Pins::of_project(&boundary).unwrap();
        libraries.extend(pins.iter().map(|pin| format!("{}:{}", pin.ecosystem.as_str(), pin.library)));
    }
    let store = tempfile::tempdir().unwrap();
    let docs = || Docs::new(Arc::clone(&boundary), Some(Store::new(store.path(), 1 << 30)), Shelf::default());
    let mut all = Vec::new();
    for library in &libraries {
        let first = timed(&docs(), library, QUESTIONS[0]);
        let begun = timed(&docs(), library, QUESTIONS[0]);
        let ready = docs();
        timed(&ready, library, QUESTIONS[0]);
        let times: Vec<f64> =
            (0..40).flat_map(|_| QUESTIONS).map(|question| timed(&ready, library, question)).collect();
        print(library, Some((first, begun)), &times);
        all.extend(times);
    }
    print("all of them", None, &all);
}

/// A hit in a bundle.
fn bundle() {
    let folder = tempfile::tempdir().unwrap();
    let guide = |at: usize| Guide {
        file: format!("docs/{at}.md"),
        heading: format!("Part {at}: {}", QUESTIONS[at % QUESTIONS.len()]),
        text: format!("{} and what else there is to say about part {at}. ", QUESTIONS[at % 3]).repeat(8),
    };
    let index = Index {
        format: FORMAT,
        ecosystem: Ecosystem::Python,
        library: "demo".into(),
        version: "1.0".into(),
        source_sha256: String::new(),
        symbols: Vec::new(),
        guides: (0..SECTIONS).map(guide).collect(),
    };
    let shelf = Shelf::new(vec![folder.path().to_owned()]);
    shelf.put(&index, &pack(&index).unwrap()).unwrap();
    let docs = || Docs::new(Arc::new(Boundary::open(folder.path()).unwrap()), None, shelf.clone());
    let (first, ready) = (timed(&docs(), "demo", QUESTIONS[0]), docs());
    timed(&ready, "demo", QUESTIONS[0]);
    let times: Vec<f64> = (0..100).flat_map(|_| QUESTIONS).map(|question| timed(&ready, "demo", question)).collect();
    print("a bundle", Some((first, first)), &times);
}

/// A hit in the cache of Context7's answers, with connections forbidden.
fn cache() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("requirements.txt"), "demo==1.0\n").unwrap();
    let settings = Settings { offline: true, ..Settings::default() };
    let cache = Cache::new(&folder.path().join("kept"), 64 << 20, clock::system());
    let url = settings.base_url.clone();
    let library = serde_json::json!([{
        "id": "/demo/demo", "title": "Demo", "description": "", "versions": ["1.0"], "snippets": 1, "trust": null, "ready": true
    }]);
    let life = class_of("demo", Some("1.0")).lifetime();
    let key = Key::of(&["context7", "libraries", &url, "demo"]);
    cache.put(&key, library.to_string().as_bytes(), life).unwrap();
    let snippet = |at: usize| Snippet {
        title: format!("Example {at}"),
        text: "What the example shows, in two or three lines of prose. ".repeat(4),
        code: Some("result = demo.run(first, second)\nprint(result)\n".repeat(12)),
        language: Some("python".into()),
        source: Some(format!("https://docs.example/{at}")),
    };
    let answer = tapps_mcp::docs::context7::Docs {
        library_id: "/demo/demo".into(),
        version: Some("1.0".into()),
        snippets: (0..SNIPPETS).map(snippet).collect(),
        tokens: 0,
        truncated: false,
    };
    for question in QUESTIONS {
        let key = Key::of(&["context7", "context", &url, "/demo/demo", "1.0", question, "code"]);
        cache.put(&key, &serde_json::to_vec(&answer).unwrap(), life).unwrap();
    }
    let boundary = Arc::new(Boundary::open(folder.path()).unwrap());
    let remote = Remote::new(cache, settings, clock::system());
    let docs = Arc::new(Docs::new(boundary, None, Shelf::default()).asking(remote));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let ask = |question: &str| {
        let begun = Instant::now();
        let answer = runtime.block_on(docs.answer(request("demo", question), call())).unwrap();
        assert_eq!(answer.source, Source::Cache);
        begun.elapsed().as_secs_f64() * 1_000.0
    };
    let first = ask(QUESTIONS[0]);
    let times: Vec<f64> = (0..100).flat_map(|_| QUESTIONS).map(ask).collect();
    print("the cache", Some((first, first)), &times);
}

fn request(library: &str, topic: &str) -> LookupRequest {
    LookupRequest { library: library.to_owned(), topic: Some(topic.to_owned()), ..LookupRequest::default() }
}

fn call() -> Call {
    Call::quiet(Duration::from_secs(120))
}

fn timed(docs: &Docs, library: &str, topic: &str) -> f64 {
    let begun = Instant::now();
    docs.lookup(&request(library, topic), &call()).unwrap();
    begun.elapsed().as_secs_f64() * 1_000.0
}

fn print(what: &str, begun: Option<(f64, f64)>, times: &[f64]) {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    let [first, new] = match begun {
        Some((first, new)) => [format!("{first:.1}"), format!("{new:.1}")],
        None => [String::new(), String::new()],
    };
    println!("{what:24} {first:>10} {new:>10} {:>10.2} {:>10.2} {:>8.1}x", at(50), at(95), BAR / at(95));
}

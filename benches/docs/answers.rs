//! Asking, and answers of Context7 as the cache keeps them.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tapps_base::call::Call;
use tapps_base::clock;
use tapps_docs::bundle::Shelf;
use tapps_docs::cache::{DocsCache, DocsCacheKey, class_of};
use tapps_docs::context7::{Context7Docs as Said, Context7Settings, Snippet};
use tapps_docs::lookup::{DocsOrigin, DocsService, LookupAnswer, LookupRequest, Remote};
use tapps_sandbox::Boundary;

use crate::ROUNDS;
use crate::docs_project::Pinned;
use crate::times::Times;

pub(crate) const QUESTIONS: [&str; 5] =
    ["how do I stream a response", "retry on failure", "Session", "validate a field", "Respons"];
/// Snippets of a made-up answer.
const SNIPPETS: usize = 40;

fn request(library: &str, topic: &str) -> LookupRequest {
    LookupRequest { library: library.to_owned(), topic: Some(topic.to_owned()), ..LookupRequest::default() }
}

fn call() -> Call {
    Call::quiet(Duration::from_secs(120))
}

pub(crate) fn once(docs: &DocsService, library: &str, topic: &str) -> LookupAnswer {
    docs.lookup_locally(&request(library, topic), &call()).unwrap()
}

/// The milliseconds of one answer, which has to come from there.
pub(crate) fn ask(docs: &DocsService, library: &str, topic: &str, from: DocsOrigin) -> f64 {
    let begun = Instant::now();
    let answer = once(docs, library, topic);
    let took = begun.elapsed().as_secs_f64() * 1_000.0;
    assert_eq!((answer.source, answer.exact), (from, true), "{library}");
    took
}

/// Answers about every library put into a cache, and the times of reading them with connections forbidden.
pub(crate) fn kept_answers(project: &Arc<Boundary>, folder: &Path, pins: &[Pinned]) -> Vec<Times> {
    let settings = Context7Settings { offline: true, ..Context7Settings::default() };
    let cache = DocsCache::new(folder, 256 << 20, clock::system());
    for (number, (_, library, version)) in pins.iter().enumerate() {
        keep(&cache, &settings.base_url, (&format!("/bench/{number}"), library, version));
    }
    let remote = Remote::new(cache, settings, clock::system());
    let docs = Arc::new(DocsService::new(Arc::clone(project), None, Shelf::default()).with_remote(remote));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let ask = |library: &str, question: &str| {
        let begun = Instant::now();
        let answer = runtime.block_on(docs.answer_question(request(library, question), call())).unwrap();
        let took = begun.elapsed().as_secs_f64() * 1_000.0;
        assert_eq!((answer.source, answer.exact), (DocsOrigin::Cache, true), "{library}");
        took
    };
    let times = pins.iter().map(|(ecosystem, library, _)| {
        let name = format!("{ecosystem}:{library}");
        let first = ask(&name, QUESTIONS[0]);
        let hits = (0..ROUNDS).flat_map(|_| QUESTIONS).map(|question| ask(&name, question));
        Times { first, begun: first, ..Times::of(hits) }
    });
    times.collect()
}

/// Keeps what Context7 would say about a library and to each question.
fn keep(cache: &DocsCache, url: &str, (id, library, version): (&str, &str, &str)) {
    let found = json!([{
        "id": id, "title": library, "description": "", "versions": [version], "snippets": SNIPPETS, "trust": null, "ready": true
    }]);
    let life = class_of(library, Some(version)).lifetime();
    let key = DocsCacheKey::from_parts(&["context7", "libraries", url, library]);
    cache.put(&key, found.to_string().as_bytes(), life).unwrap();
    let snippet = |at: usize| Snippet {
        title: format!("Example {at}"),
        text: "What the example shows, in two or three lines of prose. ".repeat(4),
        code: Some("result = demo.run(first, second)\nprint(result)\n".repeat(12)),
        language: Some("python".into()),
        source: Some(format!("https://docs.example/{at}")),
    };
    let said = Said {
        library_id: id.into(),
        version: Some(version.into()),
        snippets: (0..SNIPPETS).map(snippet).collect(),
        tokens: 0,
        truncated: false,
    };
    for question in QUESTIONS {
        let key = DocsCacheKey::from_parts(&["context7", "context", url, id, version, question, "code"]);
        cache.put(&key, &serde_json::to_vec(&said).unwrap(), life).unwrap();
    }
}

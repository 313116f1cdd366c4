//! Looking libraries up in a project: versions, names, topics, budgets, hostile input.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tapps_mcp::base::ErrorCode;
use tapps_mcp::base::call::Call;
use tapps_mcp::base::store::Store;
use tapps_mcp::docs::bundle::{Shelf, pack};
use tapps_mcp::docs::lookup::{Answer, Docs, LookupRequest, Mode, Source};
use tapps_mcp::docs::symbol::{Ecosystem, FORMAT, Index};
use tapps_mcp::guard::Boundary;

use super::corpus;

/// A project with a lock file and an environment of real wheels.
struct Project {
    folder: tempfile::TempDir,
    bundles: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join(".venv/lib/python3.13/site-packages");
        fs::create_dir_all(&site).unwrap();
        for wheel in ["starlette", "requests-wheel", "click"] {
            copy(&corpus::dir(wheel), &site);
        }
        let lock = "version = 1\n\
            [[package]]\nname = \"starlette\"\nversion = \"0.50.0\"\nsource = { registry = \"r\" }\n\
            wheels = [{ hash = \"sha256:9e5391843ec9b6e472eed1365a78c8098cfceb7a74bfd4d6b1c0c0095efb3bca\" }]\n\
            [[package]]\nname = \"requests\"\nversion = \"2.32.5\"\nsource = { registry = \"r\" }\n\
            [[package]]\nname = \"click\"\nversion = \"9.9.9\"\nsource = { registry = \"r\" }\n";
        fs::write(folder.path().join("uv.lock"), lock).unwrap();
        Self { folder, bundles: tempfile::tempdir().unwrap() }
    }

    fn docs(&self) -> Docs {
        let store = Store::new(&self.bundles.path().join("store"), 64 << 20);
        let shelf = Shelf::new(vec![self.bundles.path().to_owned()]);
        Docs::new(Arc::new(Boundary::open(self.folder.path()).unwrap()), Some(store), shelf)
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn call() -> Call {
    Call::quiet(Duration::from_secs(120))
}

fn ask(docs: &Docs, library: &str, topic: &str) -> Answer {
    let topic = (!topic.is_empty()).then(|| topic.to_owned());
    let request = LookupRequest { library: library.to_owned(), topic, ..LookupRequest::default() };
    docs.lookup(&request, &call()).unwrap()
}

#[test]
fn a_question_a_name_and_a_slip_of_the_pen_find_what_is_meant() {
    let project = Project::new();
    let docs = project.docs();
    let answer = ask(&docs, "starlette", "how do I stream a response?");
    assert_eq!(answer.symbols[0].path, "starlette.responses.StreamingResponse");
    assert_eq!((answer.version.as_str(), answer.source, answer.exact), ("0.50.0", Source::Environment, true));
    assert_eq!(answer.provenance.of, "starlette-0.50.0.dist-info/RECORD");
    assert_eq!(answer.provenance.sha256.len(), 64);
    assert_eq!(answer.provenance.pinned_by.as_deref(), Some("uv.lock"));
    assert_eq!(answer.provenance.locked.len(), 1);

    let answer = ask(&docs, "requets", "Session.get");
    assert_eq!((answer.library.as_str(), answer.corrected_from.as_deref()), ("requests", Some("requets")));
    assert_eq!(answer.symbols[0].path, "requests.Session.get");
    assert_eq!(answer.symbols[0].signature, "get(url, **kwargs)");

    let answer = ask(&docs, "starlette", "StreamingRespons");
    assert_eq!(answer.symbols[0].path, "starlette.responses.StreamingResponse");
    assert!(
        answer
            .note
            .as_deref()
            .unwrap()
            .starts_with("`StreamingRespons`: Not in 0.50.0; nearest: starlette.responses.StreamingResponse")
    );

    // The second process finds what the first has extracted.
    assert_eq!(ask(&project.docs(), "starlette", "StreamingResponse"), ask(&docs, "starlette", "StreamingResponse"));
}

#[test]
fn no_version_stands_in_for_another_unless_it_may() {
    let project = Project::new();
    let docs = project.docs();
    let mut request =
        LookupRequest { library: "click".to_owned(), topic: Some("Group".to_owned()), ..LookupRequest::default() };
    let error = docs.lookup(&request, &call()).unwrap_err();
    assert_eq!((error.code(), error.message()), (ErrorCode::VersionUnavailable, "click 9.9.9 is not on this machine"));
    assert!(error.body().hint.as_deref().unwrap().starts_with("nearest: 8.3.0;"), "{:?}", error.body().hint);
    request.allow_nearest = true;
    let answer = docs.lookup(&request, &call()).unwrap();
    assert_eq!((answer.version.as_str(), answer.exact), ("8.3.0", false));
    assert_eq!(answer.note.as_deref(), Some("click 9.9.9 is not on this machine; this is 8.3.0"));
    assert!(answer.provenance.locked.is_empty());
    let error =
        docs.lookup(&LookupRequest { library: "torch".to_owned(), ..LookupRequest::default() }, &call()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
}

#[test]
fn a_name_that_only_another_version_has_is_told_of() {
    let project = Project::new();
    let mut symbol = {
        let answer = ask(&project.docs(), "requests", "Session");
        assert_eq!(answer.symbols[0].path, "requests.Session");
        tapps_mcp::docs::symbol::Symbol {
            path: "requests.TurboSession".to_owned(),
            kind: answer.symbols[0].kind,
            signature: "TurboSession()".to_owned(),
            overloads: Vec::new(),
            doc: String::new(),
            since: None,
            deprecated: None,
            example: None,
            details: String::new(),
            aliases: Vec::new(),
            file: "requests/turbo.py".to_owned(),
            line: 1,
        }
    };
    let mut index = Index {
        format: FORMAT,
        ecosystem: Ecosystem::Python,
        library: "requests".to_owned(),
        version: "3.0.0".to_owned(),
        source_sha256: "00".to_owned(),
        symbols: vec![symbol.clone()],
        guides: Vec::new(),
    };
    Shelf::new(vec![project.bundles.path().to_owned()]).put(&index, &pack(&index).unwrap()).unwrap();
    let docs = project.docs();
    let answer = ask(&docs, "requests", "TurboSession");
    assert_eq!((answer.version.as_str(), answer.exact), ("2.32.5", true));
    let note = answer.note.unwrap();
    assert!(note.starts_with("`TurboSession`: Not in 2.32.5; 3.0.0 has it; nearest:"), "{note}");

    let request = LookupRequest {
        library: "requests".to_owned(),
        version: Some("3.0.0".to_owned()),
        topic: Some("TurboSession".to_owned()),
        ..LookupRequest::default()
    };
    let answer = docs.lookup(&request, &call()).unwrap();
    assert_eq!((answer.source, answer.symbols[0].signature.as_str()), (Source::Bundle, "TurboSession()"));

    // A bundle that holds something else than its name says is refused, and nothing else is answered instead.
    symbol.path = "requests.Other".to_owned();
    index.symbols = vec![symbol];
    index.version = "4.0.0".to_owned();
    fs::write(project.bundles.path().join("python+requests+5.0.0.docs.zip"), pack(&index).unwrap()).unwrap();
    let request = LookupRequest { version: Some("5.0.0".to_owned()), ..request };
    assert_eq!(docs.lookup(&request, &call()).unwrap_err().code(), ErrorCode::CorruptedData);
}

#[test]
fn an_answer_keeps_to_its_budget_and_to_its_mode() {
    let project = Project::new();
    let docs = project.docs();
    for (tokens, mode) in [(150, Mode::Code), (600, Mode::Code), (600, Mode::Info), (5_000, Mode::Info)] {
        let request = LookupRequest {
            library: "requests".to_owned(),
            topic: Some("send a request with a timeout".to_owned()),
            mode,
            max_tokens: Some(tokens),
            ..LookupRequest::default()
        };
        let answer = docs.lookup(&request, &call()).unwrap();
        // One symbol is given whatever it takes.
        assert!(
            answer.token_estimate <= tokens + 60 || answer.symbols.len() + answer.snippets.len() == 1,
            "{tokens}: {}",
            answer.token_estimate
        );
        assert!(!answer.symbols.is_empty() || !answer.snippets.is_empty());
    }
    let overview = ask(&docs, "requests", "");
    assert!(overview.symbols.iter().any(|symbol| symbol.path == "requests.Session"));
    assert!(overview.snippets.iter().any(|snippet| snippet.at == "README"));
}

#[test]
fn what_is_held_back_is_counted_and_not_given() {
    let project = Project::new();
    let docs = project.docs().screened(|text| (!text.contains("Session")).then_some(std::borrow::Cow::Borrowed(text)));
    let answer = ask(&docs, "requests", "Session");
    assert!(answer.withheld > 0);
    assert!(!serde_json::to_string(&answer.symbols).unwrap().contains("Session"), "{answer:?}");
}

#[test]
fn the_libraries_of_a_file_are_those_it_imports() {
    let project = Project::new();
    let docs = project.docs();
    let source = b"import os, requests.adapters\nfrom starlette.responses import Response\nfrom . import click\nimport unknown\n";
    assert_eq!(docs.libraries_of("app.py", source), ["requests", "starlette"]);
    assert_eq!(docs.warm_up(&call()).unwrap(), 3);
}

//! Looking libraries up in a project: versions, names, topics, budgets, hostile input.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_docs::bundle::{Shelf, pack_bundle};
use tapps_docs::lookup::{DocsOrigin, DocsService, LookupAnswer, LookupMode, LookupRequest};
use tapps_docs::symbol::{FORMAT, Guide, LibraryIndex};
use tapps_project::packages::Ecosystem;
use tapps_sandbox::Boundary;
use tapps_store::EntryStore;

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

    fn docs(&self) -> DocsService {
        let store = EntryStore::new(&self.bundles.path().join("store"), 64 << 20);
        let shelf = Shelf::new(vec![self.bundles.path().to_owned()]);
        DocsService::new(Arc::new(Boundary::open(self.folder.path()).unwrap()), Some(store), shelf)
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

fn ask(docs: &DocsService, library: &str, topic: &str) -> LookupAnswer {
    let topic = (!topic.is_empty()).then(|| topic.to_owned());
    let request = LookupRequest { library: library.to_owned(), topic, ..LookupRequest::default() };
    docs.lookup_locally(&request, &call()).unwrap()
}

#[test]
fn a_question_a_name_and_a_slip_of_the_pen_find_what_is_meant() {
    let project = Project::new();
    let docs = project.docs();
    let answer = ask(&docs, "starlette", "how do I stream a response?");
    assert_eq!(answer.symbols[0].path, "starlette.responses.StreamingResponse");
    assert_eq!((answer.version.as_str(), answer.source, answer.exact), ("0.50.0", DocsOrigin::Environment, true));
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
    let error = docs.lookup_locally(&request, &call()).unwrap_err();
    assert_eq!((error.code(), error.message()), (ErrorCode::VersionUnavailable, "click 9.9.9 is not on this machine"));
    assert!(error.body().hint.as_deref().unwrap().starts_with("nearest: 8.3.0;"), "{:?}", error.body().hint);
    request.allow_nearest = true;
    let answer = docs.lookup_locally(&request, &call()).unwrap();
    assert_eq!((answer.version.as_str(), answer.exact), ("8.3.0", false));
    assert_eq!(answer.note.as_deref(), Some("click 9.9.9 is not on this machine; this is 8.3.0"));
    assert!(answer.provenance.locked.is_empty());
    let error = docs
        .lookup_locally(&LookupRequest { library: "torch".to_owned(), ..LookupRequest::default() }, &call())
        .unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
}

#[test]
fn a_name_that_only_another_version_has_is_told_of() {
    let project = Project::new();
    let mut symbol = {
        let answer = ask(&project.docs(), "requests", "Session");
        assert_eq!(answer.symbols[0].path, "requests.Session");
        tapps_docs::symbol::Symbol {
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
            open: None,
            file: "requests/turbo.py".to_owned(),
            line: 1,
        }
    };
    let mut index = LibraryIndex {
        format: FORMAT,
        ecosystem: Ecosystem::PyPi,
        library: "requests".to_owned(),
        version: "3.0.0".to_owned(),
        source_sha256: "00".to_owned(),
        symbols: vec![symbol.clone()],
        guides: Vec::new(),
    };
    Shelf::new(vec![project.bundles.path().to_owned()]).put(&index, &pack_bundle(&index).unwrap()).unwrap();
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
    let answer = docs.lookup_locally(&request, &call()).unwrap();
    assert_eq!((answer.source, answer.symbols[0].signature.as_str()), (DocsOrigin::Bundle, "TurboSession()"));

    // A bundle that holds something else than its name says is refused, and nothing else is answered instead.
    symbol.path = "requests.Other".to_owned();
    index.symbols = vec![symbol];
    index.version = "4.0.0".to_owned();
    fs::write(project.bundles.path().join("python+requests+5.0.0.docs.zip"), pack_bundle(&index).unwrap()).unwrap();
    let request = LookupRequest { version: Some("5.0.0".to_owned()), ..request };
    assert_eq!(docs.lookup_locally(&request, &call()).unwrap_err().code(), ErrorCode::CorruptedData);
}

/// A zip archive of these entries.
fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_bundle_that_is_not_sound_is_refused_when_it_is_asked_for() {
    let project = Project::new();
    let index = LibraryIndex {
        format: FORMAT,
        ecosystem: Ecosystem::PyPi,
        library: "requests".to_owned(),
        version: "3.0.0".to_owned(),
        source_sha256: "00".to_owned(),
        symbols: Vec::new(),
        guides: vec![Guide {
            file: "README".into(),
            heading: "Sessions".into(),
            text: "Keeps connections. ".repeat(99),
        }],
    };
    let sound = pack_bundle(&index).unwrap();
    let place = project.bundles.path().join("python+requests+3.0.0.docs.zip");
    let request = LookupRequest {
        library: "requests".to_owned(),
        version: Some("3.0.0".to_owned()),
        topic: Some("sessions".to_owned()),
        ..LookupRequest::default()
    };
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&sound)).unwrap();
    let mut manifest = Vec::new();
    archive.by_index(0).unwrap().read_to_end(&mut manifest).unwrap();
    let bomb = vec![b' '; 32 << 20];
    for (bytes, said) in [
        (
            zipped(&[("manifest.json", &manifest), ("symbols.json", b"[]"), ("guides.json", b"[]")]),
            "guides.json has other bytes than its manifest says",
        ),
        (sound[..sound.len() / 2].to_vec(), "cut short"),
        (Vec::new(), "no zip archive"),
        (zipped(&[("manifest.json", &manifest), ("../../x.json", b"[]"), ("guides.json", b"[]")]), "leads out of it"),
        (
            zipped(&[("manifest.json", &manifest), ("symbols.json", &bomb), ("guides.json", b"[]")]),
            "unpacks to more than",
        ),
    ] {
        fs::write(&place, bytes).unwrap();
        let error = project.docs().lookup_locally(&request, &call()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::CorruptedData, "{error}");
        assert!(error.message().contains(said), "{said}: {error}");
        assert!(error.body().hint.as_deref().unwrap().contains("docs bundle build"), "{error:?}");
        // What is installed does not need it.
        assert_eq!(ask(&project.docs(), "requests", "Session").source, DocsOrigin::Environment);
    }
    fs::write(&place, &sound).unwrap();
    let answer = project.docs().lookup_locally(&request, &call()).unwrap();
    assert_eq!((answer.source, answer.version.as_str()), (DocsOrigin::Bundle, "3.0.0"));
}

#[test]
fn a_damaged_store_of_extracted_libraries_is_made_anew() {
    let project = Project::new();
    let answer = ask(&project.docs(), "requests", "Session.get");
    let kept = project.bundles.path().join("store");
    let files: Vec<_> = ignore::WalkBuilder::new(&kept).standard_filters(false).build().flatten().collect();
    let files: Vec<_> = files.iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    assert!(!files.is_empty());
    for damage in [|bytes: &mut Vec<u8>| bytes.truncate(bytes.len() / 2), |bytes: &mut Vec<u8>| bytes.fill(7)] {
        for file in &files {
            let Ok(mut bytes) = fs::read(file) else { continue };
            damage(&mut bytes);
            fs::write(file, bytes).unwrap();
        }
        assert_eq!(ask(&project.docs(), "requests", "Session.get"), answer);
    }
}

#[test]
fn programs_that_extract_one_library_at_a_time_agree() {
    let project = Project::new();
    let home = project.bundles.path();
    let begin = || {
        Command::new(env!("CARGO_BIN_EXE_tapps-mcp"))
            .args(["--offline", "--project-root"])
            .arg(project.folder.path())
            .args(["docs", "lookup", "starlette", "StreamingResponse", "--format", "json"])
            .env("TAPPS_MCP_DATA_DIR", home.join("data"))
            .env("TAPPS_MCP_CACHE_DIR", home.join("cache"))
            .env("TAPPS_MCP_TOOLCHAIN_DIR", home.join("tools"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let programs = [begin(), begin(), begin()];
    let answers = programs.map(|program| {
        let output = program.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        answer.as_object_mut().unwrap().remove("meta");
        answer
    });
    assert_eq!(answers[0]["symbols"][0]["path"], "starlette.responses.StreamingResponse");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[test]
fn an_answer_keeps_to_its_budget_and_to_its_mode() {
    let project = Project::new();
    let docs = project.docs();
    for (tokens, mode) in
        [(150, LookupMode::Code), (600, LookupMode::Code), (600, LookupMode::Info), (5_000, LookupMode::Info)]
    {
        let request = LookupRequest {
            library: "requests".to_owned(),
            topic: Some("send a request with a timeout".to_owned()),
            mode,
            max_tokens: Some(tokens),
            ..LookupRequest::default()
        };
        let answer = docs.lookup_locally(&request, &call()).unwrap();
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
    let docs =
        project.docs().with_screen(|text| (!text.contains("Session")).then_some(std::borrow::Cow::Borrowed(text)));
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

//! The cache of answers between processes and in front of the client.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tapps_base::clock;
use tapps_base::{Error, ErrorCode};
use tapps_docs::cache::{DocsCache, DocsCacheKey, Revalidating, class_of};
use tapps_docs::context7::{Context7Docs, Snippet};

use crate::context7_server::HandClock;

const DAY: Duration = Duration::from_secs(86_400);
/// Tells a copy of this program that it is a writer, and where.
const WRITER: &str = "TAPPS_TEST_CACHE_WRITER";
const WRITES: u32 = 300;

fn payload(writer: u32, turn: u32) -> Vec<u8> {
    let word = format!("{writer}:{turn} ");
    word.repeat(200 + turn as usize).into_bytes()
}

/// True for a payload that one writer wrote as a whole.
fn is_whole(payload: &[u8]) -> bool {
    let text = std::str::from_utf8(payload).unwrap();
    let words: BTreeSet<&str> = text.split_whitespace().collect();
    words.len() == 1 && text.len().is_multiple_of(words.first().unwrap().len() + 1)
}

fn keys() -> Vec<DocsCacheKey> {
    (0..4).map(|number| DocsCacheKey::from_parts(&["shared", &number.to_string()])).collect()
}

/// Not a test by itself: the other process of the test below.
#[test]
fn writer_process() {
    let Some(folder) = std::env::var_os(WRITER) else { return };
    let cache = DocsCache::new(Path::new(&folder), 200_000, clock::system());
    for turn in 0..WRITES {
        for key in keys() {
            cache.put(&key, &payload(std::process::id() % 1_000, turn), DAY).unwrap();
            assert!(cache.get(&key).is_none_or(|found| is_whole(&found.payload)));
        }
    }
}

#[test]
fn processes_that_write_one_entry_leave_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let writer = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "docs_cache::writer_process", "--quiet"])
            .env(WRITER, folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut writers = [writer(), writer(), writer()];
    let cache = DocsCache::new(folder.path(), 200_000, clock::system());
    let mut read = 0;
    while writers.iter_mut().any(|writer| writer.try_wait().unwrap().is_none()) {
        for key in keys() {
            if let Some(found) = cache.get(&key) {
                assert!(is_whole(&found.payload));
                read += 1;
            }
        }
    }
    assert!(writers.iter_mut().all(|writer| writer.wait().unwrap().success()));
    assert!(read > 0);
    assert_eq!(cache.verify().unwrap().removed, 0);
    assert_eq!(cache.summary().unwrap().entries, 4);
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| name.to_string_lossy().ends_with(".entry")), "no leftovers");
}

#[test]
fn a_killed_writer_leaves_the_old_entry() {
    let folder = tempfile::tempdir().unwrap();
    let cache = DocsCache::new(folder.path(), 200_000, clock::system());
    for key in keys() {
        cache.put(&key, &payload(1, 1), DAY).unwrap();
    }
    for _ in 0..5 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "docs_cache::writer_process", "--quiet"])
            .env(WRITER, folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(40));
        writer.kill().unwrap();
        writer.wait().unwrap();
        assert!(keys().iter().all(|key| cache.get(key).is_some_and(|found| is_whole(&found.payload))));
    }
    assert_eq!(cache.verify().unwrap().removed, 0);
}

fn docs(title: &str) -> Context7Docs {
    let snippet =
        Snippet { title: title.to_owned(), text: "text".to_owned(), code: None, language: None, source: None };
    Context7Docs { library_id: "/a/b".into(), version: None, snippets: vec![snippet], tokens: 3, truncated: false }
}

#[tokio::test]
async fn an_outage_is_bridged_with_what_is_kept_and_nothing_is_poisoned() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(HandClock::default());
    let answers = Revalidating::new(DocsCache::new(folder.path(), 1 << 20, clock.clone()));
    let lifetime = class_of("django", None).lifetime();
    let key = DocsCacheKey::from_parts(&["context", "/django/django", "forms"]);
    let asked = Arc::new(AtomicU32::new(0));
    let ask = |answer: Result<Context7Docs, Error>| {
        let asked = Arc::clone(&asked);
        answers.get_or_fetch(&key, lifetime, move || async move {
            asked.fetch_add(1, Ordering::SeqCst);
            answer
        })
    };
    assert_eq!(ask(Ok(docs("first"))).await.unwrap().value, docs("first"));
    clock.advance(lifetime);
    let down = || Err(Error::new(ErrorCode::ApiUnavailable, "down"));
    for _ in 0..3 {
        let served = ask(down()).await.unwrap();
        assert_eq!((served.value, served.stale), (docs("first"), true));
        answers.wait_for_refreshes(Duration::from_secs(20)).await;
    }
    assert!(ask(Ok(docs("second"))).await.unwrap().stale);
    answers.wait_for_refreshes(Duration::from_secs(20)).await;
    let served = ask(down()).await.unwrap();
    assert_eq!((served.value, served.stale), (docs("second"), false));
    assert_eq!(asked.load(Ordering::SeqCst), 5);
    // Another process begins with what is on disk.
    let other = Revalidating::new(DocsCache::new(folder.path(), 1 << 20, clock));
    assert_eq!(other.get_cached::<Context7Docs>(&key).unwrap().value, docs("second"));
}

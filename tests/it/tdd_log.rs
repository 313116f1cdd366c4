//! The log of a session: broken off anywhere, spoilt, written by a newer program, written by two at once.

use std::process::Command;
use std::sync::Arc;

use tapps_base::ErrorCode;
use tapps_tdd::event::{EventData, LogEntry, SessionStarted};
use tapps_tdd::history::PageSize;
use tapps_tdd::repository::{Appended, Mark, Owner, ReplayItem, Repository};
use tapps_tdd::session::{Session, replay};
use tapps_tdd::{FileRepository, MemoryRepository, SessionId};

use crate::tdd_support::{Project, request};

const ID: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";
const TIME: &str = "2026-11-21T10:30:00Z";

fn id() -> SessionId {
    SessionId::parse(ID).unwrap()
}

fn started() -> EventData {
    EventData::SessionStarted(SessionStarted {
        goal: "g".into(),
        test_files: vec!["t.py".into()],
        implementation_files: vec!["i.py".into()],
        run_tests: vec!["pytest".into()],
        ..SessionStarted::default()
    })
}

fn note(text: &str) -> EventData {
    EventData::LogEntry(LogEntry { message: text.into() })
}

/// A log with `count` notes.
fn write(repository: &dyn Repository, count: usize) -> Mark {
    let mut mark = Mark::default();
    let notes = (0..count).map(|n| note(&format!("note {n} äöü \n \"quoted\"")));
    for data in std::iter::once(started()).chain(notes) {
        match repository.append_event(&id(), mark, TIME, &data).unwrap() {
            Appended::Durable(next) => mark = next,
            Appended::Moved => panic!("nobody else writes"),
        }
    }
    mark
}

fn messages(repository: &dyn Repository) -> Vec<String> {
    let mut messages = Vec::new();
    let mut visit = |item| {
        if let ReplayItem::Event(event) = item
            && let EventData::LogEntry(entry) = event.data
        {
            messages.push(entry.message);
        }
        Ok(())
    };
    repository.load_events(&id(), Mark::default(), &mut visit).unwrap();
    messages
}

#[test]
fn a_log_broken_off_at_any_byte_keeps_every_whole_event_and_can_be_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let repository = FileRepository::new(dir.path());
    write(&repository, 3);
    let path = dir.path().join(format!("{ID}.jsonl"));
    let whole = std::fs::read(&path).unwrap();
    let first_two = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).nth(1).unwrap();
    for length in 0..=whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let lines = whole[..length].iter().filter(|byte| **byte == b'\n').count();
        if length <= first_two {
            // Not even the first event was acknowledged.
            assert_eq!(replay(&repository, &id()).unwrap_err().code(), ErrorCode::InvalidSession, "{length}");
            continue;
        }
        let (state, replayed) = replay(&repository, &id()).unwrap();
        assert_eq!(state.events as usize, lines - 1, "{length}");
        let torn = length - 1 - whole[..length].iter().rposition(|byte| *byte == b'\n').unwrap();
        assert_eq!(replayed.torn_bytes as usize, torn);
        assert_eq!(replayed.warnings().len(), usize::from(torn > 0));
        let mut session = Session::load(Arc::new(repository.clone()), &id()).unwrap();
        session.record_event(TIME, |_| Ok(note("after the crash"))).unwrap();
        let kept = messages(&repository);
        assert_eq!((kept.len(), kept.last().unwrap().as_str()), (lines - 1, "after the crash"), "{length}");
        assert_eq!(repository.newest_events(&id(), u64::MAX, 1_000).unwrap().len(), lines);
    }
}

#[test]
fn a_spoilt_log_is_refused_left_alone_and_in_nobodys_way() {
    let project = Project::new();
    let repository = project.repository();
    write(repository.as_ref(), 5);
    let whole = std::fs::read_to_string(project.log_path(ID)).unwrap();
    let line = |number: usize| whole.lines().nth(number).unwrap().to_owned();
    let spoilt = [
        whole.replacen(&line(3), &line(3)[..20], 1),
        whole.replacen("\"seq\":4", "\"seq\":40", 1),
        whole.replacen(&line(2), &line(1), 1),
        whole.replacen(&(line(4) + "\n"), "", 1),
        whole.replacen("\"schema_version\":\"1.0\"", "\"schema_version\":\"x\"", 1),
        whole.replacen(ID, "11111111-2222-4333-8444-555555555555", 1),
        whole.replacen("session_started", "log_entry", 1),
        "[]\n".repeat(3),
    ];
    for text in spoilt {
        std::fs::write(project.log_path(ID), &text).unwrap();
        let sessions = project.sessions();
        let error = sessions.resume(ID).unwrap_err();
        assert_eq!(error.code(), ErrorCode::CorruptedData, "{error}: {text}");
        assert!(error.body().hint.is_some());
        assert_eq!(std::fs::read_to_string(project.log_path(ID)).unwrap(), text);
        assert_eq!(sessions.current_view().unwrap_err().code(), ErrorCode::InvalidSession);
        sessions.start(&request()).unwrap();
        sessions.end().unwrap();
    }
    // An interrupted session whose log was spoilt afterwards is passed over as well.
    std::fs::write(project.folder().join("active.json"), format!("{{\"session_id\":\"{ID}\"}}")).unwrap();
    project.sessions().start(&request()).unwrap();
}

#[test]
fn a_newer_program_is_noticed() {
    let project = Project::new();
    write(project.repository().as_ref(), 2);
    let path = project.log_path(ID);
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, whole.replacen("\"1.0\"", "\"2.0\"", 1)).unwrap();
    let error = project.sessions().resume(ID).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidSession);
    assert!(error.message().contains("2.0") && error.body().hint.as_deref().unwrap().contains("update"), "{error}");
    let newer = whole.replacen("\"1.0\"", "\"1.4\"", 1).replacen("log_entry", "mood_changed", 1);
    std::fs::write(&path, newer).unwrap();
    let sessions = project.sessions();
    let view = sessions.resume(ID).unwrap();
    assert_eq!(view.warnings, ["1 events of the unknown type `mood_changed` were passed over"]);
    assert_eq!(sessions.log_note("goes on").unwrap(), 5);
    assert_eq!(project.state(ID).events, 5);
}

#[test]
fn pages_read_from_the_end_are_the_log_read_from_the_beginning() {
    let dir = tempfile::tempdir().unwrap();
    let files = FileRepository::new(dir.path());
    let memory = MemoryRepository::default();
    // Lines of all lengths around the size of the blocks that are read.
    for repository in [&files as &dyn Repository, &memory] {
        let mut mark = Mark::default();
        let notes = (0..60_usize).map(|n| note(&"x".repeat(1 + n * n * 37 % 66_000)));
        for data in std::iter::once(started()).chain(notes) {
            let Appended::Durable(next) = repository.append_event(&id(), mark, TIME, &data).unwrap() else { panic!() };
            mark = next;
        }
    }
    for (before, limit) in [(u64::MAX, 1_000), (62, 61), (40, 7), (2, 5), (1, 5), (30, 1)] {
        let expected = memory.newest_events(&id(), before, limit).unwrap();
        assert_eq!(files.newest_events(&id(), before, limit).unwrap(), expected, "{before} {limit}");
    }
    let sessions = Project::new().sessions();
    assert!(sessions.history(None, PageSize { events: 5, full: false }).is_err());
}

/// The other side of the test below: this program started anew, in the role of one of two writers.
#[test]
fn one_of_two_writers() {
    let Ok(folder) = std::env::var("TDD_TEST_FOLDER") else { return };
    let name = std::env::var("TDD_TEST_NAME").unwrap();
    let mut session = Session::load(Arc::new(FileRepository::new(folder)), &id()).unwrap();
    for n in 0..200 {
        session.record_event(TIME, |_| Ok(note(&format!("{name} {n}")))).unwrap();
    }
}

#[test]
fn two_processes_that_write_at_once_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let repository = FileRepository::new(dir.path());
    write(&repository, 0);
    let start = |name: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["tdd_log::one_of_two_writers", "--exact"]);
        command.env("TDD_TEST_FOLDER", dir.path()).env("TDD_TEST_NAME", name);
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    for mut writer in [start("a"), start("b")] {
        assert!(writer.wait().unwrap().success());
    }
    let kept = messages(&repository);
    assert_eq!(kept.len(), 400);
    for name in ["a", "b"] {
        let own: Vec<&String> = kept.iter().filter(|message| message.starts_with(name)).collect();
        let expected: Vec<String> = (0..200).map(|n| format!("{name} {n}")).collect();
        assert!(own.into_iter().eq(&expected), "{name} is whole and in order");
    }
    let (state, _) = replay(&repository, &id()).unwrap();
    assert_eq!(state.events, 401);
}

#[test]
fn sessions_behind_a_link_of_the_project_are_neither_read_nor_written() {
    let dir = tempfile::tempdir().unwrap();
    let [project, outside] = ["project", "outside"].map(|name| dir.path().join(name));
    std::fs::create_dir_all(&project).unwrap();
    write(&FileRepository::new(outside.join("sessions")), 1);
    let before = std::fs::read_dir(outside.join("sessions")).unwrap().count();
    std::os::unix::fs::symlink(&outside, project.join(".tdd-mcp")).unwrap();
    let repository = FileRepository::inside_project(&project, ".tdd-mcp/sessions".as_ref());
    let owner = Owner { locked_by: "a".into(), locked_at: TIME.into(), host: String::new(), pid: 1 };
    let refusals = [
        repository.load_events(&id(), Mark::default(), &mut |_| Ok(())).unwrap_err(),
        repository.newest_events(&id(), u64::MAX, 1).unwrap_err(),
        repository.append_event(&id(), Mark::default(), TIME, &started()).unwrap_err(),
        repository.append_event(&id(), Mark { seq: 2, bytes: 1 }, TIME, &note("x")).unwrap_err(),
        repository.sessions().unwrap_err(),
        repository.current().unwrap_err(),
        repository.is_locked(&id()).unwrap_err(),
        repository.create_lock(&id(), &owner).unwrap_err(),
    ];
    for refusal in refusals {
        assert_eq!(refusal.code(), ErrorCode::PathDenied, "{refusal}");
    }
    assert!(!repository.session_exists(&id()));
    assert_eq!(std::fs::read_dir(outside.join("sessions")).unwrap().count(), before);
}

//! Sessions of a project: one at a time, taken over after a crash, refused where they cannot be.

use std::sync::Arc;
use std::time::Duration;

use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_sandbox::Boundary;
use tapps_tdd::history::PageSize;
use tapps_tdd::state::SessionStatus;
use tapps_tdd::{MemoryRepository, NextPhase, Phase, Sessions, StartRequest, StateView, UpdateRequest};

use crate::tdd_support::{Project, request};

const PAGE: PageSize = PageSize { events: 200, full: false };

async fn next(sessions: &Sessions, evidence: &str, skip_refactor: bool) -> tapps_base::Result<StateView> {
    let call = Call::quiet(Duration::from_secs(60));
    sessions.next_phase(&NextPhase { evidence: evidence.into(), skip_refactor }, &call).await
}

#[test]
fn one_session_at_a_time_also_between_processes() {
    let project = Project::new();
    let first = project.sessions();
    let id = first.start(&request()).unwrap().session_id;
    // Two handles of one process compete for the lock as two processes do.
    let second = project.sessions();
    for error in
        [first.start(&request()).unwrap_err(), second.start(&request()).unwrap_err(), second.resume(&id).unwrap_err()]
    {
        assert_eq!(error.code(), ErrorCode::SessionLocked, "{error}");
        assert!(error.message().contains(&id) && error.body().hint.is_some(), "{error}");
    }
    let pid = std::process::id().to_string();
    let error = second.resume(&id).unwrap_err();
    assert!(error.message().contains(&pid), "the owner is named: {error}");
    assert_eq!(first.pause().unwrap().as_str(), id);
    assert_eq!(second.resume(&id).unwrap().status, SessionStatus::Active);
    assert_eq!(first.current_view().unwrap_err().code(), ErrorCode::InvalidSession);
    second.end().unwrap();
    let error = first.resume(&id).unwrap_err();
    assert!(error.message().contains("has ended"), "{error}");
    first.start(&request()).unwrap();
}

#[test]
fn an_interrupted_session_is_found_again_and_goes_on_before_another_begins() {
    let project = Project::new();
    let crashed = project.sessions();
    let id = crashed.start(&request()).unwrap().session_id;
    crashed.log_note("before the crash").unwrap();
    drop(crashed);
    let sessions = project.sessions();
    let hint = sessions.current_view().unwrap_err().body().hint.clone().unwrap();
    assert!(hint.contains(&id), "{hint}");
    let error = sessions.start(&request()).unwrap_err();
    assert!(error.message().contains(&id) && error.message().contains("interrupted"), "{error}");
    assert_eq!(sessions.resume(&id).unwrap().session_id, id);
    let page = sessions.history(None, PAGE).unwrap();
    assert!(page.history[1].ends_with("Log: before the crash"), "{page:?}");
    assert!(page.history[2].ends_with("Session resumed"), "{page:?}");
}

#[test]
fn ids_that_are_no_uuid_reach_no_file() {
    let project = Project::new();
    let outside = project.root().join("outside.jsonl");
    std::fs::write(&outside, "x").unwrap();
    for id in ["../../outside", "../outside", "/etc/passwd", "", "a\0b", "67e55044-10b1-426f-9247-bb680e5fe0c8/../../x"]
    {
        assert_eq!(project.sessions().resume(id).unwrap_err().code(), ErrorCode::InvalidArgument, "{id:?}");
    }
    let unknown = project.sessions().resume("67e55044-10b1-426f-9247-bb680e5fe0c8").unwrap_err();
    assert_eq!(unknown.code(), ErrorCode::InvalidSession);
    assert_eq!(std::fs::read(&outside).unwrap(), b"x");
    assert!(!project.folder().exists(), "refusals leave nothing behind");
}

#[tokio::test]
async fn bad_arguments_change_nothing() {
    let project = Project::new();
    let sessions = project.sessions();
    let with = |change: fn(&mut StartRequest)| {
        let mut request = request();
        change(&mut request);
        request
    };
    for (bad, code) in [
        (with(|r| r.goal = " \n".into()), ErrorCode::InvalidArgument),
        (with(|r| r.test_files.clear()), ErrorCode::InvalidArgument),
        (with(|r| r.run_tests = vec![" ".into()]), ErrorCode::InvalidArgument),
        (with(|r| r.implementation_files = vec!["../x.py".into()]), ErrorCode::PathDenied),
        (with(|r| r.implementation_files = vec!["src/*.py".into()]), ErrorCode::InvalidArgument),
        (with(|r| r.verified = true), ErrorCode::InvalidArgument),
    ] {
        assert_eq!(sessions.start(&bad).unwrap_err().code(), code, "{bad:?}");
    }
    assert!(project.repository().sessions().unwrap().is_empty());
    sessions.start(&request()).unwrap();
    assert_eq!(next(&sessions, "  ", false).await.unwrap_err().code(), ErrorCode::InvalidArgument);
    assert_eq!(next(&sessions, "e", true).await.unwrap_err().code(), ErrorCode::InvalidArgument);
    assert_eq!(sessions.rollback("r").unwrap_err().code(), ErrorCode::InvalidSession);
    assert_eq!(sessions.rollback(" ").unwrap_err().code(), ErrorCode::InvalidArgument);
    assert_eq!(sessions.log_note(&"x".repeat(65_537)).unwrap_err().code(), ErrorCode::InvalidArgument);
    assert_eq!(sessions.update(&UpdateRequest::default()).unwrap_err().code(), ErrorCode::InvalidArgument);
    let empty = UpdateRequest { test_files: Some(vec![]), ..UpdateRequest::default() };
    assert_eq!(sessions.update(&empty).unwrap_err().code(), ErrorCode::InvalidArgument);
    assert_eq!(sessions.history(None, PAGE).unwrap().total, 1);
}

#[tokio::test]
async fn the_twin_in_memory_does_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let boundary = Arc::new(Boundary::open(dir.path()).unwrap());
    let project = Project::new();
    let repository = Arc::new(MemoryRepository::default());
    let mut told = Vec::new();
    for sessions in [project.sessions(), Sessions::new(repository, boundary, None)] {
        let id = sessions.start(&request()).unwrap().session_id;
        next(&sessions, "wrote a failing test", false).await.unwrap();
        next(&sessions, "made it pass", true).await.unwrap();
        sessions.log_note("a note").unwrap();
        sessions.rollback("wrong test").unwrap();
        sessions.pause().unwrap();
        let mut view = sessions.resume(&id).unwrap();
        view.session_id.clear();
        let lines: Vec<String> =
            sessions.history(None, PAGE).unwrap().history.iter().map(|line| line[19..].to_owned()).collect();
        let mut summary = sessions.end().unwrap();
        summary.session_id.clear();
        (summary.started_at, summary.ended_at) = Default::default();
        told.push((view, lines, summary));
    }
    assert_eq!(told[0], told[1]);
    let (view, lines, summary) = &told[0];
    assert_eq!((view.current_phase, view.cycle_number), (Phase::Implement, 1));
    assert_eq!(lines[2], " - Phase implement -> write_test (refactor skipped): made it pass");
    assert_eq!(lines[4], " - Rollback write_test -> implement: wrong test");
    assert_eq!((summary.cycles_completed, summary.total_events), (0, 8));
}

#[test]
fn the_state_tells_what_was_changed_and_where_it_should_not_have_been() {
    let project = Project::new();
    let sessions = project.sessions();
    assert!(!sessions.start(&request()).unwrap().ready_for_next_phase);
    project.write("calc.py", "early\n");
    let view = sessions.current_view().unwrap();
    assert_eq!((view.ready_for_next_phase, view.out_of_phase_files.as_slice()), (false, &["calc.py".to_owned()][..]));
    project.write("tests/test_calc.py", "def test(): assert 0\n");
    assert!(sessions.current_view().unwrap().ready_for_next_phase);
    let update = UpdateRequest { implementation_files: Some(vec!["new.py".into()]), ..UpdateRequest::default() };
    let view = sessions.update(&update).unwrap();
    assert!(view.ready_for_next_phase && view.out_of_phase_files.is_empty(), "{view:?}");
    assert_eq!(view.files.implementation_files, ["new.py"]);
}

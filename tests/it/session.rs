//! The call log under stress, and the checklist that is read from it.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tapps_base::clock;
use tapps_base::clock::Clock;
use tapps_base::{ErrorCode, digest};
use tapps_sandbox::Boundary;
use tapps_session::checklist::missing_tool_calls;
use tapps_session::policy::Policy;
use tapps_session::{
    CallLog, CallLogStorage, CheckedFile, Checklist, Circumstances, LoggedCallOutcome, NewCall, TaskType, TraceParent,
    check_session,
};

use crate::mcp_process::example;

fn log_of(root: &Path) -> CallLog {
    CallLog::new(Arc::new(Boundary::open(root).unwrap()), clock::system())
}

fn file(file: &str, content: &str, passed: bool) -> CheckedFile {
    CheckedFile { file: file.into(), sha256: digest::sha256(content.as_bytes()), passed }
}

// ---- the log ----

#[test]
fn what_is_written_is_read_back_by_another_process_of_the_project() {
    let dir = tempfile::tempdir().unwrap();
    let log = log_of(dir.path());
    assert_eq!(log.latest().unwrap(), None);
    assert_eq!(
        (log.log_storage(), dir.path().join(".tapps-mcp").exists()),
        (CallLogStorage::NotYet, false),
        "reading makes nothing"
    );

    let session = log.begin().unwrap();
    let files = [file("b.py", "b", true), file("a.py", "a", false)];
    let subjects = ["fastapi".to_owned()];
    let trace = TraceParent::parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    let call = NewCall {
        session: &session,
        tool: "Tapps.quality-gate",
        outcome: LoggedCallOutcome::Failed,
        files: &files,
        subjects: &subjects,
        task: Some("login form"),
        trace: trace.as_ref(),
        error: None,
        elapsed_ms: 12,
        reply_bytes: 345,
    };
    let id = log.record(&call).unwrap();
    assert_eq!(log.log_storage(), CallLogStorage::OnDisk);
    // Everything is ignored but what people write there.
    assert!(std::fs::read(dir.path().join(".tapps-mcp/.gitignore")).unwrap().starts_with(b"*\n"));

    let other = log_of(dir.path());
    assert_eq!(other.latest().unwrap().as_deref(), Some(session.as_str()));
    let calls = other.calls(&session).unwrap();
    let [read] = calls.as_slice() else { panic!("one call: {calls:?}") };
    assert_eq!((read.id, read.tool.as_str(), read.outcome), (id, "tapps_quality_gate", LoggedCallOutcome::Failed));
    assert_eq!(read.files, [file("a.py", "a", false), file("b.py", "b", true)]);
    assert_eq!((read.subjects.as_slice(), read.task.as_deref()), (&subjects[..], Some("login form")));
    assert_eq!((read.elapsed_ms, read.reply_bytes), (12, 345));
    let trace = (read.trace_id.as_deref(), read.parent_id.as_deref());
    assert_eq!(trace, (Some("4bf92f3577b34da6a3ce929d0e0e4736"), Some("00f067aa0ba902b7")));
}

#[test]
fn a_session_that_was_never_begun_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let log = log_of(dir.path());
    for error in [
        log.calls("made-up").unwrap_err(),
        log.ensure("made-up").unwrap_err(),
        log.record(&NewCall::new("made-up", "t", LoggedCallOutcome::Passed)).unwrap_err(),
    ] {
        assert_eq!(error.code(), ErrorCode::InvalidSession);
        assert_eq!(error.message(), "there is no session `made-up`");
    }
    let session = log.begin().unwrap();
    log.ensure(&session).unwrap();
    assert_eq!(log.calls(&session).unwrap(), []);
}

#[test]
fn the_latest_session_is_the_one_used_last() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(Ticking::default());
    let log = CallLog::new(Arc::new(Boundary::open(dir.path()).unwrap()), clock.clone());
    let (first, second) = (log.begin().unwrap(), log.begin().unwrap());
    assert_eq!(log.latest().unwrap().as_ref(), Some(&second));
    log.record(&NewCall::new(&first, "t", LoggedCallOutcome::Passed)).unwrap();
    assert_eq!(log.sessions(9).unwrap(), [first.clone(), second.clone()]);
    clock.0.fetch_add(91 * 24 * 3600, Ordering::Relaxed);
    let third = log.begin().unwrap();
    assert_eq!(log.sessions(9).unwrap(), [third], "sessions of three months ago are forgotten");
    assert_eq!(log.calls(&first).unwrap_err().code(), ErrorCode::InvalidSession);
}

/// A clock that goes on by a second whenever it is read.
#[derive(Debug, Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_secs(1_800_000_000 + self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn instant(&self) -> Instant {
        Instant::now()
    }

    fn fresh_id(&self) -> String {
        format!("session-{}", self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A second process that writes calls and tells each number once it is acknowledged.
fn start_writer(root: &Path, session: &str, calls: u32) -> std::process::Child {
    Command::new(example("child"))
        .arg("calls")
        .arg(root)
        .args([session, &calls.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn acknowledged(line: &str) -> Option<i64> {
    line.split("acknowledged ").nth(1)?.trim().parse().ok()
}

#[test]
fn processes_that_write_at_once_lose_nothing() {
    const EACH: u32 = 60;
    let dir = tempfile::tempdir().unwrap();
    let log = log_of(dir.path());
    let session = log.begin().unwrap();
    let writers: Vec<_> = (0..3).map(|_| start_writer(dir.path(), &session, EACH)).collect();
    for _ in 0..EACH {
        log.record(&NewCall::new(&session, "tapps_score_file", LoggedCallOutcome::Passed)).unwrap();
    }
    let mut told = 0;
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(output.status.success());
        told += String::from_utf8_lossy(&output.stdout).lines().filter_map(acknowledged).count();
    }
    assert_eq!(told, 3 * EACH as usize);
    let calls = log.calls(&session).unwrap();
    assert_eq!(calls.len(), 4 * EACH as usize);
    assert_eq!(calls.iter().filter(|call| call.files.len() == 1).count(), 3 * EACH as usize);
}

#[test]
fn a_process_killed_while_writing_loses_nothing_it_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let session = log_of(dir.path()).begin().unwrap();
    let mut told = Vec::new();
    for after in [1, 7, 23] {
        let mut writer = start_writer(dir.path(), &session, 1_000_000);
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let mut seen = 0;
        while seen < after {
            if let Some(id) = acknowledged(&lines.next().unwrap().unwrap()) {
                told.push(id);
                seen += 1;
            }
        }
        writer.kill().unwrap();
        // What was acknowledged between the last line read and the kill is still in the pipe.
        told.extend(lines.map_while(Result::ok).filter_map(|line| acknowledged(&line)));
        writer.wait().unwrap();
    }
    assert!(told.len() >= 31);
    let kept: BTreeMap<i64, usize> =
        log_of(dir.path()).calls(&session).unwrap().iter().map(|call| (call.id, call.files.len())).collect();
    for id in &told {
        assert_eq!(kept.get(id), Some(&1), "call {id} with its file");
    }
    assert!(kept.len() <= told.len() + 3, "at most one call per kill was written and not yet told");
}

#[test]
fn a_broken_log_is_moved_aside_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join(".tapps-mcp");
    std::fs::create_dir(&state).unwrap();
    std::fs::write(state.join("calls.db"), "this is no database, whatever its name says".repeat(40)).unwrap();
    let log = log_of(dir.path());
    assert_eq!(log.latest().unwrap(), None);
    let session = log.begin().unwrap();
    log.record(&NewCall::new(&session, "t", LoggedCallOutcome::Passed)).unwrap();
    assert_eq!(log.log_storage(), CallLogStorage::OnDisk);
    let notice = "the call log was broken and is now .tapps-mcp/calls.db.broken-1; a new one was begun";
    assert_eq!(log.notices(), [notice]);
    assert!(std::fs::read_to_string(state.join("calls.db.broken-1")).unwrap().starts_with("this is no database"));
    drop(log);

    // Broken in the middle of a file whose head looks right.
    let log = log_of(dir.path());
    for _ in 0..200 {
        log.record(&NewCall::new(&session, &"t".repeat(200), LoggedCallOutcome::Passed)).unwrap();
    }
    drop(log);
    let mut bytes = std::fs::read(state.join("calls.db")).unwrap();
    assert!(bytes.len() > 8192, "{}", bytes.len());
    bytes[4096..].fill(0xA5);
    std::fs::write(state.join("calls.db"), bytes).unwrap();
    let log = log_of(dir.path());
    let fresh = log.begin().unwrap();
    log.record(&NewCall::new(&fresh, "t", LoggedCallOutcome::Passed)).unwrap();
    assert_eq!(log.calls(&fresh).unwrap().len(), 1);
    assert!(state.join("calls.db.broken-2").exists());
}

#[test]
fn a_project_that_cannot_be_written_keeps_its_log_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(".tapps-mcp"), "in the way").unwrap();
    let log = log_of(dir.path());
    let session = log.begin().unwrap();
    log.record(&NewCall::new(&session, "t", LoggedCallOutcome::Passed)).unwrap();
    assert_eq!(log.calls(&session).unwrap().len(), 1);
    assert_eq!(log.log_storage(), CallLogStorage::InMemory(".tapps-mcp is not a folder".into()));
    assert_eq!(std::fs::read(dir.path().join(".tapps-mcp")).unwrap(), b"in the way");
}

#[test]
fn a_log_of_a_later_program_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let session = log_of(dir.path()).begin().unwrap();
    let database = dir.path().join(".tapps-mcp/calls.db");
    rusqlite::Connection::open(&database).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let log = log_of(dir.path());
    assert_ne!(log.begin().unwrap(), session);
    assert!(matches!(log.log_storage(), CallLogStorage::InMemory(reason) if reason.contains("version 99")));
    let connection = rusqlite::Connection::open(&database).unwrap();
    let kept: String = connection.query_row("SELECT id FROM sessions", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, session);
}

#[test]
fn a_link_in_place_of_the_database_is_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".tapps-mcp")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("x.db"), dir.path().join(".tapps-mcp/calls.db")).unwrap();
    let log = log_of(dir.path());
    log.begin().unwrap();
    assert!(matches!(log.log_storage(), CallLogStorage::InMemory(_)), "{:?}", log.log_storage());
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
}

// ---- the checklist ----

/// A session, and the files of its project as they are now.
struct Work {
    _dir: tempfile::TempDir,
    log: CallLog,
    session: String,
    files: BTreeMap<&'static str, &'static str>,
}

impl Work {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let log = log_of(dir.path());
        let session = log.begin().unwrap();
        Self { _dir: dir, log, session, files: BTreeMap::new() }
    }

    fn edit(&mut self, file: &'static str, content: &'static str) {
        self.files.insert(file, content);
    }

    fn call(&self, tool: &str, outcome: LoggedCallOutcome, files: &[&str]) {
        let passed = outcome == LoggedCallOutcome::Passed;
        let files: Vec<CheckedFile> = files.iter().map(|name| file(name, self.files[name], passed)).collect();
        self.log.record(&NewCall { files: &files, ..NewCall::new(&self.session, tool, outcome) }).unwrap();
    }

    fn check(&self, task: TaskType) -> Checklist {
        let current = |name: &str| self.files.get(name).map(|content| digest::sha256(content.as_bytes()));
        let libraries = |name: &str| if name == "api.py" { vec!["fastapi".to_owned()] } else { Vec::new() };
        let circumstances = Circumstances { current_hash: &current, libraries_used: &libraries, available: &|_| true };
        check_session(&self.log, &self.session, task, &circumstances).unwrap()
    }

    /// The required tools that are missing, with their files.
    fn missing(&self, task: TaskType) -> Vec<(String, Vec<String>)> {
        self.check(task).missing.into_iter().map(|missing| (missing.tool, missing.files)).collect()
    }
}

fn gate(files: &[&str]) -> (String, Vec<String>) {
    ("tapps_quality_gate".into(), files.iter().map(ToString::to_string).collect())
}

#[test]
fn an_empty_session_lacks_what_its_work_asks_for() {
    let work = Work::new();
    let checklist = work.check(TaskType::Feature);
    assert!(!checklist.passed);
    assert_eq!(work.missing(TaskType::Feature), [("tapps_score_file".into(), vec![]), gate(&[])]);
    assert_eq!(work.missing(TaskType::Config), [("tapps_validate_config".into(), vec![])]);
    assert_eq!(work.missing(TaskType::Security), [("tapps_security_scan".into(), vec![]), gate(&[])]);
    let recommended: Vec<_> = checklist.recommended_missing.into_iter().map(|missing| missing.tool).collect();
    assert_eq!(recommended, ["tapps_security_scan", "tapps_lookup_docs"]);
    for task in TaskType::ALL {
        assert!(!work.check(task).passed, "{task}");
    }
}

#[test]
fn a_quick_check_alone_never_satisfies_the_gate() {
    let mut work = Work::new();
    work.edit("a.py", "one");
    work.call("tapps_quick_check", LoggedCallOutcome::Passed, &["a.py"]);
    assert_eq!(work.missing(TaskType::Feature), [gate(&["a.py"])]);
    assert_eq!(work.check(TaskType::Feature).called, ["tapps_quick_check"]);
    work.call("tapps_quality_gate", LoggedCallOutcome::Passed, &["a.py"]);
    assert!(work.check(TaskType::Feature).passed);
}

#[test]
fn a_file_that_changes_after_its_gate_makes_the_gate_missing_again() {
    let mut work = Work::new();
    work.edit("a.py", "one");
    work.edit("b.py", "one");
    work.call("tapps_quality_gate", LoggedCallOutcome::Passed, &["a.py", "b.py"]);
    assert!(work.check(TaskType::Bugfix).passed);
    work.edit("b.py", "two");
    assert_eq!(work.missing(TaskType::Bugfix), [gate(&["b.py"])]);
    assert_eq!(work.check(TaskType::Bugfix).missing[0].reason, "b.py: changed after the last gate; run the gate again");
    work.edit("b.py", "one");
    assert!(work.check(TaskType::Bugfix).passed, "it is the content that counts, not the time");
    work.edit("b.py", "three");
    work.call("tapps_quick_check", LoggedCallOutcome::Passed, &["b.py"]);
    assert_eq!(work.missing(TaskType::Bugfix), [gate(&["b.py"])]);
    work.files.remove("b.py");
    assert!(work.check(TaskType::Bugfix).passed, "a file that is gone needs no gate");
}

#[test]
fn a_batch_satisfies_the_gate_for_the_files_it_covered_and_no_other() {
    let mut work = Work::new();
    work.edit("a.py", "one");
    work.edit("b.py", "one");
    work.call("tapps_score_file", LoggedCallOutcome::Passed, &["a.py"]);
    work.call("tapps_score_file", LoggedCallOutcome::Passed, &["b.py"]);
    work.call("tapps_validate_changed", LoggedCallOutcome::Passed, &["a.py"]);
    assert_eq!(work.missing(TaskType::Refactor), [gate(&["b.py"])]);
    work.call("tapps_validate_changed", LoggedCallOutcome::Passed, &["b.py"]);
    assert!(work.check(TaskType::Refactor).passed);
}

#[test]
fn calls_that_failed_or_could_not_work_do_not_count() {
    let mut work = Work::new();
    work.edit("a.py", "one");
    work.call("tapps_quality_gate", LoggedCallOutcome::Failed, &["a.py"]);
    assert_eq!(work.missing(TaskType::Bugfix), [gate(&["a.py"])]);
    assert!(work.check(TaskType::Bugfix).missing[0].reason.starts_with("a.py: did not pass the last gate"));
    assert_eq!(work.check(TaskType::Bugfix).called, Vec::<String>::new());
    work.call("tapps_quality_gate", LoggedCallOutcome::Passed, &["a.py"]);
    work.call("tapps_quality_gate", LoggedCallOutcome::Errored, &[]);
    assert!(work.check(TaskType::Bugfix).passed, "a later error takes nothing back");
    work.call("tapps_quality_gate", LoggedCallOutcome::Failed, &["a.py"]);
    assert!(!work.check(TaskType::Bugfix).passed, "the last verdict counts");

    work.call("tapps_security_scan", LoggedCallOutcome::Errored, &[]);
    let scan = work.check(TaskType::Review).missing.into_iter().find(|m| m.tool == "tapps_security_scan").unwrap();
    assert!(scan.reason.starts_with("its last call could not do its work"), "{}", scan.reason);
}

#[test]
fn libraries_in_use_have_to_be_looked_up_by_name() {
    let mut work = Work::new();
    work.edit("api.py", "import fastapi");
    work.call("tapps_quality_gate", LoggedCallOutcome::Passed, &["api.py"]);
    let lookup = |work: &Work| {
        let checklist = work.check(TaskType::Feature);
        assert!(checklist.passed, "it is only recommended");
        checklist.recommended_missing.into_iter().find(|missing| missing.tool == "tapps_lookup_docs")
    };
    let missing = lookup(&work).unwrap();
    assert!(missing.reason.starts_with("`fastapi` is used in api.py but was never looked up"), "{}", missing.reason);
    for (subject, outcome, satisfied) in [
        ("django", LoggedCallOutcome::Passed, false),
        ("fastapi", LoggedCallOutcome::Errored, false),
        ("fastapi", LoggedCallOutcome::Passed, true),
    ] {
        let subjects = [subject.to_owned()];
        let call = NewCall { subjects: &subjects, ..NewCall::new(&work.session, "tapps_lookup_docs", outcome) };
        work.log.record(&call).unwrap();
        assert_eq!(lookup(&work).is_none(), satisfied, "{subject} {outcome:?}");
    }
}

#[test]
fn a_tool_that_is_not_offered_is_not_asked_for() {
    let work = Work::new();
    let only_gate = |tool: &str| tool == "tapps_quality_gate";
    let circumstances =
        Circumstances { current_hash: &|_| None, libraries_used: &|_| Vec::new(), available: &only_gate };
    let checklist = check_session(&work.log, &work.session, TaskType::Feature, &circumstances).unwrap();
    assert_eq!(checklist.missing.len(), 1);
    assert!(checklist.recommended_missing.is_empty() && checklist.optional_missing.is_empty());
}

#[test]
fn the_committed_policy_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/checklist.md");
    let current = Policy::get().markdown();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, current, "run the tests with UPDATE_DOCS=1 to write docs/checklist.md anew");
}

#[test]
fn the_program_judges_the_files_as_they_are_now() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.py"), "one").unwrap();
    let program = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"))
            .arg("checklist")
            .args(args)
            .current_dir(dir.path())
            .env_clear()
            .env("HOME", dir.path())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, _, err) = program(&[]);
    assert_eq!(code, Some(2));
    assert!(err.starts_with("error: no session of this project is known\nhint: "), "{err}");

    let log = log_of(dir.path());
    let session = log.begin().unwrap();
    let files = [file("a.py", "one", true)];
    log.record(&NewCall { files: &files, ..NewCall::new(&session, "tapps_quality_gate", LoggedCallOutcome::Passed) })
        .unwrap();
    let (code, out, _) = program(&["--task-type", "bugfix"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with(&format!("done: bugfix in session {session}\n")), "{out}");

    std::fs::write(dir.path().join("a.py"), "two").unwrap();
    let (code, out, _) = program(&["--task-type", "bugfix", "--session", &session, "--format", "json"]);
    assert_eq!(code, Some(1));
    let checklist: Checklist = serde_json::from_str(&out).unwrap();
    assert_eq!(checklist.missing[0].files, ["a.py"]);
    let (code, out, _) = program(&["--session", "made-up", "--format", "json"]);
    let body: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &body["error_code"]), (Some(2), &"invalid_session".into()));
    assert_eq!(program(&["--task-type", "bugfx"]).0, Some(2));
}

/// One of a few calls of any tool about any of a few files and libraries.
fn any_call(choice: u64) -> (&'static str, LoggedCallOutcome, Option<CheckedFile>, Vec<String>) {
    let pick = |shift: u32, of: u64| usize::try_from((choice >> shift) % of).unwrap();
    let tools =
        ["tapps_quality_gate", "tapps_validate_changed", "tapps_quick_check", "tapps_lookup_docs", "tapps_checklist"];
    let tool = tools[pick(0, 5)];
    let outcome = [LoggedCallOutcome::Passed, LoggedCallOutcome::Failed, LoggedCallOutcome::Errored][pick(3, 3)];
    let name = ["a.py", "b.py", "c.py"][pick(6, 3)];
    let checked = (tool != "tapps_lookup_docs" && pick(9, 4) > 0)
        .then(|| file(name, ["one", "two"][pick(12, 2)], outcome == LoggedCallOutcome::Passed));
    let subjects =
        if tool == "tapps_lookup_docs" { vec![["rich", "attrs"][pick(15, 2)].to_owned()] } else { Vec::new() };
    (tool, outcome, checked, subjects)
}

#[test]
fn the_latest_calls_decide_as_all_calls_do_and_do_not_become_more() {
    let dir = tempfile::tempdir().unwrap();
    let log = log_of(dir.path());
    let session = log.begin().unwrap();
    let hash = |file: &str| Some(if file == "b.py" { "two" } else { "one" }.to_owned());
    let libraries = |file: &str| if file == "a.py" { vec!["rich".to_owned(), "attrs".to_owned()] } else { Vec::new() };
    let circumstances = Circumstances { current_hash: &hash, libraries_used: &libraries, available: &|_| true };
    let task = Policy::get().task_policy(TaskType::Release).unwrap();
    let mut verdicts = std::collections::BTreeSet::new();
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..400 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (tool, outcome, checked, subjects) = any_call(random >> 20);
        let files: Vec<CheckedFile> = checked.into_iter().collect();
        log.record(&NewCall { files: &files, subjects: &subjects, ..NewCall::new(&session, tool, outcome) }).unwrap();
        let (all, latest) = (log.calls(&session).unwrap(), log.latest_calls(&session).unwrap());
        for wanted in [&task.required, &task.recommended, &task.optional] {
            let verdict = missing_tool_calls(&all, wanted, &circumstances);
            assert_eq!(missing_tool_calls(&latest, wanted, &circumstances), verdict);
            verdicts.insert(format!("{verdict:?}"));
        }
        assert!(latest.len() <= 5 * 3 * 4, "{}", latest.len());
    }
    assert!(verdicts.len() >= 8, "the calls make a difference: {}", verdicts.len());
}

//! One suite of tests for every store.

use std::sync::Arc;
use std::time::Duration;

use rstest::rstest;

use super::*;
use crate::output::ArtifactKind;
use crate::rate::{Limit, RateLimitScope, Take};
use crate::record::{
    ArtifactRecord, EventKind, Execution, ExecutionChange, ExecutionEvent, ExecutionState, Issued, NewExecution,
    StepRecord, StepState,
};
use crate::testing;
use tapps_sandbox::Boundary;

/// A store, and what it stands in.
struct Case {
    store: Box<dyn WorkflowStore>,
    dir: Option<tempfile::TempDir>,
}

impl Case {
    fn memory() -> Self {
        Self { store: Box::new(MemoryStore::default()), dir: None }
    }

    fn sqlite() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = SqliteStore::new(Arc::new(Boundary::open(dir.path()).unwrap()));
        Self { store: Box::new(store), dir: Some(dir) }
    }

    /// The store as a later process finds it.
    fn reopen_store(mut self) -> Self {
        if let Some(dir) = &self.dir {
            self.store = Box::new(SqliteStore::new(Arc::new(Boundary::open(dir.path()).unwrap())));
        }
        self
    }

    fn begin(&self, execution: &Execution) -> Begun {
        self.store.begin(&new(execution, &[])).unwrap()
    }
}

fn execution(id: &str) -> Execution {
    let template = testing::template(&[("b", &[]), ("a", &["b"])]);
    Execution { id: id.into(), active_ms: 10, begun_ms: 10, ..testing::execution(&template) }
}

fn new(execution: &Execution, takes: &[Take]) -> NewExecution {
    NewExecution {
        execution: execution.clone(),
        definition: "{\"body\": 1}".into(),
        events: vec![event(&execution.id, EventKind::Created)],
        takes: takes.to_vec(),
        now_ms: 10,
    }
}

fn event(execution: &str, kind: EventKind) -> ExecutionEvent {
    ExecutionEvent {
        id: 0,
        execution: execution.into(),
        step: Some("b".into()),
        kind,
        detail: Some("d".into()),
        at_ms: 11,
    }
}

fn artifact(execution: &str, id: &str, kind: ArtifactKind) -> ArtifactRecord {
    ArtifactRecord {
        artifact_id: id.into(),
        execution: execution.into(),
        step: Some("b".into()),
        agent: "tester".into(),
        kind,
        title: "T".into(),
        content: "C\u{0}é".into(),
        content_bytes: 4,
        description: None,
        metadata: Some("{}".into()),
        is_final: false,
        undone: false,
        at_ms: 12,
    }
}

fn change(execution: &Execution) -> ExecutionChange {
    ExecutionChange {
        execution: execution.clone(),
        steps: Vec::new(),
        artifacts: Vec::new(),
        finalize: false,
        undone: Vec::new(),
        events: Vec::new(),
        takes: Vec::new(),
        now_ms: 20,
    }
}

fn take(rate: f64, burst: f64) -> Take {
    Take { scope: RateLimitScope::Task, key: "k".into(), limit: Limit { rate, burst } }
}

#[rstest]
#[case(Case::memory())]
#[case(Case::sqlite())]
fn an_empty_store_has_nothing(#[case] case: Case) {
    assert_eq!(case.store.execution("e").unwrap(), None);
    assert_eq!(case.store.executions(false, 9).unwrap(), []);
    assert_eq!(
        case.store.artifacts(&ArtifactQuery { limit: 9, ..ArtifactQuery::default() }).unwrap(),
        Artifacts::default()
    );
    assert_eq!(case.store.last_event().unwrap(), 0);
    assert_eq!(case.store.commit(&change(&execution("e"))).unwrap(), Committed::Stale);
    if let Some(dir) = &case.dir {
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "writing made the folder");
    }
}

#[rstest]
#[case(Case::memory())]
#[case(Case::sqlite())]
fn every_field_comes_back(#[case] case: Case) {
    let mut first = execution("e");
    first.request_key = Some("key".into());
    first.sessions = vec!["s1".into(), "s2".into()];
    assert_eq!(case.begin(&first), Begun::New);
    assert_eq!(case.store.definition("0").unwrap().as_deref(), Some("{\"body\": 1}"));
    assert_eq!(case.store.execution("e").unwrap().unwrap(), first);

    let mut second = first.clone();
    second.state = ExecutionState::Ended;
    second.sequence = 7;
    second.opening = "{\"x\":1}".into();
    second.sessions.push("s3".into());
    (second.active_ms, second.ended_ms) = (30, Some(31));
    second.steps[0] = StepRecord {
        name: "b".into(),
        state: StepState::Completed,
        started_ms: Some(1),
        completed_ms: Some(2),
        token: Some(Issued { sequence: 3, issued_ms: 4, nonce: "n".into(), hash: "h".into() }),
        claim: Some(("c".into(), "r".into())),
        pending: Some("p".into()),
        output: Some("o".into()),
        output_digest: Some("od".into()),
        reply: Some("re".into()),
        note: Some("no".into()),
    };
    let steps = vec![second.steps[0].clone()];
    let done = case.store.commit(&ExecutionChange { steps, ..change(&second) }).unwrap();
    assert_eq!(done, Committed::Done);
    let case = case.reopen_store();
    assert_eq!(case.store.execution("e").unwrap().unwrap(), Execution { revision: 2, ..second });
}

#[rstest]
#[case(Case::memory())]
#[case(Case::sqlite())]
fn a_change_is_made_wholly_or_not_at_all(#[case] case: Case) {
    let first = execution("e");
    case.begin(&first);
    let full = ExecutionChange {
        artifacts: vec![artifact("e", "1", ArtifactKind::Adr)],
        events: vec![event("e", EventKind::StepCompleted)],
        takes: vec![take(1.0, 1.0)],
        ..change(&first)
    };
    assert_eq!(case.store.commit(&full).unwrap(), Committed::Done);
    // The revision is used up: nothing of a second change is kept, not even its count.
    assert_eq!(case.store.commit(&full).unwrap(), Committed::Stale);
    let next = ExecutionChange {
        execution: Execution { revision: 2, ..first.clone() },
        artifacts: vec![artifact("e", "2", ArtifactKind::Adr)],
        ..full.clone()
    };
    assert_eq!(case.store.commit(&next).unwrap(), Committed::Limited(Duration::from_secs(1)));
    let all = ArtifactQuery { limit: 9, ..ArtifactQuery::default() };
    assert_eq!(case.store.artifacts(&all).unwrap().total, 1);
    assert_eq!(case.store.events(0, None, 9).unwrap().len(), 2);
    assert_eq!(case.store.execution("e").unwrap().unwrap().revision, 2);
    assert_eq!(case.store.commit(&ExecutionChange { now_ms: 1_020, ..next }).unwrap(), Committed::Done);
    assert_eq!(case.store.artifacts(&all).unwrap().total, 2);
}

#[rstest]
#[case(Case::memory())]
#[case(Case::sqlite())]
fn a_request_key_belongs_to_one_execution(#[case] case: Case) {
    let keyed = |id: &str, key: &str| Execution { request_key: Some(key.into()), ..execution(id) };
    assert_eq!(case.begin(&keyed("one", "k")), Begun::New);
    assert_eq!(case.begin(&keyed("two", "k")), Begun::Existing(Box::new(keyed("one", "k"))));
    assert_eq!(case.store.execution("two").unwrap(), None);
    assert_eq!(case.begin(&keyed("three", "other")), Begun::New);
    assert_eq!(case.begin(&execution("four")), Begun::New);
    assert_eq!(case.begin(&execution("five")), Begun::New, "no key is no key, as often as one likes");
    assert_eq!(case.store.last_event().unwrap(), 4);
}

#[rstest]
#[case(Case::memory())]
#[case(Case::sqlite())]
fn buckets_outlive_the_process_and_count_all_or_nothing(#[case] case: Case) {
    let slow = take(0.5, 3.0);
    let other = Take { scope: RateLimitScope::Agent, ..take(0.5, 1.0) };
    for _ in 0..2 {
        assert_eq!(case.store.take_tokens(std::slice::from_ref(&slow), 1_000).unwrap(), None);
    }
    assert_eq!(case.store.take_tokens(&[slow.clone(), other.clone()], 1_000).unwrap(), None);
    let case = case.reopen_store();
    assert_eq!(case.store.take_tokens(std::slice::from_ref(&slow), 1_000).unwrap(), Some(Duration::from_secs(2)));
    // The first could be counted, the second not: neither is.
    assert_eq!(case.store.take_tokens(&[slow.clone(), other.clone()], 2_999).unwrap(), Some(Duration::from_millis(1)));
    assert_eq!(case.store.take_tokens(&[slow.clone(), other], 3_000).unwrap(), None);
    assert_eq!(case.store.begin(&new(&execution("e"), &[slow])).unwrap(), Begun::Limited(Duration::from_secs(2)));
    assert_eq!(case.store.execution("e").unwrap(), None);
}

#[rstest]
#[case(Case::memory())]
#[case(Case::sqlite())]
fn lists_are_latest_first_and_filtered(#[case] case: Case) {
    for (id, active_ms) in [("one", 5), ("two", 9), ("three", 9), ("four", 7)] {
        case.begin(&Execution { active_ms, ..execution(id) });
    }
    let ids = |only_open, limit| {
        case.store.executions(only_open, limit).unwrap().into_iter().map(|e| e.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(false, 9), ["three", "two", "four", "one"]);
    let ended = Execution { state: ExecutionState::Completed, active_ms: 11, ..execution("two") };
    let made = [artifact("two", "1", ArtifactKind::Adr), artifact("two", "2", ArtifactKind::Json)];
    case.store.commit(&ExecutionChange { artifacts: made.to_vec(), finalize: true, ..change(&ended) }).unwrap();
    case.store
        .commit(&ExecutionChange {
            artifacts: vec![artifact("one", "3", ArtifactKind::Adr)],
            ..change(&execution("one"))
        })
        .unwrap();
    assert_eq!(ids(false, 2), ["two", "one"]);
    assert_eq!(ids(true, 9), ["one", "three", "four"]);
    let query = |execution: Option<&str>, kind, only_final, limit| {
        let execution = execution.map(str::to_owned);
        let query = ArtifactQuery { execution, kind, only_final, limit, ..ArtifactQuery::default() };
        let found = case.store.artifacts(&query).unwrap();
        (found.artifacts.into_iter().map(|a| a.artifact_id).collect::<Vec<_>>().join(" "), found.total)
    };
    assert_eq!(query(None, None, false, 9), ("3 2 1".into(), 3));
    assert_eq!(query(None, None, false, 2), ("3 2".into(), 3));
    assert_eq!(query(None, Some(ArtifactKind::Adr), false, 9), ("3 1".into(), 2));
    assert_eq!(query(None, None, true, 9), ("2 1".into(), 2));
    assert_eq!(query(Some("one"), None, true, 9), (String::new(), 0));
    assert_eq!(query(Some("two"), Some(ArtifactKind::Json), true, 0), (String::new(), 1));
    for without_contents in [false, true] {
        let query =
            ArtifactQuery { execution: Some("two".into()), without_contents, limit: 1, ..ArtifactQuery::default() };
        let kept = case.store.artifacts(&query).unwrap().artifacts.remove(0);
        let content = if without_contents { String::new() } else { made[1].content.clone() };
        assert_eq!(kept, ArtifactRecord { is_final: true, content, ..made[1].clone() });
    }
}

#[rstest]
#[case(Case::memory())]
#[case(Case::sqlite())]
fn artifacts_that_are_undone_stay_and_never_become_final(#[case] case: Case) {
    let first = execution("e");
    case.begin(&first);
    case.begin(&Execution { id: "other".into(), ..first.clone() });
    let made = vec![artifact("e", "1", ArtifactKind::Adr)];
    case.store.commit(&ExecutionChange { artifacts: made, ..change(&first) }).unwrap();
    let theirs = Execution { id: "other".into(), ..first.clone() };
    case.store
        .commit(&ExecutionChange { artifacts: vec![artifact("other", "9", ArtifactKind::Adr)], ..change(&theirs) })
        .unwrap();
    let back = ExecutionChange {
        undone: vec!["b".into()],
        artifacts: vec![ArtifactRecord { undone: true, ..artifact("e", "2", ArtifactKind::Json) }],
        ..change(&Execution { revision: 2, ..first.clone() })
    };
    assert_eq!(case.store.commit(&back).unwrap(), Committed::Done);
    let again = ExecutionChange {
        artifacts: vec![artifact("e", "3", ArtifactKind::Adr)],
        finalize: true,
        ..change(&Execution { revision: 3, ..first })
    };
    assert_eq!(case.store.commit(&again).unwrap(), Committed::Done);
    let found = case.store.artifacts(&ArtifactQuery { limit: 9, ..ArtifactQuery::default() }).unwrap();
    let told: Vec<(&str, bool, bool)> =
        found.artifacts.iter().map(|one| (one.artifact_id.as_str(), one.undone, one.is_final)).collect();
    assert_eq!(told, [("3", false, true), ("2", true, false), ("9", false, false), ("1", true, false)]);
    let counting = ArtifactQuery { without_undone: true, limit: 1, ..ArtifactQuery::default() };
    let found = case.store.artifacts(&counting).unwrap();
    assert_eq!((found.total, found.artifacts.len(), found.artifacts[0].artifact_id.as_str()), (2, 1, "3"));
}

#[rstest]
#[case(Case::memory())]
#[case(Case::sqlite())]
fn events_have_numbers_that_grow(#[case] case: Case) {
    case.begin(&execution("one"));
    case.begin(&execution("two"));
    let events = vec![event("one", EventKind::Completed), event("one", EventKind::Ended)];
    case.store.commit(&ExecutionChange { events, ..change(&execution("one")) }).unwrap();
    let ids = |after, of| case.store.events(after, of, 2).unwrap().into_iter().map(|e| e.id).collect::<Vec<_>>();
    assert_eq!(ids(0, None), [1, 2]);
    assert_eq!(ids(2, None), [3, 4]);
    assert_eq!(ids(1, Some("one")), [3, 4]);
    assert_eq!(case.store.last_event().unwrap(), 4);
    let kept = &case.store.events(2, None, 1).unwrap()[0];
    assert_eq!(*kept, ExecutionEvent { id: 3, ..event("one", EventKind::Completed) });
}

#[test]
fn a_database_that_is_none_is_refused_and_left_alone() {
    for content in ["this is no database, whatever its name says".repeat(40), "short".to_owned()] {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(".tapps-mcp");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("workflow.db"), &content).unwrap();
        let store = SqliteStore::new(Arc::new(Boundary::open(dir.path()).unwrap()));
        let error = store.execution("e").unwrap_err();
        assert_eq!(error.code(), tapps_base::ErrorCode::CorruptedData, "{error}");
        assert_eq!(std::fs::read_to_string(folder.join("workflow.db")).unwrap(), content);
    }
}

#[test]
fn a_database_of_a_later_program_is_refused() {
    let case = Case::sqlite();
    case.begin(&execution("e"));
    let path = case.dir.as_ref().unwrap().path().join(".tapps-mcp/workflow.db");
    rusqlite::Connection::open(path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let case = case.reopen_store();
    assert!(case.store.execution("e").unwrap_err().message().contains("version 99"));
}

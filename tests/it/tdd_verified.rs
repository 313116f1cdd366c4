//! Verified sessions on real projects: red for the right reason, refused when broken, green.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_tdd::event::EventData;
use tapps_tdd::history::PageSize;
use tapps_tdd::verify::{ShellRunner, TestVerdict};
use tapps_tdd::{NextPhase, Phase, SessionId, Sessions, StartRequest, StateView};
use tapps_toolchain::ToolchainSettings;
use tapps_toolchain::shell::Shell;

use crate::tdd_support::{Project, request};

fn shell() -> Shell {
    let settings = ToolchainSettings { search_path: std::env::var_os("PATH").unwrap(), ..ToolchainSettings::default() };
    Shell::find(&settings).unwrap()
}

fn verified(project: &Project, request: StartRequest) -> (Sessions, String) {
    let sessions = project.sessions_with(Some(Arc::new(ShellRunner::new(shell(), project.root()))));
    let id = sessions.start(&StartRequest { verified: true, ..request }).unwrap().session_id;
    (sessions, id)
}

async fn next(sessions: &Sessions) -> Result<StateView> {
    let call = Call::quiet(Duration::from_secs(300));
    sessions.next_phase(&NextPhase { evidence: "as the run shows".into(), skip_refactor: false }, &call).await
}

fn refusal(result: Result<StateView>) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument, "{error}");
    assert!(error.message().starts_with("the phase stays "), "{error}");
    error
}

/// pytest in a folder of its own; none where it cannot be had.
fn pytest() -> Option<&'static Path> {
    static FOLDER: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tdd-pytest");
        let works = || {
            let mut python = Command::new("python3");
            python.env("PYTHONPATH", &folder).args(["-m", "pytest", "--version"]);
            python.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
        };
        if !works() {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&folder).arg("pytest==9.0.2");
            pip.stdout(Stdio::null()).status().ok()?;
        }
        works().then_some(folder)
    });
    FOLDER.as_deref()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_python_project_goes_through_a_cycle_on_results() {
    let folder = pytest().expect("pytest can be installed");
    let project = Project::new();
    let line = format!(
        "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=\"{}:.\" python3 -m pytest -q -p no:cacheprovider tests/test_calc.py",
        folder.display()
    );
    let (sessions, id) = verified(&project, StartRequest { run_tests: vec![line], ..request() });
    let test = |text: &str| project.write("tests/test_calc.py", text);

    let error = refusal(next(&sessions).await);
    assert!(error.message().contains("broken"), "no test file yet: {error}");
    test("def test_add(:\n");
    let error = refusal(next(&sessions).await);
    assert!(error.message().contains("broken, not red") && error.message().contains("SyntaxError"), "{error}");
    test("from clac import add\n\ndef test_add():\n    assert add(1, 2) == 3\n");
    let error = refusal(next(&sessions).await);
    assert!(error.message().contains("broken, not red") && error.message().contains("clac"), "{error}");
    test("def test_add():\n    assert 1 + 2 == 3\n");
    let error = refusal(next(&sessions).await);
    assert!(error.message().contains("green, not red: all 1 tests passed"), "{error}");
    assert_eq!(error.body().partial_results.as_ref().unwrap()["verification"]["verdict"], "green");
    test("def test_add():\n    assert add(1, 2) == 3\n");
    let error = refusal(next(&sessions).await);
    assert!(error.message().contains("does not import"), "{error}");
    test("from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n");
    assert_eq!(next(&sessions).await.unwrap().current_phase, Phase::Implement);

    project.write("calc.py", "def add(a, b):\n    return a - b\n");
    let error = refusal(next(&sessions).await);
    assert!(error.message().contains("red, not green: 1 test failed"), "{error}");
    test("from calc import add\n\ndef test_add():\n    assert add(1, 2) == -1\n");
    let error = refusal(next(&sessions).await);
    assert!(
        error.message().contains("tests/test_calc.py changed, which the phase implement does not allow"),
        "{error}"
    );
    test("from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n");
    project.write("calc.py", "def add(a, b):\n    return a + b\n");
    assert_eq!(next(&sessions).await.unwrap().current_phase, Phase::Refactor);
    project.write("calc.py", "def add(a, b):\n    retrun a + b\n");
    assert!(refusal(next(&sessions).await).message().contains("phase stays refactor"));
    project.write("calc.py", "def add(a, b):\n    total = a + b\n    return total\n");
    let view = next(&sessions).await.unwrap();
    assert_eq!((view.current_phase, view.cycle_number, view.verified), (Phase::WriteTest, 2, true));

    // In the next cycle a missing function of a module that is there is red as well.
    test(
        "from calc import add, sub\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_sub():\n    assert sub(3, 1) == 2\n",
    );
    assert_eq!(next(&sessions).await.unwrap().current_phase, Phase::Implement);
    record_is_complete(&project, &sessions, &id);
}

/// Every step and every refusal is in the history, and every step has a run as evidence.
fn record_is_complete(project: &Project, sessions: &Sessions, id: &str) {
    let page = sessions.history(None, PageSize { events: 200, full: false }).unwrap();
    assert_eq!(page.history.iter().filter(|line| line.contains(" kept: ")).count(), 8, "{page:#?}");
    let id = SessionId::parse(id).unwrap();
    let events = project.repository().newest_events(&id, u64::MAX, 200).unwrap();
    let mut verdicts = Vec::new();
    for event in events.iter().rev() {
        if let EventData::PhaseChanged(change) = &event.data {
            let run = change.verification.as_ref().unwrap();
            assert_eq!((run.digest.len(), run.commands.len()), (64, 1));
            assert_eq!(change.files.len(), 2);
            verdicts.push(run.verdict);
        }
    }
    assert_eq!(verdicts, [TestVerdict::Red, TestVerdict::Green, TestVerdict::Green, TestVerdict::Red]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cargo_project_goes_through_a_cycle_on_results() {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n");
    project.write("src/lib.rs", "//! Sums.\n");
    let (sessions, _) = verified(
        &project,
        StartRequest {
            test_files: vec!["tests/calc.rs".into()],
            implementation_files: vec!["src/lib.rs".into()],
            run_tests: vec!["CARGO_TARGET_DIR=out cargo test --offline".into()],
            ..request()
        },
    );
    project.write("tests/calc.rs", "#[test]\nfn adds() { assert_eq!(calc::add(1, 2), 3)\n");
    assert!(refusal(next(&sessions).await).message().contains("broken, not red"));
    project.write("tests/calc.rs", "#[test]\nfn adds() { assert_eq!(calc::add(1, 2), 3) }\n");
    assert_eq!(next(&sessions).await.unwrap().current_phase, Phase::Implement);
    project.write("src/lib.rs", "//! Sums.\npub fn add(a: i32, b: i32) -> i32 { a - b }\n");
    assert!(refusal(next(&sessions).await).message().contains("red, not green: 1 test failed"));
    project.write("src/lib.rs", "//! Sums.\npub fn add(a: i32, b: i32) -> i32 { a + b }\n");
    assert_eq!(next(&sessions).await.unwrap().current_phase, Phase::Refactor);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_does_not_end_is_ended_and_the_session_stays_as_it_was() {
    let project = Project::new();
    let (sessions, _) = verified(&project, StartRequest { run_tests: vec!["sleep 3".into()], ..request() });
    let call = Call::quiet(Duration::from_millis(400));
    let step = NextPhase { evidence: "e".into(), skip_refactor: false };
    let error = sessions.next_phase(&step, &call).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Timeout);
    let view = sessions.current_view().unwrap();
    assert_eq!((view.current_phase, view.cycle_number), (Phase::WriteTest, 1));
    // Notes may be added while tests run; another step may not.
    let (slow, noted) = tokio::join!(
        async {
            let call = Call::quiet(Duration::from_secs(60));
            sessions.next_phase(&step, &call).await
        },
        async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            let noted = sessions.log_note("while the tests run");
            sessions
                .update(&tapps_tdd::UpdateRequest { run_tests: Some(vec!["true".into()]), ..Default::default() })
                .unwrap();
            call.cancel.cancel();
            noted
        }
    );
    assert!(noted.is_ok());
    assert!(slow.is_err());
}

//! The toolchain as a service: begun once, watched for changes, retried with patience.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_base::progress::Progress;
use tapps_toolchain::{Invocation, Program, Provider, ToolchainSettings, ToolchainState};

use crate::toolchain_support::{call, copy_tree, folder, set_mode, settings, toolchain, unlock};

/// A copy of the installed tree that may be spoilt.
fn copied(folder: &Path) -> ToolchainSettings {
    let shared = toolchain();
    let copy = folder.join("tree");
    copy_tree(shared.root(), &copy);
    unlock(&copy);
    ToolchainSettings {
        toolchain_dir: Some(copy),
        python: Some(shared.interpreter().unwrap().executable.clone()),
        ..settings()
    }
}

#[tokio::test]
async fn all_clones_hand_out_the_same_verified_tools() {
    let shared = toolchain();
    let provider = Provider::new(settings());
    assert_eq!(provider.current_state(), ToolchainState::Idle);
    provider.start();
    assert_ne!(provider.current_state(), ToolchainState::Idle);
    let (one, two) = (provider.clone(), provider.clone());
    let (call_one, call_two) = (call(), call());
    let (one, two) = tokio::join!(one.wait_until_ready(&call_one), two.wait_until_ready(&call_two));
    let (one, two) = (one.unwrap(), two.unwrap());
    assert!(Arc::ptr_eq(&one, &two));
    assert!(one.verified());
    let python = shared.interpreter().map(|python| python.version.clone());
    assert_eq!(
        provider.current_state(),
        ToolchainState::Ready { digest: shared.digest().to_owned(), verified: true, python }
    );
    assert!(Arc::ptr_eq(&one, &provider.wait_until_ready(&call()).await.unwrap()));
}

#[tokio::test]
async fn a_tool_swapped_after_the_start_is_noticed_and_so_is_its_return() {
    let folder = folder();
    let settings = copied(folder.path());
    let ruff = settings.toolchain_dir.clone().unwrap().join("bin/ruff");
    let provider = Provider::new(settings);
    assert!(provider.wait_until_ready(&call()).await.unwrap().verified());
    let away = folder.path().join("ruff");
    fs::rename(&ruff, &away).unwrap();
    fs::write(&ruff, "#!/bin/sh\n").unwrap();
    set_mode(&ruff, 0o555);
    for _ in 0..2 {
        let error = provider.wait_until_ready(&call()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
        assert_eq!(error.message(), "1 path of the tools is not as locked: bin/ruff (changed)");
    }
    assert!(matches!(provider.current_state(), ToolchainState::Failed { .. }));
    fs::rename(&away, &ruff).unwrap();
    let mended = provider.wait_until_ready(&call()).await.unwrap();
    assert!(mended.verified());
    let finished = mended.run(Invocation::new(Program::Ruff).args(["--version"]), &call()).await.unwrap();
    assert_eq!(finished.stdout, b"ruff 0.17.6\n");
}

#[tokio::test]
async fn changed_tools_run_only_when_that_is_allowed_and_say_so() {
    let folder = folder();
    let settings = ToolchainSettings { allow_unverified: true, ..copied(folder.path()) };
    fs::write(settings.toolchain_dir.clone().unwrap().join("lib/planted.py"), "").unwrap();
    let found = Provider::new(settings).wait_until_ready(&call()).await.unwrap();
    assert!(!found.verified());
    assert_eq!(found.verifications()[0].faults.len(), 1);
    assert_ne!(found.digest(), toolchain().digest());
}

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Progress for Heard {
    fn report(&self, stage: &str, _done: u64, _total: u64) {
        self.0.lock().unwrap().push(stage.to_owned());
    }

    fn note(&self, _line: &str) {}
}

#[tokio::test]
async fn tools_are_installed_when_asked_for_and_the_caller_hears_of_it() {
    toolchain();
    let folder = folder();
    let settings = ToolchainSettings { data_dir: folder.path().join("data"), offline: true, ..settings() };
    let heard = Arc::new(Heard::default());
    let call = Call { progress: heard.clone(), ..call() };
    let found = Provider::new(settings.clone()).wait_until_ready(&call).await.unwrap();
    assert!(found.verified() && found.root().starts_with(&settings.data_dir));
    assert!(heard.0.lock().unwrap().iter().any(|stage| stage == "unpack"));
    unlock(&settings.data_dir);
}

#[tokio::test]
async fn a_failed_installation_is_an_error_that_lasts_for_a_while() {
    toolchain();
    let folder = folder();
    let empty = folder.path().join("cache");
    let settings = ToolchainSettings {
        data_dir: folder.path().join("data"),
        cache_dir: empty.clone(),
        offline: true,
        ..settings()
    };
    let provider = Provider::new(settings.clone());
    let error = provider.wait_until_ready(&call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ToolUnavailable);
    assert!(error.body().install_hint.is_some());
    // Even when it could be had now, nobody asks again within the pause.
    fs::remove_dir_all(&empty).ok();
    std::os::unix::fs::symlink(&super::toolchain_support::settings().cache_dir, &empty).unwrap();
    assert_eq!(provider.wait_until_ready(&call()).await.unwrap_err().code(), ErrorCode::ToolUnavailable);
    tokio::time::sleep(Duration::from_millis(10_100)).await;
    assert!(provider.wait_until_ready(&call()).await.unwrap().verified());
    unlock(&settings.data_dir);
}

#[tokio::test]
async fn a_caller_who_cannot_wait_gets_a_timeout_and_the_work_goes_on() {
    toolchain();
    let provider = Provider::new(settings());
    let error = provider.wait_until_ready(&Call::quiet(Duration::ZERO)).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Timeout);
    let cancelled = call();
    cancelled.cancel.cancel();
    assert_eq!(provider.wait_until_ready(&cancelled).await.unwrap_err().code(), ErrorCode::Cancelled);
    assert!(provider.wait_until_ready(&call()).await.unwrap().verified());
}

#[tokio::test]
async fn tools_that_are_missing_and_may_not_be_installed_are_an_error() {
    let folder = folder();
    let settings = ToolchainSettings { data_dir: folder.path().join("data"), auto_install: false, ..settings() };
    let error = Provider::new(settings).wait_until_ready(&call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ToolUnavailable);
    assert_eq!(error.body().install_hint.as_deref(), Some("run `tapps-mcp toolchain install`"));
    let fixed =
        ToolchainSettings { toolchain_dir: Some(folder.path().join("none")), ..super::toolchain_support::settings() };
    let error = Provider::new(fixed).wait_until_ready(&call()).await.unwrap_err();
    assert!(error.body().install_hint.as_deref().unwrap().contains("TAPPS_MCP_TOOLCHAIN_DIR"));
}

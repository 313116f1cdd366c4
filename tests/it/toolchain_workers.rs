//! Warm workers say what the plain command says, survive nothing they should not, and are missed by nobody.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_security::bandit;
use tapps_toolchain::manage;
use tapps_toolchain::{Finished, Invocation, ProcessLimits, Program, Toolchain, Warmth};

use crate::toolchain_support::{self, call, eventually, folder, is_running, toolchain};
use crate::{corpus, mcp_process};

/// A toolchain with workers, whose private folders tell them from those of other tests.
struct Warm {
    toolchain: Arc<Toolchain>,
    cache: tempfile::TempDir,
}

impl Warm {
    fn new() -> Self {
        drop(toolchain());
        let cache = folder();
        let mut settings = toolchain_support::settings();
        settings.cache_dir = cache.path().to_owned();
        settings.warmth = Warmth::WhenWorthwhile;
        let toolchain = Arc::new(manage::inspect_toolchain(&settings, &call()).unwrap());
        toolchain.expect_many_runs();
        Self { toolchain, cache }
    }

    /// The processes of workers and their forks.
    fn processes(&self) -> Vec<u32> {
        processes_with_home_in(self.cache.path())
    }
}

fn processes_with_home_in(folder: &Path) -> Vec<u32> {
    let home = format!("HOME={}", folder.display());
    let lives_there = |pid: &u32| {
        let read = |name: &str| std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let environment = String::from_utf8_lossy(&read("environ")).into_owned();
        environment.split('\0').any(|line| line.starts_with(&home))
            && String::from_utf8_lossy(&read("cmdline")).contains("gc.freeze")
    };
    let entries = std::fs::read_dir("/proc").unwrap();
    let pids = entries.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    pids.filter(lives_there).filter(|pid| is_running(*pid)).collect()
}

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).ok();
}

/// The configuration files of both tools, in a folder of their own.
struct Surroundings(tempfile::TempDir);

impl Surroundings {
    fn new() -> Self {
        let folder = folder();
        std::fs::write(folder.path().join("bandit.yaml"), bandit::CONFIG).unwrap();
        std::fs::write(folder.path().join("bandit.ini"), bandit::INI).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_string_lossy().into_owned()
    }

    fn bandit(&self, root: &Path, files: &[&str]) -> Invocation {
        let arguments = bandit::bandit_arguments(&self.path("bandit.yaml"), &self.path("bandit.ini"), files);
        Invocation::new(Program::Bandit).args(arguments).cwd(root)
    }

    fn mypy(&self, root: &Path, files: &[&str]) -> Invocation {
        let cache = self.path("mypy-cache");
        let mut arguments = tapps_quality::analyzer::mypy::mypy_arguments("", &cache, "3.13");
        arguments.push("--".to_owned());
        arguments.extend(files.iter().map(|&file| file.to_owned()));
        Invocation::new(Program::Mypy).args(arguments).cwd(root)
    }
}

/// Everything a run says, without bandit's clock and the places in memory that it shows.
fn said(finished: &Finished) -> (Option<i32>, String, String) {
    let stdout = String::from_utf8(finished.stdout.clone()).unwrap();
    let lines: Vec<&str> = stdout.lines().filter(|line| !line.contains("\"generated_at\"")).collect();
    let address = regex::Regex::new(" at 0x[0-9a-f]+").unwrap();
    (
        finished.code(),
        address.replace_all(&lines.join("\n"), "").into_owned(),
        String::from_utf8(finished.stderr.clone()).unwrap(),
    )
}

fn files(name: &str, below: &str, step: usize) -> (PathBuf, Vec<String>) {
    let root = corpus::dir(name);
    let files = corpus::files(&root.join(below), "py");
    let files = files.iter().step_by(step).map(|file| format!("{below}/{file}")).collect();
    (root, files)
}

#[tokio::test]
async fn a_worker_says_what_the_plain_command_says() {
    let (warm, plain, around) = (Warm::new(), toolchain(), Surroundings::new());
    let (examples, all) = files("bandit", "examples", 1);
    let (django, sample) = files("django", "django", 60);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let sample: Vec<&str> = sample.iter().map(String::as_str).collect();
    assert!(all.len() >= 60 && sample.len() >= 10);
    let mut invocations = vec![
        around.bandit(&examples, &all),
        around.bandit(&django, &sample),
        around.bandit(&django, &["no/such/file.py"]),
        around.mypy(&django, &sample[..1]),
        around.mypy(&django, &sample),
        around.mypy(&examples, &["examples/no_such_file.py"]),
        Invocation::new(Program::Mypy).args(["--no-such-option"]),
        Invocation::new(Program::Bandit).args(["--version"]),
    ];
    invocations.extend(all.iter().step_by(20).map(|file| around.bandit(&examples, &[file])));
    let mut most = 0;
    for invocation in invocations {
        let shown = format!("{:?}", invocation.args);
        let expected = said(&plain.run(invocation.clone(), &call()).await.unwrap());
        for round in ["first", "second"] {
            let found = said(&warm.toolchain.run(invocation.clone(), &call()).await.unwrap());
            assert_eq!(found, expected, "{round} {shown}");
            most = most.max(warm.processes().len());
        }
    }
    // A worker that a busy machine could not start in time is not missed; the plain command answers in its place.
    assert!(most > 0, "no worker was ever there");
    // A killed process is seen for a moment longer.
    eventually("one worker a tool, and no fork is left", || warm.processes().len() <= 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_a_worker_at_any_moment_changes_no_result() {
    let (warm, around) = (Warm::new(), Surroundings::new());
    let (root, all) = files("bandit", "examples", 8);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let expected = said(&toolchain().run(around.bandit(&root, &all), &call()).await.unwrap());
    let over = Arc::new(AtomicBool::new(false));
    let killer = {
        let (over, home) = (Arc::clone(&over), warm.cache.path().to_owned());
        std::thread::spawn(move || {
            let mut killed = 0;
            // Each pause ends at another moment of a request.
            for pause in (0..).map(|round| Duration::from_millis(20 + 37 * (round % 11))) {
                std::thread::sleep(pause);
                let processes = processes_with_home_in(&home);
                // By turns the worker, which is older, and its fork.
                let at = if killed % 2 == 0 { processes.iter().min() } else { processes.iter().max() };
                if let Some(pid) = at {
                    kill(*pid);
                    killed += 1;
                }
                if over.load(Ordering::Relaxed) {
                    return killed;
                }
            }
            killed
        })
    };
    for round in 0..12 {
        let found = warm.toolchain.run(around.bandit(&root, &all), &call()).await.unwrap();
        assert_eq!(said(&found), expected, "{round}");
    }
    over.store(true, Ordering::Relaxed);
    assert!(killer.join().unwrap() > 0);
}

#[tokio::test]
async fn limits_and_cancelled_calls_end_the_fork_and_the_next_request_is_served() {
    let (warm, around) = (Warm::new(), Surroundings::new());
    let (root, all) = files("bandit", "examples", 1);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let whole = || around.bandit(&root, &all);
    let expected = said(&warm.toolchain.run(whole(), &call()).await.unwrap());

    let limits = ProcessLimits { time: Duration::from_millis(30), ..ProcessLimits::default() };
    let error = warm.toolchain.run(whole().limits(limits), &call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Timeout, "{error}");
    assert!(error.message().contains("0.03 s"), "{error}");
    let error = warm.toolchain.run(whole(), &Call::quiet(Duration::from_millis(30))).await.unwrap_err();
    assert_eq!((error.code(), error.message().contains("deadline")), (ErrorCode::Timeout, true), "{error}");

    let cancelled = call();
    let cancel = cancelled.cancel.clone();
    let soon = async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        cancel.cancel();
    };
    let (result, ()) = tokio::join!(warm.toolchain.run(whole(), &cancelled), soon);
    assert_eq!(result.unwrap_err().code(), ErrorCode::Cancelled);

    let dropped = tokio::time::timeout(Duration::from_millis(30), warm.toolchain.run(whole(), &call())).await;
    assert!(dropped.is_err());
    assert_eq!(said(&warm.toolchain.run(whole(), &call()).await.unwrap()), expected);
    eventually("only the worker is left", || warm.processes().len() == 1);
    let Warm { toolchain, cache } = warm;
    drop(toolchain);
    eventually("the worker goes with the toolchain", || processes_with_home_in(cache.path()).is_empty());
}

#[tokio::test]
async fn a_worker_that_cannot_start_is_not_missed() {
    let cache = folder();
    let mut settings = toolchain_support::settings();
    drop(toolchain());
    settings.cache_dir = cache.path().to_owned();
    settings.warmth = Warmth::WhenWorthwhile;
    // The interpreter answers for itself and for plain commands, and refuses what only a worker is told.
    let real = toolchain().interpreter().unwrap().executable.clone();
    let text = format!("#!/bin/sh\ncase \"$*\" in *gc.freeze*) exit 3;; esac\nexec {} \"$@\"\n", real.display());
    let script = toolchain_support::script(cache.path(), "python3", &text);
    settings.python = Some(script);
    let toolchain = manage::inspect_toolchain(&settings, &call()).unwrap();
    toolchain.expect_many_runs();
    let around = Surroundings::new();
    let (root, all) = files("bandit", "examples", 40);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for _ in 0..5 {
        let finished = toolchain.run(around.bandit(&root, &all), &call()).await.unwrap();
        assert_eq!(finished.code(), Some(0));
    }
}

#[test]
fn nothing_is_left_of_a_server_that_was_killed() {
    let (project, cache) = (folder(), folder());
    std::fs::write(project.path().join("a.py"), "import os\nos.system('ls')\n").unwrap();
    drop(toolchain());
    let mut command = toolchain_support::program(&toolchain_support::settings());
    command.args(["serve", "--no-cache"]).current_dir(project.path()).env("TAPPS_MCP_CACHE_DIR", cache.path());
    let mut server = mcp_process::Process::start(command);
    server.handshake();
    let gate = server.call("tapps_quality_gate", serde_json::json!({"file_path": "a.py"}));
    assert!(gate.to_string().contains("\"passed\""), "{gate}");
    let workers = processes_with_home_in(cache.path());
    assert_eq!(workers.len(), 1, "mypy's alone, since bandit is not asked: {workers:?}");
    drop(server);
    for pid in workers {
        eventually("no worker outlives the server", || !is_running(pid));
    }
}

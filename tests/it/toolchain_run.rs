//! Tools run bounded, in surroundings of their own, and leave nothing behind.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_toolchain::{Finished, Invocation, ProcessLimits, Program};

use crate::mcp_process::example;
use crate::toolchain_support::{PROGRAM, call, eventually, folder, is_running, settings, toolchain};

/// Any Python text, run by the real runner through the one tool that runs programs.
fn python(folder: &Path, text: &str) -> Invocation {
    let file = folder.join("program.py");
    std::fs::write(&file, text).unwrap();
    let data = folder.join("coverage.data");
    Invocation::new(Program::Coverage).args(["run".into(), format!("--data-file={}", data.display())]).args([file])
}

fn text(finished: &Finished) -> String {
    assert!(finished.status.success(), "{:?}: {}", finished.status, String::from_utf8_lossy(&finished.stderr));
    String::from_utf8(finished.stdout.clone()).unwrap()
}

/// Starts a grandchild in the same group, writes both numbers to `pids`, and hangs.
fn hanging_family(pids: &Path) -> String {
    format!(
        "import os, subprocess, sys, time\n\
         child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(600)'])\n\
         with open({new:?}, 'w') as out: out.write(f'{{os.getpid()}} {{child.pid}}')\n\
         os.rename({new:?}, {pids:?})\n\
         time.sleep(600)\n",
        new = pids.with_extension("new"),
        pids = pids,
    )
}

fn family(pids: &Path) -> Vec<u32> {
    eventually("the tool has started its own child", || pids.exists());
    std::fs::read_to_string(pids).unwrap().split(' ').map(|pid| pid.parse().unwrap()).collect()
}

fn assert_gone(pids: &[u32]) {
    assert_eq!(pids.len(), 2);
    for pid in pids {
        eventually("the whole group has ended", || !is_running(*pid));
    }
}

#[tokio::test]
async fn every_tool_says_its_locked_version() {
    let toolchain = toolchain();
    let versions = toolchain.versions().unwrap();
    for program in [
        Program::Ruff,
        Program::Mypy,
        Program::Bandit,
        Program::Radon,
        Program::Coverage,
        Program::Oxlint,
        Program::Tsc,
    ] {
        let finished = toolchain.run(Invocation::new(program).args(["--version"]), &call()).await.unwrap();
        let said = text(&finished);
        assert!(said.contains(&versions[program.as_str()]), "{}: {said}", program.as_str());
    }
}

#[tokio::test]
async fn the_tools_do_their_work() {
    let (toolchain, folder) = (toolchain(), folder());
    let source = "import os\nx: int = 'a'\nassert x\n";
    let file = folder.path().join("m.py");
    std::fs::write(&file, source).unwrap();
    let ruff = Invocation::new(Program::Ruff)
        .args(["check", "--isolated", "--no-cache", "--output-format=concise", "--select=F401", "-"])
        .stdin(source);
    let found = toolchain.run(ruff, &call()).await.unwrap();
    assert_eq!(found.code(), Some(1));
    assert!(String::from_utf8_lossy(&found.stdout).contains("-:1:8: F401"), "{found:?}");
    let mypy = Invocation::new(Program::Mypy).args(["--config-file=", "m.py"]).cwd(folder.path());
    let found = toolchain.run(mypy.args(["--cache-dir=/dev/null"]), &call()).await.unwrap();
    assert_eq!(found.code(), Some(1));
    assert!(String::from_utf8_lossy(&found.stdout).contains("m.py:2: error: Incompatible types"), "{found:?}");
    let bandit = Invocation::new(Program::Bandit).args(["-f", "json", "m.py"]).cwd(folder.path());
    let found = toolchain.run(bandit, &call()).await.unwrap();
    assert!(String::from_utf8_lossy(&found.stdout).contains("\"test_id\": \"B101\""), "{found:?}");
    std::fs::write(folder.path().join("m.ts"), "const x: number = 'a';\n").unwrap();
    let tsc = Invocation::new(Program::Tsc).args(["--noEmit", "--pretty", "false", "m.ts"]).cwd(folder.path());
    let found = toolchain.run(tsc, &call()).await.unwrap();
    assert!(String::from_utf8_lossy(&found.stdout).starts_with("m.ts(1,7): error TS2322: "), "{found:?}");
    std::fs::write(folder.path().join("n.ts"), "const waits = async () => {};\nwaits();\n").unwrap();
    let typed = ["--type-aware", "-D", "typescript/no-floating-promises", "-f", "unix", "n.ts"];
    let found =
        toolchain.run(Invocation::new(Program::Tsgolint).args(typed).cwd(folder.path()), &call()).await.unwrap();
    assert!(String::from_utf8_lossy(&found.stdout).starts_with("n.ts:2:1: Promises must be awaited"), "{found:?}");
}

#[tokio::test]
async fn node_is_not_there_unless_it_was_asked_for() {
    let error = toolchain().run(Invocation::new(Program::Node), &call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ToolUnavailable);
    assert_eq!(error.body().install_hint.as_deref(), Some("run `tapps-mcp toolchain install --node`"));
}

#[tokio::test]
async fn the_environment_is_the_allow_list_and_nothing_else() {
    let (toolchain, folder) = (toolchain(), folder());
    let program = "import os\n\
        seen = open('/proc/self/environ').read().rstrip('\\0').split('\\0')\n\
        home = os.environ['HOME']\n\
        print('\\n'.join(sorted(line.replace(home, '~') for line in seen)))\n\
        print(os.listdir(home), os.getcwd() == home, os.getpgid(0) == os.getpid(), hash('a'))\n";
    let invocation = python(folder.path(), program);
    let said = text(&toolchain.run(invocation.clone(), &call()).await.unwrap());
    let lines: Vec<&str> = said.lines().collect();
    let threads = format!("RAYON_NUM_THREADS={}", std::thread::available_parallelism().unwrap().get().min(16));
    let expected = [
        "HOME=~",
        "LC_ALL=C.UTF-8",
        "PATH=",
        "PYTHONHASHSEED=0",
        threads.as_str(),
        "RUST_MIN_STACK=67108864",
        "TMPDIR=~",
        "TZ=UTC",
        "XDG_CACHE_HOME=~",
        "XDG_CONFIG_HOME=~",
        "XDG_DATA_HOME=~",
        "XDG_STATE_HOME=~",
    ];
    assert_eq!(lines[..12], expected);
    assert!(lines[12].starts_with("[] True True "), "{said}");
    let again = text(&toolchain.run(invocation, &call()).await.unwrap());
    assert_eq!(again, said, "the hash of a string is the same in every run");
}

#[tokio::test]
async fn only_the_locked_modules_can_be_imported() {
    let (toolchain, folder) = (toolchain(), folder());
    std::fs::write(folder.path().join("json.py"), "raise SystemExit('shadowed')").unwrap();
    let program = "import json, sys\nprint([path for path in sys.path if 'site-packages' in path], sys.flags.no_site,\
        sys.flags.no_user_site, sys.flags.safe_path, sys.dont_write_bytecode, 'mypy' in sys.modules)\n";
    // The program's own folder comes first on the path of what coverage runs, so it stands elsewhere.
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let invocation = python(&elsewhere, program).cwd(folder.path());
    assert_eq!(text(&toolchain.run(invocation, &call()).await.unwrap()), "[] 1 1 True True False\n");
}

#[tokio::test]
async fn a_hanging_tool_ends_with_everything_it_started() {
    let (toolchain, folder) = (toolchain(), folder());
    let pids = folder.path().join("pids");
    let limits = ProcessLimits { time: Duration::from_secs(10), ..ProcessLimits::default() };
    let invocation = python(folder.path(), &hanging_family(&pids)).limits(limits);
    let error = toolchain.run(invocation, &call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Timeout);
    assert_eq!(error.message(), "coverage was still running after 10 s");
    assert_gone(&family(&pids));
}

#[tokio::test]
async fn the_calls_deadline_ends_a_tool() {
    let (toolchain, folder) = (toolchain(), folder());
    let invocation = python(folder.path(), "import time\ntime.sleep(600)\n");
    let error = toolchain.run(invocation, &Call::quiet(Duration::from_millis(300))).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (ErrorCode::Timeout, "the deadline passed while coverage was running"));
}

#[tokio::test]
async fn a_cancelled_call_ends_the_tool_and_its_children() {
    let (toolchain, folder) = (toolchain(), folder());
    let pids = folder.path().join("pids");
    let call = call();
    let cancel = call.cancel.clone();
    let started = pids.clone();
    let watcher = tokio::task::spawn_blocking(move || {
        let family = family(&started);
        cancel.cancel();
        family
    });
    let error = toolchain.run(python(folder.path(), &hanging_family(&pids)), &call).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Cancelled);
    assert_gone(&watcher.await.unwrap());
}

#[tokio::test]
async fn a_dropped_call_ends_the_tool_and_its_children() {
    let (toolchain, folder) = (toolchain(), folder());
    let pids = folder.path().join("pids");
    let invocation = python(folder.path(), &hanging_family(&pids));
    let running = tokio::spawn(async move { toolchain.run(invocation, &call()).await });
    let waiting = pids.clone();
    let family = tokio::task::spawn_blocking(move || family(&waiting)).await.unwrap();
    assert!(family.iter().all(|pid| is_running(*pid)));
    running.abort();
    assert!(running.await.unwrap_err().is_cancelled());
    tokio::task::spawn_blocking(move || assert_gone(&family)).await.unwrap();
}

#[tokio::test]
async fn a_child_left_behind_ends_with_its_tool_and_does_not_hold_the_answer_up() {
    let (toolchain, folder) = (toolchain(), folder());
    let program = "import subprocess, sys\n\
        child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(600)'])\n\
        print(child.pid)\n";
    let said = text(&toolchain.run(python(folder.path(), program), &call()).await.unwrap());
    let pid = said.trim().parse().unwrap();
    eventually("the left-over child has ended", || !is_running(pid));
}

#[tokio::test]
async fn a_crash_is_an_answer_with_the_signal() {
    use std::os::unix::process::ExitStatusExt as _;
    let (toolchain, folder) = (toolchain(), folder());
    let program = "import os, signal\nprint('before', flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)\n";
    let finished = toolchain.run(python(folder.path(), program), &call()).await.unwrap();
    assert_eq!((finished.code(), finished.status.signal()), (None, Some(11)));
    assert_eq!(finished.stdout, b"before\n");
    let finished = toolchain.run(python(folder.path(), "raise SystemExit(7)\n"), &call()).await.unwrap();
    assert_eq!(finished.code(), Some(7));
}

#[tokio::test]
async fn too_much_output_is_an_error_and_much_output_is_not() {
    let (toolchain, folder) = (toolchain(), folder());
    let say = |megabytes: u32| format!("import sys\nfor _ in range({megabytes}): sys.stdout.write('x' * 1_000_000)\n");
    let limits = ProcessLimits { output: 30_000_000, ..ProcessLimits::default() };
    let within = python(folder.path(), &say(30)).limits(limits);
    let finished = toolchain.run(within, &call()).await.unwrap();
    assert_eq!(finished.stdout.len(), 30_000_000);
    let beyond = python(folder.path(), &say(100)).limits(limits);
    let error = toolchain.run(beyond, &call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::DegradedResult);
    assert_eq!(error.message(), "coverage said more than 30000000 bytes");
}

#[tokio::test]
async fn large_input_and_large_output_do_not_wait_for_each_other() {
    let (toolchain, folder) = (toolchain(), folder());
    let program = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stderr.write(line)\n";
    let input: Vec<u8> = [&[b'y'; 99_999][..], b"\n"].concat().repeat(200);
    let finished = toolchain.run(python(folder.path(), program).stdin(input.clone()), &call()).await.unwrap();
    assert!(finished.stdout == input && finished.stderr == input);
    // Input that nobody reads is no error either.
    let finished = toolchain.run(python(folder.path(), "print('deaf')\n").stdin(input), &call()).await.unwrap();
    assert_eq!(text(&finished), "deaf\n");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn memory_is_bounded() {
    let (toolchain, folder) = (toolchain(), folder());
    let program =
        "try:\n    block = bytearray(1 << 30)\n    print('got it')\nexcept MemoryError:\n    print('refused')\n";
    let limits = ProcessLimits { memory: 300 << 20, ..ProcessLimits::default() };
    let bounded = python(folder.path(), program).limits(limits);
    assert_eq!(text(&toolchain.run(bounded, &call()).await.unwrap()), "refused\n");
    assert_eq!(text(&toolchain.run(python(folder.path(), program), &call()).await.unwrap()), "got it\n");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn cpu_time_is_bounded_and_how_a_tool_died_is_known() {
    use tapps_toolchain::Ending;
    let (toolchain, folder) = (toolchain(), folder());
    let busy = python(folder.path(), "while True:\n    pass\n").limits(ProcessLimits::of_cpu(2));
    assert_eq!(toolchain.run(busy, &call()).await.unwrap().ending(), Ending::OutOfTime);
    let idle = python(folder.path(), "import time\ntime.sleep(2.5)\n").limits(ProcessLimits::of_cpu(2));
    assert_eq!(toolchain.run(idle, &call()).await.unwrap().ending(), Ending::Code(0), "waiting costs nothing");
    let dies =
        |signal: &str| python(folder.path(), &format!("import os, signal\nos.kill(os.getpid(), signal.{signal})\n"));
    assert_eq!(toolchain.run(dies("SIGSEGV"), &call()).await.unwrap().ending(), Ending::Crashed);
    for signal in ["SIGKILL", "SIGTERM"] {
        let error = toolchain.run(dies(signal), &call()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ResourceExhausted, "{signal}");
        assert!(error.message().starts_with("coverage was ended from outside, by signal "), "{error}");
    }
}

#[tokio::test]
async fn runs_have_folders_of_their_own_that_go_with_them() {
    let (toolchain, folder) = (toolchain(), folder());
    let program = "import os\nopen(os.environ['HOME'] + '/left', 'w').close()\nprint(os.environ['HOME'])\n";
    let one = text(&toolchain.run(python(folder.path(), program), &call()).await.unwrap());
    let two = text(&toolchain.run(python(folder.path(), program), &call()).await.unwrap());
    assert_ne!(one, two);
    // They are removed behind the answer, which does not wait for that.
    eventually("both folders are gone", || ![&one, &two].iter().any(|home| Path::new(home.trim()).exists()));
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_survives_a_killed_program() {
    toolchain();
    let folder = folder();
    let pids = folder.path().join("pids");
    let script = folder.path().join("hang.py");
    std::fs::write(&script, hanging_family(&pids)).unwrap();
    let settings = settings();
    let mut program = Command::new(example("child"))
        .arg("tool")
        .arg(PROGRAM)
        .args([&settings.data_dir, &settings.cache_dir, &script])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let family = family(&pids);
    let children = children_of(program.id());
    assert!(family.iter().all(|pid| is_running(*pid)));
    assert!(children.len() >= 2, "the tool and the watcher: {children:?}");
    program.kill().unwrap();
    program.wait().unwrap();
    assert_gone(&family);
    for pid in children {
        eventually("no child is left", || !is_running(pid));
    }
}

#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{parent}/task")).unwrap();
    threads
        .filter_map(|thread| std::fs::read_to_string(thread.unwrap().path().join("children")).ok())
        .flat_map(|text| text.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<u32>>())
        .collect()
}

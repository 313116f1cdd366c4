//! Tools of a project's own that mean harm, or are broken: none makes a verdict green, none is waited for, none gets out.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use tapps_base::exit;

use crate::own_tools::{DESCRIPTION, Tooled};
use crate::toolchain_support::{stderr, stdout, unlock};

const FILES: [(&str, &str); 2] = [("a.conf", "one\ntwo\n"), ("b.py", "\"\"\"A module.\"\"\"\n")];

/// Both a text and a code file fail for want of the tool's answer, and say why.
fn is_no_answer(script: &str, why: &str) {
    let project = Tooled::of(script, &FILES);
    for file in ["a.conf", "b.py"] {
        let verdict = project.gate(file);
        assert_eq!((&verdict["passed"], &verdict["result"]["degraded"]), (&json!(false), &json!(true)), "{verdict}");
        let failures = verdict["failures"].to_string();
        assert!(failures.contains(why), "{script}: {failures}");
    }
    assert_eq!(fs::read_to_string(project.root().join("a.conf")).unwrap(), "one\ntwo\n");
}

#[test]
fn a_forged_answer_is_no_answer() {
    for (said, why) in [
        ("../../etc/passwd:1:1: P1 x", "which it was not asked about"),
        ("/etc/passwd:1:1: P1 x", "which it was not asked about"),
        ("$1:-1:1: P1 x", "line -1"),
        ("$1:NaN:1: P1 x", "`NaN`"),
        ("$1:4000000000:1: P1 x", "line 4000000000"),
        ("$1:1:1: <script> x", "which is no code"),
        ("all is well", "named none"),
    ] {
        is_no_answer(&format!("#!/bin/sh\necho \"{said}\"\nexit 1\n"), why);
    }
}

#[test]
fn a_broken_tool_is_no_answer() {
    is_no_answer("#!/bin/sh\nexit 3\n", "exit code 3");
    is_no_answer("#!/bin/sh\nkill -SEGV $$\n", "probe ended by a signal");
    is_no_answer("#!/bin/sh\n/bin/rm -rf ./* ../*\nexit 9\n", "exit code 9");
}

#[test]
fn a_tool_that_hangs_or_talks_without_end_is_ended() {
    let started = Instant::now();
    is_no_answer("#!/bin/sh\nexec /bin/sleep 1000\n", "still running after 5 s");
    is_no_answer("#!/bin/sh\nwhile :; do :; done\n", "probe");
    is_no_answer("#!/bin/sh\nexec /usr/bin/head -c 1000000000 /dev/zero\n", "said more than");
    assert!(started.elapsed() < Duration::from_secs(120), "{:?}", started.elapsed());
}

#[test]
fn nothing_that_a_tool_starts_outlives_it() {
    let mark = format!("86{}", std::process::id());
    let script = format!("#!/bin/sh\n/bin/sleep {mark} &\n/bin/sleep {mark} >/dev/null 2>&1 &\nexit 0\n");
    let project = Tooled::of(&script, &FILES);
    assert_eq!(project.gate("a.conf")["passed"], true);
    let alive = || {
        fs::read_dir("/proc").unwrap().filter_map(Result::ok).any(|entry| {
            fs::read(entry.path().join("cmdline")).is_ok_and(|line| String::from_utf8_lossy(&line).contains(&mark))
        })
    };
    let until = Instant::now() + Duration::from_secs(5);
    while alive() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!alive());
}

#[test]
fn a_tampered_tool_is_named_and_does_not_run() {
    let project = Tooled::of("#!/bin/sh\nexit 0\n# tampered\n", &FILES);
    assert_eq!(project.gate("a.conf")["passed"], true);
    unlock(&project.tree);
    fs::remove_file(project.tree.join("bin/probe")).unwrap();
    let ran = project.root().join("ran");
    fs::write(project.tree.join("bin/probe"), format!("#!/bin/sh\necho x > '{}'\nexit 0\n", ran.display())).unwrap();
    for args in [&["gate", "--format", "json", "b.py"][..], &["score", "b.py"], &["gate", "a.conf"]] {
        let output = project.run(args);
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(i32::from(exit::TOOLCHAIN)), "{said}");
        assert!(said.contains("probe-tool") && said.contains("bin/probe (changed)"), "{said}");
    }
    assert!(!ran.exists());
    let verified = project.run(&["tool", "verify"]);
    assert_eq!(verified.status.code(), Some(i32::from(exit::TOOLCHAIN)));
    assert!(stdout(&verified).contains("probe-tool: bin/probe (changed)"), "{}", stdout(&verified));
    fs::remove_dir_all(&project.tree).unwrap();
    // Nothing is there now, and nothing may be fetched: no verdict on it is green.
    assert_eq!(project.gate("a.conf")["passed"], false);
}

#[test]
fn a_wild_description_or_lock_is_a_typed_error() {
    let project = Tooled::of("#!/bin/sh\nexit 0\n", &FILES);
    let told = |text: &str| {
        project.write(".tapps-mcp/tools/probe-tool.toml", text);
        let output = project.run(&["gate", "a.conf"]);
        assert!(!output.status.success());
        stderr(&output)
    };
    for (from, to, said) in [
        ("files = [", "fils = [", "did you mean files"),
        ("bin/probe", "../../../bin/sh", "no path inside the tool"),
        ("cost = 9000", "cost = nan", "probe-tool.toml"),
        ("cost = 9000", "cost = -1", "probe-tool.toml"),
        ("**/*.conf", "{{{{", "cannot be used"),
        ("(?P<code>", "((a{1000}){1000})(?P<code>", "too large"),
        ("seconds = 5", "seconds = 99999999", "may be 1 to"),
    ] {
        let text = DESCRIPTION.replacen(from, to, 1);
        assert_ne!(text, DESCRIPTION);
        let error = told(&text);
        assert!(error.contains(said), "{to}: {error}");
    }
    project.write(".tapps-mcp/tools/probe-tool.toml", DESCRIPTION);
    project.write("tapps-mcp.lock", "{\"schema_version\": 1, \"tools\": [{}]}");
    let error = stderr(&project.run(&["gate", "a.conf"]));
    assert!(error.contains("tapps-mcp.lock cannot be read"), "{error}");
}

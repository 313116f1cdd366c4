//! The packages for npm, installed by npm away from any registry.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::packages::json_of;
use crate::release::{SMALL_PROGRAMS, VERSION, names, node_platform, pack, run, succeeded};
use crate::systems::{self, System};
use crate::toolchain_support::{eventually, folder, is_running, stderr, stdout};

/// A folder where npm has installed both packages of some programs, away from any registry.
fn installed_by_npm(programs: &Path) -> Option<tempfile::TempDir> {
    systems::require(System::Node)?;
    let folder = folder();
    let out = folder.path().join("out");
    succeeded(pack(programs, &out));
    fs::write(folder.path().join("package.json"), "{\"private\": true}").unwrap();
    let packages = [format!("tapps-mcp-npm-{VERSION}.tgz"), format!("tapps-mcp-{}-{VERSION}.tgz", node_platform())];
    let packages = packages.map(|name| out.join(name).into_os_string().into_string().unwrap());
    systems::npm(folder.path(), &["install", "--offline", &packages[0], &packages[1]]);
    Some(folder)
}

#[test]
fn npm_installs_the_programs_which_keep_streams_and_exit_codes() {
    let Some(folder) = installed_by_npm(&SMALL_PROGRAMS) else { return };
    let bin = folder.path().join("node_modules/.bin");
    assert_eq!(names(&bin), BTreeSet::from(["coderef", "tapps-mcp", "tdd-mcp"].map(str::to_owned)));
    assert_eq!(stdout(&run(&bin.join("tdd-mcp"), &["--read-only"])), "serve --toolsets tdd --read-only\n");
    for code in [0, 1, 3, 42] {
        let output = run(&bin.join("tapps-mcp"), &["exit", &code.to_string()]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    }
    let asked = folder.path().join("asked");
    fs::write(&asked, "first\nsecond\n").unwrap();
    let mut echo = Command::new(bin.join("coderef"));
    echo.args(["echo", "a b", "$c"]).stdin(fs::File::open(asked).unwrap());
    assert_eq!(stdout(&echo.output().unwrap()), "first\na b|$c");
    let manifest = folder.path().join("node_modules/tapps-mcp/package.json");
    let manifest = json_of(&manifest);
    assert_eq!(manifest["scripts"], Value::Null, "nothing runs when it is installed");
    // Without the package of the platform it says what is missing.
    fs::remove_dir_all(folder.path().join("node_modules/@tapps-mcp")).unwrap();
    let output = run(&bin.join("tapps-mcp"), &["exit", "0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains(&format!("@tapps-mcp/{} is not installed", node_platform())),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_signal_reaches_the_program_through_npm() {
    use std::os::unix::process::ExitStatusExt as _;

    let Some(folder) = installed_by_npm(&SMALL_PROGRAMS) else { return };
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut command = Command::new(folder.path().join("node_modules/.bin/tapps-mcp"));
        let mut started = command.arg("wait").stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(started.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let program: u32 = line.trim().parse().unwrap();
        kill_process(Pid::from_child(&started), signal).unwrap();
        let status = started.wait().unwrap();
        assert_eq!(status.signal(), Some(signal.as_raw()), "{signal:?}: {status}");
        eventually("the program ends", || !is_running(program));
    }
}

//! The locked tools of aarch64, run under emulation, say byte for byte what those of this machine say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tapps_base::source::Source;
use tapps_quality::analyzer::{mypy, oxlint, ruff};
use tapps_toolchain::lock::Lock;
use tapps_toolchain::manage::{self, InstallRequest};
use tapps_toolchain::{Invocation, Program, PythonTag, TreeKind};

use crate::systems::{self, System};
use crate::toolchain_support::{call, folder, settings, toolchain, unlock};
use crate::{corpus, interpreters};

/// A folder with a CPython 3.14 for aarch64 and its libraries, which `.ci/cpython` makes.
const SYSROOT: &str = "TAPPS_TEST_AARCH64";

/// What starts mypy from a folder of unpacked wheels.
const START: &str =
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from mypy.__main__ import console_entry; console_entry()";

/// The tools of the other architecture, laid out by this program.
fn other_tools(target: &Path) {
    let request = InstallRequest {
        python: Some(PythonTag::Cp314),
        system: Some(tapps_toolchain::System::Aarch64Linux),
        target: Some(target.to_owned()),
        ..InstallRequest::default()
    };
    let installed = manage::install_toolchain(&settings(), &request, &call()).unwrap();
    let locked = Lock::embedded().unwrap();
    let locked = locked.locked_tree(tapps_toolchain::System::Aarch64Linux, TreeKind::Cp314).unwrap();
    assert_eq!(installed.trees[0].verification.digest, locked.digest);
}

/// What a program of the other architecture writes on standard output, in an environment such as tools have.
fn emulated(emulator: &Path, sysroot: &Path, program: &Path, arguments: &[String], cwd: &Path) -> Vec<u8> {
    let mut command = Command::new(emulator);
    command.arg("-L").arg(sysroot).arg(program).args(arguments).current_dir(cwd).stdin(Stdio::null());
    command.env_clear().env("LC_ALL", "C.UTF-8").env("TZ", "UTC").env("HOME", cwd);
    let output = command.env("RUST_MIN_STACK", "67108864").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {:?}: {said}", program.display(), output.status);
    output.stdout
}

async fn native(program: Program, arguments: &[String], cwd: &Path) -> Vec<u8> {
    toolchain().run(Invocation::new(program).args(arguments).cwd(cwd), &call()).await.unwrap().stdout
}

#[tokio::test]
async fn the_tools_of_aarch64_say_the_same() {
    let Some(emulator) = systems::require(System::Emulator) else { return };
    let odd = folder();
    interpreters::write_odd_files(odd.path());
    let unpacked = folder();
    let tools = unpacked.path().join("tools");
    let target = tools.clone();
    let requests = tokio::task::spawn_blocking(move || {
        let _installed = toolchain();
        other_tools(&target);
        unlock(&target);
        corpus::dir("requests")
    })
    .await
    .unwrap();
    let ruff_program = tools.join("bin/ruff");
    for root in [odd.path(), &requests] {
        let files = corpus::files(root, "py");
        assert!(files.len() >= 14);
        let mut arguments = ruff::check_arguments("py313");
        arguments.push("--".to_owned());
        arguments.extend(files.iter().cloned());
        let here = native(Program::Ruff, &arguments, root).await;
        assert!(here.len() > 1_000);
        let there = emulated(&emulator, Path::new("/"), &ruff_program, &arguments, root);
        assert!(here == there, "ruff in {}", root.display());
    }

    let scripts = tokio::task::spawn_blocking(|| corpus::dir("query-core").join("src")).await.unwrap();
    let linter = tools.join("bin/oxlint");
    let files = corpus::files(&scripts, "ts");
    let sources: Vec<Source> =
        files.iter().map(|file| Source::new(file, fs::read(scripts.join(file)).unwrap())).collect();
    let sources: Vec<&Source> = sources.iter().collect();
    let work = folder();
    let configuration = work.path().join("oxlint.json");
    fs::write(&configuration, oxlint::configuration_text()).unwrap();
    let mut arguments = oxlint::check_arguments(&configuration.to_string_lossy());
    arguments.push("--".to_owned());
    arguments.extend(files.iter().cloned());
    let here = oxlint::parse_oxlint_output(&native(Program::Oxlint, &arguments, &scripts).await, &sources).unwrap();
    let there = emulated(&emulator, Path::new("/"), &linter, &arguments, &scripts);
    assert_eq!(here, oxlint::parse_oxlint_output(&there, &sources).unwrap(), "oxlint");

    let Some(sysroot) = std::env::var_os(SYSROOT).map(PathBuf::from) else {
        return systems::left_out(&format!("mypy of aarch64 needs {SYSROOT}"));
    };
    let configured = folder();
    let configuration = configured.path().join("mypy.ini");
    fs::write(&configuration, mypy::CONFIGURATION).unwrap();
    let files = corpus::files(&requests, "py").into_iter().filter(|file| file.starts_with("src/"));
    let mut arguments = mypy::mypy_arguments(&configuration.to_string_lossy(), "/dev/null", "3.13");
    arguments.push("--".to_owned());
    arguments.extend(systems::sample(files, 8));
    let here = native(Program::Mypy, &arguments, &requests).await;
    assert!(here.len() > 200, "{}", String::from_utf8_lossy(&here));
    let mut started: Vec<String> = ["-P", "-s", "-S", "-B", "-c", START].map(str::to_owned).to_vec();
    started.push(tools.join("lib").to_string_lossy().into_owned());
    started.extend(arguments);
    let there = emulated(&emulator, &sysroot, &sysroot.join("usr/bin/python3.14"), &started, &requests);
    assert_eq!(String::from_utf8_lossy(&here), String::from_utf8_lossy(&there), "mypy");
}

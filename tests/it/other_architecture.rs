//! The locked tools of aarch64, run under emulation, say byte for byte what those of this machine say.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tapps_base::digest;
use tapps_base::source::Source;
use tapps_quality::analyzer::{mypy, oxlint, ruff};
use tapps_toolchain::lock::{Artifact, Lock};
use tapps_toolchain::{Invocation, Program, TreeKind};

use crate::systems::{self, System};
use crate::toolchain_support::{call, folder, make_program, toolchain};
use crate::{corpus, interpreters};

/// A folder with a CPython 3.14 for aarch64 and its libraries, which `.ci/cpython` makes.
const SYSROOT: &str = "TAPPS_TEST_AARCH64";

/// What starts mypy from a folder of unpacked wheels.
const START: &str =
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from mypy.__main__ import console_entry; console_entry()";

/// Fetches a wheel and compares it with the lock.
fn fetch_wheel(artifact: &Artifact, work: &Path) -> PathBuf {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]);
    // The tags of the file's name, of which a platform may have several.
    let tags = artifact.file.trim_end_matches(".whl").rsplitn(4, '-').collect::<Vec<_>>();
    for platform in tags[0].split('.') {
        pip.args(["--platform", platform]);
    }
    pip.args(["--python-version", "3.14", "--implementation", "cp", "--abi", tags[1], "--abi", "none", "--dest"]);
    let output = pip.arg(work).arg(format!("{}=={}", artifact.name, artifact.version)).output().unwrap();
    let wheel = work.join(&artifact.file);
    assert!(
        output.status.success() && wheel.is_file(),
        "{}: {}",
        artifact.file,
        String::from_utf8_lossy(&output.stderr)
    );
    let (sha256, _) = digest::sha256_reader(File::open(&wheel).unwrap()).unwrap();
    assert_eq!(sha256, artifact.sha256, "{} is not as locked", artifact.file);
    wheel
}

/// The wheels of the other architecture, side by side.
fn unpacked_wheels() -> PathBuf {
    let (system, kind) = (tapps_toolchain::System::Aarch64Linux, TreeKind::Cp314);
    let lock = Lock::embedded().unwrap();
    let target = corpus::root().join(format!("aarch64-{}", &lock.locked_tree(system, kind).unwrap().digest[..16]));
    if !target.is_dir() {
        let work = tempfile::tempdir_in(corpus::root()).unwrap();
        let unpacked = work.path().join("unpacked");
        fs::create_dir(&unpacked).unwrap();
        for artifact in lock.artifacts_of(system, kind) {
            let wheel = fetch_wheel(artifact, work.path());
            zip::ZipArchive::new(File::open(wheel).unwrap()).unwrap().extract(&unpacked).unwrap();
        }
        fs::rename(&unpacked, &target).unwrap();
    }
    target
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
    let (requests, wheels) = tokio::task::spawn_blocking(|| {
        let _installed = toolchain();
        (corpus::dir("requests"), unpacked_wheels())
    })
    .await
    .unwrap();
    let ruff_program = file_ending(&wheels, "scripts/ruff");
    make_program(&ruff_program);
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
    let linter = file_ending(&wheels, "scripts/oxlint");
    make_program(&linter);
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
    started.push(wheels.to_string_lossy().into_owned());
    started.extend(arguments);
    let there = emulated(&emulator, &sysroot, &sysroot.join("usr/bin/python3.14"), &started, &requests);
    assert_eq!(String::from_utf8_lossy(&here), String::from_utf8_lossy(&there), "mypy");
}

/// The one file below `folder` whose path ends like this.
fn file_ending(folder: &Path, ending: &str) -> PathBuf {
    let mut found = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .build()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.ends_with(ending));
    found.next().unwrap_or_else(|| panic!("no {ending} in {}", folder.display()))
}

//! Installing: once, without the network when it can be, whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use tapps_base::ErrorCode;
use tapps_toolchain::manage;
use tapps_toolchain::manage::InstallRequest;
use tapps_toolchain::{Invocation, Lock, Program, Provider, PythonTag, ToolchainSettings, TreeKind};

use crate::toolchain_support::{
    call, copy_tree, eventually, folder, program, script, set_mode, settings, stderr, stdout, toolchain, unlock,
};

/// The shared cache with a data folder of its own, an interpreter that fits and no package client that works.
fn cut_off(folder: &Path) -> ToolchainSettings {
    let python = toolchain().interpreter().unwrap().executable.clone();
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in *pip*) echo 'no route to any index' >&2; exit 3;; esac\nexec {} \"$@\"\n",
        python.display()
    );
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    script(&bin, "python3", &text);
    let tools = folder.join("data");
    ToolchainSettings {
        data_dir: tools,
        search_path: format!("{}:/usr/bin:/bin", bin.display()).into(),
        python: Some(bin.join("python3")),
        ..settings()
    }
}

fn install(settings: &ToolchainSettings) -> Output {
    program(settings).args(["toolchain", "install"]).output().unwrap()
}

/// What is below `toolchains`, without the lock file, and without what needs no Python.
fn installed(settings: &ToolchainSettings) -> Vec<String> {
    let entries = fs::read_dir(settings.data_dir.join("toolchains")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let apart = TreeKind::APART.into_iter();
    let apart = apart.filter_map(|kind| Lock::embedded().unwrap().locked_tree(toolchain().system(), kind).ok());
    let apart: Vec<&str> = apart.map(|tree| tree.digest.as_str()).collect();
    names.retain(|name| name != ".lock" && !apart.contains(&name.as_str()));
    names.sort();
    names
}

fn clear(settings: &ToolchainSettings) {
    unlock(&settings.data_dir);
}

#[test]
fn what_was_fetched_once_is_installed_without_the_package_client() {
    let folder = folder();
    let settings = cut_off(folder.path());
    let first = install(&settings);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    assert!(stdout(&first).starts_with("installed: "), "{}", stdout(&first));
    assert_eq!(installed(&settings), [toolchain().digest()]);
    let second = install(&settings);
    assert!(stdout(&second).starts_with("already installed: "), "{}", stdout(&second));
    let verified = program(&settings).args(["toolchain", "verify"]).output().unwrap();
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    clear(&settings);
}

#[test]
fn without_artifacts_and_client_the_error_names_the_way_out() {
    let folder = folder();
    let settings = ToolchainSettings { cache_dir: folder.path().join("cache"), ..cut_off(folder.path()) };
    let output = install(&settings);
    assert_eq!(output.status.code(), Some(4));
    let said = stderr(&output);
    assert!(said.contains("no route to any index"), "{said}");
    assert!(said.contains("tapps-mcp toolchain install --from DIR"), "{said}");
    assert_eq!(installed(&settings), Vec::<String>::new());
    let offline = ToolchainSettings { offline: true, ..settings };
    let error = manage::install_toolchain(&offline, &InstallRequest::default(), &call()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ToolUnavailable);
    assert!(error.message().contains("and 19 more: fetching is switched off"), "{error}");
}

/// Every artifact of the installed tree in one folder, as a person would carry it over.
fn carried(folder: &Path) -> PathBuf {
    let toolchain = toolchain();
    let carried = folder.join("carried");
    fs::create_dir(&carried).unwrap();
    for artifact in Lock::embedded().unwrap().artifacts_of(toolchain.system(), toolchain.kind()) {
        let cached = settings().cache_dir.join("artifacts").join(&artifact.sha256).join(&artifact.file);
        fs::copy(cached, carried.join(&artifact.file)).unwrap();
    }
    carried
}

#[test]
fn a_folder_of_artifacts_is_enough_and_each_of_them_is_checked() {
    let folder = folder();
    let carried = carried(folder.path());
    let settings = ToolchainSettings {
        cache_dir: folder.path().join("cache"),
        from: Some(carried.clone()),
        ..cut_off(folder.path())
    };
    let target = folder.path().join("target");
    let request = InstallRequest { target: Some(target.clone()), ..InstallRequest::default() };
    let done = manage::install_toolchain(&settings, &request, &call()).unwrap().trees;
    assert_eq!(done[0].verification.digest, toolchain().digest());
    assert!(manage::install_toolchain(&settings, &request, &call()).unwrap_err().message().ends_with("is not empty"));
    unlock(&target);
    let wheel = fs::read_dir(&carried)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_name().unwrap().to_str().unwrap().starts_with("six-"));
    let wheel = wheel.unwrap();
    let mut bytes = fs::read(&wheel).unwrap();
    bytes[100] ^= 1;
    fs::write(&wheel, bytes).unwrap();
    let error = manage::install_toolchain(&settings, &InstallRequest::default(), &call()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
    assert!(error.message().contains("six-1.17.0"), "{error}");
    assert_eq!(installed(&settings), Vec::<String>::new());
}

/// Each of them is installed and looked for while the other is.
#[tokio::test]
async fn programs_that_are_first_needed_at_once_are_both_there() {
    let folder = folder();
    let settings = cut_off(folder.path());
    let provider = Provider::new(settings.clone());
    let (first, second) = (call(), call());
    let (tsc, shellcheck) =
        tokio::join!(provider.ready_with(Program::Tsc, &first), provider.ready_with(Program::Shellcheck, &second));
    for (program, found) in [(Program::Tsc, tsc), (Program::Shellcheck, shellcheck)] {
        let asked = Invocation::new(program).args(["--version"]);
        let finished = found.unwrap().run(asked, &call()).await.unwrap();
        assert_eq!(finished.code(), Some(0), "{program}");
    }
    clear(&settings);
}

#[test]
fn a_damaged_tree_is_mended() {
    let folder = folder();
    let settings = cut_off(folder.path());
    let toolchains = settings.data_dir.join("toolchains");
    fs::create_dir_all(&toolchains).unwrap();
    let root = toolchains.join(toolchain().digest());
    copy_tree(toolchain().root(), &root);
    fs::remove_file(root.join("bin/ruff")).unwrap();
    let error =
        manage::require_verified(&settings, &manage::inspect_toolchain(&settings, &call()).unwrap()).unwrap_err();
    assert!(error.message().contains("bin/ruff (missing)"), "{error}");
    assert_eq!(error.body().hint.as_deref(), Some("run `tapps-mcp toolchain install` to install them anew"));
    let output = install(&settings);
    assert!(stdout(&output).starts_with("installed: "), "{}", stderr(&output));
    assert!(manage::inspect_toolchain(&settings, &call()).unwrap().verified());
    assert_eq!(installed(&settings), [toolchain().digest()]);
    clear(&settings);
}

#[test]
fn a_killed_installation_leaves_nothing_in_place_and_the_next_one_cleans_up() {
    let folder = folder();
    let settings = cut_off(folder.path());
    let elsewhere = folder.path().join("temporary");
    fs::create_dir(&elsewhere).unwrap();
    let mut command = program(&settings);
    command.args(["toolchain", "install"]).env("TMPDIR", &elsewhere).stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = command.spawn().unwrap();
    let toolchains = settings.data_dir.join("toolchains");
    let half_made = || {
        let names = fs::read_dir(&toolchains).into_iter().flatten().map(|entry| entry.unwrap().path());
        let mut temporary = names.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(".tmp-"));
        temporary.any(|path| path.join("lib").is_dir())
    };
    eventually("the installation has begun to unpack", half_made);
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(installed(&settings).iter().all(|name| name.starts_with(".tmp-")), "{:?}", installed(&settings));
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0, "nothing that nobody cleans up");
    let output = install(&settings);
    assert!(stdout(&output).starts_with("installed: "), "{}", stderr(&output));
    assert_eq!(installed(&settings), [toolchain().digest()]);
    clear(&settings);
}

#[test]
fn of_two_installations_one_does_the_work_and_the_other_says_that_it_waits() {
    let folder = folder();
    let settings = cut_off(folder.path());
    let start = || {
        let mut command = program(&settings);
        command.args(["toolchain", "install"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let both = [start(), start()].map(|running| running.wait_with_output().unwrap());
    let mut said: Vec<String> = both.iter().map(stdout).collect();
    said.sort();
    assert!(said[0].starts_with("already installed: ") && said[1].starts_with("installed: "), "{said:?}");
    let waited = both.iter().filter(|output| stderr(output).contains("waiting for another process")).count();
    assert!(waited >= 1);
    assert_eq!(installed(&settings), [toolchain().digest()]);
    clear(&settings);
}

#[test]
fn the_python_version_that_is_asked_for_need_not_be_the_one_that_runs() {
    let folder = folder();
    let other = if toolchain().kind() == TreeKind::Cp314 { PythonTag::Cp312 } else { PythonTag::Cp314 };
    let settings =
        ToolchainSettings { cache_dir: folder.path().join("cache"), offline: true, ..cut_off(folder.path()) };
    let request =
        InstallRequest { python: Some(other), target: Some(folder.path().join("target")), ..InstallRequest::default() };
    let error = manage::install_toolchain(&settings, &request, &call()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ToolUnavailable);
    let lock = Lock::embedded().unwrap();
    let first = lock.artifacts_of(toolchain().system(), other.into()).next().unwrap();
    assert!(error.message().starts_with(&format!("cannot get {} and 19 more", first.file)), "{error}");
    assert!(!folder.path().join("target").exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_named_with_the_variable_to_set() {
    let folder = folder();
    fs::write(folder.path().join("file"), "").unwrap();
    let settings = ToolchainSettings { data_dir: folder.path().join("file/data"), ..cut_off(folder.path()) };
    let error = manage::install_toolchain(&settings, &InstallRequest::default(), &call()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert!(error.message().contains("file/data/toolchains"), "{error}");
    assert!(error.body().hint.as_deref().unwrap().contains("TAPPS_MCP_DATA_DIR"));
}

#[test]
fn shims_that_do_not_run_are_skipped() {
    let folder = folder();
    let settings = cut_off(folder.path());
    let bin = folder.path().join("bin");
    script(&bin, "python3.13", "#!/bin/sh\necho 'not installed' >&2\nexit 127\n");
    script(&bin, "python3.12", "#!/bin/sh\nexec sleep 600\n");
    script(&bin, "python3.14", "#!/nonexistent/interpreter\n");
    script(
        &bin,
        "python3.11",
        "#!/bin/sh\necho '[\"PyPy\",\"3.11.1\",64,\"/bin/true\",\"\",\"x86_64\",\"linux\",\"\"]'\n",
    );
    let search_path = bin.clone().into_os_string();
    let settings = ToolchainSettings {
        python: None,
        search_path,
        data_dir: super::toolchain_support::settings().data_dir,
        ..settings
    };
    let found = manage::inspect_toolchain(&settings, &call()).unwrap();
    let interpreter = found.interpreter().unwrap();
    assert_eq!(interpreter.launcher, bin.join("python3"));
    assert_eq!(interpreter.executable, toolchain().interpreter().unwrap().executable);
    assert_eq!(interpreter.implementation, "CPython");
    assert_eq!(interpreter.sha256.len(), 64);
}

#[test]
fn an_explicit_interpreter_that_does_not_fit_is_an_error() {
    let folder = folder();
    let python = script(folder.path(), "python3", "#!/bin/sh\necho 'broken on purpose' >&2\nexit 1\n");
    for (python, reason) in [(python, "broken on purpose"), (folder.path().join("none"), "No such file or directory")] {
        let settings = ToolchainSettings { python: Some(python), ..settings() };
        let error = manage::inspect_toolchain(&settings, &call()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConfigError);
        assert!(error.message().contains(reason), "{error}");
        assert!(error.body().hint.as_deref().unwrap().contains("TAPPS_MCP_PYTHON"));
    }
}

#[tokio::test]
async fn without_python_ruff_still_runs_and_mypy_says_what_it_needs() {
    use tapps_toolchain::{Invocation, Program};
    let shared = tokio::task::spawn_blocking(toolchain).await.unwrap();
    let settings = ToolchainSettings { search_path: "/nonexistent".into(), ..settings() };
    let found =
        tokio::task::spawn_blocking(move || manage::inspect_toolchain(&settings, &call()).unwrap()).await.unwrap();
    // Which tree it is depends on which ones other tests have installed; every one holds the same ruff.
    assert_eq!(found.interpreter(), None);
    assert!(found.verified());
    let ruff = found.run(Invocation::new(Program::Ruff).args(["--version"]), &call()).await.unwrap();
    assert_eq!(ruff.stdout, b"ruff 0.17.6\n");
    let error = found.run(Invocation::new(Program::Mypy), &call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ToolUnavailable);
    assert!(error.body().install_hint.as_deref().unwrap().contains("TAPPS_MCP_PYTHON"));
    assert_eq!(found.fingerprint("1").unwrap(), shared.fingerprint("1").unwrap());
    assert!(found.interpreter_digest().is_none() && shared.interpreter_digest().is_some());
}

#[test]
fn another_python_version_has_another_tree() {
    let lock = Lock::embedded().unwrap();
    let system = toolchain().system();
    let mut digests: Vec<&str> =
        TreeKind::ALL.iter().map(|kind| lock.locked_tree(system, *kind).unwrap().digest.as_str()).collect();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 7);
    // A mode that lets others write survives no installation, whatever the umask of the caller.
    let folder = folder();
    let settings = cut_off(folder.path());
    let text = format!("#!/bin/sh\numask 0\nexec {} toolchain install\n", super::toolchain_support::PROGRAM);
    let wrapper = script(folder.path(), "wrapper", &text);
    let mut command = program(&settings);
    let environment: Vec<_> = command.get_envs().filter_map(|(k, v)| Some((k.to_owned(), v?.to_owned()))).collect();
    command = std::process::Command::new(wrapper);
    let output = command.envs(environment).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(manage::inspect_toolchain(&settings, &call()).unwrap().verified());
    set_mode(&settings.data_dir, 0o755);
    clear(&settings);
}

//! The real tools, installed once for all tests below the build folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tapps_base::call::Call;
use tapps_toolchain::manage;
use tapps_toolchain::manage::InstallRequest;
use tapps_toolchain::{Toolchain, ToolchainSettings};

/// This package's program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_tapps-mcp");

/// A call with time enough for anything that a test does.
pub(crate) fn call() -> Call {
    Call::quiet(Duration::from_secs(300))
}

/// Settings whose folders are below the build folder.
pub(crate) fn settings() -> ToolchainSettings {
    let base = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toolchain");
    ToolchainSettings {
        data_dir: base.join("data"),
        cache_dir: base.join("cache"),
        toolchain_dir: None,
        python: None,
        ..ToolchainSettings::from_env(Some(PROGRAM.into())).unwrap()
    }
}

/// The installed, verified toolchain; the first user installs it.
pub(crate) fn toolchain() -> Arc<Toolchain> {
    static SHARED: LazyLock<Arc<Toolchain>> = LazyLock::new(|| {
        let request = InstallRequest { when_needed: true, ..InstallRequest::default() };
        let installed = manage::install_toolchain(&settings(), &request, &call()).unwrap();
        assert!(installed.without.is_empty(), "{:?}", installed.without);
        let toolchain = manage::inspect_toolchain(&settings(), &call()).unwrap();
        assert!(toolchain.verified(), "{:?}", toolchain.verifications());
        Arc::new(toolchain)
    });
    Arc::clone(&SHARED)
}

/// Gives a command the environment that another one was prepared with.
pub(crate) fn inherit(to: &mut Command, from: &Command) {
    for (name, value) in from.get_envs() {
        match value {
            Some(value) => to.env(name, value),
            None => to.env_remove(name),
        };
    }
}

/// This package's program with the given settings.
pub(crate) fn program(settings: &ToolchainSettings) -> Command {
    let mut command = Command::new(PROGRAM);
    for name in ["TAPPS_MCP_TOOLCHAIN_DIR", "TAPPS_MCP_PYTHON", "TAPPS_MCP_OFFLINE"] {
        command.env_remove(name);
    }
    command.envs(settings.toolchain_dir.iter().map(|dir| ("TAPPS_MCP_TOOLCHAIN_DIR", dir)));
    command.envs(settings.python.iter().map(|python| ("TAPPS_MCP_PYTHON", python)));
    // Nobody listens there: a test never asks the real service.
    command.env_remove("CONTEXT7_API_KEY").env("CONTEXT7_API_URL", "http://127.0.0.1:9/api");
    command.env("PATH", &settings.search_path);
    command.env("TAPPS_MCP_DATA_DIR", &settings.data_dir).env("TAPPS_MCP_CACHE_DIR", &settings.cache_dir);
    command
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder below the build folder's own, so that it is on the same file system.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Everything below `from`, with its modes, to the new folder `to`.
pub(crate) fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Gives every folder of a tree back its write permission, so that it can be removed.
pub(crate) fn unlock(root: &Path) {
    set_mode(root, 0o755);
    for entry in std::fs::read_dir(root).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            unlock(&entry.path());
        }
    }
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Makes a file a program that can be started at once.
///
/// The kernel starts no program that somebody has open to write, and a child that another thread has just forked
/// holds, until it begins, whatever this process had open. So the bytes are written anew by a process of their own.
pub(crate) fn make_program(path: &Path) {
    let steps = "cp \"$0\" \"$0.new\" && chmod 755 \"$0.new\" && mv -f \"$0.new\" \"$0\"";
    assert!(std::process::Command::new("sh").args(["-c", steps]).arg(path).status().unwrap().success());
}

/// A program file with the given text.
pub(crate) fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    make_program(&path);
    path
}

/// True while a process runs; one that has ended and waits to be reaped does not.
pub(crate) fn is_running(pid: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    state.and_then(|text| text.rsplit(") ").next().map(|rest| !rest.starts_with('Z'))).unwrap_or(false)
}

/// Waits until `done` holds; fails after half a minute.
pub(crate) fn eventually(what: &str, mut done: impl FnMut() -> bool) {
    for _ in 0..6_000 {
        if done() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("never happened: {what}");
}

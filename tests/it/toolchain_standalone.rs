//! Locked CPythons: downloaded, refused, unpacked, verified, mended. The published archives are not reached from tests: a CPython
//! of this machine is packed as they are, and served on loopback with a lock that names its digest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::Value;
use tapps_base::{Error, ErrorCode, digest};
use tapps_toolchain::{InterpreterChoice, Provider, PythonTag, System, Toolchain, ToolchainSettings, manage};

use crate::packed_python::{ArchiveServer, Reply, packed, write_archive, write_lock};
use crate::toolchain_support::{
    PROGRAM, call, eventually, folder, program, set_mode, settings, stderr, stdout, toolchain, unlock,
};

/// The tools of all tests with folders of their own for all else, and a locked interpreter.
pub(crate) struct LockedSetting {
    folder: tempfile::TempDir,
    pub(crate) settings: ToolchainSettings,
}

impl LockedSetting {
    /// With a lock that names `sha256` at `url`.
    fn new(url: &str, sha256: &str, size: Option<u64>) -> Self {
        let folder = folder();
        let lock = write_lock(folder.path(), System::current().unwrap(), url, sha256, size);
        let settings = ToolchainSettings {
            data_dir: folder.path().join("data"),
            cache_dir: folder.path().join("cache"),
            toolchain_dir: Some(toolchain().root().to_owned()),
            interpreter: InterpreterChoice::Locked,
            interpreter_lock: Some(lock),
            search_path: "/nonexistent".into(),
            ..settings()
        };
        Self { folder, settings }
    }

    /// With the packed CPython in a folder that is asked before all else.
    fn with_archive_at_hand() -> Self {
        let made = Self::new("http://127.0.0.1:9/x", &packed().sha256, None);
        made.with_archive(&packed().bytes)
    }

    fn with_archive(mut self, bytes: &[u8]) -> Self {
        let from = self.folder.path().join("from");
        fs::create_dir(&from).unwrap();
        fs::write(from.join(&packed().file), bytes).unwrap();
        self.settings.from = Some(from);
        self
    }

    async fn ready(&self) -> Result<Arc<Toolchain>, Error> {
        Provider::new(self.settings.clone()).wait_until_ready(&call()).await
    }

    async fn refusal(&self) -> Error {
        let error = self.ready().await.unwrap_err();
        assert_eq!(self.trees(), Vec::<String>::new(), "{error}");
        let kept: Vec<PathBuf> = files_below(&self.settings.cache_dir.join("artifacts"));
        assert!(kept.is_empty(), "{kept:?}");
        error
    }

    /// What is installed, or was left behind.
    fn trees(&self) -> Vec<String> {
        let entries = fs::read_dir(self.settings.data_dir.join("toolchains")).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name != ".lock").collect()
    }

    fn root(&self) -> PathBuf {
        self.settings.data_dir.join("toolchains").join(&packed().sha256)
    }

    /// This package's program with the same settings.
    fn program(&self) -> Command {
        let mut command = program(&self.settings);
        command.env("TAPPS_MCP_INTERPRETER", "locked");
        command.env("TAPPS_MCP_TOOLCHAIN_INTERPRETER_LOCK", self.settings.interpreter_lock.as_ref().unwrap());
        command
    }
}

impl Drop for LockedSetting {
    fn drop(&mut self) {
        if self.settings.data_dir.exists() {
            unlock(&self.settings.data_dir);
        }
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn server_of_packed(reply: Reply) -> (ArchiveServer, LockedSetting) {
    let server = ArchiveServer::start(reply);
    let setting = LockedSetting::new(&server.url, &packed().sha256, None);
    (server, setting)
}

#[tokio::test]
async fn an_archive_is_downloaded_once_and_runs_the_tools() {
    let (server, setting) = server_of_packed(Reply::Redirect);
    let ready = setting.ready().await.unwrap();
    let (found, host) = (ready.interpreter().unwrap(), toolchain().interpreter().unwrap().clone());
    assert_eq!(found.archive.as_ref().unwrap().sha256, packed().sha256);
    assert_eq!(found.executable, setting.root().join(format!("python/bin/python{}", packed().dotted())));
    assert_eq!((&found.version, &found.digest), (&host.version, &host.digest), "the same CPython in another home");
    assert!(ready.verified(), "{:?}", ready.verifications());
    assert_eq!(ready.verifications().last().unwrap().kind.to_string(), "interpreter");
    assert_eq!(fs::read_link(setting.root().join("python/bin/python3")).unwrap(), Path::new(&packed().program));
    // One more time from what is unpacked, and once more from the cache.
    assert!(setting.ready().await.is_ok());
    unlock(&setting.root());
    fs::remove_dir_all(setting.root()).unwrap();
    assert!(setting.ready().await.is_ok());
    assert_eq!(server.requests(), 2, "one, and where it was led to");
}

#[tokio::test]
async fn what_is_not_the_locked_archive_is_refused_and_not_kept() {
    let (_server, setting) = server_of_packed(Reply::OtherBytes);
    let error = setting.refusal().await;
    assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
    assert!(error.message().contains("is not the locked archive"), "{error}");
    assert!(error.body().hint.as_deref().unwrap().contains(&packed().sha256));

    let server = ArchiveServer::start(Reply::Whole);
    let setting = LockedSetting::new(&server.url, &packed().sha256, Some(1_000));
    let error = setting.refusal().await;
    assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
    assert!(error.message().contains("more than 1000 bytes"), "{error}");

    // The same from a folder that somebody filled.
    let setting = LockedSetting::new(&server.url, &packed().sha256, None).with_archive(b"other");
    let error = setting.refusal().await;
    assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn what_cannot_be_had_says_what_to_do() {
    for (reply, said) in [(Reply::Truncated, "broke off after"), (Reply::NotFound, "answers 404")] {
        let (_server, setting) = server_of_packed(reply);
        let error = setting.refusal().await;
        assert_eq!(error.code(), ErrorCode::ToolUnavailable, "{error}");
        assert!(error.message().contains(said) && error.message().contains(&packed().file), "{error}");
        assert!(error.body().hint.as_deref().unwrap().contains("--interpreter locked --from DIR"));
    }
    let (server, mut setting) = server_of_packed(Reply::Whole);
    setting.settings.offline = true;
    let error = setting.refusal().await;
    assert_eq!(error.code(), ErrorCode::ToolUnavailable);
    assert!(error.message().ends_with("fetching is switched off"), "{error}");
    assert!(error.body().hint.as_deref().unwrap().contains(&server.url), "{error:?}");

    let here = System::current().unwrap();
    let other = System::ALL.into_iter().find(|system| *system != here).unwrap();
    let lock = write_lock(setting.folder.path(), other, &server.url, &packed().sha256, None);
    setting.settings.interpreter_lock = Some(lock);
    let error = setting.refusal().await;
    assert_eq!(error.code(), ErrorCode::ToolUnavailable);
    assert!(error.message().starts_with("no archive of a CPython"), "{error}");
    assert_eq!(server.requests(), 0, "nothing was asked for");

    setting.settings.interpreter_lock = Some("/nonexistent/lock".into());
    assert_eq!(setting.refusal().await.code(), ErrorCode::ConfigError);
    setting.settings.python = Some("python3".into());
    let error = setting.refusal().await;
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert!(error.message().contains("a locked interpreter is asked for"), "{error}");
}

#[tokio::test]
async fn nothing_of_an_archive_leads_out_of_its_folder() {
    use tar::EntryType::{Fifo, Link, Regular, Symlink};
    let program = format!("python/bin/{}", packed().program);
    type Entry<'e> = (&'e str, tar::EntryType, &'e str);
    let cases: [(&str, &[Entry<'_>]); 10] = [
        ("leaves its folder", &[("python/../../evil", Regular, "x")]),
        ("is absolute", &[("/tmp/evil", Regular, "x")]),
        ("is not below python/", &[("evil", Regular, "x")]),
        ("leads out of it", &[("python/l", Symlink, "../evil")]),
        ("leads out of it", &[("python/l", Symlink, "/etc/passwd")]),
        ("leads out of it", &[("python/d", Symlink, "bin/../..")]),
        ("behind a link", &[("python/l", Symlink, "bin"), ("python/l/m", Symlink, "x")]),
        ("neither file nor link", &[("python/h", Link, "python/bin/x")]),
        ("neither file nor link", &[("python/p", Fifo, "")]),
        ("something already", &[("python/f", Regular, "x"), ("python/f", Regular, "y")]),
    ];
    for (said, entries) in cases {
        let first = (program.as_str(), Regular, "#!/bin/sh\n");
        let bytes = write_archive(&[&[first], entries].concat());
        let setting = LockedSetting::new("http://127.0.0.1:9/x", &digest::sha256(&bytes), None).with_archive(&bytes);
        let error = setting.refusal().await;
        assert_eq!(error.code(), ErrorCode::ToolchainMismatch, "{said}: {error}");
        assert!(error.message().contains(said), "{said}: {error}");
        assert!(!setting.folder.path().join("evil").exists());
    }
    let none = write_archive(&[("python/bin/other", Regular, "x")]);
    let setting = LockedSetting::new("http://127.0.0.1:9/x", &digest::sha256(&none), None).with_archive(&none);
    let error = setting.refusal().await;
    assert!(error.message().contains("has no program python/bin/"), "{error}");
}

#[tokio::test]
async fn what_was_changed_does_not_run_and_is_mended() {
    let setting = LockedSetting::with_archive_at_hand();
    setting.ready().await.unwrap();
    let library = setting.root().join("python/lib").join(format!("python{}", packed().dotted()));
    let write = |path: &Path, text: &str| {
        set_mode(path.parent().unwrap(), 0o755);
        if path.exists() {
            set_mode(path, 0o644);
        }
        fs::write(path, text).unwrap();
    };
    let faults: [(&str, &dyn Fn()); 3] = [
        ("turtle.py (changed)", &|| write(&library.join("turtle.py"), "x = 1\n")),
        ("sitecustomize.py (added)", &|| write(&library.join("sitecustomize.py"), "x = 1\n")),
        ("python/bin/python3 (changed)", &|| {
            let link = setting.root().join("python/bin/python3");
            set_mode(link.parent().unwrap(), 0o755);
            fs::remove_file(&link).unwrap();
            std::os::unix::fs::symlink("/bin/sh", &link).unwrap();
        }),
    ];
    for (said, change) in faults {
        change();
        let error = setting.ready().await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
        assert!(error.message().contains(said), "{said}: {error}");
        assert!(error.body().hint.as_deref().unwrap().contains("--interpreter locked"), "{error:?}");
        let verified = setting.program().args(["toolchain", "verify", "--json"]).output().unwrap();
        assert_eq!(verified.status.code(), Some(4), "{}", stdout(&verified));
        let mut elsewhere = setting.settings.clone();
        elsewhere.toolchain_dir = None;
        elsewhere.cache_dir = settings().cache_dir;
        let mended = manage::install_toolchain(&elsewhere, &manage::InstallRequest::default(), &call()).unwrap();
        assert!(mended.trees.iter().any(|tree| tree.root == setting.root() && !tree.reused));
        assert!(setting.ready().await.is_ok(), "{said}");
    }
    // What tells what should be there is lost: unpacked anew, since that may be installed.
    let manifest = setting.root().join("manifest.json");
    write(&manifest, "{");
    assert!(setting.ready().await.unwrap().verified());
}

#[test]
fn a_kill_loses_nothing_and_the_next_run_mends() {
    let setting = LockedSetting::with_archive_at_hand();
    let install = |setting: &LockedSetting| {
        let mut command = setting.program();
        command.env_remove("TAPPS_MCP_TOOLCHAIN_DIR").env("TAPPS_MCP_CACHE_DIR", settings().cache_dir);
        command.args(["toolchain", "install", "--from"]).arg(setting.settings.from.as_ref().unwrap());
        command
    };
    let mut child = install(&setting).stdout(std::process::Stdio::null()).spawn().unwrap();
    eventually("unpacking begins", || {
        let temporary = setting.trees().into_iter().filter(|name| name.starts_with(".tmp-"));
        let mut trees = temporary.map(|name| setting.settings.data_dir.join("toolchains").join(name).join("python"));
        trees.any(|tree| files_below(&tree).len() > 20)
    });
    child.kill().unwrap();
    assert!(child.wait().unwrap().code().is_none(), "it was killed");
    assert!(!setting.root().exists() && !setting.trees().is_empty(), "{:?}", setting.trees());

    let output = install(&setting).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("\ninstalled: interpreter ("), "{}", stdout(&output));
    assert!(setting.root().join("manifest.json").is_file());
    assert!(setting.trees().iter().all(|name| !name.starts_with(".tmp-")), "{:?}", setting.trees());
    let again = install(&setting).output().unwrap();
    assert!(stdout(&again).contains("\nalready installed: interpreter ("), "{}", stdout(&again));
}

#[test]
fn findings_are_those_of_the_same_cpython_of_the_machine() {
    let setting = LockedSetting::with_archive_at_hand();
    let project = folder();
    fs::write(project.path().join("a.py"), "import os\n\n\ndef double(x: int) -> str:\n    return x * 2\n").unwrap();
    let score = |mut command: Command| -> Value {
        command.args(["score", "a.py", "--format", "json", "-q", "--no-cache"]).env("TAPPS_MCP_PROJECT_ROOT", ".");
        let output = command.current_dir(project.path()).output().unwrap();
        let mut value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        value.as_object_mut().unwrap().remove("meta");
        value["files"][0].as_object_mut().unwrap().remove("meta");
        value
    };
    let host = score(program(&settings()));
    let install = setting.program().args(["toolchain", "show"]).output().unwrap();
    assert_eq!(install.status.code(), Some(4), "a look installs nothing: {}", stdout(&install));
    assert!(stderr(&install).contains("is not installed"), "{}", stderr(&install));
    // Where it is asked for it is installed without another word; a folder to take it from has a command of its own.
    let cached = setting.settings.cache_dir.join("artifacts").join(&packed().sha256);
    fs::create_dir_all(&cached).unwrap();
    fs::copy(setting.settings.from.as_ref().unwrap().join(&packed().file), cached.join(&packed().file)).unwrap();
    let locked = score(setting.program());
    assert_eq!(digest::canonical_json(&locked).unwrap(), digest::canonical_json(&host).unwrap());
    let rules = locked["files"][0]["findings"].to_string();
    assert!(rules.contains("return-value"), "mypy ran: {rules}");

    // On a machine without another Python the one that is there is taken, and nothing is downloaded for that.
    let mut command = setting.program();
    command.env_remove("TAPPS_MCP_INTERPRETER").env("TAPPS_MCP_OFFLINE", "1");
    assert_eq!(score(command), locked);
    let show = setting.program().args(["toolchain", "show", "--json"]).output().unwrap();
    let show: Value = serde_json::from_slice(&show.stdout).unwrap();
    assert_eq!(show["interpreter"]["archive"]["sha256"], packed().sha256.as_str());
    let doctor = setting.program().args(["doctor", "--json", "--offline"]).output().unwrap();
    assert!(stdout(&doctor).contains(&format!("unpacked from the locked archive {}", packed().sha256)));
    let other = Command::new(PROGRAM).args(["--interpreter", "other", "config", "show"]).output().unwrap();
    assert_eq!(other.status.code(), Some(2), "{}", stderr(&other));
}

#[test]
fn the_committed_lock_has_every_system_and_python() {
    use tapps_toolchain::standalone::lock::InterpreterLock;
    let lock = InterpreterLock::embedded().unwrap();
    let pairs: Vec<_> = lock.archives.iter().map(|archive| (archive.system, archive.python)).collect();
    let every = |system| PythonTag::ALL.into_iter().map(move |python| (system, python));
    assert_eq!(pairs, System::ALL.into_iter().flat_map(every).collect::<Vec<_>>());
    assert!(lock.source.contains("astral-sh/uv"), "{}", lock.source);
    for archive in &lock.archives {
        let folder = "https://github.com/astral-sh/python-build-standalone/releases/download/";
        let file = archive.url.strip_prefix(folder).unwrap().strip_prefix(&format!("{}/", archive.release)).unwrap();
        assert_eq!(file.replace("%2B", "+"), archive.file);
        let machine = match archive.system {
            System::Aarch64Darwin => "aarch64-apple-darwin",
            System::Aarch64Linux => "aarch64-unknown-linux-gnu",
            System::X86_64Linux => "x86_64-unknown-linux-gnu",
        };
        let (version, release) = (&archive.version, &archive.release);
        let name = format!("cpython-{version}+{release}-{machine}-install_only_stripped.tar.gz");
        assert_eq!(archive.file, name);
    }
}

/// The script takes the newest release of each version that it is meant for, and refuses another digest of a second table.
#[test]
fn the_lock_is_renewed_from_a_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = folder();
    for below in ["packaging", "nix"] {
        fs::create_dir(folder.path().join(below)).unwrap();
    }
    let script = folder.path().join("packaging/interpreters-lock");
    fs::copy(root.join("packaging/interpreters-lock"), &script).unwrap();
    let committed = fs::read_to_string(root.join("nix/interpreters.lock.json")).unwrap();
    let lock: Value = serde_json::from_str(&committed).unwrap();
    let entry = |archive: &Value, patch: u64, more: Value| {
        let system = archive["system"].as_str().unwrap();
        let (family, os) = system.split_once('-').unwrap();
        let python = archive["python"].as_str().unwrap();
        let mut entry = serde_json::json!({
            "name": "cpython", "arch": {"family": family, "variant": null}, "os": os,
            "libc": if os == "linux" { "gnu" } else { "none" }, "major": 3,
            "minor": python[3..].parse::<u64>().unwrap(), "patch": patch, "prerelease": "", "variant": null,
            "url": archive["url"], "sha256": archive["sha256"], "build": archive["release"],
        });
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        entry
    };
    let mut table = serde_json::Map::new();
    for (at, archive) in lock["archives"].as_array().unwrap().iter().enumerate() {
        let patch = archive["version"].as_str().unwrap().rsplit('.').next().unwrap().parse::<u64>().unwrap();
        let others = [
            serde_json::json!({"prerelease": "rc1"}),
            serde_json::json!({"variant": "freethreaded"}),
            serde_json::json!({"libc": "musl"}),
            serde_json::json!({"name": "pypy"}),
        ];
        table.insert(format!("{at}"), entry(archive, patch, serde_json::json!({})));
        table.insert(format!("{at} old"), entry(archive, patch - 1, serde_json::json!({"sha256": "0"})));
        for (other, more) in others.into_iter().enumerate() {
            table.insert(format!("{at} {other}"), entry(archive, patch + 1, more));
        }
    }
    let path = folder.path().join("table.json");
    fs::write(&path, Value::from(table.clone()).to_string()).unwrap();
    let run = |others: &[&Path]| {
        let python = toolchain().interpreter().unwrap().executable.clone();
        let mut command = Command::new(python);
        command.arg(&script).arg(&path).arg(lock["source"].as_str().unwrap()).args(others).output().unwrap()
    };
    let output = run(&[&path]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(folder.path().join("nix/interpreters.lock.json")).unwrap(), committed);
    let other = folder.path().join("other.json");
    let sha256 = lock["archives"][0]["sha256"].as_str().unwrap();
    fs::write(&other, format!("{} \"{}\"", lock["archives"][0]["url"], sha256.replace(&sha256[..1], "0"))).unwrap();
    let output = run(&[&other]);
    assert!(!output.status.success() && stderr(&output).contains("has another digest"), "{}", stderr(&output));
}

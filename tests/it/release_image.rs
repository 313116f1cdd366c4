//! The image for containers: what is in it, told by its own digests, and run as a container would be.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tapps_base::digest;

use crate::release::{
    OWN_PACKAGES, SMALL_PROGRAMS, VERSION, file_ending, names, pack, platform, small_programs, succeeded,
};
use crate::systems::{self, System};
use crate::toolchain_support::{copy_tree, folder, script, set_mode, stderr, stdout};

/// The root folder that the release makes of Debian's packages, made once for a state of what makes it.
pub(crate) fn root_folder() -> PathBuf {
    let make = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/image-root");
    let tag = &digest::sha256(&fs::read(&make).unwrap())[..16];
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("image-root-{tag}"));
    if !root.is_dir() {
        let mut command = Command::new(make);
        command.arg(&root);
        succeeded(command);
    }
    root
}

/// A root folder and a folder of tools in name only.
struct Parts {
    folder: tempfile::TempDir,
    root: PathBuf,
    tools: PathBuf,
}

impl Parts {
    fn new() -> Self {
        let folder = folder();
        let (root, tools) = (folder.path().join("root"), folder.path().join("tools"));
        fs::create_dir_all(root.join("usr/bin")).unwrap();
        script(&root.join("usr/bin"), "python3.11", "#!/bin/false\n");
        std::os::unix::fs::symlink("usr/bin", root.join("bin")).unwrap();
        fs::create_dir_all(tools.join("bin")).unwrap();
        fs::write(tools.join("bin/ruff"), "ruff\n").unwrap();
        set_mode(&tools.join("bin/ruff"), 0o555);
        Self { folder, root, tools }
    }

    /// A base, and what else is said about the image; the small program says that its tools are those of CPython 3.11.
    fn command(&self, programs: &Path, base: &Path, more: &[&str], out: &str) -> (Command, PathBuf) {
        let out = self.folder.path().join(out);
        let mut command = pack(programs, &out);
        command.arg("--image").arg(base).arg("--image-tools").arg(&self.tools).args(more);
        (command, out)
    }

    fn image(&self, programs: &Path, base: &Path, more: &[&str], out: &str) -> PathBuf {
        let (command, out) = self.command(programs, base, more, out);
        succeeded(command);
        file_ending(&out, ".oci.tar")
    }

    fn refused(&self, programs: &Path, base: &Path, more: &[&str]) -> String {
        let (mut command, out) = self.command(programs, base, more, "refused");
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        assert!(!names(&out).iter().any(|name| name.ends_with(".oci.tar")));
        stderr(&output)
    }
}

/// An image as its archive has it: every blob is what its digest says.
struct Opened {
    manifest: Value,
    config: Value,
    /// For each layer the modes and owners of what is in it.
    layers: Vec<BTreeMap<String, (u32, u64)>>,
    digest: String,
}

fn open(archive: &Path) -> Opened {
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(fs::File::open(archive).unwrap()).entries().unwrap() {
        let mut entry = entry.unwrap();
        let (name, mut content) = (entry.path().unwrap().to_str().unwrap().to_owned(), Vec::new());
        entry.read_to_end(&mut content).unwrap();
        files.insert(name, content);
    }
    let json = |bytes: &[u8]| -> Value { serde_json::from_slice(bytes).unwrap() };
    assert_eq!(json(&files["oci-layout"]), json!({"imageLayoutVersion": "1.0.0"}));
    let blob = |descriptor: &Value| {
        let name = descriptor["digest"].as_str().unwrap();
        let content = &files[&format!("blobs/{}", name.replace(':', "/"))];
        assert_eq!(format!("sha256:{}", digest::sha256(content)), name);
        assert_eq!(descriptor["size"], content.len());
        content.clone()
    };
    let described = json(&files["index.json"])["manifests"][0].clone();
    assert_eq!(described["annotations"]["org.opencontainers.image.ref.name"], VERSION);
    let manifest = json(&blob(&described));
    let config = json(&blob(&manifest["config"]));
    let mut layers = Vec::new();
    let unpacked = config["rootfs"]["diff_ids"].as_array().unwrap();
    assert_eq!(unpacked.len(), manifest["layers"].as_array().unwrap().len());
    for (layer, unpacked) in manifest["layers"].as_array().unwrap().iter().zip(unpacked) {
        let mut content = Vec::new();
        flate2::read::GzDecoder::new(&blob(layer)[..]).read_to_end(&mut content).unwrap();
        assert_eq!(*unpacked, format!("sha256:{}", digest::sha256(&content)));
        let mut archive = tar::Archive::new(&content[..]);
        let entries = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            let name = entry.path().unwrap().to_str().unwrap().trim_end_matches('/').to_owned();
            (name, (entry.header().mode().unwrap(), entry.header().uid().unwrap()))
        });
        layers.push(entries.collect());
    }
    Opened { manifest, config, layers, digest: described["digest"].as_str().unwrap().to_owned() }
}

fn linux() -> bool {
    cfg!(target_os = "linux")
}

#[test]
fn an_image_says_how_it_is_started_and_what_is_in_it() {
    if !linux() {
        return;
    }
    let parts = Parts::new();
    let archive = parts.image(&SMALL_PROGRAMS, &parts.root, &[], "out");
    let described = crate::packages::json_of(&archive.with_file_name("server.json"));
    crate::packages::assert_valid(&crate::packages::registry_schema(), &described);
    let package = described["packages"].as_array().unwrap().last().unwrap();
    assert_eq!(package["registryType"], "oci");
    assert_eq!(package["identifier"], format!("ghcr.io/tapps-mcp/tapps-mcp:{VERSION}"));
    let image = open(&archive);
    let config = &image.config["config"];
    assert_eq!(config["User"], "1000:1000");
    assert_eq!((&config["Entrypoint"], &config["Cmd"]), (&json!(["tapps-mcp"]), &json!(["serve"])));
    assert_eq!(config["WorkingDir"], "/project");
    assert_eq!(
        config["Env"],
        json!([
            "HOME=/home/tapps",
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "TAPPS_MCP_OFFLINE=1",
            "TAPPS_MCP_PYTHON=/usr/bin/python3.11",
            "TAPPS_MCP_TOOLCHAIN_DIR=/opt/tapps-mcp/toolchain",
        ])
    );
    assert_eq!(config["Healthcheck"]["Test"], json!(["CMD", "tapps-mcp", "toolchain", "verify"]));
    assert_eq!(config["Labels"]["org.opencontainers.image.version"], VERSION);
    let server = crate::packages::json_of(&crate::packages::root().join("server.json"));
    assert_eq!(config["Labels"]["io.modelcontextprotocol.server.name"], server["name"]);
    let processor = if cfg!(target_arch = "x86_64") { "amd64" } else { "arm64" };
    assert_eq!((&image.config["architecture"], &image.config["os"]), (&json!(processor), &json!("linux")));

    let [base, tools, own] = &image.layers[..] else { panic!("{} layers", image.layers.len()) };
    assert_eq!((base["usr/bin/python3.11"], base["bin"]), ((0o755, 0), (0o777, 0)));
    assert_eq!(tools["opt/tapps-mcp/toolchain/bin/ruff"], (0o555, 0));
    assert_eq!((tools["home/tapps"], tools["tmp"], tools["project"]), ((0o700, 1000), (0o1777, 0), (0o755, 0)));
    assert_eq!((own["usr/local/bin/tapps-mcp"], own["usr/local/bin/coderef"]), ((0o755, 0), (0o755, 0)));
    assert_eq!(own["usr/local/share/doc/tapps-mcp/tapps-mcp.cdx.json"], (0o644, 0));
    assert!(!own.contains_key("usr/local/bin/tdd-mcp"), "it is a script, and there is no shell");
}

#[test]
fn the_same_programs_tools_and_root_give_the_same_image() {
    if !linux() {
        return;
    }
    let parts = Parts::new();
    let first = parts.image(&SMALL_PROGRAMS, &parts.root, &[], "first");
    let (programs, root) = (parts.folder.path().join("copied"), parts.folder.path().join("other-root"));
    copy_tree(&SMALL_PROGRAMS, &programs);
    fs::create_dir_all(root.join("usr")).unwrap();
    copy_tree(&parts.root.join("usr/bin"), &root.join("usr/bin"));
    std::os::unix::fs::symlink("usr/bin", root.join("bin")).unwrap();
    let (mut again, out) = parts.command(&programs, &root, &[], "second");
    again.env("TZ", "Asia/Kathmandu").env("LC_ALL", "C.UTF-8").env("PYTHONHASHSEED", "7").env("TAPPS_MCP_OFFLINE", "1");
    succeeded(again);
    let second = file_ending(&out, ".oci.tar");
    assert!(fs::read(&first).unwrap() == fs::read(second).unwrap(), "the images differ");
    fs::write(root.join("usr/bin/git"), "git\n").unwrap();
    let third = open(&parts.image(&programs, &root, &[], "third"));
    let first = open(&first);
    assert_ne!(first.manifest["layers"][0], third.manifest["layers"][0]);
    assert_eq!(
        first.manifest["layers"][1], third.manifest["layers"][1],
        "what did not change is what machines have already"
    );
}

#[test]
fn an_image_is_made_on_another_one_whose_every_byte_is_as_it_says() {
    if !linux() {
        return;
    }
    let parts = Parts::new();
    let base = parts.image(&SMALL_PROGRAMS, &parts.root, &[], "base");
    let layout = parts.folder.path().join("layout");
    tar::Archive::new(fs::File::open(&base).unwrap()).unpack(&layout).unwrap();
    let base = open(&base);
    let python = ["--image-python", "/usr/bin/python3.11"];
    let image = open(&parts.image(&SMALL_PROGRAMS, &layout, &python, "out"));
    let layers = |image: &Opened| image.manifest["layers"].as_array().unwrap().clone();
    assert_eq!(layers(&image)[..3], layers(&base));
    assert_eq!(layers(&image).len(), 5);
    assert_eq!(image.config["config"]["Labels"]["org.opencontainers.image.base.digest"], base.digest.as_str());
    assert_eq!(image.config["history"].as_array().unwrap().len(), 5);

    let told = parts.refused(&SMALL_PROGRAMS, &layout, &["--image-python", "/usr/bin/python3.12"]);
    assert!(told.contains("the tools are those for cp311, and the image has /usr/bin/python3.12"), "{told}");
    let told = parts.refused(&SMALL_PROGRAMS, &layout, &["--image-python", "/usr/bin/python3"]);
    assert!(told.contains("does not end with python3.11 to python3.14"), "{told}");
    let digest = base.manifest["layers"][0]["digest"].as_str().unwrap().replace(':', "/");
    let blob = layout.join("blobs").join(digest);
    let mut content = fs::read(&blob).unwrap();
    let last = content.len() - 1;
    content[last] ^= 1;
    fs::write(&blob, content).unwrap();
    let told = parts.refused(&SMALL_PROGRAMS, &layout, &python);
    assert!(told.contains("has other bytes than its digest says"), "{told}");
    fs::write(layout.join("index.json"), r#"{"manifests": []}"#).unwrap();
    let told = parts.refused(&SMALL_PROGRAMS, &layout, &python);
    assert!(told.contains("has 0 images for "), "{told}");
}

#[test]
fn programs_that_want_nothing_of_a_system_need_no_base() {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return;
    }
    let (parts, nothing) = (Parts::new(), Path::new("scratch"));
    let told = parts.refused(&SMALL_PROGRAMS, nothing, &[]);
    assert!(told.contains("the programs need the libraries of a system: name a base"), "{told}");
    let missing = parts.refused(&SMALL_PROGRAMS, Path::new("nowhere"), &[]);
    assert!(missing.contains("nowhere is no folder"), "{missing}");

    let archive = parts.image(&small_programs("static"), nothing, &[], "out");
    let image = open(&archive);
    assert_eq!(image.layers.len(), 2);
    assert!(!image.config["config"]["Env"].to_string().contains("TAPPS_MCP_PYTHON"));
    let wheel = file_ending(archive.parent().unwrap(), ".whl");
    let processor = std::env::consts::ARCH;
    let tags = format!("manylinux_2_17_{processor}.manylinux2014_{processor}.musllinux_1_1_{processor}.whl");
    assert!(wheel.to_str().unwrap().ends_with(&tags), "{}", wheel.display());
}

/// Unpacks the image of this very program as an engine would, and runs it from there as somebody who may write nothing of it,
/// without a network.
#[test]
fn the_image_of_this_program_judges_as_nobody_in_particular() {
    let (Some(umoci), Some(unshare)) = (systems::require(System::Images), systems::require(System::MountNamespace))
    else {
        return;
    };
    if systems::require(System::DebianPackages).is_none() {
        return;
    }
    let folder = folder();
    let archive = file_ending(&OWN_PACKAGES, ".oci.tar");
    assert!(archive.ends_with(format!("tapps-mcp-{VERSION}-{}.oci.tar", platform())), "{}", archive.display());
    let source = format!("oci-archive:{}", archive.display());
    let (skopeo, layout) = (umoci.with_file_name("skopeo"), folder.path().join("layout"));
    let mut inspect = Command::new(&skopeo);
    inspect.args(["inspect", &source]);
    let inspected: Value = serde_json::from_str(&succeeded(inspect)).unwrap();
    assert_eq!(inspected["Digest"], open(&archive).digest.as_str());
    assert_eq!(inspected["Layers"].as_array().unwrap().len(), 3);
    let mut copy = Command::new(&skopeo);
    copy.args(["--insecure-policy", "copy", "--quiet", &source]).arg(format!("oci:{}:v", layout.display()));
    succeeded(copy);
    let bundle = folder.path().join("bundle");
    let mut unpack = Command::new(umoci);
    unpack.args(["unpack", "--image"]).arg(format!("{}:v", layout.display())).arg(&bundle);
    succeeded(unpack);
    let started = crate::packages::json_of(&bundle.join("config.json"))["process"].clone();
    assert_eq!((&started["user"]["uid"], &started["user"]["gid"]), (&json!(1000), &json!(1000)));
    assert_eq!((&started["args"], &started["cwd"]), (&json!(["tapps-mcp", "serve"]), &json!("/project")));

    let project = folder.path().join("project");
    fs::create_dir(&project).unwrap();
    for name in ["clean.py", "defects.py"] {
        fs::copy(crate::packages::root().join("nix/checks").join(name), project.join(name)).unwrap();
    }
    fs::write(project.join("page.ts"), "const count: number = 'one';\nexport default count;\n").unwrap();
    set_mode(folder.path(), 0o755);
    let enter = "mount --bind /dev \"$ROOT/dev\"; mount -t proc proc \"$ROOT/proc\"; mount --bind \"$PROJECT\" \"$ROOT/project\"\n\
                 mount -o remount,bind,ro \"$ROOT/project\"; root=$ROOT; unset ROOT PROJECT\n\
                 PATH=$PATH:/usr/sbin:/sbin exec chroot --userspec=1000:1000 \"$root\" \"$@\"";
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&unshare);
        command.args(["--mount", "--net", "--pid", "--fork", "sh", "-euc", enter, "sh", "/usr/local/bin/tapps-mcp"]);
        command.args(["--project-root", "/project"]).args(arguments).env_clear().stdin(Stdio::null());
        for line in started["env"].as_array().unwrap() {
            let (name, value) = line.as_str().unwrap().split_once('=').unwrap();
            command.env(name, value);
        }
        command.env("ROOT", bundle.join("rootfs")).env("PROJECT", &project).output().unwrap()
    };
    assert_eq!(stdout(&run(&["--version"])), format!("tapps-mcp {VERSION}\n"));
    let health = run(&["toolchain", "verify"]);
    assert!(health.status.success(), "{}{}", stdout(&health), stderr(&health));
    assert!(stdout(&health).contains("typescript: as locked: "), "{}", stdout(&health));
    let scored = run(&["score", "clean.py", "defects.py", "page.ts", "--format", "json", "--quiet"]);
    let scores: Value = serde_json::from_slice(&scored.stdout).unwrap_or_else(|_| panic!("{}", stderr(&scored)));
    let mut rules = Vec::new();
    for file in scores["files"].as_array().unwrap() {
        assert_eq!((&file["toolchain"]["verified"], &file["degraded"]), (&json!(true), &json!(false)), "{file}");
        rules.extend(file["findings"].as_array().unwrap().iter().filter_map(|finding| finding["rule"].as_str()));
    }
    for rule in ["ruff:F821", "mypy:return-value", "bandit:B602", "tsc:TS2322"] {
        assert!(rules.contains(&rule), "{rules:?}");
    }
    // Nothing in it but its own home can be written by whom it runs as.
    let doctor = run(&["doctor", "--json"]);
    let report: Value = serde_json::from_slice(&doctor.stdout).unwrap_or_else(|_| panic!("{}", stderr(&doctor)));
    let state = report["checks"].as_array().unwrap().iter().find(|check| check["id"] == "project.state").unwrap();
    assert_eq!(state["status"], "warning", "{state}");
}

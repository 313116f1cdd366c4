//! The two tiers of the tests.
//!
//! The plain tier needs cargo, a C compiler with make, Python with pip and git. What needs more asks here for it by name: such a
//! test is left out, with a line that says so, unless `TAPPS_TEST_SYSTEMS=1` is set. Then it runs, and what is missing fails it.
//! Of long lists of packages some stand for all; `TAPPS_TEST_WHOLE=1` takes them all.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex::Regex;

/// The variable that adds the systems tier.
const VARIABLE: &str = "TAPPS_TEST_SYSTEMS";

/// Something that a machine may not have, though the program itself can be built and tested there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    /// The locked ast-grep, a wheel for one platform.
    AstGrep,
    Browser,
    Deadnix,
    /// Packages as Debian 12 has them: sources of Go, and manuals.
    DebianMirror,
    /// Fetching packages of Debian.
    DebianPackages,
    /// Reading packages of Debian.
    Dpkg,
    /// Programs of another architecture.
    Emulator,
    /// gcc with gcov.
    Gcov,
    Go,
    Graphviz,
    Groff,
    /// The locked hadolint, a wheel for one platform.
    Hadolint,
    /// Reading images for containers.
    Images,
    /// Signatures by keys in files.
    Minisign,
    /// Processes with disks of their own.
    MountNamespace,
    /// Processes that see no network at all.
    NetworkNamespace,
    Nix,
    /// Node with npm, and the registry that npm is set up for.
    Node,
    /// Wheels with compiled parts, locked for one interpreter on one platform.
    CompiledWheels,
    /// A CPython of another release than the one that tests run the tools on.
    OtherPython,
    /// Running a program as somebody else, whom the modes of files bind.
    OtherUser,
    /// MCP clients as they are published, which bring a Node of their own.
    PublishedClients,
    Redis,
    /// A server that speaks S3's interface, out of a wheel.
    S3,
    /// Watching which programs a program starts.
    Strace,
    /// Binding a process to one core.
    Taskset,
}

/// What a system is, and how a machine gets it.
struct Described {
    name: &'static str,
    remedy: &'static str,
    /// Debian's packages.
    packages: &'static [&'static str],
}

impl System {
    const ALL: [Self; 26] = [
        Self::AstGrep,
        Self::Browser,
        Self::Deadnix,
        Self::DebianMirror,
        Self::DebianPackages,
        Self::Dpkg,
        Self::Emulator,
        Self::Gcov,
        Self::Go,
        Self::Graphviz,
        Self::Groff,
        Self::Hadolint,
        Self::Images,
        Self::Minisign,
        Self::MountNamespace,
        Self::NetworkNamespace,
        Self::Nix,
        Self::Node,
        Self::CompiledWheels,
        Self::OtherPython,
        Self::OtherUser,
        Self::PublishedClients,
        Self::Redis,
        Self::S3,
        Self::Strace,
        Self::Taskset,
    ];

    const fn described(self) -> Described {
        let (name, remedy, packages): (_, _, &[_]) = match self {
            Self::AstGrep => ("the locked ast-grep", "run on Linux on x86_64, with node and npm", &["nodejs", "npm"]),
            Self::Browser => ("a browser", "install chromium", &["chromium"]),
            Self::Deadnix => ("deadnix", "run `cargo install --locked deadnix`", &[]),
            Self::DebianMirror => ("a mirror of Debian 12", "run on Debian 12, with dpkg-deb", &["dpkg"]),
            Self::DebianPackages => ("Debian's packages", "run on Debian or a relative of it, as root", &[]),
            Self::Dpkg => ("dpkg-deb", "install dpkg", &["dpkg"]),
            Self::Emulator => ("an emulator of aarch64", "install qemu-aarch64-static", &["qemu-user-static"]),
            Self::Gcov => ("gcc with gcov", "install gcc", &["gcc"]),
            Self::Go => ("Go", "install go", &["golang-go"]),
            Self::Graphviz => ("Graphviz", "install dot", &["graphviz"]),
            Self::Groff => ("groff", "install groff", &["groff-base"]),
            Self::Hadolint => ("the locked hadolint", "run on Linux on x86_64", &[]),
            Self::Images => ("umoci with skopeo", "install umoci and skopeo", &["skopeo", "umoci"]),
            Self::Minisign => ("minisign", "install minisign", &["minisign"]),
            Self::MountNamespace => (
                "a mount namespace",
                "install unshare, and let this user make user namespaces, or be root",
                &["util-linux", "mount"],
            ),
            Self::NetworkNamespace => (
                "a network namespace",
                "install unshare, and let this user make user namespaces, or be root",
                &["util-linux"],
            ),
            Self::Nix => ("Nix", "install nix on Linux on x86_64, and let this user write /nix", &["nix-bin"]),
            Self::Node => ("Node with npm", "install node and npm", &["nodejs", "npm"]),
            Self::CompiledWheels => ("CPython 3.11", "have python3 be CPython 3.11 on Linux on x86_64", &[]),
            Self::OtherPython => (
                "another CPython",
                "have python3.11, 3.12, 3.13 or 3.14 where pyenv keeps them or in TAPPS_TEST_PYTHONS",
                &[],
            ),
            Self::OtherUser => ("another user", "install setpriv", &["util-linux"]),
            Self::PublishedClients => ("published MCP clients", "install Python with pip", &["python3", "python3-pip"]),
            Self::Redis => ("Redis", "install redis-server", &["redis-server"]),
            Self::S3 => ("a server that speaks S3's interface", "install Python with pip", &["python3", "python3-pip"]),
            Self::Strace => ("strace", "install strace, and let this user trace processes", &["strace"]),
            Self::Taskset => ("taskset", "install taskset", &["util-linux"]),
        };
        Described { name, remedy, packages }
    }

    /// Its program, or the one that installs or starts it.
    fn find(self) -> Option<PathBuf> {
        let linux = cfg!(all(target_os = "linux", target_arch = "x86_64"));
        let python = || on_path(&["python3"]);
        match self {
            Self::AstGrep => python().filter(|_| linux && on_path(&["npm"]).is_some()),
            Self::Browser => on_path(&["chromium", "chromium-browser", "google-chrome", "chrome"]),
            Self::Deadnix => on_path(&["deadnix"]),
            Self::DebianMirror => on_path(&["apt-get"]).filter(|_| on_path(&["dpkg-deb"]).is_some() && is_debian_12()),
            Self::DebianPackages => on_path(&["apt-get"]).filter(|_| rustix::process::geteuid().is_root()),
            Self::Dpkg => on_path(&["dpkg-deb"]),
            Self::Emulator => on_path(&["qemu-aarch64-static", "qemu-aarch64"]),
            Self::Gcov => on_path(&["gcov"]).filter(|_| on_path(&["gcc"]).is_some()),
            Self::Go => on_path(&["go"]),
            Self::Graphviz => on_path(&["dot"]),
            Self::Groff => on_path(&["groff"]),
            Self::Hadolint => python().filter(|_| linux),
            Self::Images => on_path(&["umoci"]).filter(|_| on_path(&["skopeo"]).is_some()),
            Self::Minisign => on_path(&["minisign"]),
            Self::MountNamespace => on_path(&["unshare"]).filter(|unshare| {
                succeeds(unshare, &["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"])
            }),
            Self::NetworkNamespace => {
                on_path(&["unshare"]).filter(|unshare| succeeds(unshare, &["--map-root-user", "--net", "true"]))
            }
            Self::Nix => {
                on_path(&["nix"]).filter(|_| linux && on_path(&["nix-instantiate"]).is_some() && nix_is_writable())
            }
            Self::Node => on_path(&["node"]).filter(|_| on_path(&["npm"]).is_some()),
            Self::CompiledWheels => python().filter(|python| {
                linux && succeeds(python, &["-c", "import sys; sys.exit(sys.version_info[:2] != (3, 11))"])
            }),
            Self::PublishedClients | Self::S3 => {
                python().filter(|python| succeeds(python, &["-m", "pip", "--version"]))
            }
            Self::OtherPython => pythons().into_values().nth(1),
            Self::OtherUser => on_path(&["setpriv"]),
            Self::Redis => on_path(&["redis-server"]),
            Self::Strace => {
                on_path(&["strace"]).filter(|strace| succeeds(strace, &["-f", "-qq", "-e", "trace=execve", "true"]))
            }
            Self::Taskset => on_path(&["taskset"]),
        }
    }
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    names.iter().find_map(|name| which::which(name).ok())
}

/// Every CPython of this machine that there are tools for, one for each release, by its version: on the search path, in the
/// folders that `TAPPS_TEST_PYTHONS` names, and as pyenv keeps them.
pub(crate) fn pythons() -> BTreeMap<String, PathBuf> {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let kept = std::fs::read_dir(home.join(".pyenv/versions")).into_iter().flatten().filter_map(Result::ok);
    let folders_in =
        |variable| std::env::split_paths(&std::env::var_os(variable).unwrap_or_default()).collect::<Vec<_>>();
    let folders = folders_in("PATH").into_iter().chain(folders_in("TAPPS_TEST_PYTHONS"));
    let mut found = BTreeMap::new();
    for folder in folders.chain(kept.map(|version| version.path().join("bin"))).filter(|folder| folder.is_absolute()) {
        for minor in 11..=14 {
            let program = folder.join(format!("python3.{minor}"));
            let ask = ["-I", "-S", "-c", "import platform; print(platform.python_version())"];
            let said = Command::new(&program).args(ask).output();
            let Some(output) = said.ok().filter(|output| output.status.success()) else { continue };
            found.entry(String::from_utf8_lossy(&output.stdout).trim().to_owned()).or_insert(program);
        }
    }
    found
}

/// Where git is, which the plain tier needs as well.
pub(crate) fn git() -> PathBuf {
    on_path(&["git"]).expect("git is missing")
}

fn is_debian_12() -> bool {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    release.lines().any(|line| line == "VERSION_CODENAME=bookworm")
}

fn succeeds(program: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn nix_is_writable() -> bool {
    let folder = ["/nix", "/"].into_iter().find(|path| Path::new(path).is_dir());
    folder.is_some_and(|path| tempfile::Builder::new().prefix(".tapps-mcp-").tempfile_in(path).is_ok())
}

/// True where the systems tier runs too.
pub(crate) fn tier() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "1")
}

/// The variable that takes all packages of long lists in the systems tier.
const WHOLE: &str = "TAPPS_TEST_WHOLE";

/// True where lists are taken in full, which takes hours.
pub(crate) fn whole() -> bool {
    std::env::var_os(WHOLE).is_some_and(|value| value == "1")
}

/// Every `step`-th of a long list; all of it with `TAPPS_TEST_WHOLE=1`.
pub(crate) fn sample<T>(all: impl IntoIterator<Item = T>, step: usize) -> Vec<T> {
    all.into_iter().step_by(if whole() { 1 } else { step }).collect()
}

/// What becomes of a test that needs a system.
#[derive(Debug, PartialEq, Eq)]
enum Decision {
    Run(PathBuf),
    LeaveOut(String),
    Fail(String),
}

/// `find` is asked in the systems tier only: the plain tier leaves out the same tests on every machine.
fn decide(test: &str, system: System, tier: bool, find: impl FnOnce() -> Option<PathBuf>) -> Decision {
    let Described { name, remedy, packages } = system.described();
    if !tier {
        return Decision::LeaveOut(format!("LEFT OUT {test}: it needs {name}; {VARIABLE}=1 runs it"));
    }
    let debian = if packages.is_empty() { String::new() } else { format!(" (on Debian: {})", packages.join(", ")) };
    find().map_or_else(|| Decision::Fail(format!("{name} is missing: {remedy}{debian}")), Decision::Run)
}

/// The program of a system in the systems tier; none in the plain tier, where the test that asks has to end.
///
/// # Panics
///
/// When the system is missing in the systems tier.
pub(crate) fn require(system: System) -> Option<PathBuf> {
    let thread = std::thread::current();
    match decide(thread.name().unwrap_or("a part of a test"), system, tier(), || system.find()) {
        Decision::Run(program) => Some(program),
        Decision::LeaveOut(line) => {
            // On the real error stream, which the test harness does not capture.
            let _ = writeln!(std::io::stderr(), "\n{line}");
            None
        }
        Decision::Fail(message) => panic!("{message}"),
    }
}

/// True where a system is there and the tier is the one that uses it, for what is made for several tests at once.
pub(crate) fn at_hand(system: System) -> bool {
    tier() && system.find().is_some()
}

/// Says that a test is left out in the plain tier, where nothing is missing but time.
pub(crate) fn left_out(reason: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a part of a test");
    let _ = writeln!(std::io::stderr(), "\nLEFT OUT {test}: {reason}; {VARIABLE}=1 runs it");
}

/// Runs npm in `folder`, for tests that have asked for [`System::Node`].
pub(crate) fn npm(folder: &Path, arguments: &[&str]) {
    let mut npm = Command::new(which::which("npm").unwrap());
    npm.args(arguments).args(["--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
    let output = npm.current_dir(folder).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_plain_tier_leaves_out_and_the_systems_tier_fails() {
    for system in System::ALL {
        let plain = decide("a::b", system, false, || unreachable!("the plain tier looks for nothing"));
        let line = format!("LEFT OUT a::b: it needs {}; TAPPS_TEST_SYSTEMS=1 runs it", system.described().name);
        assert_eq!(plain, Decision::LeaveOut(line));
        assert_eq!(decide("a::b", system, true, || Some("/p".into())), Decision::Run("/p".into()));
        assert!(matches!(decide("a::b", system, true, || None), Decision::Fail(_)));
    }
    let missing = |system| decide("a::b", system, true, || None);
    let node = "Node with npm is missing: install node and npm (on Debian: nodejs, npm)";
    assert_eq!(missing(System::Node), Decision::Fail(node.into()));
    let deadnix = "deadnix is missing: run `cargo install --locked deadnix`";
    assert_eq!(missing(System::Deadnix), Decision::Fail(deadnix.into()));
}

/// What the plain tier may start: what its one sentence names, what comes with that, and what a system with a shell has.
const PLAIN: [&str; 10] = ["ar", "bash", "cc", "git", "nm", "python3", "rustc", "sh", "strip", "tar"];

/// Files that are shared with the benchmarks, which have no tiers. The tests that use them ask here first.
const SHARED: [(&str, &str); 4] = [
    ("tests/accuracy/checker.rs", "node"),
    ("tests/it/corpus.rs", "apt-get"),
    ("tests/it/corpus.rs", "dpkg-deb"),
    ("tests/it/corpus.rs", "npm"),
];

#[test]
fn no_other_place_looks_for_a_system() {
    let named = Regex::new(r#"(?:(?:Command::new|program)\(|\bon_path\(&\[)"([^"/]+)"\]?\)"#).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut faults, mut seen) = (Vec::new(), 0);
    for folder in ["tests/it", "tests/accuracy"] {
        for file in crate::corpus::files(&root.join(folder), "rs") {
            let path = format!("{folder}/{file}");
            let text = fs::read_to_string(root.join(&path)).unwrap();
            if path == "tests/it/systems.rs" {
                continue;
            }
            if text.contains("which::which") {
                faults.push(format!("{path} looks for programs; systems::require finds them"));
            }
            for name in named.captures_iter(&text).map(|found| found[1].to_owned()) {
                seen += 1;
                if !PLAIN.contains(&&*name) && !SHARED.contains(&(&*path, &*name)) {
                    faults.push(format!("{path} starts {name}; systems::require says where it is, or that it is not"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen >= 10, "only {seen} programs were seen");
}

/// The commands of a text that run every test.
fn whole_runs(text: &str) -> Vec<&str> {
    let command = Regex::new(r"(?m)^(?:[A-Z_]+=\S+ )*(cargo (?:test|nextest)[^#\n]*)").unwrap();
    command.captures_iter(text).map(|found| found.get(1).unwrap().as_str().trim_end()).collect()
}

#[test]
fn the_command_of_the_readme_is_the_one_that_is_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let readme = read("README.md");
    let run = read(".ci/run");
    assert_eq!(whole_runs(&readme), ["cargo test --locked"]);
    assert_eq!(whole_runs(&run), whole_runs(&readme));
    assert!(run.contains(&format!("export {VARIABLE}=1\n")), "{run}");
    let whole: Vec<String> = whole_runs(&read("CONTRIBUTING.md"))
        .into_iter()
        .filter(|line| line.contains("--locked"))
        .map(str::to_owned)
        .collect();
    assert_eq!(whole, ["cargo test --locked"]);
    assert!(readme.contains(VARIABLE), "the README names the variable of the systems tier");
    // What a machine can install is installed there.
    let words: Vec<&str> = run.split(|c: char| c.is_whitespace() || "()=".contains(c)).collect();
    for package in System::ALL.iter().flat_map(|system| system.described().packages) {
        assert!(words.contains(package), ".ci/run does not install {package}");
    }
}

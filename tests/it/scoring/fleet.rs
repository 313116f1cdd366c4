//! Answers shared by several machines: over a folder, a real Redis and a server that speaks S3's interface.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rstest::rstest;
use tapps_base::digest;
use tapps_quality::cache::{AnswerCache, Shared};
use tapps_quality::result::AnalysisMode;
use tapps_store::fleet::{Address, Fleet, Login, Secret};
use tapps_store::{EntryKey, EntryStore};

use super::support::{Project, canonical};
use crate::systems::{self, System};
use crate::toolchain_support;

const PASSWORD: &str = "only-for-this-test";

/// A store that machines share, running for one test.
struct Service {
    address: Address,
    child: Option<Child>,
    _folder: tempfile::TempDir,
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until somebody listens.
fn connect(port: u16) -> TcpStream {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => return stream,
            Err(error) => assert!(Instant::now() < until, "nobody listens at {port}: {error}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

impl Service {
    fn folder() -> Self {
        let folder = toolchain_support::folder();
        Self { address: Address::Folder(folder.path().join("shared")), child: None, _folder: folder }
    }

    /// Debian's Redis, with a password and without a disk.
    fn redis() -> Option<Self> {
        let (folder, port) = (toolchain_support::folder(), free_port());
        let mut command = Command::new(systems::require(System::Redis)?);
        command.args(["--bind", "127.0.0.1", "--save", "", "--requirepass", PASSWORD, "--port", &port.to_string()]);
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        drop(connect(port));
        let address = format!("redis://127.0.0.1:{port}/1").parse().unwrap();
        Some(Self { address, child: Some(child), _folder: folder })
    }

    /// The `moto` package's server.
    fn s3() -> Option<Self> {
        let python = systems::require(System::S3)?;
        let folder = toolchain_support::folder();
        let mut command = Command::new(moto(&python));
        command.args(["-H", "127.0.0.1", "-p", "0"]).current_dir(folder.path());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let told = log.by_ref().map(Result::unwrap).find_map(|line| Some(line.split_once("127.0.0.1:")?.1.to_owned()));
        let port = told.unwrap().trim().parse().unwrap();
        // Or the server would stand still once the pipe is full.
        std::thread::spawn(move || log.for_each(drop));
        let mut stream = connect(port);
        write!(stream, "PUT /answers HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
        let address = format!("s3://answers/ci/main?endpoint=http://127.0.0.1:{port}&region=us-east-1");
        Some(Self { address: address.parse().unwrap(), child: Some(child), _folder: folder })
    }

    /// None in the plain tier, where it needs a server.
    fn of(name: &str) -> Option<Self> {
        match name {
            "folder" => Some(Self::folder()),
            "redis" => Self::redis(),
            _ => Self::s3(),
        }
    }

    fn login(&self) -> Login {
        // A Redis with a password alone knows no users.
        let user = matches!(self.address, Address::S3 { .. }).then(|| "AKIAIOSFODNN7EXAMPLE".to_owned());
        Login { user, password: Some(PASSWORD.to_owned()) }
    }

    /// What a machine of the fleet asks through.
    fn member(&self, writes: bool) -> Arc<Spy> {
        let fleet = Fleet::new(self.address.clone(), writes, Some(Secret::new(b"fleet")), &self.login()).unwrap();
        Arc::new(Spy { fleet, asked: AtomicUsize::new(0), found: AtomicUsize::new(0), put: AtomicUsize::new(0) })
    }
}

/// The server's program, installed once for all tests below the build folder.
fn moto(python: &Path) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("fleet");
    std::fs::create_dir_all(&folder).unwrap();
    let lock = std::fs::File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fleet/requirements.txt");
    let (wanted, stamp) = (digest::sha256(&std::fs::read(&requirements).unwrap()), folder.join("installed"));
    let programs = folder.join("venv/bin");
    if std::fs::read_to_string(&stamp).ok().as_deref() != Some(&wanted) {
        let python = std::env::var_os("TAPPS_MCP_PYTHON").unwrap_or_else(|| python.into());
        let made = Command::new(python).args(["-m", "venv", "--clear"]).arg(folder.join("venv")).status().unwrap();
        assert!(made.success());
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
        let installed = Command::new(programs.join("python")).args(pip).arg(&requirements).status().unwrap();
        assert!(installed.success(), "the package registry is needed the first time");
        std::fs::write(stamp, wanted).unwrap();
    }
    programs.join("moto_server")
}

/// Counts what goes through.
#[derive(Debug)]
struct Spy {
    fleet: Fleet,
    asked: AtomicUsize,
    found: AtomicUsize,
    put: AtomicUsize,
}

impl Spy {
    fn counts(&self) -> [usize; 3] {
        [&self.asked, &self.found, &self.put].map(|count| count.load(Ordering::Relaxed))
    }
}

impl Shared for Spy {
    fn get(&self, keys: &[EntryKey]) -> Vec<Option<Vec<u8>>> {
        let found = Fleet::get(&self.fleet, keys);
        self.asked.fetch_add(keys.len(), Ordering::Relaxed);
        self.found.fetch_add(found.iter().flatten().count(), Ordering::Relaxed);
        found
    }

    fn put(&self, entries: &[(EntryKey, Vec<u8>)]) {
        Fleet::put(&self.fleet, entries);
        self.put.fetch_add(entries.len(), Ordering::Relaxed);
    }
}

const FILES: [(&str, &[u8]); 3] = [
    ("a.py", b"\"\"\"A.\"\"\"\n\nimport subprocess\n\n\ndef run(text: str) -> int:\n    \"\"\"Run.\"\"\"\n    return subprocess.call(text, shell=True)\n"),
    ("b.py", b"\"\"\"B.\"\"\"\n\nfrom a import run\n\nx: str = run(\"ls\")\n"),
    ("c.py", b"import os\n"),
];

/// What a machine says about the project, which is its own copy, with a cache of its own.
fn said(fleet: Arc<dyn Shared>) -> String {
    let project = Project::of(&FILES);
    let folder = toolchain_support::folder();
    let cache = AnswerCache::with_store(Arc::new(EntryStore::new(folder.path(), 64 << 20))).with_shared_store(fleet);
    let project = project.with_cache(cache);
    let report = canonical(&project.scores(&["."], AnalysisMode::Full).unwrap());
    assert_eq!(canonical(&project.scores(&["."], AnalysisMode::Full).unwrap()), report, "from the machine's own cache");
    report
}

#[rstest]
fn machines_share_what_the_tools_said(#[values("folder", "redis", "s3")] kind: &str) {
    let Some(service) = Service::of(kind) else { return };
    let expected = canonical(&Project::of(&FILES).scores(&["."], AnalysisMode::Full).unwrap());
    // Somebody else's code is judged: nothing may be put.
    let stranger = service.member(false);
    assert_eq!(said(stranger.clone()), expected);
    // Three files and two tools.
    assert_eq!(stranger.counts(), [6, 0, 6]);
    let first = service.member(true);
    assert_eq!(said(first.clone()), expected);
    assert_eq!(first.counts(), [6, 0, 6]);
    let second = service.member(false);
    assert_eq!(said(second.clone()), expected);
    assert_eq!(second.counts(), [6, 6, 0]);
    // A machine that does not know the secret takes nothing.
    let foreign = Fleet::new(service.address.clone(), false, Some(Secret::new(b"other")), &service.login()).unwrap();
    assert_eq!(said(Arc::new(foreign)), expected);
}

#[test]
fn a_store_that_has_gone_or_refuses_changes_no_score() {
    let Some(mut service) = Service::redis() else { return };
    let expected = canonical(&Project::of(&FILES).scores(&["."], AnalysisMode::Full).unwrap());
    let refused = Fleet::new(service.address.clone(), true, None, &Login::default()).unwrap();
    assert_eq!(said(Arc::new(refused)), expected);
    let member = service.member(true);
    assert_eq!(said(member.clone()), expected);
    service.child.as_mut().unwrap().kill().unwrap();
    service.child.as_mut().unwrap().wait().unwrap();
    assert_eq!(said(member), expected);
    assert_eq!(said(service.member(true)), expected);
}

#[test]
fn a_flipped_byte_in_the_shared_store_is_found_and_the_answer_computed_anew() {
    let expected = canonical(&Project::of(&FILES).scores(&["."], AnalysisMode::Full).unwrap());
    let service = Service::folder();
    said(service.member(true));
    let Address::Folder(folder) = &service.address else { unreachable!("it was made as a folder") };
    let mut flipped = 0;
    for entry in ignore::WalkBuilder::new(folder).standard_filters(false).build().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            let mut bytes = std::fs::read(entry.path()).unwrap();
            let last = bytes.len() - 1;
            bytes[last] ^= 0x40;
            std::fs::write(entry.path(), bytes).unwrap();
            flipped += 1;
        }
    }
    assert_eq!(flipped, 6);
    let member = service.member(true);
    assert_eq!(said(member.clone()), expected);
    assert_eq!(member.counts(), [6, 0, 6]);
    // What was put again is sound.
    let next = service.member(false);
    assert_eq!((said(next.clone()), next.counts()), (expected, [6, 6, 0]));
}

#[test]
fn the_command_line_reads_where_the_store_is_and_refuses_what_it_cannot_use() {
    let project = Project::of(&FILES);
    let shared = toolchain_support::folder();
    let score = |remote: &str, own: &Path, writes: &str| {
        let settings = toolchain_support::settings();
        let _installed = toolchain_support::toolchain();
        let mut command = toolchain_support::program(&settings);
        command.args(["score", "--format", "json", "."]).current_dir(project.root());
        command.env("TAPPS_MCP_CACHE_DIR", own).env("TAPPS_MCP_CACHE_REMOTE", remote);
        command.env("TAPPS_MCP_CACHE_REMOTE_WRITES", writes).env("TAPPS_MCP_CACHE_SECRET", "canary");
        command.output().unwrap()
    };
    let (one, two) = (toolchain_support::folder(), toolchain_support::folder());
    let address = format!("file://{}", shared.path().join("answers").display());
    let first = score(&address, one.path(), "true");
    assert!(shared.path().join("answers").is_dir(), "{}", toolchain_support::stderr(&first));
    let second = score(&address, two.path(), "false");
    let files = |output: &std::process::Output| {
        let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        report.as_object_mut().unwrap().remove("meta").unwrap();
        report
    };
    assert_eq!(files(&first), files(&second));
    let wrong = score("redis://:canary@127.0.0.1/0", one.path(), "true");
    assert_eq!(wrong.status.code(), Some(2));
    let said = toolchain_support::stdout(&wrong) + &toolchain_support::stderr(&wrong);
    assert!(said.contains("holds credentials") && said.contains("TAPPS_MCP_CACHE_PASSWORD"), "{said}");
    assert!(!said.contains("canary"), "{said}");
}

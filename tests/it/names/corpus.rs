//! Published packages, each beside what it needs as one resolution has it: what is said of them is true.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use tapps_base::digest;
use tapps_base::source::Source;
use tapps_names::{CheckedNames, NameChecker};
use tapps_project::packages::environment::PythonEnvironment;
use tapps_sandbox::Boundary;

use super::support::{modules, told};
use crate::{corpus, systems};

#[derive(Deserialize)]
pub(crate) struct Lock {
    pub(crate) judged: Vec<String>,
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    file: String,
    sha256: String,
}

/// Where the libraries are installed.
const SITE: &str = ".venv/lib/python3.11/site-packages";

/// Where the locked wheels run; nothing in them is run.
const PLATFORMS: [&str; 9] = [
    "manylinux_2_34_x86_64",
    "manylinux_2_31_x86_64",
    "manylinux_2_28_x86_64",
    "manylinux_2_27_x86_64",
    "manylinux_2_17_x86_64",
    "manylinux2014_x86_64",
    "manylinux_2_12_x86_64",
    "manylinux_2_5_x86_64",
    "manylinux1_x86_64",
];

/// Uses of libraries that can be followed, at least, of a hundred.
const LEAST_FOLLOWED: f64 = 70.0;

/// What is said and true: pdm 2.28 asks for hishel 1.1 or newer, and 2.0 has these no more; channels uses what django has no more
/// since 5.0, and flask-admin names for type checkers what flask-sqlalchemy does not have.
const TRUE_FINDINGS: &[&str] = &[
    "pdm pdm/models/session.py unknown-api 57: `hishel` of hishel 2.0.0 has no `SyncSqliteStorage`; did you mean `AsyncSqliteStorage`?",
    "pdm pdm/models/session.py unknown-api 128: `hishel.httpx` of hishel 2.0.0 has no `SyncCacheTransport`; did you mean `AsyncCacheTransport`?",
    "flask-admin flask_admin/tests/conftest.py unknown-api 65: `flask_sqlalchemy` of flask-sqlalchemy 3.1.1 has no `Session`; did you mean `session`?",
    "channels channels/sessions.py unknown-api 75: `django.utils.timezone` of django 5.2.19 has no `utc`",
];

/// The same of the packages that nobody looked at: asgi-csrf passes what older releases of python-multipart took, cffi imports
/// what pycparser has no more in a function that it never calls, and langsmith names for type checkers what anthropic has no
/// more.
const UNSEEN_FINDINGS: &[&str] = &[
    "asgi-csrf asgi_csrf.py unknown-argument 296: `python_multipart.FormParser` of python-multipart 0.0.34 takes no argument `FileClass`; did you mean `file_name`?",
    "cffi cffi/cparser.py unknown-module 23: `pycparser` of pycparser 3.12 has no module `yacctab`",
    "cffi cffi/cparser.py unknown-module 24: `pycparser` of pycparser 3.12 has no module `lextab`",
    "langsmith langsmith/wrappers/_anthropic.py unknown-api 29: `anthropic.types` of anthropic 2.12.0 has no `Completion`; did you mean `ComputerScrollInput`?",
];

pub(crate) fn lock() -> &'static Lock {
    static LOCK: OnceLock<Lock> = OnceLock::new();
    LOCK.get_or_init(|| serde_json::from_str(include_str!("../../names.lock.json")).unwrap())
}

/// A folder with everything installed, and each judged package in a folder of its own below `projects`; made once.
pub(crate) fn environment() -> PathBuf {
    let target = corpus::root().join("names-environment");
    let guard = std::fs::File::create(corpus::root().join(".names.lock")).unwrap();
    guard.lock().unwrap();
    if !target.is_dir() {
        let work = tempfile::tempdir_in(corpus::root()).unwrap();
        let root = work.path().join("all");
        fetch(work.path(), &root.join(SITE));
        lock().judged.iter().for_each(|name| copy_project(&root, name));
        std::fs::rename(root, &target).unwrap();
    }
    target
}

fn fetch(work: &Path, site: &Path) {
    let wanted: String = lock().packages.iter().map(|one| format!("{}=={}\n", one.name, one.version)).collect();
    std::fs::write(work.join("wanted.txt"), wanted).unwrap();
    let output = Command::new("python3")
        .args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary",
            ":all:",
        ])
        .args(["--implementation", "cp", "--python-version", "3.11"])
        .args(PLATFORMS.iter().flat_map(|platform| ["--platform", platform]))
        .args(["--dest", "wheels", "-r", "wanted.txt"])
        .current_dir(work)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::create_dir_all(site).unwrap();
    for one in &lock().packages {
        let wheel = std::fs::read(work.join("wheels").join(&one.file)).unwrap_or_else(|e| panic!("{}: {e}", one.file));
        assert_eq!(digest::sha256(&wheel), one.sha256, "{}", one.file);
        zip::ZipArchive::new(std::io::Cursor::new(wheel)).unwrap().extract(site).unwrap();
    }
}

/// Copies the modules of a judged package, with what it asks for in a manifest of its own.
fn copy_project(root: &Path, name: &str) {
    let site = root.join(SITE);
    let project = root.join("projects").join(name);
    let plain = |text: &str| text.to_lowercase().replace(['_', '.'], "-");
    let info = std::fs::read_dir(&site).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut info = info.filter(|entry| entry.ends_with(".dist-info"));
    let info = info.find(|entry| plain(entry.split('-').next().unwrap()) == plain(name)).unwrap();
    let record = std::fs::read_to_string(site.join(&info).join("RECORD")).unwrap();
    for path in record.lines().filter_map(|line| line.split(',').next()).filter(|path| path.ends_with(".py")) {
        let to = project.join(path);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(site.join(path), to).unwrap();
    }
    let metadata = std::fs::read_to_string(site.join(&info).join("METADATA")).unwrap();
    let asked = metadata.lines().filter_map(|line| line.strip_prefix("Requires-Dist: "));
    let asked: Vec<String> =
        asked.filter(|line| !line.contains(';')).map(|line| serde_json::to_string(line).unwrap()).collect();
    let manifest = format!("[project]\nname = \"{name}\"\nversion = \"1\"\ndependencies = [{}]\n", asked.join(", "));
    std::fs::write(project.join("pyproject.toml"), manifest).unwrap();
}

/// The packages of the environment that are not judged, each copied like one that is.
pub(super) fn unseen_projects(root: &Path) -> Vec<&'static str> {
    let names = lock().packages.iter().map(|one| one.name.as_str());
    let unseen: Vec<&str> = names.filter(|name| !lock().judged.iter().any(|judged| judged == name)).collect();
    for name in &unseen {
        if !root.join("projects").join(name).is_dir() {
            copy_project(root, name);
        }
    }
    unseen
}

/// What is said of each file of a judged package.
pub(super) fn judge(checker: &NameChecker, root: &Path, name: &str) -> Vec<(Source, CheckedNames)> {
    let project = root.join("projects").join(name);
    let sources: Vec<Source> = modules(&project).into_iter().map(|(path, bytes)| Source::new(&path, bytes)).collect();
    let checked = checker.check_each(&sources, &Boundary::open(&project).unwrap()).unwrap();
    sources.into_iter().zip(checked).collect()
}

#[test]
fn what_is_said_of_published_packages_is_true() {
    if !systems::tier() {
        return systems::left_out("installing three hundred packages");
    }
    let root = environment();
    let checker = NameChecker::new(PythonEnvironment::of_project(Arc::new(Boundary::open(&root).unwrap())));
    let (mut said, mut table) = (Vec::new(), String::new());
    let (mut references, mut unknown, mut undeclared) = (0, 0, 0);
    for name in &lock().judged {
        let judged = judge(&checker, &root, name);
        let mut own = (0, 0);
        for (source, checked) in &judged {
            if let Some(stamp) = &checked.stamp {
                own = (own.0 + stamp.references, own.1 + stamp.unknown);
            }
            let (told_of, rest): (Vec<_>, Vec<_>) =
                checked.findings.iter().cloned().partition(|one| one.rule == "tapps:undeclared-dependency");
            undeclared += told_of.len();
            said.extend(told(&rest).into_iter().map(|one| format!("{name} {} {one}", source.path())));
        }
        let _ = writeln!(table, "{name} {} {} {}", judged.len(), own.0, own.1);
        references += own.0;
        unknown += own.1;
    }
    let followed =
        100.0 - 100.0 * f64::from(u32::try_from(unknown).unwrap()) / f64::from(u32::try_from(references).unwrap());
    println!("{table}{references} references, {followed:.1} % followed, {undeclared} undeclared");
    assert_eq!(said, TRUE_FINDINGS);
    assert!(references > 40_000 && followed >= LEAST_FOLLOWED, "{references} {followed}");
}

/// The other packages of the environment, which nobody looked at while the checks were written.
#[test]
fn what_is_said_of_packages_that_nobody_looked_at_is_true() {
    if !systems::whole() {
        return systems::left_out("judging two hundred packages more");
    }
    let root = environment();
    let checker = NameChecker::new(PythonEnvironment::of_project(Arc::new(Boundary::open(&root).unwrap())));
    let (mut said, mut references, mut unknown) = (Vec::new(), 0, 0);
    for name in unseen_projects(&root) {
        for (source, checked) in judge(&checker, &root, name) {
            let blocking: Vec<_> =
                checked.findings.into_iter().filter(|one| one.rule != "tapps:undeclared-dependency").collect();
            said.extend(told(&blocking).into_iter().map(|one| format!("{name} {} {one}", source.path())));
            references += checked.stamp.as_ref().map_or(0, |stamp| stamp.references);
            unknown += checked.stamp.as_ref().map_or(0, |stamp| stamp.unknown);
        }
    }
    println!("{references} references, {unknown} not followed");
    assert_eq!(said, UNSEEN_FINDINGS);
}

#[test]
fn digests_name_what_was_read() {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    lock().packages.iter().for_each(|one| *names.entry(one.name.as_str()).or_default() += 1);
    assert!(names.values().all(|count| *count == 1) && lock().judged.len() >= 40, "{names:?}");
}

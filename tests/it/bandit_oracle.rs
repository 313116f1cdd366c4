//! Our findings against those of the locked bandit: not one may differ.
//!
//! The plain tier compares bandit's own examples, requests, and files made of oddities; the systems tier whole packages. What is
//! compared is everything that a finding has: file, test, severity, confidence, CWE, line, lines, column and text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tapps_base::digest;
use tapps_base::source::Source;
use tapps_security::bandit;
use tapps_security::bandit::ReportedIssue;
use tapps_security::bandit::parse::parse_reported_issues;
use tapps_toolchain::{Invocation, Program};

use crate::corpus;
use crate::systems::{self, System};
use crate::toolchain_support::{call, folder, toolchain};

/// Looked at while the tests were being written.
const DEVELOPMENT: [&str; 4] = ["bandit", "django", "requests", "rich"];

/// Packages that were compared for the first time when nothing was to be written any more.
const SEALED: &[&str] = &[
    "ansible-core",
    "anthropic",
    "anyio",
    "attrs",
    "click",
    "colorama",
    "coverage",
    "django-source",
    "elementpath",
    "fastapi",
    "flask",
    "httpcore",
    "httpx",
    "idna",
    "iniconfig",
    "jedi",
    "jinja2",
    "langchain-core",
    "mando",
    "marshmallow",
    "networkx",
    "openai",
    "packaging",
    "paramiko",
    "parso",
    "pluggy",
    "pydantic",
    "pygments",
    "pytest-source",
    "radon",
    "setuptools",
    "six",
    "skillsaw",
    "starlette",
    "structlog",
    "twisted",
    "typer",
    "urllib3",
    "werkzeug",
    "xmlschema",
];

/// The same, with compiled parts, of which there are wheels for one platform only.
const SEALED_COMPILED: [&str; 2] = ["numpy", "sqlalchemy"];

/// Files about which the two may differ, each with the reason.
const EXCEPTIONS: [(&str, &str, &str); 1] = [(
    "bandit",
    "examples/trojansource_latin1.py",
    "not UTF-8, which is a syntax error here, and Latin-1 by its own word for bandit",
)];

/// Files asked about at once: as many names as fit on a command line.
const CHUNK: usize = 250;

/// What there is to compare.
struct Comparison {
    files: usize,
    findings: usize,
    differences: Vec<String>,
}

/// The interpreter that bandit runs on, as `3.13`.
async fn interpreter() -> (u32, u32) {
    let finished = toolchain().run(Invocation::new(Program::Bandit).args(["--version"]), &call()).await.unwrap();
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    let version = said.split("python version = ").nth(1).unwrap_or_else(|| panic!("{said}"));
    let mut numbers = version.split('.').map(|number| number.trim().parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

/// What bandit says of some files of a folder; kept beside the corpus, since bandit takes its time.
async fn ask_bandit(root: &Path, sources: &[Source]) -> BTreeMap<String, Result<Vec<ReportedIssue>, String>> {
    let configuration = folder();
    let path = |name: &str, text: &str| {
        fs::write(configuration.path().join(name), text).unwrap();
        configuration.path().join(name).to_string_lossy().into_owned()
    };
    let (config, ini) = (path("bandit.yaml", bandit::CONFIG), path("bandit.ini", bandit::INI));
    let python = interpreter().await;
    let mut answers = BTreeMap::new();
    for chunk in sources.chunks(CHUNK) {
        let digests: String = chunk.iter().map(|source| format!("{}\0{}\0", source.path(), source.sha256())).collect();
        let key = digest::sha256(format!("{python:?}\0{}\0{digests}", bandit::native::VERSION).as_bytes());
        let kept = corpus::root().join(format!("bandit-{}.json", &key[..16]));
        if !kept.is_file() {
            let files: Vec<&str> = chunk.iter().map(Source::path).collect();
            let arguments = bandit::bandit_arguments(&config, &ini, &files);
            let invocation = Invocation::new(Program::Bandit).args(arguments).cwd(root);
            let finished = toolchain().run(invocation, &call()).await.unwrap();
            assert_eq!(finished.code(), Some(0), "{}", String::from_utf8_lossy(&finished.stderr));
            tapps_base::atomic::write(&kept, &finished.stdout).unwrap();
        }
        answers.extend(parse_reported_issues(&fs::read(&kept).unwrap(), chunk).unwrap());
    }
    answers
}

/// Everything that is compared of a finding. Before Python 3.12 the places inside f-strings are others.
fn in_order(mut issues: Vec<ReportedIssue>, python: (u32, u32)) -> Vec<ReportedIssue> {
    for issue in &mut issues {
        issue.text = issue.message();
        if python < (3, 12) && ["B104", "B105", "B108", "B608"].contains(&issue.test.as_str()) {
            issue.column = 0;
        }
    }
    issues.sort();
    issues
}

async fn compare(name: &str, root: &Path, files: &[String]) -> Comparison {
    let python = interpreter().await;
    let sources: Vec<Source> = files.iter().map(|file| Source::new(file, fs::read(root.join(file)).unwrap())).collect();
    let theirs = ask_bandit(root, &sources).await;
    let mut found = Comparison { files: files.len(), findings: 0, differences: Vec::new() };
    for source in &sources {
        let is_exception = |exception: &&(&str, &str, &str)| exception.0 == name && exception.1 == source.path();
        if let Some((_, file, reason)) = EXCEPTIONS.iter().find(is_exception) {
            println!("{name}: {file} is left out: {reason}");
            continue;
        }
        let differs = |what: String| format!("{name}: {}: {what}", source.path());
        match (bandit::native::find_python_issues(source), theirs[source.path()].clone()) {
            (Ok(ours), Ok(theirs)) => {
                let (ours, theirs) = (in_order(ours, python), in_order(theirs, python));
                found.findings += theirs.len();
                let only = |some: &[ReportedIssue], others: &[ReportedIssue], who: &str| {
                    let lonely: Vec<_> = some.iter().filter(|issue| !others.contains(issue)).collect();
                    if lonely.is_empty() { None } else { Some(differs(format!("only {who}: {lonely:?}"))) }
                };
                found.differences.extend(only(&ours, &theirs, "ours"));
                found.differences.extend(only(&theirs, &ours, "bandit's"));
                if found.differences.is_empty() && ours.len() != theirs.len() {
                    found.differences.push(differs(format!("{} instead of {}", ours.len(), theirs.len())));
                }
            }
            (Err(_), Err(_)) => println!("{name}: {} can be read by neither", source.path()),
            (Err(reason), Ok(_)) => found.differences.push(differs(format!("not read by us: {reason}"))),
            (Ok(_), Err(reason)) => found.differences.push(differs(format!("not read by bandit: {reason}"))),
        }
    }
    println!("| {name} | {} | {} | {} |", found.files, found.findings, found.differences.len());
    found
}

async fn compare_package(name: &str, below: &str) -> Comparison {
    let root = corpus::dir(name);
    let files: Vec<String> = corpus::files(&root, "py").into_iter().filter(|file| file.starts_with(below)).collect();
    compare(name, &root, &files).await
}

fn assert_equal(compared: &[Comparison], least: usize) {
    let differences: Vec<&str> = compared.iter().flat_map(|one| &one.differences).map(String::as_str).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let findings: usize = compared.iter().map(|one| one.findings).sum();
    println!("{} files, {findings} findings", compared.iter().map(|one| one.files).sum::<usize>());
    assert!(findings >= least, "{findings} findings are too few to show anything");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_examples_of_bandit_and_requests_give_the_same_findings() {
    let compared = [compare_package("bandit", "examples/").await, compare_package("requests", "").await];
    assert_equal(&compared, 1_200);
}

/// Comments, aliases, places and values as nobody writes them; the folder holds Python by another name, since nothing else should
/// take it for code of this project.
#[tokio::test(flavor = "multi_thread")]
async fn oddities_give_the_same_findings() {
    let odd = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/bandit");
    let project = folder();
    let mut files: Vec<String> = Vec::new();
    for entry in fs::read_dir(odd).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = format!("{}.py", path.file_stem().unwrap().to_string_lossy());
        fs::copy(&path, project.path().join(&name)).unwrap();
        files.push(name);
    }
    files.sort();
    // Type parameters and aliases are a syntax error for older ones.
    let python = interpreter().await;
    if python < (3, 12) {
        files.retain(|file| file != "places.py" && file != "fstrings.py");
    }
    let compared = [compare("oddities", project.path(), &files).await];
    assert_equal(&compared, 250);
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_packages_give_the_same_findings() {
    if !systems::tier() {
        systems::left_out("comparing bandit's findings in whole packages takes minutes");
        return;
    }
    let compiled: &[&str] = if systems::require(System::CompiledWheels).is_some() { &SEALED_COMPILED } else { &[] };
    let mut compared = Vec::new();
    for name in systems::sample(DEVELOPMENT.iter().chain(SEALED).chain(compiled), 10) {
        compared.push(compare_package(name, "").await);
    }
    assert_equal(&compared, if systems::whole() { 22_000 } else { 2_500 });
}

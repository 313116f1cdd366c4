//! What mypy finds with the tree of types is what it finds in a real environment with the same packages.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tapps_quality::analyzer::mypy::{CONFIGURATION, mypy_arguments, parse_mypy_output};
use tapps_quality::result::{AnalysisMode, FileScore};

use crate::names::corpus::{environment, lock};
use crate::scoring::support::Project;
use crate::toolchain_support::{folder, toolchain};
use crate::{corpus, systems};

/// Packages that use libraries with types, each of a size that mypy reads in less than a minute.
const PROJECTS: &[&str] = &[
    "apscheduler",
    "cookiecutter",
    "copier",
    "datasette",
    "fastapi-cli",
    "flask-login",
    "gunicorn",
    "httpie",
    "hypercorn",
    "nox",
    "pre-commit",
    "pytest-httpx",
    "requests-oauthlib",
    "responses",
    "rich-click",
    "sqlite-utils",
    "sqlmodel",
    "starlette",
    "structlog",
    "tox",
    "twine",
    "typer",
    "uvicorn",
];

/// Share of the findings that have to agree, of both sides.
const LEAST: f64 = 0.99;

/// File, line, column, code and message.
type Said = BTreeSet<(String, u32, u32, String, String)>;

/// The packages as a real environment has them, and the lock that names them.
struct Environment {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Environment {
    fn make() -> Self {
        let folder = folder();
        let root = folder.path().join("all");
        link_tree(&environment(), &root);
        let made = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(root.join(".venv")).status();
        assert!(made.unwrap().success());
        let site = root.join(".venv/lib/python3.11/site-packages");
        assert!(site.is_dir(), "the packages are locked for CPython 3.11");
        link_tree(&corpus::dir("types-requests"), &site);
        let pins = std::fs::read_dir(&site).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let pins: BTreeSet<String> =
            pins.filter_map(|name| Some(name.strip_suffix(".dist-info")?.replacen('-', "==", 1) + "\n")).collect();
        std::fs::write(root.join("requirements.txt"), pins.into_iter().collect::<String>()).unwrap();
        Self { _folder: folder, root }
    }

    /// What mypy itself says where the packages are installed.
    fn plain(&self, files: &[String]) -> Said {
        let work = folder();
        let configuration = work.path().join("mypy.ini");
        std::fs::write(&configuration, CONFIGURATION).unwrap();
        let cache = work.path().join("cache");
        let version = format!("3.{}", tapps_config::PythonVersion::default().minor());
        let arguments = mypy_arguments(&configuration.to_string_lossy(), &cache.to_string_lossy(), &version);
        let start = format!(
            "import runpy, sys; sys.path.insert(0, {:?}); sys.argv = ['mypy', *sys.argv[1:]]; \
             runpy.run_module('mypy', run_name='__main__', alter_sys=True)",
            toolchain().root().join("lib").to_string_lossy()
        );
        let output = Command::new(&toolchain().interpreter().unwrap().executable)
            .args(["-P", "-s", "-S", "-B", "-c", &start])
            .args(arguments.iter().filter(|argument| *argument != "--no-site-packages"))
            .arg("--python-executable")
            .arg(self.root.join(".venv/bin/python"))
            .arg("--")
            .args(files)
            .current_dir(&self.root)
            .env("PYTHONHASHSEED", "0")
            .output()
            .unwrap();
        let asked: BTreeSet<&str> = files.iter().map(String::as_str).collect();
        let answers = parse_mypy_output(&output.stdout, &|file| asked.contains(file))
            .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
        let of_file = |(file, report): (String, tapps_quality::analyzer::mypy::MypyFileReport)| {
            let one = move |error: tapps_quality::result::MypyError| {
                (file.clone(), error.line, error.column, error.code, error.message)
            };
            report.errors.into_iter().map(one)
        };
        answers.into_iter().flat_map(of_file).collect()
    }
}

fn said(scores: &[FileScore]) -> Said {
    let of_file = |score: &FileScore| {
        let file = score.file.clone();
        let errors = score.mypy_errors.clone().into_iter();
        errors.map(move |error| (file.clone(), error.line, error.column, error.code, error.message))
    };
    scores.iter().flat_map(of_file).collect()
}

fn link_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            link_tree(&entry.path(), &to);
        } else {
            std::fs::hard_link(entry.path(), &to).unwrap();
        }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    if whole == 0 { 1.0 } else { number(part) / number(whole) }
}

#[test]
fn findings_with_the_tree_are_those_of_a_real_environment() {
    if !systems::whole() {
        return systems::left_out("installing three hundred packages, and running mypy on two dozen of them");
    }
    let environment = Environment::make();
    assert!(PROJECTS.iter().all(|name| lock().judged.iter().any(|judged| judged == name)));
    let project = Project::at(&environment.root);
    let mut table =
        String::from("package, files, findings in the environment, with the tree, in both, without types\n");
    let (mut plain_all, mut tree_all, mut both_all) = (0, 0, 0);
    let mut differ = String::new();
    for name in PROJECTS {
        let place = environment.root.join("projects").join(name);
        let files: Vec<String> =
            corpus::files(&place, "py").into_iter().map(|file| format!("projects/{name}/{file}")).collect();
        let paths: Vec<&str> = files.iter().map(String::as_str).collect();
        let scores = project.scores(&paths, AnalysisMode::Full).unwrap().files;
        assert!(scores.iter().all(|score| !score.degraded), "{name}");
        let (tree, plain) = (said(&scores), environment.plain(&files));
        let off = tapps_config::Config { types: tapps_config::LibraryTypes::None, ..Default::default() };
        let without = Project::at(&environment.root).with(off);
        let without = said(&without.scores(&paths, AnalysisMode::Full).unwrap().files);
        let both = tree.intersection(&plain).count();
        let _ = writeln!(
            table,
            "{name}, {}, {}, {}, {both}, {}",
            files.len(),
            plain.len(),
            tree.len(),
            without.intersection(&plain).count()
        );
        for one in tree.symmetric_difference(&plain) {
            let _ = writeln!(differ, "{} {one:?}", if tree.contains(one) { "+" } else { "-" });
        }
        (plain_all, tree_all, both_all) = (plain_all + plain.len(), tree_all + tree.len(), both_all + both);
    }
    let (precision, recall) = (share(both_all, tree_all), share(both_all, plain_all));
    println!("{table}all, {plain_all}, {tree_all}, {both_all}: precision {precision:.4}, recall {recall:.4}\n{differ}");
    assert!(precision >= LEAST && recall >= LEAST, "{precision} {recall}\n{differ}");
    assert!(plain_all > 1_000, "{plain_all}");
}

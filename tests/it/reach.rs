//! Reach from the tests over real packages, and verdicts that follow from it.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rstest::rstest;
use tapps_base::source::Source;
use tapps_project::assess::Assessment;
use tapps_project::reach::Distance;
use tapps_project::{ProjectIndex, Snapshot, assess};
use tapps_sandbox::Boundary;
use tempfile::TempDir;

use crate::corpus;

fn index(root: &Path) -> ProjectIndex {
    ProjectIndex::new(Arc::new(Boundary::open(root).unwrap()))
}

fn reached(project: &Snapshot, path: &str) -> Option<(Distance, String)> {
    project.reach().of_file(path).map(|by| (by.distance, by.test.clone()))
}

#[test]
fn requests() {
    let project = index(&corpus::dir("requests")).snapshot(&[]).unwrap();
    let direct = |test: &str| Some((Distance::Direct, format!("tests/{test}")));
    for (path, expected) in [
        // `import requests.adapters`, `from requests import hooks`, `from requests.help import info`
        ("src/requests/adapters.py", direct("test_adapters.py")),
        ("src/requests/hooks.py", direct("test_hooks.py")),
        ("src/requests/help.py", direct("test_help.py")),
        // `requests.get(…)` and `requests.codes`, which the package takes from these modules
        ("src/requests/api.py", direct("test_lowlevel.py")),
        ("src/requests/status_codes.py", direct("test_requests.py")),
        // a fixture file imports it for all tests
        ("src/requests/compat.py", direct("test_adapters.py")),
        ("src/requests/_internal_utils.py", direct("test_utils.py")),
        // only other modules of the package import these
        ("src/requests/certs.py", Some((Distance::Transitive(2), "tests/test_requests.py".to_owned()))),
        ("src/requests/packages.py", Some((Distance::Transitive(2), "tests/test_adapters.py".to_owned()))),
    ] {
        assert_eq!(reached(&project, path), expected, "{path}");
    }
    // Those of test_packages.py only look whether names exist, without an assertion.
    assert_eq!(project.reach().tests().len(), 8);
    assert!(!project.reach().tests().contains(&"tests/test_packages.py".to_owned()));
}

#[test]
fn django() {
    let root = corpus::dir("django-source");
    let project = index(&root).snapshot(&[]).unwrap();
    let direct = |test: &str| Some((Distance::Direct, format!("tests/{test}")));
    let through_one = |test: &str| Some((Distance::Transitive(2), format!("tests/{test}")));
    for (path, expected) in [
        ("django/utils/lorem_ipsum.py", direct("template_tests/syntax_tests/test_lorem.py")),
        ("django/utils/dates.py", direct("forms_tests/widget_tests/test_selectdatewidget.py")),
        // the serializer that this test imports imports it
        ("django/utils/xmlutils.py", through_one("serializers/test_xml.py")),
        // `@mock.patch("django.template.loaders.cached.Loader.reset")`
        ("django/template/loaders/cached.py", direct("template_tests/test_autoreloader.py")),
        // named in settings and command lines only
        ("django/core/cache/backends/dummy.py", None),
        ("django/contrib/sessions/management/commands/clearsessions.py", None),
        ("django/core/management/commands/startapp.py", None),
    ] {
        assert_eq!(reached(&project, path), expected, "{path}");
    }
    assert!(project.reach().tests().len() > 750, "{} real tests", project.reach().tests().len());
    let sources = corpus::files(&root, "py").into_iter().filter(|path| path.starts_with("django/"));
    let reached = sources.filter(|path| project.reach().of_file(path).is_some()).count();
    assert!(reached > 580, "{reached} modules are reached");
}

/// A project on disk.
fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(path, text)| write(folder.path(), path, text));
    folder
}

fn write(root: &Path, path: &str, text: &str) {
    let full = root.join(path);
    fs::create_dir_all(full.parent().unwrap()).unwrap();
    fs::write(full, text).unwrap();
}

fn verdict(root: &Path, path: &str) -> Assessment {
    let project = index(root).snapshot(&[]).unwrap();
    let source = Source::new(path, fs::read(root.join(path)).unwrap());
    assess::test_coverage(&project, &source, project.coverage()).unwrap()
}

const CODE: &str = "def f():\n    return 1\n";
const TEST: &str = "import pkg.a\n\n\ndef test_f():\n    assert pkg.a.f() == 1\n";

#[rstest]
#[case::direct("pkg/a.py", 5000, "tapps:coverage-not-measured")]
#[case::through_one("pkg/b.py", 6000, "tapps:coverage-not-measured")]
#[case::through_two("pkg/c.py", 7000, "tapps:coverage-not-measured")]
#[case::unreached("pkg/d.py", 10_000, "tapps:untested-module")]
fn without_coverage_data_distance_costs(#[case] path: &str, #[case] lost: u32, #[case] rule: &str) {
    let root = project(&[
        ("pkg/__init__.py", ""),
        ("pkg/a.py", &format!("from . import b\n{CODE}")),
        ("pkg/b.py", &format!("from . import c\n{CODE}")),
        ("pkg/c.py", CODE),
        ("pkg/d.py", CODE),
        ("tests/test_a.py", TEST),
    ]);
    let verdict = verdict(root.path(), path);
    assert_eq!((verdict.total_cost(), verdict.findings.len(), verdict.findings[0].rule.as_str()), (lost, 1, rule));
    assert_eq!((verdict.coverage_percent, verdict.origin.as_str()), (None, "static reach"));
    assert_eq!(verdict.findings[0].file, path);
}

#[test]
fn what_cannot_be_tested_costs_nothing() {
    let root = project(&[
        ("pkg/__init__.py", "\"\"\"Text.\"\"\"\nfrom .a import f\n"),
        ("pkg/a.py", CODE),
        ("pkg/constants.py", "A = 1\nB = {'c': [2]}\n"),
        ("pkg/empty.py", ""),
        ("tests/test_nothing.py", ""),
    ]);
    for path in ["pkg/__init__.py", "pkg/constants.py", "pkg/empty.py", "tests/test_nothing.py"] {
        let verdict = verdict(root.path(), path);
        assert_eq!((verdict.total_cost(), verdict.origin.as_str()), (0, "not applicable"), "{path}");
    }
    // An empty file with the right name tests nothing.
    assert_eq!(verdict(root.path(), "pkg/a.py").total_cost(), 10_000);
}

#[test]
fn answers_are_for_the_bytes_on_disk() {
    let root = project(&[("pkg/__init__.py", ""), ("pkg/a.py", CODE), ("tests/test_a.py", TEST)]);
    let test = root.path().join("tests/test_a.py");
    let old = std::time::SystemTime::now() - Duration::from_secs(3600);
    let date = |path: &Path| fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
    date(&test);
    let index = index(root.path());
    let distance = || reached(&index.snapshot(&[]).unwrap(), "pkg/a.py").map(|(distance, _)| distance);
    assert_eq!(distance(), Some(Distance::Direct));
    // Same length, same modification time, other bytes.
    fs::write(&test, TEST.replace("pkg.a", "pkg.x")).unwrap();
    date(&test);
    assert_eq!(distance(), None);
    fs::write(&test, TEST).unwrap();
    date(&test);
    assert_eq!(distance(), Some(Distance::Direct));
    fs::remove_file(&test).unwrap();
    assert_eq!(distance(), None);
    // A report that appears later is found as well.
    write(root.path(), "lcov.info", "SF:pkg/a.py\nDA:1,1\nDA:2,0\nend_of_record\n");
    let project = index.snapshot(&[]).unwrap();
    let source = Source::new("pkg/a.py", CODE.as_bytes());
    let verdict = assess::test_coverage(&project, &source, project.coverage()).unwrap();
    assert_eq!((verdict.total_cost(), verdict.coverage_percent), (5000, Some(50.0)));
}

#[test]
fn equal_files_in_two_projects_differ_by_project_facts_only() {
    let script = project(&[("a.py", CODE)]);
    let whole = project(&[
        ("a.py", CODE),
        ("pyproject.toml", "[project]\nname = 'a'\ndependencies = ['x']\n[tool.ruff]\n[tool.mypy]\n"),
        ("README.md", "# a\n"),
        ("LICENSE", "free\n"),
        ("CHANGELOG.md", "# 1\n"),
        ("uv.lock", ""),
        (".github/workflows/ci.yml", "on: push\n"),
        (".pre-commit-config.yaml", ""),
        (".editorconfig", ""),
        ("docs/index.md", "# a\n"),
        ("tests/test_a.py", "import a\n\n\ndef test_f():\n    assert a.f() == 1\n"),
    ]);
    let source = Source::new("a.py", CODE.as_bytes());
    let judge = |root: &TempDir| {
        let project = index(root.path()).snapshot(&[]).unwrap();
        (assess::assess_structure(&project, &source), assess::assess_devex(&project, &source))
    };
    let (structure, devex) = judge(&whole);
    assert_eq!((structure.findings, devex.findings), (vec![], vec![]));
    assert!(structure.details.contains("pyproject.toml") && structure.details.contains("tests/test_a.py"));
    let (structure, devex) = judge(&script);
    assert_eq!((structure.total_cost(), devex.total_cost()), (5000, 3000));
    for finding in structure.findings.iter().chain(&devex.findings) {
        assert_eq!((finding.line, finding.file.as_str()), (0, "a.py"));
        assert!(finding.message.starts_with("project: ") && finding.cost > 0 && finding.fingerprint.len() == 16);
    }
}

#[test]
fn hostile_files_are_passed_over() {
    let deep = format!("x = {}\n", "(".repeat(200_000));
    let minus = format!("x = {}1\n", "-".repeat(200_000));
    let script = format!("x = {}1\n", "!".repeat(200_000));
    let root = project(&[
        ("pkg/__init__.py", ""),
        ("pkg/a.py", CODE),
        ("pkg/deep.py", &deep),
        ("pkg/minus.py", &minus),
        ("web/deep.js", &script),
        ("tests/test_deep.py", &format!("import pkg.a\n{deep}")),
        ("tests/test_a.py", TEST),
        ("tests/__init__.py", "from . import __init__\nfrom .. import pkg\n"),
    ]);
    let nested = (1..=1000).fold(String::from("1"), |inner, _| format!("({inner})"));
    write(root.path(), "pkg/fits.py", &format!("x = {}\n", &nested[600..nested.len() - 600]));
    assert_eq!(verdict(root.path(), "pkg/a.py").total_cost(), 5000);
    assert_eq!(verdict(root.path(), "pkg/deep.py").total_cost(), 10_000);
    assert_eq!(verdict(root.path(), "web/deep.js").total_cost(), 10_000);
}

//! What is kept between runs changes how long an answer takes and nothing else.

use std::path::Path;

use tapps_config::{Config, Rules};
use tapps_quality::result::AnalysisMode;
use tapps_store::EntryStore;
use tapps_toolchain::Provider;

use super::support::{CLEAN, Project, canonical, runtime};
use crate::{corpus, toolchain_support};

/// Something for every analyzer to say, in two languages.
const BUSY: &str = "import os\nimport re\n\nfrom shop import prices\n\n\ndef run(command, items=[]):\n    unused = 1\n    \
                    for item in items:\n        for other in items:\n            print(item, re.compile(other))\n    \
                    assert command\n    return os.system(command)\n\n\ndef typed() -> str:\n    return prices.total([1])\n";
const SCRIPT: &str =
    "export function f(a: any) {\n  debugger;\n  document.body.innerHTML = a;\n  return eval(a) == null;\n}\n";

fn busy() -> Project {
    let project = Project::of(CLEAN);
    project.write("shop/busy.py", BUSY.as_bytes());
    project.write("web/page.ts", SCRIPT.as_bytes());
    project.write("shop/broken.py", b"def f(:\n");
    let key = format!("KEY = \"AKIA{}\"\n", "Q3ZR7NXW2JKD5MTB");
    project.write("shop/key.py", key.as_bytes());
    project
}

fn all(project: &Project) -> String {
    canonical(&project.scores(&["."], AnalysisMode::Full).unwrap())
}

/// A provider whose tools can only run while the folder is where it is, so that a test can take them away.
fn provider(runs: &Path) -> Provider {
    let mut settings = toolchain_support::settings();
    settings.cache_dir = runs.to_owned();
    let _in = runtime();
    Provider::new(settings)
}

#[test]
fn kept_answers_are_the_fresh_ones_and_no_tool_runs_for_them() {
    let (project, folder) = (busy(), toolchain_support::folder());
    let reference = all(&project);
    for said in ["bandit:B605", "mypy:return-value", "ruff:F841", "tapps:nested-loop", "secrets:", "tapps:eval"] {
        assert!(reference.contains(said), "{said} is missing: {reference}");
    }
    let runs = folder.path().join("runs");
    let provider = provider(&runs);
    let project = project.with_provider(provider.clone()).caching(&folder.path().join("cache"));
    assert_eq!(all(&project), reference, "cold");
    std::fs::remove_dir_all(&runs).unwrap();
    assert_eq!(all(&project), reference, "warm");
    let later = Project::at(project.root()).with_provider(provider.clone()).caching(&folder.path().join("cache"));
    assert_eq!(all(&later), reference, "another process");
    let one = later.full("shop/busy.py");
    assert!(!one.degraded && reference.contains(&canonical(&one)), "{:?}", one.not_measured);
    let without = Project::at(project.root()).with_provider(provider);
    assert!(without.full("shop/busy.py").degraded, "without the cache the tools are missed");
}

#[test]
fn an_unchanged_file_is_typed_anew_when_what_it_imports_changes() {
    let folder = toolchain_support::folder();
    let project = Project::of(CLEAN).caching(folder.path());
    project.write("shop/user.py", b"from shop import prices\n\n\ndef f() -> int:\n    return prices.total([1])\n");
    let errors = || project.full("shop/user.py").mypy_errors.len();
    assert_eq!((errors(), errors()), (0, 0));
    project.write("shop/prices.py", b"def total(prices: list[int]) -> str:\n    return str(prices)\n");
    assert_eq!((errors(), errors()), (1, 1));
    std::fs::remove_file(project.path("shop/prices.py")).unwrap();
    project.write("shop/prices.pyi", b"def total(prices: list[int]) -> int: ...\n");
    assert_eq!(errors(), 0);
}

#[test]
fn a_poisoned_cache_is_noticed_and_answers_stay_true() {
    let (project, folder) = (busy(), toolchain_support::folder());
    let project = project.caching(folder.path());
    let reference = all(&project);
    let store = EntryStore::new(folder.path(), 64 << 20);
    let database = folder.path().join("store.db");
    // What is kept of files that have settled, a slow machine may have at once; it is known to the process then, and not kept anew.
    let answers = || -> i64 {
        let query = "SELECT count(*) FROM entry WHERE kind NOT IN ('listing', 'clean text', 'module')";
        rusqlite::Connection::open(&database).unwrap().query_row(query, [], |row| row.get(0)).unwrap()
    };
    let entries = answers();
    assert!(entries >= 12, "{entries}");
    let poison = |sql: &str| {
        let connection = rusqlite::Connection::open(&database).unwrap();
        connection.execute_batch(sql).unwrap();
    };
    poison("UPDATE entry SET payload = (SELECT payload FROM entry e WHERE e.kind = entry.kind ORDER BY rowid DESC)");
    assert_eq!(all(&project), reference);
    poison("UPDATE entry SET payload = zeroblob(1 + length(payload)) WHERE kind IN ('ruff', 'mypy')");
    let verified = store.verify().unwrap();
    assert!(verified.removed >= 6 && verified.sound > 0, "{verified:?}");
    assert_eq!(all(&project), reference);
    let verified = store.verify().unwrap();
    assert_eq!((verified.removed, answers()), (0, entries), "{verified:?}");
    std::fs::write(&database, b"nothing like a database").unwrap();
    let again = Project::at(project.root()).caching(folder.path());
    assert_eq!(all(&again), reference);
}

#[test]
fn failures_are_not_kept() {
    let folder = toolchain_support::folder();
    let runs = folder.path().join("runs");
    let provider = provider(&runs);
    let project = busy().with_provider(provider).caching(&folder.path().join("cache"));
    let _ = project.full("shop/prices.py");
    let aside = folder.path().join("aside");
    std::fs::rename(&runs, &aside).unwrap();
    assert!(project.full("shop/busy.py").degraded);
    std::fs::remove_dir_all(&runs).ok();
    std::fs::rename(&aside, &runs).unwrap();
    let score = project.full("shop/busy.py");
    assert!(!score.degraded, "{:?}", score.not_measured);
}

#[test]
fn the_projects_own_rules_are_never_taken_from_the_cache() {
    let config = Config { rules: Rules::Project, ..Config::default() };
    let folder = toolchain_support::folder();
    let project = busy().with(config).caching(folder.path());
    project.write("ruff.toml", b"lint.select = [\"F401\"]\n");
    let unused = || project.full("shop/busy.py").ruff_issues.len();
    let before = unused();
    project.write("ruff.toml", b"lint.select = [\"F841\", \"B006\", \"S605\"]\n");
    assert_ne!(unused(), before);
}

/// What mypy finds in a circle of imports can hang on where it begins: asked about `b.py` alone it judges `a.py` first and
/// knows what `X` is, asked about both it does not.
#[test]
fn what_is_found_in_a_circle_of_imports_does_not_depend_on_what_else_is_asked() {
    let project = Project::of(&[]);
    project.write("a.py", b"import b\n\n\ndef one() -> int:\n    return len(b.__name__)\n\n\nX = one()\n");
    project.write("b.py", b"import a\n\nY = a.X\n");
    let both = project.scores(&["a.py", "b.py"], AnalysisMode::Full).unwrap().files;
    let found: Vec<(u32, &str)> = both[1].mypy_errors.iter().map(|one| (one.line, one.message.as_str())).collect();
    assert_eq!(found, [(3, "Cannot determine type of \"X\"")]);
    assert_eq!(canonical(&project.full("b.py")), canonical(&both[1]));
    let folder = toolchain_support::folder();
    let kept = project.caching(folder.path());
    assert_eq!(canonical(&kept.full("b.py")), canonical(&both[1]), "before a.py is known");
    assert_eq!(canonical(&kept.full("a.py")), canonical(&both[0]), "after b.py is known");
}

/// The sample of a large package: enough files to share imports, few enough for every run of the tests.
#[test]
fn a_file_of_a_batch_is_judged_as_if_it_were_alone() {
    let (root, folder) = (corpus::dir("django"), toolchain_support::folder());
    let sample: Vec<String> =
        corpus::files(&root.join("django"), "py").iter().step_by(45).map(|file| format!("django/{file}")).collect();
    let paths: Vec<&str> = sample.iter().map(String::as_str).collect();
    assert!(paths.len() >= 15, "{}", paths.len());
    let fresh = Project::at(&root).scores(&paths, AnalysisMode::Full).unwrap();
    let cached = Project::at(&root).caching(folder.path());
    assert_eq!(canonical(&cached.scores(&paths, AnalysisMode::Full).unwrap()), canonical(&fresh), "cold");
    assert_eq!(canonical(&cached.scores(&paths, AnalysisMode::Full).unwrap()), canonical(&fresh), "warm");
    let alone = Project::at(&root);
    for score in fresh.files.iter().step_by(4) {
        assert_eq!(canonical(&alone.full(&score.file)), canonical(score), "{}", score.file);
        assert_eq!(canonical(&cached.full(&score.file)), canonical(score), "{}", score.file);
    }
}

/// mypy believes a file to be the one it knows when its size and the second of its last change are the same.
#[test]
fn edits_of_one_length_within_a_second_are_seen() {
    let project = Project::of(CLEAN);
    let time = std::time::SystemTime::now();
    let write = |path: &str, text: &str| {
        project.write(path, text.as_bytes());
        std::fs::File::options().write(true).open(project.path(path)).unwrap().set_modified(time).unwrap();
    };
    write("shop/uses.py", "from shop.gives import give\n\nTOTAL: int = give()\n");
    for (value, wrong) in [("int", false), ("str", true), ("int", false), ("str", true)] {
        let given = if wrong { "''" } else { "11" };
        write("shop/gives.py", &format!("def give() -> {value}:\n    return {given}\n"));
        write("shop/own.py", &format!("TOTAL: int = {given}\n"));
        for path in ["shop/own.py", "shop/uses.py"] {
            let found = project.full(path).findings.iter().any(|finding| finding.rule == "mypy:assignment");
            assert_eq!(found, wrong, "{path} with {value}");
        }
    }
}

#[test]
fn types_are_checked_for_a_project_that_is_for_an_older_python_than_mypy_knows() {
    let mut config = Config::default();
    config.python.version = "3.9".parse().unwrap();
    let project = Project::of(CLEAN).with(config);
    project.write("shop/wrong.py", b"TOTAL: int = \"\"\n");
    let score = project.full("shop/wrong.py");
    assert!(!score.degraded, "{:?}", score.not_measured);
    assert!(score.findings.iter().any(|finding| finding.rule == "mypy:assignment"), "{:?}", score.findings);
}

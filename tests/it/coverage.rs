//! Coverage data of real runs, in every format, against what coverage.py itself says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use rstest::rstest;
use serde_json::Value;
use tapps_base::source::Source;
use tapps_project::coverage::{CoverageFormat, FileCoverage, Lookup, executable};
use tapps_project::{ProjectIndex, assess};
use tapps_sandbox::Boundary;
use tempfile::TempDir;

use crate::corpus;

/// Statements and excluded lines of one file.
type Lines = (BTreeSet<u32>, BTreeSet<u32>);

/// What coverage.py's own parser says of files given by path on standard input.
const ORACLE: &str = r#"
import json, sys
from coverage.config import DEFAULT_EXCLUDE
from coverage.misc import join_regex
from coverage.parser import PythonParser
from coverage.exceptions import NotPython
found = {}
for path in sys.stdin.read().splitlines():
    parser = PythonParser(filename=path, exclude=join_regex(DEFAULT_EXCLUDE))
    try:
        parser.parse_source()
    except NotPython:
        continue
    found[path] = [sorted(parser.statements), sorted(parser.excluded)]
print(json.dumps(found))
"#;

fn python_path(packages: &[&str]) -> String {
    let folders = packages.iter().map(|name| corpus::dir(name).to_string_lossy().into_owned());
    folders.collect::<Vec<_>>().join(":")
}

fn oracle(dir: &Path, files: &[String]) -> BTreeMap<String, Lines> {
    use std::io::Write as _;
    let mut child = Command::new("python3")
        .args(["-B", "-W", "ignore", "-c", ORACLE])
        .env("PYTHONPATH", python_path(&["coverage"]))
        .current_dir(dir)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(files.join("\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[rstest]
#[case("django")]
#[case("rich")]
#[case("networkx")]
#[case("requests")]
fn executable_and_excluded_lines_equal_those_of_coverage_py(#[case] package: &str) {
    let dir = corpus::dir(package);
    let files = corpus::files(&dir, "py");
    assert!(files.len() > 15, "{package} has {} files", files.len());
    let expected = oracle(&dir, &files);
    assert!(expected.len() * 10 >= files.len() * 9, "the oracle read {} of {}", expected.len(), files.len());
    let mut wrong = Vec::new();
    for (path, (statements, excluded)) in &expected {
        let text = fs::read_to_string(dir.join(path)).unwrap();
        let lines = executable::classify_python_lines(&text).unwrap().unwrap_or_default();
        if lines.executable != *statements {
            let more: Vec<_> = lines.executable.difference(statements).collect();
            let less: Vec<_> = statements.difference(&lines.executable).collect();
            wrong.push(format!("{path}: too many {more:?}, too few {less:?}"));
        }
        if lines.excluded != *excluded {
            let odd: Vec<_> = lines.excluded.symmetric_difference(excluded).collect();
            wrong.push(format!("{path}: excluded {odd:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} files differ:\n{}", wrong.len(), expected.len(), wrong.join("\n"));
}

/// A project with the kinds of statements that coverage.py treats each in its own way.
const PROJECT: &[(&str, &str)] = &[
    (
        "pyproject.toml",
        "[project]\nname = 'shop'\nversion = '1'\n[tool.coverage.report]\nexclude_also = ['def __repr__']\n",
    ),
    ("src/shop/__init__.py", "\"\"\"A shop.\"\"\"\n\nfrom .cart import Cart\n\n__all__ = [\"Cart\"]\n"),
    (
        "src/shop/cart.py",
        r#""""Carts.

Two lines more.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LIMIT = {
    "items": 10,
    "weight": 2.5,
}
count: int
total: int = 0


@dataclass
class Item:
    """One thing."""

    name: str
    price: float = 0.0
    tags: list[str] = field(
        default_factory=list,
    )

    def __repr__(self):
        if self.name:
            return self.name
        return "?"


class Cart:
    size: int

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self.items = list(
            items
        )

    @property
    @functools.cache
    def total(self) -> float:
        """Sum."""
        return sum(
            item.price
            for item in self.items
        )

    def stub(self) -> int: ...

    def add(self, item: Item, *, force: bool = False) -> bool:
        global total
        if len(self.items) >= LIMIT["items"] and not force:
            return False
        elif item.price < 0:
            raise ValueError("negative")
        else:
            self.items.append(item)
        try:
            total += 1
        except TypeError:
            total = 0
        finally:
            seen = True
        return seen

    def find(self, name: str) -> Item | None:
        for item in self.items:
            if item.name == name:
                break
        else:
            return None
        return item

    def kind(self, value: object) -> str:
        match value:
            case int():
                return "int"
            case str() if value:
                return "str"
            case _:
                return "other"

    def never(self) -> int:
        while True:
            if self.items:
                return 1
            return 2
        return 3

    def debug(self):  # pragma: no cover
        print(self.items)


def label(text: str) -> str:
    local: int
    a = 1; b = 2
    if text: return text.upper()
    with open(text) as handle:
        return handle.read()
    return f"{a:>{b}}"


async def later(value: int) -> int:
    async def inner() -> int:
        nonlocal value
        value += 1
        return value

    return await inner()


if __name__ == "__main__":
    print(label("x"))
"#,
    ),
    ("src/shop/unused.py", "def f(x):\n    if x:\n        return 1\n    return 2\n"),
    ("src/shop/empty.py", ""),
    (
        "tests/test_cart.py",
        r#"import pytest
from shop import Cart
from shop import empty
from shop.cart import Item, label


def test_add():
    cart = Cart([Item("a", 1.0)])
    assert cart.add(Item("b", 2.0))
    assert cart.find("b").name == "b"
    assert cart.find("c") is None
    with pytest.raises(ValueError):
        cart.add(Item("d", -1.0))


def test_kind():
    assert Cart().kind(1) == "int"
    assert Cart().never() == 2
    assert label("x") == "X"
"#,
    ),
];

/// The folder in which the project was run, with all reports in it.
struct Run {
    folder: TempDir,
    /// By path, what `coverage json` says.
    expected: BTreeMap<String, Value>,
}

const REPORTS: [&str; 4] = ["coverage.json", "coverage.xml", "lcov.info", ".coverage"];

fn write(root: &Path, path: &str, text: &str) {
    let full = root.join(path);
    fs::create_dir_all(full.parent().unwrap()).unwrap();
    fs::write(full, text).unwrap();
}

fn run(branch: bool) -> &'static Run {
    static RUNS: [OnceLock<Run>; 2] = [OnceLock::new(), OnceLock::new()];
    RUNS[usize::from(branch)].get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        PROJECT.iter().for_each(|(path, text)| write(root, path, text));
        let libraries = python_path(&["coverage", "pytest", "pluggy", "packaging", "iniconfig", "pygments"]);
        let coverage = |args: &[&str]| {
            let output = Command::new("python3")
                .args(["-B", "-m", "coverage"])
                .args(args)
                .env("PYTHONPATH", format!("{}:{libraries}", root.join("src").display()))
                .current_dir(root)
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        };
        let mode: &[&str] = if branch { &["--branch"] } else { &[] };
        coverage(&[&["run", "--source=src"], mode, &["-m", "pytest", "-q", "-p", "no:cacheprovider"]].concat());
        coverage(&["json", "-o", "coverage.json"]);
        coverage(&["xml", "-o", "coverage.xml"]);
        let settings = "[lcov]\nline_checksums = true\n[report]\nexclude_also = def __repr__\n";
        write(root, "lcov.cfg", settings);
        coverage(&["lcov", "--rcfile=lcov.cfg", "-o", "lcov.info"]);
        fs::remove_file(root.join("lcov.cfg")).unwrap();
        let report: Value = serde_json::from_slice(&fs::read(root.join("coverage.json")).unwrap()).unwrap();
        let files = report["files"].as_object().unwrap();
        let expected = files.iter().map(|(path, file)| (path.clone(), file.clone())).collect();
        Run { folder, expected }
    })
}

/// A copy of the project at another place with one of the reports, so that absolute paths in it are foreign.
fn copy(run: &Run, report: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, _) in PROJECT {
        write(folder.path(), path, &fs::read_to_string(run.folder.path().join(path)).unwrap());
    }
    fs::copy(run.folder.path().join(report), folder.path().join(report)).unwrap();
    folder
}

fn index(root: &Path) -> ProjectIndex {
    ProjectIndex::new(Arc::new(Boundary::open(root).unwrap()))
}

fn lookup(root: &Path, path: &str, files: &[String]) -> Lookup {
    let source = Source::new(path, fs::read(root.join(path)).unwrap());
    index(root).snapshot(files).unwrap().coverage().of_file(&source).unwrap()
}

fn measured(root: &Path, path: &str) -> FileCoverage {
    match lookup(root, path, &[]) {
        Lookup::Measured(lines) => lines,
        other => panic!("{path}: {other:?}"),
    }
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|n| u32::try_from(n.as_u64().unwrap()).unwrap()).collect()
}

#[rstest]
fn every_format_of_a_real_run_gives_the_lines_of_coverage_json(
    #[values(false, true)] branch: bool,
    #[values("coverage.json", "coverage.xml", "lcov.info", ".coverage")] report: &str,
) {
    let run = run(branch);
    let root = copy(run, report);
    let mut compared = 0;
    for (path, expected) in &run.expected {
        // An empty file is in coverage.py's own two formats only.
        if expected["summary"]["num_statements"] == 0 && matches!(report, "lcov.info" | "coverage.xml") {
            continue;
        }
        let found = measured(root.path(), path);
        assert_eq!(found.executed, numbers(&expected["executed_lines"]), "{path} executed");
        assert_eq!(found.missing, numbers(&expected["missing_lines"]), "{path} missing");
        if matches!(report, "coverage.json" | ".coverage") {
            assert_eq!(found.excluded, numbers(&expected["excluded_lines"]), "{path} excluded");
        }
        let percent = expected["summary"]["percent_statements_covered"].as_f64().unwrap();
        assert!((found.percent() - percent).abs() < 1e-9, "{path}: {} is not {percent}", found.percent());
        assert_eq!(found.origins[0].path, report);
        compared += 1;
    }
    assert!(compared >= 3, "only {compared} files were compared");
    let cart = measured(root.path(), "src/shop/cart.py");
    assert!(cart.executed.len() > 40 && cart.missing.len() > 10, "the run says too little: {cart:?}");
}

fn edit(root: &Path, change: impl Fn(&str) -> String) {
    let path = root.join("src/shop/cart.py");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, change(&text)).unwrap();
}

#[rstest]
#[case::line_inserted(|text: &str| format!("# note\n{text}"))]
#[case::function_added(|text: &str| text.replace("async def later", "def added():\n    return 1\n\n\nasync def later"))]
#[case::function_appended(|text: &str| format!("{text}\n\ndef added():\n    return 1\n"))]
#[case::method_added(|text: &str| text.replace("    def debug", "    def added(self):\n        return 1\n\n    def debug"))]
#[case::end_removed(|text: &str| text.split("async def later").next().unwrap().to_owned())]
#[case::commented_out(|text: &str| text.replace("            self.items.append(item)", "            # self.items.append(item)\n            pass"))]
#[case::broken(|text: &str| text.replace("class Cart:", "class Cart"))]
fn data_of_another_text_is_stale(#[case] change: fn(&str) -> String, #[values(false, true)] branch: bool) {
    for report in REPORTS {
        let root = copy(run(branch), report);
        edit(root.path(), change);
        let found = lookup(root.path(), "src/shop/cart.py", &[]);
        assert!(matches!(&found, Lookup::Stale { origin, .. } if origin.path == report), "{report}: {found:?}");
        let source = Source::new("src/shop/cart.py", fs::read(root.path().join("src/shop/cart.py")).unwrap());
        let project = index(root.path()).snapshot(&[]).unwrap();
        let verdict = assess::test_coverage(&project, &source, project.coverage()).unwrap();
        assert_eq!(verdict.findings[0].rule, "tapps:stale-coverage", "{report}");
        assert_eq!((verdict.total_cost(), verdict.coverage_percent), (5000, None));
    }
}

#[test]
fn times_and_comments_do_not_make_data_stale_and_line_digests_show_any_change() {
    for report in REPORTS {
        let root = copy(run(false), report);
        edit(root.path(), |text| text.replace("Two lines more.", "Two other lines."));
        assert!(measured(root.path(), "src/shop/cart.py").executed.len() > 40, "{report}");
        edit(root.path(), |text| text.replace("\"weight\": 2.5", "\"weight\": 9.5"));
        assert!(measured(root.path(), "src/shop/cart.py").executed.len() > 40, "{report}");
        edit(root.path(), |text| text.replace("total += 1", "total += 2"));
        let found = lookup(root.path(), "src/shop/cart.py", &[]);
        // Only lcov has a digest of each line.
        assert_eq!(matches!(found, Lookup::Stale { .. }), report == "lcov.info", "{report}");
    }
}

#[test]
fn configured_reports_add_up_and_unusable_ones_are_kept_as_problems() {
    let root = tempfile::tempdir().unwrap();
    write(
        root.path(),
        "web/a.js",
        "const a = 1;\nexport function f() {\n  return a;\n}\nexport function g() {\n  return 2;\n}\n",
    );
    write(root.path(), "one.info", "SF:web/a.js\nDA:1,1\nDA:3,1\nDA:6,0\nend_of_record\n");
    write(root.path(), "two.info", "SF:/ci/build/web/a.js\nDA:1,1\nDA:3,0\nDA:6,2\nend_of_record\n");
    write(root.path(), "coverage.xml", "<coverage><packages>");
    fs::create_dir(root.path().join("coverage.json")).unwrap();
    let files = ["one.info".to_owned(), "two.info".to_owned(), "absent.xml".to_owned()];
    let Lookup::Measured(found) = lookup(root.path(), "web/a.js", &files) else { panic!("both reports fit") };
    assert_eq!((found.executed.as_slice(), found.missing.as_slice()), (&[1, 3, 6][..], &[][..]));
    assert_eq!(found.origins.iter().map(|o| o.path.as_str()).collect::<Vec<_>>(), ["one.info", "two.info"]);
    let project = index(root.path()).snapshot(&files).unwrap();
    let problems: Vec<&str> = project.coverage().problems().iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(problems, ["absent.xml", "coverage.json", "coverage.xml"]);
    assert_eq!(project.coverage().problems()[2].to_error().code().as_str(), "corrupted_data");
}

#[test]
fn reports_of_scripts() {
    let root = tempfile::tempdir().unwrap();
    let text = "// a comment\n\nconst a = 1;\nexport function f(x) {\n  if (x) {\n    return a;\n  }\n  return 2;\n}\n";
    write(root.path(), "src/a.js", text);
    let span =
        |line: u32| format!("{{\"start\":{{\"line\":{line},\"column\":0}},\"end\":{{\"line\":{line},\"column\":9}}}}");
    let istanbul = |shift: u32| {
        format!(
            "{{\"/ci/app/src/a.js\":{{\"path\":\"/ci/app/src/a.js\",\"statementMap\":{{\"0\":{},\"1\":{},\"2\":{},\"3\":{}}},\
             \"fnMap\":{{}},\"branchMap\":{{}},\"s\":{{\"0\":1,\"1\":3,\"2\":0,\"3\":3}},\"f\":{{}},\"b\":{{}}}}}}",
            span(3 + shift),
            span(5 + shift),
            span(6 + shift),
            span(8 + shift)
        )
    };
    let report = "coverage/coverage-final.json";
    write(root.path(), report, &istanbul(0));
    let found = measured(root.path(), "src/a.js");
    assert_eq!((found.executed, found.missing), (vec![3, 5, 8], vec![6]));
    assert_eq!(found.origins[0].format, CoverageFormat::Istanbul);
    write(root.path(), report, &istanbul(1));
    assert!(matches!(lookup(root.path(), "src/a.js", &[]), Lookup::Stale { .. }));
    fs::remove_file(root.path().join(report)).unwrap();

    // Coverage from V8 lists every line, blank ones and comments too.
    let every = |count: u32| {
        let lines: String = (1..=count).map(|n| format!("DA:{n},{}\n", u32::from(n != 6 && n != 7))).collect();
        format!("TN:\nSF:src/a.js\n{lines}end_of_record\n")
    };
    write(root.path(), "coverage/lcov.info", &every(9));
    let found = measured(root.path(), "src/a.js");
    assert_eq!((found.executed, found.missing), (vec![3, 4, 5, 8, 9], vec![6, 7]));
    write(root.path(), "coverage/lcov.info", &every(7));
    assert!(matches!(lookup(root.path(), "src/a.js", &[]), Lookup::Stale { .. }));
}

#[test]
fn the_verdict_names_the_uncovered_lines_and_costs_their_share() {
    let run = run(true);
    let root = copy(run, "coverage.xml");
    let project = index(root.path()).snapshot(&[]).unwrap();
    let source = Source::new("src/shop/cart.py", fs::read(root.path().join("src/shop/cart.py")).unwrap());
    let verdict = assess::test_coverage(&project, &source, project.coverage()).unwrap();
    let summary = &run.expected["src/shop/cart.py"]["summary"];
    let missing = summary["missing_lines"].as_f64().unwrap();
    let total = summary["num_statements"].as_f64().unwrap();
    assert_eq!(f64::from(verdict.total_cost()), (10_000.0 * missing / total).round());
    assert!(verdict.origin.starts_with("coverage.xml (sha256 "));
    assert!(verdict.findings.iter().all(|f| f.rule == "tapps:uncovered-lines" && f.fingerprint.len() == 16));
    let unused = Source::new("src/shop/unused.py", fs::read(root.path().join("src/shop/unused.py")).unwrap());
    let verdict = assess::test_coverage(&project, &unused, project.coverage()).unwrap();
    let finding = &verdict.findings[0];
    assert_eq!((verdict.total_cost(), finding.line, finding.end_line), (10_000, 1, 4));
}

/// A data file of coverage.py made by hand, to hold what coverage.py would never write.
fn database(path: &PathBuf, sql: &str) {
    fs::remove_file(path).ok();
    rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn hostile_data_files_are_refused() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "a.py", "x = 1\n");
    let tables =
        "create table file (id integer primary key, path text); create table arc (file_id, context_id, fromno, tono);";
    let path = root.path().join(".coverage");
    let endless = "create view line_bits as with recursive n(i) as (select 1 union all select i + 1 from n) \
                   select i as file_id, 0 as context_id, x'02' as numbits from n;";
    for (sql, reason) in [
        (format!("{tables}{endless}"), "no table `line_bits`"),
        (tables.to_owned(), "no table `line_bits`"),
        (format!("{tables}create table line_bits (file_id, numbits as (zeroblob(9)));"), "computed columns"),
        (
            format!(
                "{tables}create table line_bits (file_id, context_id, numbits); insert into file values (1, 'a.py'); \
                 insert into line_bits values (1, 0, zeroblob(1000000));"
            ),
            "too big",
        ),
    ] {
        database(&path, &sql);
        let project = index(root.path()).snapshot(&[]).unwrap();
        let problems = project.coverage().problems();
        assert!(problems.len() == 1 && problems[0].reason.contains(reason), "{problems:?}");
    }
}

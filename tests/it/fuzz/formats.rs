//! Files of other programs that lie in a project: lock files, manifests, coverage reports, configuration.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_config::Config;
use tapps_project::ProjectIndex;
use tapps_project::advisories::{Database, scan_dependencies};
use tapps_project::profile::build_project_profile;
use tapps_project::validate::{ConfigKind, judge_config_file};
use tapps_project::versions::Pins;
use tapps_quality::baseline::Baseline;
use tapps_sandbox::Boundary;

use super::{Rng, fuzz, mutated};

/// One file of each format, as its program writes it.
const FILES: &[(&str, &str)] = &[
    (
        "uv.lock",
        "version = 1\n[[package]]\nname = \"demo\"\nversion = \"1.0\"\nsource = { registry = \"r\" }\nwheels = [{ url = \"u\", hash = \"sha256:0\" }]\n",
    ),
    (
        "poetry.lock",
        "[[package]]\nname = \"demo\"\nversion = \"1.0\"\nfiles = [{file = \"a.whl\", hash = \"sha256:0\"}]\n[metadata]\nlock-version = \"2.0\"\n",
    ),
    ("pdm.lock", "[metadata]\ngroups = [\"default\"]\n[[package]]\nname = \"demo\"\nversion = \"1.0\"\n"),
    ("pylock.toml", "lock-version = \"1.0\"\n[[packages]]\nname = \"demo\"\nversion = \"1.0\"\n"),
    ("Pipfile.lock", "{\"default\": {\"demo\": {\"version\": \"==1.0\", \"hashes\": []}}, \"develop\": {}}"),
    ("requirements.txt", "demo[x]==1.0 ; python_version > '3' \\\n  --hash=sha256:0\n-r other.txt\nb>=2,<3  # c\n"),
    (
        "package-lock.json",
        "{\"lockfileVersion\": 3, \"packages\": {\"\": {}, \"node_modules/demo\": {\"version\": \"1.0.0\", \"integrity\": \"sha512-x\"}}}",
    ),
    (
        "npm-shrinkwrap.json",
        "{\"dependencies\": {\"demo\": {\"version\": \"1.0.0\", \"dependencies\": {\"b\": {\"version\": \"2.0.0\"}}}}}",
    ),
    (
        "pnpm-lock.yaml",
        "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      demo: &d\n        specifier: ^1\n        version: 1.0.0(b@2)\n      e: *d\npackages:\n  demo@1.0.0:\n    resolution: {integrity: sha512-y}\n",
    ),
    ("yarn.lock", "# yarn lockfile v1\n\n\"@a/demo@^1.0\", demo@^1.1:\n  version \"1.2.0\"\n  integrity sha512-x\n"),
    ("web/yarn.lock", "__metadata:\n  version: 8\n\"demo@npm:^1\":\n  version: 1.0.1\n  checksum: 10/ab\n"),
    ("bun.lock", "{\"lockfileVersion\": 1, \"packages\": {\"demo\": [\"demo@1.0.0\", \"\", {}, \"sha512-x\"],},}"),
    ("Cargo.lock", "version = 4\n[[package]]\nname = \"demo\"\nversion = \"1.0.0\"\ndependencies = [\"b\"]\n"),
    ("go.mod", "module m\ngo 1.22\nrequire (\n\texample.org/demo v1.0.0 // indirect\n)\nreplace a => b v1\n"),
    ("gradle.lockfile", "# c\norg.demo:demo:1.0=compileClasspath\nempty=\n"),
    (
        "pom.xml",
        "<project><parent><groupId>p</groupId></parent><dependencies><dependency><groupId>g</groupId><artifactId>demo</artifactId><version>${v}</version></dependency></dependencies></project>",
    ),
    (
        "pyproject.toml",
        "[project]\nname = \"m\"\nrequires-python = \">=3.11\"\ndependencies = [\"demo>=1; os_name == 'a'\"]\n[project.optional-dependencies]\nx = [\"b==2\"]\n[tool.poetry.dependencies]\nc = {version = \"^1\"}\n[tool.coverage.report]\nexclude_also = [\"def __repr__\"]\n",
    ),
    (
        "setup.cfg",
        "[metadata]\nname = m\n[options]\ninstall_requires =\n    demo>=1\n    b\n[coverage:report]\nexclude_lines =\n    pragma: no cover\n",
    ),
    (".coveragerc", "[report]\nexclude_lines =\n    pragma: no cover\n    def __repr__\n"),
    ("tox.ini", "[tox]\nenvlist = py3{11,12}\n[testenv]\ndeps = -rrequirements.txt\n"),
    (
        "package.json",
        "{\"name\": \"m\", \"workspaces\": [\"packages/*\", \"!packages/{a,b}\"], \"dependencies\": {\"demo\": \"^1\"}, \"packageManager\": \"pnpm@10.0.0\"}",
    ),
    ("pnpm-workspace.yaml", "packages:\n  - packages/*\n  - '!**/test/**'\n"),
    (
        "Cargo.toml",
        "[workspace]\nmembers = [\"a/*\"]\n[dependencies]\ndemo = { version = \"1\", features = [\"x\"] }\n[target.'cfg(unix)'.dependencies]\nb = \"2\"\n",
    ),
    ("build.gradle", "dependencies {\n  implementation 'org.demo:demo:1.0'\n  testImplementation(\"g:b\")\n}\n"),
    (
        "tsconfig.json",
        "{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"src/*\"],},}, \"extends\": \"./tsconfig.json\"} // c\n",
    ),
    ("lcov.info", "TN:\nSF:pkg/a.py\nDA:1,1,x\nDA:2,0\nend_of_record\n"),
    (
        "coverage.xml",
        "<?xml version=\"1.0\"?><!DOCTYPE c [<!ENTITY a \"b\">]><coverage><sources><source>/ci</source></sources><packages><package><classes><class filename=\"pkg/a.py\"><lines><line number=\"1\" hits=\"1\"/></lines></class></classes></package></packages></coverage>",
    ),
    (
        "coverage.json",
        "{\"meta\": {}, \"files\": {\"pkg/a.py\": {\"executed_lines\": [1, 2], \"missing_lines\": [3], \"excluded_lines\": []}}}",
    ),
    (
        "coverage/coverage-final.json",
        "{\"/ci/pkg/a.js\": {\"path\": \"/ci/pkg/a.js\", \"statementMap\": {\"0\": {\"start\": {\"line\": 1}}}, \"s\": {\"0\": 1}}}",
    ),
    (
        "notes/a.ipynb",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"import os\\n\"], \"outputs\": []}], \"nbformat\": 4}",
    ),
    (".gitignore", "*.pyc\n!keep.pyc\n/build/\n**/x[a-z]*.{a,b}\n"),
    (".gitmodules", "[submodule \"x\"]\n\tpath = ../x\n\turl = u\n"),
    (
        ".github/workflows/ci.yml",
        "on: [push]\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    needs: [b]\n    steps:\n      - uses: actions/checkout@v4\n      - run: echo ${{ github.event.issue.title }}\n",
    ),
];

/// The files that [`judge`] reads, with their kinds.
const JUDGED: &[(&str, ConfigKind, &str)] = &[
    (
        "Dockerfile",
        ConfigKind::Dockerfile,
        "# escape=\\\nARG V=1\nFROM python:${V} AS b\nRUN apt-get update && \\\n  pip install a | sh\nCOPY --from=b /x /y\nRUN <<EOF\nls\nEOF\nCMD [\"x\"]\n",
    ),
    (
        "compose.yaml",
        ConfigKind::DockerCompose,
        "x-base: &b\n  image: a:1\nservices:\n  s:\n    <<: *b\n    ports: [\"8080:80\"]\n    volumes: [data:/x, /var/run/docker.sock:/s]\n    environment:\n      - KEY=${KEY:-a}\nvolumes:\n  data:\n",
    ),
    (
        "ci.yml",
        ConfigKind::GithubActions,
        "on: pull_request_target\njobs:\n  a:\n    runs-on: x\n    steps:\n      - uses: a/b@v1\n        with: {ref: \"${{ github.head_ref }}\"}\n",
    ),
    (
        ".mcp.json",
        ConfigKind::Mcp,
        "{\"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"p@latest\"], \"env\": {\"API_KEY\": \"x\"}}}}",
    ),
    ("socket.py", ConfigKind::Websocket, "import websockets\nws = websockets.connect('ws://h')\n"),
    ("queue.py", ConfigKind::Mqtt, "import paho.mqtt.client as m\nc = m.Client()\nc.connect('h', 1883)\n"),
    (
        "series.py",
        ConfigKind::Influxdb,
        "from influxdb_client import InfluxDBClient\nc = InfluxDBClient(url='http://h', token='t')\n",
    ),
];

/// The changed file: its place in the table, and its text.
fn changed(rng: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let seed = rng.below(seeds.len());
    let (place, text) = seeds[seed].split_first().unwrap();
    let others: Vec<Vec<u8>> = seeds.iter().map(|seed| seed[1..].to_vec()).collect();
    let text = if rng.once_in(4) { structured(rng, text) } else { mutated(rng, text, &others) };
    [&[*place], &text[..]].concat()
}

/// Much of the same structure: lines, values and brackets many times over, each with a number of its own.
fn structured(rng: &mut Rng, text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text).into_owned();
    let times = 1 << rng.below(13);
    let lines: Vec<&str> = text.split_inclusive(['\n', ',', '>']).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let from = rng.below(lines.len());
    let to = from + 1 + rng.below((lines.len() - from).min(4));
    let piece = lines[from..to].concat();
    let repeated: String = match rng.below(4) {
        0 => (0..times).map(|n| piece.replace("demo", &format!("demo{n}"))).collect(),
        1 => (0..times).map(|n| piece.replace('1', &n.to_string())).collect(),
        2 => piece.replace("demo", &"demo/".repeat(times)).replace("pkg", &"pkg/".repeat(times)),
        _ => (0..times).map(|n| format!("k{n}: &k{n} [*k{}]\n", n / 2)).collect(),
    };
    let mut whole = [&lines[..from].concat(), &*repeated, &lines[to..].concat()].concat().into_bytes();
    whole.truncate(1 << 20);
    whole
}

fn seeds(texts: impl Iterator<Item = &'static str>) -> Vec<Vec<u8>> {
    (0_u8..).zip(texts).map(|(place, text)| [&[place], text.as_bytes()].concat()).collect()
}

#[test]
fn what_other_programs_write_is_read_or_named_as_unread() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    fs::create_dir(folder.path().join(".git")).unwrap();
    write("pkg/a.py", b"x = 1\n");
    write("osv/a.json", b"{\"id\": \"X-1\", \"affected\": [{\"package\": {\"ecosystem\": \"PyPI\", \"name\": \"demo\"}, \"versions\": [\"1.0\"]}]}");
    let boundary = Arc::new(Boundary::open(folder.path()).unwrap());
    let database = Database::open(&boundary, &["osv".to_owned()], None).unwrap();
    let index = ProjectIndex::new(Arc::clone(&boundary));
    let source = Source::new("pkg/a.py", &b"x = 1\n"[..]);
    let read = |input: &[u8]| {
        let (place, text) = input.split_first().unwrap();
        let (path, _) = FILES[usize::from(*place) % FILES.len()];
        write(path, text);
        let found = build_project_profile(&boundary, &Config::default()).unwrap();
        let pins = Pins::of_project(&boundary).unwrap();
        let scanned = scan_dependencies(&boundary, &database, &Call::quiet(Duration::from_secs(600))).unwrap();
        let project = index.snapshot(&[]).unwrap();
        let problems = project.coverage().problems().len();
        project.coverage().of_file(&source).unwrap();
        fs::remove_file(folder.path().join(path)).unwrap();
        let unread = (found.unread.is_empty(), pins.unreadable.is_empty(), scanned.unread.is_empty());
        let packages = (pins.iter().count().min(3), scanned.packages.min(3), scanned.vulnerable.len().min(2));
        format!("{path} {unread:?} {packages:?} {problems}")
    };
    fuzz("formats", 200, seeds(FILES.iter().map(|(_, text)| *text)), changed, read);
}

#[test]
fn configuration_of_any_kind_is_judged() {
    fuzz("judged", 200, seeds(JUDGED.iter().map(|(_, _, text)| *text)), changed, |input| {
        let (place, text) = input.split_first().unwrap();
        let (path, kind, _) = JUDGED[usize::from(*place) % JUDGED.len()];
        let found = judge_config_file(&Source::new(path, text), &[kind]);
        let lines = u32::try_from(text.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1).unwrap();
        assert!(found.iter().all(|finding| finding.line <= lines + 1), "a finding stands on a line that there is");
        let rules: std::collections::BTreeSet<&str> = found.iter().map(|finding| &*finding.rule).collect();
        format!("{path} {rules:?}")
    });
}

/// The data file of coverage.py with one row of each table, which SQLite itself has written.
fn data_file(path: &Path) -> Vec<u8> {
    let db = Connection::open(path).unwrap();
    db.execute_batch(
        "create table file (id integer primary key, path text); create table line_bits (file_id integer, numbits blob);
         create table arc (file_id integer, fromno integer, tono integer);
         insert into file values (1, 'pkg/a.py'); insert into line_bits values (1, x'02'); insert into arc values (1, -1, 1);",
    )
    .unwrap();
    db.close().unwrap();
    fs::read(path).unwrap()
}

#[test]
fn a_damaged_data_file_of_coverage_is_no_more_than_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let whole = data_file(&folder.path().join("whole.db"));
    fs::create_dir(folder.path().join("pkg")).unwrap();
    fs::write(folder.path().join("pkg/a.py"), "x = 1\n").unwrap();
    let index = ProjectIndex::new(Arc::new(Boundary::open(folder.path()).unwrap()));
    let source = Source::new("pkg/a.py", &b"x = 1\n"[..]);
    let make = |rng: &mut Rng, seeds: &[Vec<u8>]| {
        let mut bytes = rng.pick(seeds).clone();
        // Single bytes, most of them where pages and cells are described: any other change is found at once.
        for _ in 0..=rng.below(8) {
            let at = if rng.once_in(2) { rng.below(bytes.len().min(120)) } else { rng.below(bytes.len()) };
            bytes[at] = if rng.once_in(3) { 0xff } else { rng.next().to_le_bytes()[0] };
        }
        bytes
    };
    fuzz("coverage-data", 300, vec![whole], make, |bytes| {
        fs::write(folder.path().join(".coverage"), bytes).unwrap();
        let project = index.snapshot(&[]).unwrap();
        project.coverage().of_file(&source).unwrap();
        project.coverage().problems().first().map_or_else(|| "read".to_owned(), |problem| problem.reason.clone())
    });
}

#[test]
fn baselines_are_read_or_refused() {
    let whole = "{\"format\": 1, \"findings\": {\"a\": 1, \"b\": 4294967295, \"\": 0}}";
    let sarif = "{\"version\": \"2.1.0\", \"runs\": [{\"results\": [{\"partialFingerprints\": {\"a\": \"b\"}}]}]}";
    let seeds = [whole, sarif].map(|text| text.as_bytes().to_vec()).to_vec();
    let make = |rng: &mut Rng, seeds: &[Vec<u8>]| {
        let seed = rng.pick(seeds).clone();
        mutated(rng, &seed, seeds)
    };
    fuzz("baseline", 400, seeds, make, |bytes| match Baseline::parse(&String::from_utf8_lossy(bytes)) {
        Ok(mut baseline) => {
            baseline.forgive(&mut Vec::new());
            assert_eq!(Baseline::parse(&baseline.to_text().unwrap()).unwrap(), baseline);
            "read".to_owned()
        }
        Err(error) => {
            assert_eq!(error.code(), ErrorCode::ConfigError, "{error}");
            error.code().as_str().to_owned()
        }
    });
}

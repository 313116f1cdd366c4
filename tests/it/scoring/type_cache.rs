//! What mypy knows of the stubs that come with it is taken over from project to project, and changes no answer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::Connection;

use super::support::{Project, canonical};
use crate::toolchain_support;

/// What a program says about a project with a cache folder, without clock values.
fn score(project: &Project, cache: &Path) -> String {
    let settings = toolchain_support::settings();
    let mut command = toolchain_support::program(&settings);
    command.args(["score", "queue.py", "use.py", "--format", "json", "--quiet"]).current_dir(project.root());
    command.env("TAPPS_MCP_CACHE_DIR", cache).env("TAPPS_MCP_DATA_DIR", &settings.data_dir);
    let output = command.output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", toolchain_support::stderr(&output));
    canonical(&serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap())
}

/// When mypy wrote what it knows of each module, in each project's cache.
fn times_of_modules(cache: &Path) -> Vec<BTreeMap<String, f64>> {
    let folders = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
    };
    let mut all = Vec::new();
    for project in folders(&cache.join("mypy")) {
        let mut times = BTreeMap::new();
        for database in folders(&project.join("files")).iter().flat_map(|version| std::fs::read_dir(version).unwrap()) {
            let connection = Connection::open(database.unwrap().path()).unwrap();
            let mut rows = connection.prepare("SELECT path, mtime FROM files2 WHERE path LIKE '%.data.ff'").unwrap();
            let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            times.extend(rows.map(|row| row.unwrap()));
        }
        all.push(times);
    }
    all
}

/// A project with a module that has the name of one of the standard library, whose file looks the same in all of them.
fn project(taken: &str) -> Project {
    let project = Project::of(&[("pyproject.toml", b"[project]\nname = \"shop\"\nrequires-python = \">=3.11\"\n")]);
    project.write("queue.py", format!("def put(item: {taken}) -> None:\n    print(item)\n").as_bytes());
    project.write(
        "use.py",
        b"import asyncio\nimport json\n\nimport queue\n\nqueue.put(1)\nBAD: int = json.dumps(asyncio)\n",
    );
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    std::fs::File::options().write(true).open(project.path("queue.py")).unwrap().set_modified(then).unwrap();
    project
}

#[test]
fn a_new_project_begins_with_what_is_known_of_bundled_stubs_and_of_nothing_else() {
    let (known, unknown) = (toolchain_support::folder(), toolchain_support::folder());
    let (first, second) = (project("int"), project("str"));
    let said = score(&first, known.path());
    assert!(said.contains("mypy:assignment") && !said.contains("mypy:arg-type"), "{said}");
    let before = times_of_modules(known.path());
    assert_eq!(before.len(), 1);
    assert!(before[0].contains_key("queue.data.ff") && before[0].len() > 100, "{:?}", before[0].len());

    let said = score(&second, known.path());
    assert!(said.contains("mypy:assignment") && said.contains("mypy:arg-type"), "{said}");
    assert_eq!(said, score(&second, unknown.path()));
    let after = times_of_modules(known.path());
    assert_eq!(after.len(), 2);
    let made = after.iter().find(|times| **times != before[0]).unwrap();
    let anew: Vec<&str> =
        made.iter().filter(|(name, time)| before[0].get(*name) != Some(time)).map(|(name, _)| name.as_str()).collect();
    // The project's two, and what of the standard library reads the one that stands in its way.
    assert_eq!(anew, ["multiprocessing/__init__.data.ff", "queue.data.ff", "use.data.ff"]);
}

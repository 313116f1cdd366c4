//! Whatever CPython runs the tools, the result is the same: whole packages and a folder of odd files, byte for byte.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tapps_base::digest;
use tapps_toolchain::ToolchainSettings;

use crate::corpus;
use crate::systems::{self, System};
use crate::toolchain_interpreter::other_pythons;
use crate::toolchain_support::{folder, program, settings, stderr, stdout};

/// Syntax that only some of the interpreters can parse, places that they count differently, encodings, and texts on which
/// parsers give up.
pub(crate) fn write_odd_files(folder: &Path) {
    let links = |count: usize| vec!["\"a\""; count].join(" + ");
    let files: [(&str, Vec<u8>); 14] = [
        (
            "pep695.py",
            b"type Pair[T] = tuple[T, T]\n\n\ndef first[T](pair: Pair[T]) -> T:\n    return pair[0]\n".into(),
        ),
        (
            "pep696.py",
            b"class Box[T = int]:\n    def __init__(self, value: T) -> None:\n        self.value = value\n".into(),
        ),
        ("pep701.py", b"names = ['a']\nprint(f\"{\", \".join(names)} and {f\"{len(names)!r:>{4}}\"}\")\n".into()),
        ("pep758.py", b"try:\n    print(1)\nexcept ValueError, TypeError:\n    raise\n".into()),
        ("pep750.py", b"name = 'x'\nquery = t\"SELECT * FROM {name}\"\nprint(query)\n".into()),
        ("interpolated.py", SQL.into()),
        ("finally_return.py", b"def f() -> int:\n    try:\n        return 1\n    finally:\n        return 2\n".into()),
        ("marked.py", b"\xef\xbb\xbfimport subprocess\nsubprocess.call('ls', shell=True)\n".into()),
        ("latin.py", b"# -*- coding: latin-1 -*-\nname = '\xe9'\n".into()),
        ("line_ends.py", b"import os\r\n\r\nassert os.name\rpassword = 'hunter2hunter2'\r\n".into()),
        ("long_sum.py", format!("TEXT = {}\n", links(900)).into_bytes()),
        ("longer_sum.py", format!("TEXT = {}\nundefined_name\n", links(4_000)).into_bytes()),
        ("broken.py", b"def f(:\n    pass\n".into()),
        ("names.py", "ñandú = 1\n𝔘 = ñandú\n\u{1df0b} = 2\n".as_bytes().into()),
    ];
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}

/// Places inside f-strings, which interpreters before 3.12 do not know.
const SQL: &[u8] = b"import sqlite3


def find(connection: sqlite3.Connection, name: str, port: int) -> None:
    connection.execute(f\"SELECT * FROM users WHERE name = '{name}' AND host = '{'0.0.0.0'}'\")
    connection.execute(
        f\"\"\"
        DELETE FROM users
        WHERE path = '{'/tmp/x'}' AND port = {port}
        \"\"\"
    )
";

/// The result without clock values and without the interpreter's own name.
fn comparable(mut result: Value) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("meta");
                fields.remove("interpreter");
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut result);
    digest::canonical_json(&result).unwrap()
}

fn score(root: &Path, python: Option<PathBuf>) -> Value {
    let mut command = program(&ToolchainSettings { python, ..settings() });
    command.current_dir(root).args(["score", "--no-cache", "--format", "json", "."]);
    let output = command.output().unwrap();
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1 | 7)), "{}: {code:?}: {}", root.display(), stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// The first file whose result differs, for the message of a failure.
fn first_difference(before: &Value, after: &Value) -> String {
    let files = |result: &Value| result["files"].as_array().cloned().unwrap_or_default();
    let pairs = files(before).into_iter().zip(files(after));
    let differing = pairs.map(|(a, b)| (comparable(a), comparable(b))).find(|(a, b)| a != b);
    differing.map_or_else(|| "the files agree".to_owned(), |(a, b)| format!("{a}\n{b}"))
}

#[test]
fn every_cpython_gives_the_same_result() {
    if systems::require(System::OtherPython).is_none() {
        return;
    }
    let odd = folder();
    write_odd_files(odd.path());
    let others = other_pythons();
    for root in systems::sample([odd.path().to_owned(), corpus::dir("rich"), corpus::dir("requests")], 2) {
        let here = score(&root, None);
        assert!(here["total"].as_u64().unwrap() >= 14, "{}", root.display());
        let mut stamps = here["files"].as_array().unwrap().iter().map(|file| &file["toolchain"]["interpreter"]);
        assert!(stamps.any(|stamp| stamp["version"].is_string()), "an interpreter had a say");
        for (python, version) in &others {
            let there = score(&root, Some(python.clone()));
            let (expected, found) = (comparable(here.clone()), comparable(there.clone()));
            assert!(expected == found, "{version} in {}: {}", root.display(), first_difference(&here, &there));
        }
    }
}

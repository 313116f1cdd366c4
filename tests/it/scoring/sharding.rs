//! A gate that several machines share gives the verdict of one.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::toolchain_support::{self, folder, program, stderr, stdout};

/// Files good and bad, on more shares than there are files, so that some shares are empty.
const SHARES: u32 = 9;

fn without_meta(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    value.as_object_mut().unwrap().remove("meta").unwrap();
    value
}

#[test]
fn shares_make_the_verdict_of_one_machine() {
    let _installed = toolchain_support::toolchain();
    let (project, reports) = (folder(), folder());
    let good = "\"\"\"Sums.\"\"\"\n\n\ndef total(prices: list[int]) -> int:\n    \"\"\"Add all prices.\"\"\"\n    return sum(prices)\n";
    for name in ["a", "b", "c", "pkg/d"] {
        let path = project.path().join(format!("{name}.py"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, good).unwrap();
    }
    fs::write(project.path().join("bad.py"), "import subprocess\nsubprocess.call(input(), shell=True)\n").unwrap();
    let gate = |arguments: &[&str]| -> Output {
        let mut command = program(&toolchain_support::settings());
        command.arg("gate").args(arguments).current_dir(project.path()).output().unwrap()
    };
    let whole = gate(&["--format", "json", "."]);
    assert_eq!(whole.status.code(), Some(1), "{}", stderr(&whole));
    let mut paths = Vec::new();
    let mut failed = Vec::new();
    for index in 1..=SHARES {
        let share = gate(&["--shard", &format!("{index}/{SHARES}"), "."]);
        match share.status.code() {
            Some(0) => {}
            Some(1) => failed.push(index),
            code => panic!("{index}: {code:?} {}", stderr(&share)),
        }
        let path = reports.path().join(format!("{index}.json"));
        fs::write(&path, &share.stdout).unwrap();
        paths.push(path.to_str().unwrap().to_owned());
    }
    assert_eq!(failed.len(), 1, "one file is bad, so one share fails: {failed:?}");
    paths.reverse();
    let all: Vec<&str> = ["merge", "--format", "json"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    let merged = gate(&all);
    assert_eq!(merged.status.code(), Some(1), "{}", stderr(&merged));
    assert_eq!(without_meta(&stdout(&merged)), without_meta(&stdout(&whole)));
    let partly = gate(&all[..all.len() - 1]);
    assert_eq!(partly.status.code(), Some(2));
    let said = stdout(&partly) + &stderr(&partly);
    assert!(said.contains(&format!("1/{SHARES} missing")), "{said}");
}
